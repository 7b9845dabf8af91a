"""Up to which day data know a period, and as much of an earlier one beside it."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.computing.metrics.rhythms import rhythm
from apps.analyst.computing.metrics.running import as_much, beside, is_running, known_to, names_both, newest
from apps.analyst.types import Column

TODAY = date(2026, 11, 23)
YEAR, YEAR_BEFORE = (date(2026, 1, 1), date(2026, 12, 31)), (date(2025, 1, 1), date(2025, 12, 31))
QUARTER, QUARTER_BEFORE = (date(2026, 10, 1), date(2026, 12, 31)), (date(2026, 7, 1), date(2026, 9, 30))


def dates(low: date, high: date, distinct: int) -> Column:
    return Column("day", "date", "time", distinct=distinct, minimum=low, maximum=high)


DAILY = dates(date(2024, 1, 1), date(2026, 11, 23), 1000)


def test_a_running_quarter_is_held_against_as_much_of_the_one_before() -> None:
    made = beside(QUARTER, QUARTER_BEFORE, TODAY, DAILY)
    assert made.now == (date(2026, 10, 1), TODAY)
    assert made.then == (date(2026, 7, 1), date(2026, 8, 23))
    assert made.labels == ("Q4 2026 so far", "Q3 2026 by then")
    assert made.told == "Q4 2026 is not over, so it is held against as much of Q3 2026"


def test_periods_that_are_over_are_compared_as_they_are() -> None:
    made = beside(QUARTER_BEFORE, (date(2026, 4, 1), date(2026, 6, 30)), TODAY, DAILY)
    assert made.labels == ("Q3 2026", "Q2 2026")
    assert made.told == ""


def test_periods_that_are_named_in_full_stay_whole_and_it_is_said() -> None:
    made = beside(YEAR, YEAR_BEFORE, TODAY, DAILY, text="revenue in 2026 vs 2025")
    assert (made.now, made.then) == (YEAR, YEAR_BEFORE)
    assert made.labels == ("2026 so far", "2025")
    assert made.told == "2026 is not over, and the whole of 2025 stands beside it"


def test_data_that_end_before_today_say_up_to_which_day_they_go() -> None:
    made = beside(YEAR, YEAR_BEFORE, TODAY, dates(date(2024, 1, 1), date(2026, 8, 31), 900))
    assert made.then[1] == date(2025, 8, 31)
    assert made.told == "2026 is known up to 31 Aug 2026, so it is held against as much of 2025"


@pytest.mark.parametrize(
    ("known", "running"),
    [("2026-12-31", False), ("2026-12-30", False), ("2026-12-29", False), ("2026-12-20", True), ("2026-11-30", True)],
)
def test_a_year_that_lacks_a_day_or_two_is_whole_and_one_that_lacks_a_month_is_not(known: str, running: bool) -> None:
    assert is_running(YEAR, date.fromisoformat(known), DAILY) is running


def test_of_a_week_two_days_are_much() -> None:
    assert is_running((date(2026, 11, 16), date(2026, 11, 22)), date(2026, 11, 20))


def test_where_dates_lie_far_apart_the_last_gap_is_little() -> None:
    weekly = dates(date(2024, 1, 3), date(2025, 12, 21), 100)
    assert not is_running(YEAR_BEFORE, date(2025, 12, 21), weekly)
    assert is_running(YEAR_BEFORE, date(2025, 11, 28), dates(date(2024, 1, 3), date(2025, 11, 28), 20))


@pytest.mark.parametrize(
    ("low", "high", "distinct", "grain", "end"),
    [
        ("2024-01-01", "2025-12-01", 24, "month", "2025-12-31"),
        ("2024-01-01", "2025-10-01", 8, "quarter", "2025-12-31"),
        ("2015-01-01", "2025-01-01", 11, "year", "2025-12-31"),
        ("2024-01-01", "2025-12-01", 600, None, "2025-12-01"),
        ("2024-01-03", "2025-12-01", 24, None, "2025-12-01"),
    ],
)
def test_dates_that_stand_for_periods_reach_to_the_end_of_the_last(
    low: str, high: str, distinct: int, grain: str | None, end: str
) -> None:
    column = dates(date.fromisoformat(low), date.fromisoformat(high), distinct)
    assert rhythm(column) == grain
    assert newest(column) == date.fromisoformat(end)


def test_dates_ahead_are_not_known_yet() -> None:
    assert known_to(dates(date(2024, 1, 1), date(2027, 6, 30), 1200), TODAY) == TODAY
    assert known_to(None, TODAY) == TODAY


def test_as_much_of_a_shorter_month_is_all_of_it() -> None:
    march, february = (date(2026, 3, 1), date(2026, 3, 31)), (date(2026, 2, 1), date(2026, 2, 28))
    assert as_much(march, february, date(2026, 3, 30)) == february


def test_as_much_of_a_week_is_as_many_days() -> None:
    now, then = (date(2026, 11, 16), date(2026, 11, 22)), (date(2026, 11, 9), date(2026, 11, 15))
    assert as_much(now, then, date(2026, 11, 18)) == (date(2026, 11, 9), date(2026, 11, 11))


@pytest.mark.parametrize(
    ("text", "both"),
    [
        ("compare Q4 2026 with Q3 2026", True),
        ("the fourth quarter against the third quarter", True),
        ("this quarter vs last quarter", False),
        ("Q4 2026 compared with last quarter", False),
    ],
)
def test_a_period_is_named_in_full_by_its_own_name(text: str, both: bool) -> None:
    assert names_both(text, QUARTER, QUARTER_BEFORE) is both
