"""Fiscal years: where they are known from, which days they mean, and that the answer says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.reading.rules.fiscal import first_month, in_calendar
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling import formats
from apps.analyst.types import Answer, Question

TODAY = date(2025, 1, 10)
FEBRUARY = "We sell software. Our fiscal year starts in February."
Ask = Callable[..., Answer]


@pytest.fixture
def ask(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Ask:
    def of(text: str, context: str = FEBRUARY, keywords: Mapping[str, str] | None = None) -> Answer:
        question = Question(text, today=TODAY, context=context, keywords=keywords or {})
        return answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False)

    return of


@pytest.mark.parametrize(
    ("context", "keywords", "month"),
    [
        ("Our fiscal year starts in February.", {}, 2),
        ("The financial year begins on 1 April; we sell bikes.", {}, 4),
        ("FY runs from July to June", {}, 7),
        ("fiscal year: Oct - Sep", {}, 10),
        ("Our fiscal year ends in January.", {}, 2),
        ("Fiscal year ends on 31 March", {}, 4),
        ("", {"Fiscal year": "starts in February"}, 2),
        ("", {"FY": "July to June"}, 7),
        ("We started the company in March.", {}, None),
        ("", {"Win rate": "won / lost in March"}, None),
    ],
)
def test_where_a_fiscal_year_starts(context: str, keywords: dict[str, str], month: int | None) -> None:
    assert first_month(Question("?", today=TODAY, context=context, keywords=keywords)) == month


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("FY25", "2024-02-01 until 2025-01-31"),
        ("fiscal year 2025", "2024-02-01 until 2025-01-31"),
        ("fiscal 2025", "2024-02-01 until 2025-01-31"),
        ("Q1 FY2025", "2024-02-01 until 2024-04-30"),
        ("FY25 Q4", "2024-11-01 until 2025-01-31"),
        ("fiscal Q2 2025", "2024-05-01 until 2024-07-31"),
        ("H2 FY25", "2024-08-01 until 2025-01-31"),
        ("the first quarter of fiscal year 2025", "2024-02-01 until 2024-04-30"),
        ("Q3 2025", "2024-08-01 until 2024-10-31"),
        ("this quarter", "2024-11-01 until 2025-01-31"),
        ("last fiscal quarter", "2024-08-01 until 2024-10-31"),
        ("last year", "2023-02-01 until 2024-01-31"),
        ("fiscal year to date", "2024-02-01 until 2025-01-10"),
        ("YTD", "2024-02-01 until 2025-01-10"),
    ],
)
def test_which_days_a_fiscal_period_has(text: str, days: str) -> None:
    found = in_calendar(f"total amount in {text}?", 2, TODAY)
    assert found is not None
    assert found.text == f"total amount in {days}?"


@pytest.mark.parametrize(
    "text", ["total amount in 2024", "total amount in March 2024", "last month", "the past 3 years"]
)
def test_calendar_periods_stay(text: str) -> None:
    found = in_calendar(text, 2, TODAY)
    assert found is None or found.text == text


def test_without_a_fiscal_year_quarters_are_the_calendars(ask: Ask) -> None:
    plain = ask("total amount in Q2 2024", context="")
    assert "Q2 2024" in plain.text
    assert plain.assumptions == ask("total amount in Q2 2024", context="We sell software.").assumptions


def test_a_fiscal_quarter_is_added_up_and_named(ask: Ask) -> None:
    said = ask("What is the total amount in Q1 FY2025?")
    plain = ask("What is the total amount from 2024-02-01 to 2024-04-30?", context="")
    assert said.result is not None
    assert plain.result is not None
    assert said.result.rows == plain.result.rows
    assert "Q1 FY2025 is Feb 2024 to Apr 2024" in said.assumptions
    assert "Your fiscal year starts in February and is named after the year in which it ends" in said.assumptions


def test_rows_are_told_apart_by_fiscal_quarters(ask: Ask) -> None:
    said = ask("total amount by quarter")
    assert said.result is not None
    column = said.result.columns[0]
    assert column.grain == "fiscal quarter 2"
    starts = [row[0] for row in said.result.rows]
    assert all(isinstance(day, date) and day.month in (2, 5, 8, 11) for day in starts)
    assert formats.cell(starts[1], column) == "Q1 FY2024"
    assert "rose from $65,545 in Q4 FY2023" in said.text
    assert said.chart is not None
    assert "Q1 FY2024" in said.chart.document["labels"]  # type: ignore[operator]


def test_a_fiscal_year_that_nobody_told_is_the_calendars_and_that_is_said(ask: Ask) -> None:
    said = ask("total amount in fiscal year 2024", context="")
    plain = ask("total amount in 2024", context="")
    assert said.result is not None
    assert plain.result is not None
    assert said.result.rows == plain.result.rows
    assert any(text.startswith("I know of no fiscal year") for text in said.assumptions)


def test_fiscal_periods_are_compared(ask: Ask) -> None:
    said = ask("Compare total amount in Q2 FY2025 and Q1 FY2025")
    assert said.result is not None
    assert [column.name for column in said.result.columns][:2] == ["May 2024 to Jul 2024", "Feb 2024 to Apr 2024"]
    why = ask("Why did the total amount change from Q1 FY2025 to Q2 FY2025?")
    assert why.headline is not None
    assert why.headline.value == said.result.rows[0][0]


def test_questions_without_periods_say_nothing_of_years(ask: Ask) -> None:
    assert ask("total amount by stage").assumptions == ()


@pytest.mark.parametrize(
    ("text", "first"),
    [("invoiced amount this fiscal year", (48_400,)), ("invoiced amount by quarter", (date(2024, 11, 1), 4_280))],
)
def test_any_file_goes_by_the_fiscal_year(text: str, first: tuple[object, ...], tmp_path: Path) -> None:
    jobs = (f"T{n},{('North', 'South')[n % 2]},{100 + n},2025-{n % 12 + 1:02d}-{n % 27 + 1:02d}" for n in range(240))
    (tmp_path / "jobs.csv").write_text("\n".join(["job_no,region,invoiced_amt,invoice_dt", *jobs]))
    question = Question(text, today=date(2025, 12, 20), context=FEBRUARY)
    said = answer(question, catalog=catalog_from_files([tmp_path / "jobs.csv"], tmp_path), warehouse=LocalWarehouse())
    assert said.result is not None, said.text
    assert said.result.rows[0] == first
    assert "Your fiscal year starts in February and is named after the year in which it ends" in said.assumptions
