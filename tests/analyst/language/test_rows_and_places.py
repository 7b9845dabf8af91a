"""Rows held against one another, rows of a first few, and the places that competitors reached."""

from __future__ import annotations

import pytest

from tests.analyst.language.asking import Desk, csv, uploaded

HALLS = csv(
    "rank,hall,town,seats,floors,built,owner",
    [
        ("1st", "Amber Hall", "Osk", 900, 3, 1931, "Crown"),
        ("2nd", "Birch Hall", "Varn", 1500, 2, 1955, "Crown"),
        ("3rd", "Cedar Hall", "Osk", 700, 2, 1931, "Guild"),
        ("4th", "Dogwood Hall", "Brae", 2100, 5, 1988, "Guild"),
        ("5th", "Elm Hall", "Brae", 400, 1, 1955, "Crown"),
    ],
)
SPRINTS = csv(
    "season,meeting,town,position,race,stride",
    [
        (2009, "Harbour Games", "Osk", "3rd", "200 m", 2.1),
        (2010, "Harbour Games", "Varn", "12th (h)", "400 m", 2.2),
        (2011, "Meadow Cup", "Brae", "1st", "200 m", 2.3),
        (2012, "Harbour Games", "Osk", "9th", "400 m", 2.2),
        (2013, "Meadow Cup", "Varn", "1st", "400 m", 2.4),
        (2014, "Harbour Games", "Brae", "2nd", "200 m", 2.5),
    ],
)
halls = uploaded(halls=HALLS)
sprints = uploaded(sprints=SPRINTS)


def names(desk: Desk, question: str) -> set[object]:
    return {row[0] for row in desk.rows(question)}


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("Which halls have more seats than Amber Hall?", {"Birch Hall", "Dogwood Hall"}),
        ("Which hall has fewer floors than Birch Hall?", {"Elm Hall"}),
        ("Which halls were built later than Cedar Hall?", {"Birch Hall", "Dogwood Hall", "Elm Hall"}),
        ("List the halls with a number of seats lower than that of Amber Hall.", {"Cedar Hall", "Elm Hall"}),
    ],
)
def test_a_figure_is_held_against_that_of_a_named_row(halls: Desk, question: str, found: set[str]) -> None:
    assert names(halls, question) == found


def test_the_rows_beyond_a_named_one_are_counted(halls: Desk) -> None:
    assert halls.figure("How many halls hold more seats than Cedar Hall?") == 3


def test_what_a_named_thing_is_compared_by_must_be_known(halls: Desk) -> None:
    assert halls.ask("Which halls have more balconies than Amber Hall?").status == "declined"


@pytest.mark.parametrize(
    ("question", "figure"),
    [
        ("How many total seats do the top 3 halls have?", 3100),
        ("What is the average seats of the two tallest halls?", 1500),
        ("What is the combined seats of the first 2 halls?", 2400),
        ("What is the total seats of the last 2 halls?", 2500),
    ],
)
def test_figures_are_those_of_the_first_few_rows(halls: Desk, question: str, figure: float) -> None:
    assert halls.figure(question) == figure


def test_the_first_few_and_the_last_few_are_told_apart(sprints: Desk) -> None:
    assert names(sprints, "What are the first 2 meetings?") == {"Harbour Games"}
    assert {row[0] for row in sprints.rows("List the town of the last 2 meetings.")} == {"Varn", "Brae"}


@pytest.mark.parametrize(
    ("question", "number"),
    [
        ("How many halls have 2 floors or more?", 4),
        ("How many halls with 700 seats or less are there?", 2),
        ("How many halls have 900 or more seats?", 3),
    ],
)
def test_or_more_may_stand_behind_the_noun(halls: Desk, question: str, number: int) -> None:
    assert halls.figure(question) == number


@pytest.mark.parametrize(
    ("question", "season"),
    [
        ("In which season did the runner win a gold medal in the 200 m race?", 2011),
        ("In which season did she win silver?", 2014),
        ("In which season did the runner win gold in the 400m race?", 2013),
        ("In which season did she reach her best position in the 400 m race at the Harbour Games?", 2012),
        ("In which season did the runner reach the highest position at the Harbour Games?", 2014),
    ],
)
def test_medals_are_places_and_the_best_place_is_the_first(sprints: Desk, question: str, season: int) -> None:
    assert sprints.figure(question) == season
