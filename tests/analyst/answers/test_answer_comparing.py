"""Questions that compare periods or follow a figure along time: read as plain questions, then changed."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.others import Parts
from apps.analyst.pipeline import answer
from apps.analyst.plan import Between, Comparison, Constant, Query, Window
from apps.analyst.reading.rules.comparing import comparing
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question

TODAY = date(2024, 12, 27)


def read(text: str, catalog: FixedCatalog) -> object:
    reading = comparing(Question(text, today=TODAY), catalog)
    return None if reading is None else reading.plan


def asked(text: str, catalog: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    return answer(Question(text, today=TODAY), catalog=catalog, warehouse=warehouse, learned=False, onward=False)


@pytest.mark.parametrize(
    "text",
    [
        "Compare the total amount by stage in 2023 and 2024",
        "total amount by stage in 2024 vs 2023",
        "How does the total amount by stage in 2024 compare with 2023?",
        "What is the change in total amount by stage from 2023 to 2024?",
        "how did the total amount by stage change from 2023 to 2024?",
    ],
)
def test_two_years_stand_side_by_side_however_it_is_said(catalog: FixedCatalog, text: str) -> None:
    plan = read(text, catalog)
    assert isinstance(plan, Comparison)
    assert (plan.current_label, plan.baseline_label) == ("2024 so far", "2023")
    assert [group.label for group in plan.query.groups] == ["stage"]
    assert plan.query.where is None


def test_quarters_are_compared_by_their_names(catalog: FixedCatalog) -> None:
    plan = read("number of deals in Q1 2024 compared with Q1 2023", catalog)
    assert isinstance(plan, Comparison)
    assert (plan.current_label, plan.baseline_label) == ("Q1 2024", "Q1 2023")


def test_a_running_period_is_held_against_the_same_part_of_the_one_before(
    catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = asked("How does the total amount this quarter compare with last quarter?", catalog, warehouse)
    assert said.headline is not None
    assert said.headline.change_text.endswith(" vs the same part of Q3 2024")
    assert any("so it is held against as much of Q3 2024" in text for text in said.assumptions)
    assert isinstance(said.plan, Comparison)
    assert isinstance(said.plan.current, Between)
    assert isinstance(said.plan.baseline, Between)
    assert [side.low for side in (said.plan.current, said.plan.baseline)] == [day("2024-10-01"), day("2024-07-01")]
    until = date.fromisoformat(str(said.plan.current.high.value))  # type: ignore[union-attr]
    assert said.plan.baseline.high == day(f"2024-{until.month - 3:02}-{until.day:02}")


def test_a_period_that_is_named_in_full_stays_whole_and_that_it_is_not_over_is_said(
    catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = asked("total amount in Q4 2024 vs Q3 2024", catalog, warehouse)
    assert said.headline is not None
    assert said.headline.change_text.endswith(" so far vs Q3 2024")
    assert said.headline.good_direction == "unknown"  # less than a whole quarter is no alarm
    assert any("the whole of Q3 2024 stands beside it" in text for text in said.assumptions)


def test_the_chip_says_which_part_is_compared_and_offers_the_whole(
    catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = asked("How does the total amount this quarter compare with last quarter?", catalog, warehouse)
    assert said.plan is not None
    parts = Parts(said.plan, catalog)
    (period,) = [piece.label for piece in parts.pieces.values() if piece.part == "period"]
    assert period.startswith("Q4 2024 so far against Q3 2024 up to 26 Sep")
    whole = next(other for other in parts.of("period:0") if other.label == "Q4 2024 so far against all of Q3 2024")
    assert isinstance(whole.plan, Comparison)
    assert isinstance(whole.plan.baseline, Between)
    assert whole.plan.baseline.high == day("2024-10-01")


def day(text: str) -> Constant:
    return Constant(value=text, type="date")


def test_who_grew_most_comes_first(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("Which stage grew the most in total amount from 2023 to 2024?", catalog, warehouse)
    assert said.result is not None
    assert said.result.rows[0][0] == "Closed lost"
    down = asked("Which stage fell the most in total amount from 2023 to 2024?", catalog, warehouse)
    assert down.result is not None
    assert down.result.rows[0] == said.result.rows[-1]


@pytest.mark.parametrize(
    ("text", "functions"),
    [
        ("running total of amount by month", ["running_total"]),
        ("cumulative total amount by quarter in 2024", ["running_total"]),
        ("3 month moving average of the total amount", ["moving_average"]),
        ("month over month growth of the total amount", ["change", "change_pct"]),
        ("growth of total amount by quarter", ["change", "change_pct"]),
        ("total amount by quarter compared to the same quarter last year", ["previous", "change_pct"]),
    ],
)
def test_a_figure_is_followed_along_time(catalog: FixedCatalog, text: str, functions: list[str]) -> None:
    plan = read(text, catalog)
    assert isinstance(plan, Query)
    assert [m.expr.fn for m in plan.measures if isinstance(m.expr, Window)] == functions


def test_a_running_total_ends_at_the_whole(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    running = asked("running total of amount by month", catalog, warehouse)
    whole = asked("What is the total amount?", catalog, warehouse)
    assert running.result is not None
    assert whole.result is not None
    assert running.result.rows[-1][-1] == whole.result.rows[0][0]
    assert "The running total reaches $2.47 million by Dec 2024." in running.text


def test_a_quarter_is_held_against_the_same_one_a_year_before(catalog: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = asked("total amount by quarter compared to the same quarter last year", catalog, warehouse)
    assert said.result is not None
    rows = said.result.rows
    assert rows[4][2] == rows[0][1]
    assert rows[0][2] is None


@pytest.mark.parametrize(
    "text",
    [
        "What is the total amount by stage?",
        "total amount by stage in 2024",
        "compare stages",
        "difference between Closed won and Closed lost",
        "which stage has the most deals?",
        "growth",
    ],
)
def test_plain_questions_are_left_alone(catalog: FixedCatalog, text: str) -> None:
    assert read(text, catalog) is None
