"""What happened this month is what happened up to today."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.plan import Query
from apps.analyst.reading.candidates import proposed
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2025, 5, 20)


@pytest.fixture(scope="module")
def invoices(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """300 invoices, one a day until late October 2025, each due a month later."""
    folder: Path = tmp_path_factory.mktemp("invoices")
    lines = ["invoice_no,order_date,due_date,amount"]
    for n in range(300):
        day = date(2025, 1, 1) + timedelta(days=n)
        lines.append(f"I-{n:03d},{day},{day + timedelta(days=30)},{100 + n}")
    (folder / "invoices.csv").write_text("\n".join(lines))
    return catalog_from_files([folder / "invoices.csv"], folder / "tables")


def days(text: str, catalog: FixedCatalog, today: date = TODAY) -> str:
    """The conditions of the likeliest plan, as they are written."""
    plan = proposed(Question(text, today=today), catalog).candidates[0].plan
    assert isinstance(plan, Query)
    return plan.model_dump_json()


@pytest.mark.parametrize("text", ["total amount by order date this month", "total amount of orders dated this month"])
def test_what_is_ordered_this_month_is_ordered_until_today(text: str, invoices: FixedCatalog) -> None:
    assert '"2025-05-21"' in days(text, invoices)
    assert '"2025-06-01"' not in days(text, invoices)


def test_what_is_due_this_month_may_lie_ahead(invoices: FixedCatalog) -> None:
    assert '"2025-06-01"' in days("total amount due this month", invoices)


def test_a_month_that_is_named_is_meant_whole(invoices: FixedCatalog) -> None:
    assert '"2025-06-01"' in days("total amount by order date in May 2025", invoices)


def test_data_that_end_before_today_need_no_end(invoices: FixedCatalog) -> None:
    late = date(2025, 12, 10)
    assert '"2026-01-01"' in days("total amount by order date this month", invoices, late)
