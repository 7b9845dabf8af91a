"""What single words stand for in a table that somebody has just brought: its rows' noun, its years, its figures."""

from __future__ import annotations

import pytest

from apps.analyst.plan import Statistic
from tests.analyst.language.asking import Desk, csv, uploaded

TOWERS = csv(
    "name,town,levels,last climb,climbs",
    [
        ("Ash Tower", "Osk", 21, 2012, 6),
        ("Beech Tower", "Varn", 34, 2011, 5),
        ("Cherry Spire", "Osk", 12, 2013, 1),
        ("Damson Tower", "Brae", 40, 1990, 3),
    ],
)
CAMPAIGNS = csv(
    "campaign,week,party,ballots,share of ballots,place",
    [
        ("1961", 1, "Reed", 69045, 8.6, "Osk"),
        ("1966", 2, "Reed", 39717, 3.1, "Varn"),
        ("1970", 3, "Reed", 51760, 3.5, "Osk"),
        ("1970", 4, "Moss", 64000, 4.2, "Brae"),
        ("1974", 5, "Moss", 58768, 5.3, "Varn"),
    ],
)
STOPS = csv(
    "stop,line,follower,guests (m),lamps",
    [
        ("Ash Gate", "Crown Central", "Birch Gate", 9.1, "red, blue"),
        ("Birch Gate", "Crown", "Cedar Gate", 12.4, "red"),
        ("Cedar Gate", "Crown", "Dune Gate", 10.2, "blue, green, red"),
        ("Dune Gate", "Moor", "Elm Gate", 3.5, "green"),
    ],
)
PRIZES = csv(
    "season,prize,film,outcome",
    [
        (1955, "Lantern", "Low Tide", "Won"),
        (1955, "Compass", "Low Tide", "Won"),
        (1956, "Lantern", "The Weir", "Nominated"),
        (1956, "Compass", "The Weir", "Won"),
    ],
)
towers = uploaded(towers=TOWERS)
campaigns = uploaded(campaigns=CAMPAIGNS)
prizes = uploaded(prizes=PRIZES)


@pytest.mark.parametrize(
    "question",
    [
        "What is the name of the tower with the most levels?",
        "What name has the most levels?",
        "Which building has the most number of levels?",
    ],
)
def test_a_kind_of_thing_is_no_name_to_look_for(towers: Desk, question: str) -> None:
    assert towers.figure(question) == "Damson Tower"


def test_several_figures_of_each_thing_stand_side_by_side(towers: Desk) -> None:
    found = towers.rows("What is the average, minimum and maximum levels of each town?")
    assert ["Osk", 16.5, 12, 21] in found
    assert len(found) == 3


def test_a_small_figure_is_not_held_against_a_year(towers: Desk) -> None:
    assert towers.figure("How many towers have at least 4 climbs?") == 2


@pytest.mark.parametrize("question", ["Which tower has its lights as 84?", "Which towers have around 17% glass?"])
def test_a_figure_without_a_place_stops_the_answer(towers: Desk, question: str) -> None:
    assert towers.ask(question).status == "declined"


def test_years_and_running_numbers_are_counted_and_never_added_up(campaigns: Desk) -> None:
    assert campaigns.figure("How many campaigns are there?") == 5
    assert campaigns.figure("What is the total number of weeks?") == 5


def test_what_is_asked_for_besides_is_shown_as_well(campaigns: Desk) -> None:
    asked = "What is the party that had 58768 ballots in 1974, and what was the corresponding place?"
    assert campaigns.rows(asked) == [["Moss", "Varn"]]


def test_how_one_figure_affects_another_is_a_question_about_both(campaigns: Desk) -> None:
    assert isinstance(campaigns.ask("How does the share of ballots affect the ballots?").plan, Statistic)


def test_a_list_of_rows_is_no_correlation(towers: Desk) -> None:
    assert towers.ask("What is the correlation between the town and the levels of a tower?").status == "declined"


stops = uploaded(stops=STOPS)


def test_a_value_to_the_letter_comes_before_one_that_holds_the_word(stops: Desk) -> None:
    assert stops.figure("How many stops are on the Crown line?") == 2


def test_what_follows_a_thing_is_said_of_its_own_row(stops: Desk) -> None:
    assert stops.figure("What is the follower to Birch Gate?") == "Cedar Gate"


def test_millions_are_those_of_the_column(stops: Desk) -> None:
    assert stops.figure("How many stops had guests of at least 10 million?") == 2


def test_a_name_in_quotes_must_be_found(stops: Desk) -> None:
    assert stops.ask('How many guests did the stop "Yarrow Halt" have?').status == "declined"


def test_rows_of_which_each_is_one_are_not_ranked_by_their_number(stops: Desk) -> None:
    assert stops.ask("Which stop has the most lamps?").status == "declined"
