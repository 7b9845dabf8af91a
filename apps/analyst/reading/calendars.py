"""Units of the calendar as half-open ranges of days."""

from __future__ import annotations

from datetime import date, timedelta

Range = tuple[date, date]
"""The first day, and the first that is no longer meant."""


def shifted(day: date, months: int) -> date:
    """The same day so many months later, or the last of a shorter month."""
    place = day.year * 12 + day.month - 1 + months
    for last in range(day.day, 27, -1):
        try:
            return date(place // 12, place % 12 + 1, last)
        except ValueError:
            continue
    return date(place // 12, place % 12 + 1, day.day)


def unit_range(day: date, unit: str) -> Range:
    """The unit of the calendar that the day lies in; weeks start on Monday."""
    if unit == "day":
        return day, day + timedelta(1)
    if unit == "week":
        start = day - timedelta(day.weekday())
        return start, start + timedelta(7)
    size = {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit]
    start = date(day.year, (day.month - 1) // size * size + 1, 1)
    return start, shifted(start, size)


def moved(day: date, unit: str, count: int) -> date:
    """The day so many units later."""
    if unit in ("day", "week"):
        return day + timedelta(count * (7 if unit == "week" else 1))
    return shifted(day, count * {"month": 1, "quarter": 3, "half": 6, "year": 12}[unit])


def in_year(found: Range, year: int) -> Range:
    """The same days of another year; `found` ends in the year that is left."""
    months = 12 * (year - (found[1] - timedelta(1)).year)
    return shifted(found[0], months), shifted(found[1], months)
