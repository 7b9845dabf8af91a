"""By which date a question goes: asked back where both are as likely, offered where one is the thing's own."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Turn

ASKED = Question("How many contracts in March?", today=date(2025, 1, 10))
Ask = Callable[[FixedCatalog, Question], Answer]


@pytest.fixture(scope="module")
def ask() -> Iterator[Ask]:
    warehouse = LocalWarehouse()
    yield lambda catalog, question: answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)
    warehouse.close()


def dated(folder: Path, name: str, first: str, second: str, *, later: int) -> FixedCatalog:
    """Sixty rows of 2024 with two dates, `later` days apart."""
    path = folder / f"{name}.csv"
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["number", "customer", first, second, "value"])
        for number in range(60):
            day = date(2024, 1, 3) + timedelta(days=5 * number)
            rows.writerow([1000 + number, "AB"[number % 2] * 3, day, day + timedelta(days=later), 100 + number % 7])
    return catalog_from_files([path], folder / "tables")


@pytest.fixture(scope="module")
def contracts(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    return dated(tmp_path_factory.mktemp("contracts"), "contracts", "created_on", "signed_on", later=43)


def test_a_question_that_two_dates_answer_differently_is_asked_back(ask: Ask, contracts: FixedCatalog) -> None:
    given = ask(contracts, ASKED)
    assert given.status == "clarify"
    assert given.text.startswith("Your question does not say by which date it goes: “created on” or “signed on”.")
    assert [choice.question for choice in given.choices] == [
        "How many contracts created in March?",
        "How many contracts signed in March?",
    ]


def test_the_question_back_says_what_was_understood_but_the_date(ask: Ask, contracts: FixedCatalog) -> None:
    given = ask(contracts, replace(ASKED, text="How many contracts in March 2024?"))
    assert "by which date it goes" in given.text
    assert given.read_as is not None
    assert [(chip.part, chip.label) for chip in given.read_as.chips] == [
        ("figure", "Number of contracts"),
        ("period", "March 2024"),
    ]
    assert given.read_as.unread == ()


@pytest.mark.parametrize("place", [0, 1])
def test_each_date_reads_back_and_its_keyword_settles_the_question(
    ask: Ask, contracts: FixedCatalog, place: int
) -> None:
    choice = ask(contracts, ASKED).choices[place]
    chosen = ask(contracts, replace(ASKED, text=choice.question))
    assert chosen.result is not None
    assert choice.keyword is not None
    settled = ask(contracts, replace(ASKED, keywords={choice.keyword.term: choice.keyword.definition}))
    assert settled.status == "answered"
    assert settled.result is not None
    assert settled.result.rows == chosen.result.rows
    assert any("as your organization defines it" in told for told in settled.evidence.definitions)


def test_the_two_dates_count_other_rows(ask: Ask, contracts: FixedCatalog) -> None:
    results = [ask(contracts, replace(ASKED, text=c.question)).result for c in ask(contracts, ASKED).choices]
    assert [result.rows for result in results if result is not None] == [((6,),), ((7,),)]


def test_each_date_is_offered_with_what_it_comes_to(ask: Ask, contracts: FixedCatalog) -> None:
    assert [choice.figure for choice in ask(contracts, ASKED).choices] == ["6", "7"]


def test_the_reply_may_simply_say_the_date(ask: Ask, contracts: FixedCatalog) -> None:
    back = ask(contracts, ASKED)
    given = ask(contracts, replace(ASKED, text="Signed on", turns=(Turn(ASKED.text, back.plan, back.text),)))
    assert given.result is not None
    assert given.result.rows == ((7,),)


@pytest.mark.parametrize("text", ["How many contracts were signed in March?", "How many contracts are there?"])
def test_a_question_that_says_its_date_or_needs_none_is_answered(ask: Ask, contracts: FixedCatalog, text: str) -> None:
    given = ask(contracts, replace(ASKED, text=text))
    assert given.status == "answered"
    assert given.choices == ()


def test_dates_that_give_the_same_figures_are_not_asked_about(ask: Ask, tmp_path: Path) -> None:
    given = ask(dated(tmp_path, "contracts", "created_on", "signed_on", later=0), ASKED)
    assert given.status == "answered"
    assert given.choices == ()


def test_where_one_date_is_the_things_own_the_other_is_offered(ask: Ask, tmp_path: Path) -> None:
    invoices = dated(tmp_path, "invoices", "issued_on", "paid_on", later=43)
    given = ask(invoices, replace(ASKED, text="How many invoices in March?"))
    assert given.status == "answered"
    (choice,) = given.choices
    assert choice.label == "By paid on instead"
    other = ask(invoices, replace(ASKED, text=choice.question))
    assert other.result is not None
    assert given.result is not None
    assert other.result.rows != given.result.rows


def test_dates_with_shortened_names_are_offered_by_their_readable_ones(ask: Ask, tmp_path: Path) -> None:
    invoices = dated(tmp_path, "invoices", "iss_dt", "pd_dt", later=43)
    given = ask(invoices, replace(ASKED, text="How many invoices in March?"))
    assert [choice.label for choice in given.choices] == ["By paid date instead"]
    assert ask(invoices, replace(ASKED, text=given.choices[0].question)).status == "answered"
