"""Periods that are held against each other stand in groups of their own."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.reading.contrasted import told_apart
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.sketch import NOTHING, Sketch

PLACED = ("C", "orders", "placed_on")


def days(start: str, end: str) -> Sketch:
    return ("dates", PLACED, date.fromisoformat(start), date.fromisoformat(end))


Q2, Q3 = days("2025-04-01", "2025-07-01"), days("2025-07-01", "2025-10-01")
LAST_Q3, YEAR = days("2024-07-01", "2024-10-01"), days("2025-01-01", "2026-01-01")


@pytest.mark.parametrize(
    ("unit", "periods", "told_by"),
    [
        ("year", ("or", Q2, Q3), "quarter"),
        ("quarter", ("or", Q2, Q3), "quarter"),
        ("month", ("or", Q2, Q3), "month"),
        ("year", ("or", LAST_Q3, Q3), "year"),
        ("year", ("or", days("2025-03-01", "2025-04-01"), days("2025-05-01", "2025-06-01")), "month"),
        ("quarter", ("or", days("2024-07-01", "2024-08-01"), days("2025-07-01", "2025-08-01")), "month"),
        ("year", ("or", days("2025-03-01", "2025-03-20"), days("2025-05-01", "2025-05-20")), "quarter"),
        ("quarter", ("or", days("2025-04-01", "2025-05-01"), days("2025-05-01", "2025-06-01")), "month"),
        ("month", YEAR, "month"),
        ("year", NOTHING, "year"),
        ("year", ("is", ("W", "orders", "state", "paid")), "year"),
    ],
)
def test_groups_are_of_the_longest_unit_that_tells_the_periods_apart(unit: str, periods: Sketch, told_by: str) -> None:
    assert told_apart(("k1", (unit, PLACED)), periods) == ("k1", (told_by, PLACED))


@pytest.mark.parametrize("periods", [Q2, YEAR, ("and", ("is", ("W", "orders", "state", "paid")), Q3)])
def test_one_period_is_no_group_of_a_unit_that_holds_it(periods: Sketch) -> None:
    with pytest.raises(Unfit):
        told_apart(("k1", ("year", PLACED)), periods)


def test_periods_that_no_unit_tells_apart_are_not_grouped() -> None:
    overlapping = ("or", days("2025-01-15", "2025-03-10"), days("2025-03-10", "2025-05-01"))
    with pytest.raises(Unfit):
        told_apart(("k1", ("year", PLACED)), overlapping)


def test_groups_by_another_date_are_left_alone() -> None:
    keys = ("k2", ("C", "orders", "state"), ("year", ("C", "orders", "sent_on")))
    assert told_apart(keys, Q2) == keys
