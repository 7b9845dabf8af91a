"""A question that was found right is answered by the same plan again, and the answer says so."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.memory import STEP, key_of, told
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, ColumnRef, Output, Plan, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Proven, Question, Step
from tests.analyst.followups.test_follow_ups_edit_the_plan import orders

MEDIAN = Query(
    source="orders",
    groups=(Output(label="region", expr=ColumnRef(table="orders", column="region")),),
    measures=(Output(label="Typical", expr=Aggregate(fn="median", of=ColumnRef(table="orders", column="amount"))),),
)


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("orders")
    return catalog_from_files([orders(folder)], folder / "tables")


def ask(text: str, catalog: FixedCatalog, *proven: Proven) -> tuple[Answer, list[Step]]:
    steps: list[Step] = []
    warehouse = LocalWarehouse()
    question = Question(text, today=date(2025, 8, 10), proven=proven)
    given = answer(question, catalog=catalog, warehouse=warehouse, learned=False, emit=steps.append, onward=False)
    warehouse.close()
    return given, steps


def proven(text: str = "What is the typical size of an order by region?", plan: Plan = MEDIAN) -> Proven:
    return Proven(text, plan, "verified by an admin on 3 May 2026")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is the total amount by region?", "total amount by region"),
        ("Show me the total amounts by region please", "What is the total amount by regions?"),
        ("Deals won in 2023", "Which deals have we won in 2023?"),
    ],
)
def test_wording_that_carries_no_meaning_makes_no_other_question(one: str, other: str) -> None:
    assert key_of(one) == key_of(other) != ""


def test_another_number_name_or_grouping_is_another_question() -> None:
    texts = ["Deals won in 2023", "Deals won in 2024", "Deals lost in 2023", "Deals won in 2023 by owner"]
    assert len({key_of(text) for text in texts}) == 4


@pytest.mark.parametrize("text", ["Deals won last quarter", "and by month?", "Revenue this year", "Why?"])
def test_moving_times_and_follow_ups_are_never_kept(text: str) -> None:
    assert key_of(text) == ""


def test_a_question_that_could_not_be_read_is_answered_by_its_proven_plan(catalog: FixedCatalog) -> None:
    known = proven()
    given, steps = ask("typical size of orders by region?", catalog, known)
    assert given.status == "answered"
    assert (given.plan, given.memory) == (MEDIAN, known)
    assert STEP in [step.label for step in steps]
    assert told(known) == (
        "Answered as the proven question “What is the typical size of an order by region?” "
        "(verified by an admin on 3 May 2026)."
    )


def test_a_proven_plan_that_no_longer_fits_the_data_is_passed_over(catalog: FixedCatalog) -> None:
    gone = proven("What is the total amount by region?", MEDIAN.model_copy(update={"source": "sold"}))
    given, _ = ask("total amount by region", catalog, gone)
    assert given.status == "answered"
    assert given.memory is None


def test_a_question_with_the_same_reading_keeps_what_it_wished_to_see(catalog: FixedCatalog) -> None:
    first, _ = ask("Show the total amount by region as a pie chart", catalog)
    assert first.plan is not None
    again, _ = ask(
        "Show the total amount by region as a pie chart",
        catalog,
        proven("pie chart total amount by region as", first.plan),
    )
    assert again.memory is not None
    assert again.chart is not None
    assert again.chart.document["type"] == "pie"


def test_without_proven_questions_no_history_is_searched(catalog: FixedCatalog) -> None:
    given, steps = ask("What is the total amount by region?", catalog)
    assert given.memory is None
    assert STEP not in [step.label for step in steps]
    assert replace(given, memory=None) == given
