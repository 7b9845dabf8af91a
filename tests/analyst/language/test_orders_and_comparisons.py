"""In what order a list is asked for, and figures that are held against a column named beside them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from tests.analyst.language.asking import Desk, csv

Rows = Callable[..., list[list[object]]]

BY_VISITORS = ["Bluebell Bay", "Fjord Path", "Acorn Ridge", "Dune Walk", "Copper Coast", "Elm & Oak Way"]
FLOORS = csv("floor_id,color,flat_count", [(1, "red", 4), (2, "blue", 9), (3, "green", 6)])
HAS_LODGER = csv("lodger_id,floor_id", [(1, 1), (2, 1), (3, 2)])
LODGERS = csv("lodger_id,lodger_name,age,weight", [(1, "Ada", 31, 60), (2, "Bo", 32, 71), (3, "Cy", 45, 85)])
WARDENS = csv("warden_id,warden_name", [(1, "Max"), (2, "Ned")])
ROUNDS = csv("warden_id,floor_id,round_no", [(1, 1, 1), (1, 2, 2), (2, 3, 3)])


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    files = {"floors.csv": FLOORS, "has_lodger.csv": HAS_LODGER, "lodgers.csv": LODGERS, "wardens.csv": WARDENS}
    return Desk(tmp_path_factory.mktemp("house"), {**files, "rounds.csv": ROUNDS}, date(2026, 3, 10))


@pytest.mark.parametrize("question", [
    "List the trail names in descending order of visitors",
    "Show the trail name of all trails in descending order of visitors.",
])  # fmt: skip
def test_what_is_listed_in_an_order_stands_before_it(rows: Rows, question: str) -> None:
    assert [row[0] for row in rows(question)] == BY_VISITORS


def test_two_columns_are_listed_in_the_order_of_the_second(rows: Rows) -> None:
    shown = rows("List the trail names and their visitors in ascending order of visitors")
    assert [row[0] for row in shown] == BY_VISITORS[::-1]
    assert [row[1] for row in shown] == [15, 35, 60, 120, 210, 800]


def test_groups_are_ordered_by_the_figure_that_is_named(rows: Rows) -> None:
    shown = rows("total amount by surface in ascending order of amount")
    assert [row[0] for row in shown] == ["Sand", "Rock", "Gravel"]


@pytest.mark.parametrize("question", [
    "How many trails have a greater number of visitors than 100?",
    "How many trails have visitors above 100?",
    "How many trails are above visitors 100?",
])  # fmt: skip
def test_a_figure_is_held_against_the_column_between(rows: Rows, question: str) -> None:
    assert rows(question) == [[3]]


@pytest.mark.parametrize(("question", "names"), [
    ("Which lodgers have a greater weight than 70?", {"Bo", "Cy"}),
    ("Which lodgers have a lower weight than average?", {"Ada", "Bo"}),
    ("List the lodgers below age 40", {"Ada", "Bo"}), ("lodgers over the age of 31", {"Bo", "Cy"}),
    ("Which lodgers are not above age 31?", {"Ada"}), ("Which lodgers are aged either 31 or 45?", {"Ada", "Cy"}),
])  # fmt: skip
def test_things_are_found_by_a_figure_said_with_its_column(house: Desk, question: str, names: set[str]) -> None:
    assert {row[0] for row in house.rows(question)} == names


def test_a_table_is_not_named_by_a_verb_behind_its_noun(house: Desk) -> None:
    assert house.figure("How many lodgers have a greater weight than 10?") == 3


def test_things_and_what_they_have_to_do_with_are_listed_side_by_side(house: Desk) -> None:
    shown = house.rows("What is the name of each warden and which lodgers they watch?")
    assert {(row[0], row[1]) for row in shown} == {("Max", "Ada"), ("Max", "Bo"), ("Max", "Cy")}


def test_a_negation_that_came_to_nothing_makes_unsure(house: Desk) -> None:
    assert house.ask("What is the average weight of lodgers that do not yodel?").status == "declined"
