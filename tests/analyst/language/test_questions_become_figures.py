"""What people ask of a hiking club's tables, and the figures it must come to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Rows = Callable[..., list[list[object]]]

ONE_FIGURE = [
    ("How many trips are there?", 9),
    ("total amount of trips", 59100.5),
    ("What is the average number of visitors?", 206.67),
    ("What is the highest amount?", 22000),
    ("smallest amount among finished trips", 900),
    ("median amount", 3000),
    ("How many different statuses are there?", 4),
    ("How many trips were finished?", 5),
    ("How many trips are worth more than 5,000?", 3),
    ("How many trips have an amount between 1000 and 3000?", 4),
    ("total amount of trips started in 2024", 14600.5),
    ("total amount of trips started since April 2025", 27500),
    ("How many trips started last quarter?", 2),
    ("How many trails in Germany or France?", 4),
    ("How many trails are not in Germany?", 4),
    ("How many trails have no trips?", 1),
    ("How many trails have more than one trip?", 3),
    ("How many trips have no start date?", 1),
    ("average number of trips per trail", 1.8),
    ("number of trips named like 'acorn'", 3),
]


@pytest.mark.parametrize(("question", "figure"), ONE_FIGURE)
def test_a_question_for_one_figure_gives_it(rows: Rows, question: str, figure: float) -> None:
    assert [[figure]] == rows(question)


FIRST_COLUMN = [
    ("Which trail has the most trips?", ["Acorn Ridge"]),
    ("Which trail has the most visitors?", ["Bluebell Bay"]),
    ("List the names of trails with more than 100 visitors", ["Acorn Ridge", "Bluebell Bay", "Fjord Path"]),
    ("Which trails have never had a trip?", ["Fjord Path"]),
    ("top 3 trips by amount", ["Bluebell core", "Dune arms", "Acorn rollout"]),
    ("Which trips were cancelled?", ["Bluebell audit", "Dune sensors"]),
    ("trail names that start with the letter D", ["Dune Walk"]),
    (
        "trails sorted by visitors descending",
        ["Bluebell Bay", "Fjord Path", "Acorn Ridge", "Dune Walk", "Copper Coast", "Elm & Oak Way"],
    ),
    ("Which trips are above the average amount?", ["Acorn rollout", "Bluebell core", "Dune arms"]),
    ("What is the second largest trip by amount?", ["Dune arms"]),
    ("Who is the most recently hired guide?", ["Dario"]),
    ("What surfaces are there?", ["Gravel", "Rock", "Sand"]),
]


@pytest.mark.parametrize(("question", "expected"), FIRST_COLUMN)
def test_a_question_for_things_names_them(rows: Rows, question: str, expected: list[str]) -> None:
    found = [row[0] for row in rows(question)]
    in_order = "sorted" in question or "top" in question
    assert found == expected if in_order else sorted(map(str, found)) == sorted(expected)


TABLES = [
    ("number of trips by status", {("Finished", 5), ("Cancelled", 2), ("Planned", 1), ("Offered", 1)}),
    ("total amount by surface", {("Gravel", 30100.5), ("Rock", 28100), ("Sand", 900)}),
    ("average visitors for each country", {("Germany", 77.5), ("France", 407.5), ("Spain", 60), ("Norway", 210)}),
    ("amount of finished trips per year", {(2024, 9600.5), (2025, 18400)}),
    ("number of trails by country and surface", {
        ("Germany", "Gravel", 1), ("Germany", "Sand", 1), ("France", "Rock", 2),
        ("Spain", "Gravel", 1), ("Norway", "Sand", 1)}),
]  # fmt: skip


@pytest.mark.parametrize(("question", "expected"), TABLES)
def test_a_question_by_dimension_gives_a_row_for_each(
    rows: Rows, question: str, expected: set[tuple[object, ...]]
) -> None:
    assert {tuple(row) for row in rows(question)} == expected


def test_guides_are_named_by_their_first_and_last_name(rows: Rows) -> None:
    found = rows("How many trips does each guide have?")
    assert sorted([row[0], row[1], row[-1]] for row in found) == [
        ["Ana", "Ruiz", 3], ["Ben", "Okafor", 3], ["Chloe", "Lind", 3],
    ]  # fmt: skip


def test_shares_add_up_to_a_hundred(rows: Rows) -> None:
    found = rows("What percentage of total amount comes from each surface?")
    assert sum(float(str(row[-1])) for row in found) == pytest.approx(100, abs=0.05)


def test_a_measure_is_not_counted_twice_through_a_join(rows: Rows) -> None:
    assert rows("total visitors of trails that have trips") == [[1030]]


@pytest.mark.parametrize(("misspelt", "right"), [
    ("totl amuont by surface", "total amount by surface"),
    ("averge visiters by country", "average visitors by country"),
])  # fmt: skip
def test_typing_errors_do_not_change_the_answer(rows: Rows, misspelt: str, right: str) -> None:
    assert rows(misspelt) == rows(right)


@pytest.mark.parametrize("wording", [
    "total amount by country", "sum of amount per country", "What is the total amount for each country?",
    "show me the total amount broken down by country", "amount in total, grouped by country",
])  # fmt: skip
def test_wordings_of_one_question_give_one_answer(rows: Rows, wording: str) -> None:
    assert sorted(map(str, rows(wording))) == sorted(map(str, rows("total amount by country")))


def test_a_follow_up_changes_only_what_it_names(rows: Rows) -> None:
    assert rows("now by country", "total amount by surface") == rows("total amount by country")
    assert rows("only 2024", "number of trips by status") == rows("number of trips by status in 2024")


def test_a_follow_up_does_not_touch_a_question_that_stands_alone(rows: Rows) -> None:
    assert rows("How many trails are there?", "total amount by surface") == [[6]]
