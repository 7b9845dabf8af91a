"""How values are written for people."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

import pytest

from apps.analyst.telling import formats
from apps.analyst.types import ResultColumn


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (Decimal("1238485.25"), "USD", "$1,238,485"),
        (Decimal("950.5"), "USD", "$950.50"),
        (Decimal("12000.00"), "EUR", "€12,000"),
        (-1200, "USD", "−$1,200"),
        (1234.5, "CHF", "CHF 1,234.50"),
        (24.558, "%", "24.6%"),
        (100.0, "%", "100%"),
        (0.04, "%", "0.04%"),
        (-3.25, "%", "−3.3%"),
        (81, "days", "81 days"),
        (1, "days", "1 day"),
        (1234567, None, "1,234,567"),
        (27.8333, None, "27.83"),
        (0.5, None, "0.5"),
        (0.00012, None, "0.00012"),
        (None, "USD", "no value"),
        (float("nan"), None, "no value"),
    ],
)
def test_figures_carry_their_unit_and_the_decimals_that_tell_something(
    value: object, unit: str | None, text: str
) -> None:
    assert formats.figure(value, unit) == text  # type: ignore[arg-type]


def test_cents_of_large_amounts_are_kept_when_the_exact_figure_is_wanted() -> None:
    assert formats.figure(Decimal("1238485.25"), "USD", exact=True) == "$1,238,485.25"


def test_changes_carry_their_sign() -> None:
    assert formats.signed(24.6, "%") == "+24.6%"
    assert formats.signed(-1200, "USD") == "−$1,200"
    assert formats.signed(0, "USD") == "$0"


@pytest.mark.parametrize(
    ("value", "grain", "text"),
    [
        (date(2026, 3, 1), "month", "Mar 2026"),
        (date(2026, 7, 1), "quarter", "Q3 2026"),
        (date(2026, 1, 1), "year", "2026"),
        (date(2026, 1, 5), "week", "week of 5 Jan 2026"),
        (datetime(2026, 1, 5, 14), "hour", "5 Jan 2026, 14:00"),
        (3, "quarter", "Q3"),
        (7, "month", "July"),
        (1, "weekday", "Monday"),
        (1990, "decade", "1990s"),
        ("May", "month_name", "May"),
    ],
)
def test_periods_are_written_as_people_write_them(value: object, grain: str, text: str) -> None:
    column = ResultColumn("when", "date", "dimension", grain=grain)
    assert formats.cell(value, column) == text  # type: ignore[arg-type]


def test_years_and_ids_have_no_thousands_separators() -> None:
    assert formats.cell(2024, ResultColumn("year", "integer", "dimension")) == "2024"


def test_missing_values_truth_values_and_dates_read_plainly() -> None:
    column = ResultColumn("x", "text", "dimension")
    cells = [formats.cell(v, column) for v in (None, True, date(2026, 3, 12), datetime(2026, 3, 12, 9, 5))]
    assert cells == ["–", "yes", "12 Mar 2026", "12 Mar 2026, 09:05"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("create_date", "create date"), ("UnitPrice", "unit price"), ("Amount (USD)", "amount"),
        ("OrderID", "order ID"), ("MPG", "MPG"), ("probability %", "probability"),
        ("Order Details", "order details"), ("%", "%"),
        ("Total amount (Jan–Jun 2025)", "total amount from Jan to Jun 2025"),
    ],
)  # fmt: skip
def test_column_names_become_words(name: str, words: str) -> None:
    assert formats.spoken(name) == words


def test_a_column_of_deals_need_not_say_deal() -> None:
    assert formats.thing("deal_stage", "deals") == "stage"
    assert formats.thing("company_name", "deals") == "company"
    assert formats.thing("deal_name", "deals") == "deal"


@pytest.mark.parametrize(
    ("table", "count", "noun"),
    [
        ("deals", 2, "2 deals"),
        ("hubspot_companies", 1, "1 company"),
        ("Order Details", 3, "3 order details"),
        ("203-729", 5, "5 rows"),
        ("hubspot-deals", 3, "3 deals"),
        ("hubspot-crm-exports-all-deals", 3, "3 deals"),
    ],
)
def test_rows_are_called_what_the_table_holds(table: str, count: int, noun: str) -> None:
    assert formats.counted(count, table) == noun


def test_lists_end_with_a_word() -> None:
    assert formats.listed(["a"]) == "a"
    assert formats.listed(["a", "b", "c"]) == "a, b and c"
    assert formats.listed(["a", "b", "c", "d"], "or", most=2) == "a, b or 2 more"


@pytest.mark.parametrize(
    ("noun", "several"),
    [
        ("slipway", "slipways"),
        ("status", "statuses"),
        ("order status", "order statuses"),
        ("paid by", "paid by values"),
        ("hired on", "hired on values"),
    ],
)
def test_a_name_that_is_no_noun_is_counted_in_values(noun: str, several: str) -> None:
    assert formats.plural(noun) == several
