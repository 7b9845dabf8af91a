"""A period goes by the date that people said its table goes by, unless the question or its thread says otherwise."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.lessons import lesson, with_lesson
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Between, ColumnRef, Constant, Output, Query
from apps.analyst.reading.dates import as_taught, by_other_date, gone_by
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Turn

TODAY = date(2025, 6, 30)
ORDERED, SHIPPED = (ColumnRef(table="orders", column=name) for name in ("order date", "ship date"))
ASKED = "What was the total amount in March 2024?"


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """200 orders, each shipped 20 days after it was ordered."""
    folder: Path = tmp_path_factory.mktemp("orders")
    days = [date(2024, 1, 1) + timedelta(days=n) for n in range(200)]
    lines = [f"{n},{day},{day + timedelta(days=20)},{n}" for n, day in enumerate(days)]
    (folder / "orders.csv").write_text("\n".join(["order id,order date,ship date,amount", *lines]))
    return catalog_from_files([folder / "orders.csv"], folder / "tables")


@pytest.fixture(scope="module")
def shipped(orders: FixedCatalog) -> FixedCatalog:
    """The orders, of which people said that they go by the ship date."""
    return with_lesson(orders, Lesson("orders.csv", "orders", "", "", date_column="ship date"))


@pytest.fixture(scope="module")
def warehouse() -> LocalWarehouse:
    return LocalWarehouse(threads=1)


def in_march(by: ColumnRef) -> Query:
    first, last = (Constant(value=day, type="date") for day in ("2024-03-01", "2024-04-01"))
    amount = Output(label="Amount", expr=Aggregate(fn="sum", of=ColumnRef(table="orders", column="amount")))
    return Query(source="orders", measures=(amount,), where=Between(of=by, low=first, high=last, half_open=True))


def test_a_plan_goes_by_the_taught_date_where_no_word_says_which(orders: FixedCatalog, shipped: FixedCatalog) -> None:
    question = Question(ASKED, today=TODAY)
    assert as_taught(in_march(ORDERED), question, shipped) == by_other_date(in_march(ORDERED), ORDERED, SHIPPED)
    assert as_taught(in_march(ORDERED), question, orders) == in_march(ORDERED)
    named = replace(question, text="What was the total amount of what was ordered in March 2024?")
    assert as_taught(in_march(ORDERED), named, shipped) == in_march(ORDERED)


def test_a_thread_stays_with_the_date_it_went_by(shipped: FixedCatalog) -> None:
    before = Turn("What was the amount ordered in March 2024?", plan=in_march(ORDERED))
    going_on = Question("and in May?", today=TODAY, turns=(before,))
    assert as_taught(in_march(ORDERED), going_on, shipped) == in_march(ORDERED)


def test_answers_go_by_it_and_do_not_ask_back(
    orders: FixedCatalog, shipped: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    def dates(catalog: FixedCatalog, text: str) -> list[ColumnRef]:
        told = answer(Question(text, today=TODAY), catalog=catalog, warehouse=warehouse, onward=False)
        assert told.status == "answered", told.text
        assert told.plan is not None
        return gone_by(told.plan)

    assert dates(orders, ASKED) == [ORDERED]
    assert dates(shipped, ASKED) == [SHIPPED]
    assert dates(shipped, "What was the total amount by order date in March 2024?") == [ORDERED]


def test_the_choice_of_another_date_teaches_it_where_the_question_is_read_so_from_then_on(
    orders: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    def answers(question: Question, catalog: FixedCatalog) -> Answer:
        return answer(question, catalog=catalog, warehouse=warehouse, onward=False)

    question = Question(ASKED, today=TODAY)
    told = answers(question, orders)
    assert isinstance(told.plan, Query)
    other = by_other_date(told.plan, ORDERED, SHIPPED)
    result = compute(other, orders, warehouse).result
    found = lesson(question, told.plan, other, orders, result, answers)
    assert found is not None
    assert (found.column, found.date_column) == ("", "ship date")
    assert found.text == "Periods of orders will go by ship date."
    assert found.added_to({"row": "order"}) == {"row": "order", "date_column": "ship date"}
