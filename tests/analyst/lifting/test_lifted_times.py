"""Dates: periods, parts, differences, intervals, today."""

from __future__ import annotations

import pytest

from apps.analyst.plan import Call, Period
from tests.analyst.lifting.meaning import Meaning


@pytest.mark.parametrize("grain", ["day", "week", "month", "quarter", "year"])
def test_periods_are_those_of_the_query(grain: str, says: Meaning) -> None:
    query = (
        says.query(
            f"SELECT date_trunc('{grain}', placed) AS start, count(*) AS n FROM orders GROUP BY 1",
        )
        if grain in ("day", "week")
        else None
    )
    if query is not None:
        assert isinstance(query.groups[0].expr, Period)
    says(
        f"SELECT count(*) AS n FROM orders WHERE date_trunc('{grain}', placed) = "
        f"date_trunc('{grain}', DATE '2024-03-03')"
    )


def test_months_and_quarters_that_are_written_are_periods(says: Meaning) -> None:
    query = says.query("SELECT strftime(placed, '%Y-%m') AS month, sum(amount) AS total FROM orders GROUP BY 1")
    assert query.groups[0].expr.kind == "period"
    query = says.query("SELECT year(placed) || '-Q' || quarter(placed) AS q, count(*) AS n FROM orders GROUP BY 1")
    assert query.groups[0].expr.kind == "period"
    says("SELECT count(*) AS n FROM orders WHERE strftime(placed, '%Y-%m') BETWEEN '2024-01' AND '2024-03'")


def test_parts_of_dates(says: Meaning) -> None:
    says("SELECT year(placed) AS y, count(*) AS n FROM orders GROUP BY 1")
    says("SELECT dayname(placed) AS day, count(*) AS n FROM orders GROUP BY 1")
    says("SELECT monthname(placed) AS month, isodow(placed) AS day, extract(week FROM placed) AS week FROM orders")
    says("SELECT date_part('quarter', placed) AS q, sum(amount) AS total FROM orders GROUP BY 1")
    says("SELECT count(*) AS n FROM orders WHERE month(placed) = 3 AND year(placed) = 2024")


def test_weekdays_that_start_on_sunday(says: Meaning) -> None:
    says("SELECT count(*) AS n FROM orders WHERE dayofweek(placed) IN (0, 6)")
    says("SELECT dayofweek(placed) AS day, count(*) AS n FROM orders GROUP BY 1")


def test_days_months_and_years_between_dates(says: Meaning) -> None:
    query = says.query("SELECT avg(shipped - placed) AS days FROM orders")
    assert isinstance(query.measures[0].expr.of, Call)  # type: ignore[union-attr]
    says(
        "SELECT order_id, date_diff('day', placed, shipped) AS d, date_diff('month', placed, shipped) AS m FROM orders"
    )
    says(
        "SELECT name, date_diff('year', joined, DATE '2024-06-01') AS y, datesub('month', joined, "
        "DATE '2024-06-15') AS m FROM customers"
    )


def test_dates_held_against_moved_ones(says: Meaning) -> None:
    says("SELECT order_id FROM orders WHERE shipped > placed + INTERVAL 7 DAY")
    says("SELECT order_id FROM orders WHERE shipped <= placed + 4")
    says("SELECT order_id FROM orders WHERE shipped - placed > 9")
    says("SELECT order_id FROM orders WHERE placed BETWEEN DATE '2024-05-31' - 30 AND DATE '2024-05-31'")
    says("SELECT order_id FROM orders WHERE placed >= DATE '2024-05-31' - INTERVAL 3 MONTH")


def test_today_is_the_day_of_the_question(says: Meaning) -> None:
    says(
        "SELECT order_id FROM orders WHERE placed >= date_trunc('month', current_date) - INTERVAL 1 MONTH",
        "SELECT order_id FROM orders WHERE placed >= DATE '2024-05-01'",
    )


def test_days_that_start_like_a_text(says: Meaning) -> None:
    says(
        "SELECT order_id FROM orders WHERE placed LIKE '2024-03%'",
        "SELECT order_id FROM orders WHERE month(placed) = 3",
    )


def test_the_last_days_and_months_of_the_data(says: Meaning) -> None:
    says("SELECT order_id FROM orders WHERE placed >= (SELECT max(placed) FROM orders) - INTERVAL 30 DAY")
    for op in ("<", "<=", ">", ">="):
        says(f"SELECT order_id FROM orders WHERE placed {op} (SELECT max(shipped) FROM orders) - INTERVAL 2 MONTH")
        says(f"SELECT name FROM customers WHERE DATE '2024-07-15' {op} joined + INTERVAL 1 YEAR")
    newest = "(SELECT max(placed) FROM orders)"
    says(f"SELECT count(*) AS n FROM orders WHERE placed BETWEEN {newest} - 60 AND {newest} - INTERVAL 10 DAY")
