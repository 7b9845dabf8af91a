"""The product's example files step back behind what people brought themselves."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.followups import suggest
from apps.analyst.types import Answer
from tests.analyst.language.asking import Desk

DEALS = "Deal ID,Deal Name,Owner,Deal Stage,Amount,Create Date,Close Date\n" + "".join(
    f"{n},Deal {n},{('Ann', 'Bo')[n % 2]},{('Closed Won', 'Closed Lost', 'Proposal')[n % 3]},{n * 100},"
    f"2025-01-{1 + n % 28:02d},2025-06-{1 + n % 28:02d}\n"
    for n in range(1, 61)
)
CONTACTS = "Contact ID,Contact Name,Country\n" + "".join(f"{n},Person {n},Norway\n" for n in range(1, 41))
SALES = "sale_id,country,amount,sold_on,contact_name\n" + "".join(
    f"{n},{('Peru', 'Chile')[n % 2]},{n * 10},2024-0{1 + n % 9}-05,Buyer {n}\n" for n in range(1, 31)
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """A CRM's examples, and a file of sales that somebody brought."""
    files = {"deals.csv": DEALS, "contacts.csv": CONTACTS, "sales.csv": SALES}
    made = Desk(tmp_path_factory.mktemp("examples"), files, date(2026, 2, 1))
    tables = tuple(replace(table, example=table.file_name != "sales.csv") for table in made.catalog.tables())
    made.catalog = FixedCatalog(made.catalog.version, tables, tuple(made.catalog.joins()))
    return made


def asked_of(answer: Answer) -> list[str]:
    return [Path(source.file_name).stem for source in answer.evidence.sources]


@pytest.mark.parametrize("question", ["total sales by year", "sales by country", "average amount per month"])
def test_what_both_could_answer_is_answered_from_the_own_file(desk: Desk, question: str) -> None:
    assert asked_of(desk.ask(question)) == ["sales"]


@pytest.mark.parametrize(
    ("question", "file", "figure"),
    [
        ("How many deals did we win in 2025?", "deals", 20),
        ("What is our win rate by owner?", "deals", None),
        ("How many contacts are there?", "contacts", 40),
    ],
)
def test_what_only_the_examples_hold_is_answered_from_them(
    desk: Desk, question: str, file: str, figure: int | None
) -> None:
    answer = desk.ask(question)
    assert asked_of(answer) == [file]
    assert figure is None or desk.figure(question) == figure


def test_without_a_file_of_ones_own_the_examples_answer_everything(desk: Desk) -> None:
    tables = tuple(table for table in desk.catalog.tables() if table.example)
    alone = copy(desk)
    alone.catalog = FixedCatalog("examples", tables, ())
    assert asked_of(alone.ask("total sales by year")) == ["deals"]


def test_questions_to_start_with_are_about_the_own_file_first(desk: Desk) -> None:
    offered = suggest(desk.catalog, 12)
    assert [asked_of(desk.ask(question)) for question in offered[:3]] == [["sales"]] * 3
    assert {name for question in offered for name in asked_of(desk.ask(question))} > {"sales"}
