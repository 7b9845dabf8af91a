"""Questions about one table as people find it: wide tables, lists of events, words that the data do not know."""

from __future__ import annotations

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language.choose import ANSWER_THRESHOLD
from apps.analyst.language.doubt import doubted
from apps.analyst.language.reading import Reading
from apps.analyst.pipeline import answer
from apps.analyst.plan import ColumnRef, Output, Query
from apps.analyst.types import Answer, Question
from tests.analyst.language.asking import Desk, csv, uploaded
from tests.analyst.language.conftest import TODAY

PORTS = csv(
    "harbour,coast,2001,2006,2011,trucks at gate",
    [
        ("Alder Quay", "west", 4100, 5200, 4800, 12),
        ("Birch Haven", "east", 3900, 6400, 7100, 30),
        ("Cedar Sound", "west", 900, 800, 1200, 7),
        ("Dogwood Pier", "east", 2500, 2600, 2700, 19),
    ],
)
REGATTA = csv(
    "Season,Skipper,Mate,Boat,Town,Share of wind,Kind",
    [
        ("1994/95", "Ines Vall", "Tor Bekk", "Gull", "Osk", 41, "Sloop"),
        ("1995/96", "Ruud Maan", "Ada Linn", "Tern", "Osk", 38, "Ketch"),
        ("1996/97", "Ines Vall", "Tor Bekk", "Gull", "Varn", 52, "Sloop"),
        ("1997/98", "Per Holm", "Ada Linn", "Auk", "Osk", 47, "Sloop"),
        ("1998/99", "Liv Sand", "Jon Esk", "Tern", "Brae", 33, "Ketch"),
        ("1999/00", "Eli Dorn", "Kaj Moe", "Skua", "Varn", 45, "Sloop"),
    ],
)
ports = uploaded(ports=PORTS)
regatta = uploaded(regatta=REGATTA)


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("What is the total number of passengers in 2006?", 15000),
        ("What is the average number of ships in 2011?", 3950),
        ("How many harbours had more than 4000 ships in 2006?", 2),
        ("How many harbours had fewer visitors in 2011 than in 2006?", 1),
    ],
)
def test_a_word_that_the_data_do_not_know_is_the_figure_of_the_column_behind_it(
    ports: Desk, question: str, figure: float
) -> None:
    assert ports.figure(question) == figure


def test_the_column_behind_an_unknown_word_ranks_the_rows(ports: Desk) -> None:
    assert ports.figure("Which harbour had the highest attendance in 2006?") == "Birch Haven"
    assert [row[0] for row in ports.rows("Which 2 harbours had the most visitors in 2011?")] == [
        "Birch Haven",
        "Alder Quay",
    ]


@pytest.mark.parametrize(
    "question",
    ["In which season was the share of wind the highest?", "Which season was the share of wind the highest?"],
)
def test_a_superlative_may_stand_behind_its_figure(regatta: Desk, question: str) -> None:
    assert regatta.figure(question) == "1996/97"


def test_columns_that_are_years_are_no_figures_of_one_another(ports: Desk) -> None:
    asked = "What is the correlation coefficient between 2001 and 2011?"
    assert ports.rows(asked) == [["Strong positive correlation", 0.89]]


def test_often_is_a_number_of_rows(regatta: Desk) -> None:
    assert regatta.figure("Which skipper won more than once?") == "Ines Vall"
    assert regatta.figure("How many towns hosted it at least twice?") == 2
    assert regatta.figure("Which town hosted the most races?") == "Osk"


def test_a_kind_in_the_plural_is_counted(regatta: Desk) -> None:
    assert regatta.figure("How many sloops were there?") == 4


MATCHES = csv(
    "round,rival,outcome,crowd,points,faults",
    [
        (1, "Foxes", "W 3-1", 900, 3, 1),
        (2, "Herons", "L 0-2", 1500, 0, 2),
        (3, "Otters", "W 2-0", 700, 2, 0),
        (4, "Badgers", "D 1-1", 650, 1, 1),
        (5, "Foxes", "L 1-4", 1100, 1, 4),
    ],
)
RACE = csv(
    "place,rider,team,per lap pay,laps,built by",
    [
        (1, "Una Kell", "Red", 40, 30, "Moss"),
        (2, "Bo Fenn", "Blue", 35, 29, "Lark"),
        (3, "Cy Dorn", "Red", 25, 27, "Moss"),
    ],
)
matches = uploaded(matches=MATCHES)
race = uploaded(race=RACE)


@pytest.mark.parametrize(("said", "number"), [("won", 2), ("lost", 2), ("drawn", 1)])
def test_won_and_lost_are_read_from_results(matches: Desk, said: str, number: int) -> None:
    assert matches.figure(f"How many rounds were {said}?") == number


def test_who_won_is_the_first_of_the_places(race: Desk) -> None:
    assert race.figure("Who won?") == "Una Kell"


def test_the_figure_of_the_first_row_is_not_that_of_all(race: Desk) -> None:
    assert race.figure("How many laps does the rider with the lowest per lap pay have?") == 27


def test_a_superlative_without_a_place_is_not_passed_over() -> None:
    rivals = Query(source="matches", columns=(Output(label="rival", expr=ColumnRef(table="matches", column="rival")),))
    assert doubted("Which rival had the fastest time?", Reading(rivals, 0.75, unused=("fastest",))) < ANSWER_THRESHOLD


def brief(desk: Desk, text: str, form: str) -> Answer:
    question = Question(text, today=TODAY, context=form)
    return answer(question, catalog=desk.catalog, warehouse=LocalWarehouse(), learned=False, onward=False)


STALLS = csv(
    "stall,lane,rent,income,visits",
    [
        ("Apples", "North", 100.0, 900.0, 30),
        ("Bread", "North", 140.0, 1100.0, 44),
        ("Cheese", "South", 90.0, 400.0, 12),
        ("Dates", "South", 80.0, 500.0, 18),
        ("Eggs", "East", 120.0, 700.0, ""),
        ("Figs", "East", 60.0, 650.0, 25),
    ],
)
stalls = uploaded(stalls=STALLS)


def test_the_winners_own_figure_stands_beside_its_name(stalls: Desk) -> None:
    form = "Group by lane. Format: @lane[name] @mean_income[value] rounded to two decimals."
    result = brief(stalls, "Which lane has the highest average income?", form).result
    assert result is not None
    assert result.rows[0] == ("North", 1000.0)


def test_a_figure_defined_of_two_columns_is_computed(stalls: Desk) -> None:
    form = "Net income is income minus rent. Format: @mean_net[value] @max_net[value]"
    result = brief(stalls, "What are the mean and the maximum of the net income?", form).result
    assert result is not None
    assert result.rows[0] == (pytest.approx(610.0), 960.0)


def test_a_line_is_fitted_to_the_effect_from_the_cause(stalls: Desk) -> None:
    form = "Use least squares. Format: @slope[value]"
    result = brief(stalls, "Fit a linear regression of income on rent.", form).result
    assert result is not None
    assert result.rows[0][0] == pytest.approx(6.142857)


def test_an_answer_that_cannot_fill_its_form_is_declined(stalls: Desk) -> None:
    form = "Format: @best[name] @worst[name] @spread[value]"
    assert brief(stalls, "Which stall is the one to copy?", form).status != "answered"
