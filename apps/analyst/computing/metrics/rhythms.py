"""Columns of dates that hold one date for each period, its first day. In: profiled columns. Out: grains."""

from __future__ import annotations

from datetime import date, datetime

from apps.analyst.plan import Grain
from apps.analyst.types import Column, Scalar

MONTHS_OF = {"month": 1, "quarter": 3, "year": 12}
_RHYTHMS: tuple[Grain, ...] = ("year", "quarter", "month")


def rhythm(column: Column) -> Grain | None:
    """The grain of a column that holds one date for each period, its first day ("1 Jan, 1 Feb, 1 Mar"), else None."""
    low, high = day_of(column.minimum), day_of(column.maximum)
    if low is None or high is None or column.distinct < 2:
        return None
    for grain in _RHYTHMS:
        count = _periods_between(low, high, grain)
        if count is not None and count / 2 <= column.distinct <= count:
            return grain
    return None


def day_of(value: Scalar) -> date | None:
    """The day of a stored moment."""
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


def _periods_between(low: date, high: date, grain: Grain) -> int | None:
    """How many periods lie from one's first day to another's, both included; None where one is no first day."""
    if not is_first(low, grain) or not is_first(high, grain):
        return None
    return ((high.year - low.year) * 12 + high.month - low.month) // MONTHS_OF[grain] + 1


def is_first(day: date, grain: Grain) -> bool:
    """Whether a period of this grain starts on the day."""
    return day.day == 1 and (day.month - 1) % MONTHS_OF[grain] == 0
