"""What was said and would leave no trace is not answered by something else; what it means is read where it can be."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded
from tests.analyst.language.conftest import TODAY

CLUBS = csv(
    "place,club,sector,laps,cup goals,masts (ft),masts (m),share 1970,opened",
    [
        (1, "Alder", "sailing", 12, 0, 98, 30, 40, "1989"),
        (2, "Birch", "rowing", 12, 3, 66, 20, 35, "1990"),
        (3, "Cedar", "rowing", 14, 1, 131, 40, 25, "1991"),
        (4, "Dune Rowing Trust", "surfing", 9, 0, 33, 10, 90, "present"),
        (5, "Elm", "sailing", 9, 2, 49, 15, 10, "2001"),
    ],
)
clubs = uploaded(clubs=CLUBS)


@pytest.mark.parametrize(
    "question",
    [
        "How many clubs scored in cup goals?",
        "What month was Alder in sailing?",
        "Did Alder leave the sailing sector?",
        "How many laps were sailed before 31 July?",
    ],
)
def test_what_left_no_trace_in_the_plan_is_not_answered_by_something_else(clubs: Desk, question: str) -> None:
    assert clubs.ask(question).status != "answered"


def test_ranking_first_in_a_figure_is_having_the_most_of_it(clubs: Desk) -> None:
    assert clubs.figure("Which club ranks first in laps?") == "Cedar"


def test_the_number_that_a_named_row_had_stands_in_its_cell(clubs: Desk) -> None:
    assert clubs.figure("What percentage of Cedar voted in share 1970?") == 25


def test_a_unit_that_is_said_chooses_among_columns_that_differ_in_it(clubs: Desk) -> None:
    assert clubs.figure("What is the average masts in meters?") == 23
    assert clubs.figure("What is the average masts in feet?") == 75.4


def test_a_value_joined_to_another_is_looked_for_in_its_column(clubs: Desk) -> None:
    assert clubs.figure("What are the total laps of clubs in the 'sailing' and 'rowing' sectors?") == 47


def test_a_small_figure_is_not_held_against_years_that_are_texts(clubs: Desk) -> None:
    assert clubs.ask("How many clubs were opened for at least 2 years?").status != "answered"


def test_british_and_american_endings_are_one(tmp_path_factory: pytest.TempPathFactory) -> None:
    table = csv("town,organization,members", [("Osk", "Red", 3), ("Varn", "Blue", 8)])
    desk = Desk(tmp_path_factory.mktemp("unions"), {"unions.csv": table}, TODAY)
    assert desk.figure("How many organizations are there?") == 2


def test_what_says_of_what_a_figure_is_need_leave_no_trace(tmp_path_factory: pytest.TempPathFactory) -> None:
    table = csv("Town,Population,Density (people/km2)", [("Ash", 900, 40), ("Birch", 500, 90), ("Cole", 700, 20)])
    desk = Desk(tmp_path_factory.mktemp("towns"), {"towns.csv": table}, TODAY)
    assert desk.figure("How many towns have a population density under 50 people/km2?") == 2
    assert desk.ask("Are population and density related?").status == "answered"
