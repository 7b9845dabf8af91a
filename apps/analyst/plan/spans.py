"""Stretches of days in conditions of plans, and how people say them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from apps.analyst.computing.compile.kinds import constant_value
from apps.analyst.plan import Between, Constant, Expr, Predicate
from apps.analyst.telling import formats
from apps.analyst.telling.formats import listed


def date_range(predicate: Between) -> tuple[date, date] | None:
    """First and last day of a range of dates, both included; None for other ranges."""
    low, high = predicate.low, predicate.high
    if not (isinstance(low, Constant) and isinstance(high, Constant)):
        return None
    start, end = constant_value(low), constant_value(high)
    if not isinstance(start, date) or not isinstance(end, date):
        return None
    whole_days = not any(isinstance(v, datetime) and (v.hour or v.minute or v.second) for v in (start, end))
    if not whole_days:
        return None
    first = start.date() if isinstance(start, datetime) else start
    last = end.date() if isinstance(end, datetime) else end
    return first, last - timedelta(days=1) if predicate.half_open else last


def span_words(first: date, last: date) -> str:
    """A range of days as people say it: "in 2024", "in Q2 2025", "in March 2025", "from 3 Jan to 9 Feb 2025"."""
    after = last + timedelta(days=1)
    if first.day == 1 and after.day == 1:
        months = (after.year - first.year) * 12 + after.month - first.month
        if months == 1:
            return f"in {formats.MONTH_NAMES[first.month - 1]} {first.year}"
        if months == 3 and first.month % 3 == 1:
            return f"in Q{(first.month - 1) // 3 + 1} {first.year}"
        if months == 12 and first.month == 1:
            return f"in {first.year}"
        if months > 1 and first.month == 1 and after.month == 1:
            return f"from {first.year} to {last.year}"
        if months > 1:
            return (
                f"from {formats.MONTHS[first.month - 1]} {first.year} to {formats.MONTHS[last.month - 1]} {last.year}"
            )
    if first == last:
        return f"on {formats.day(first)}"
    return f"from {formats.day(first)} to {formats.day(last)}"


def says_days(text: str, first: date, last: date) -> bool:
    """Whether words have a range of days already, as `span_words` says it or with a year that both ends have once."""
    said = span_words(first, last).removeprefix("in ")
    once = said.replace(f" {first.year} to ", " to ", 1) if first.year == last.year else said
    return any(way.casefold() in text.casefold() for way in (said, once))


def stretches(parts: Sequence[Predicate]) -> tuple[Expr, list[tuple[date, date]]] | None:
    """The date and its stretches (first and last day, the earliest first) where each condition is one; else None."""
    spans = [(span, part.of) for part in parts if isinstance(part, Between) and (span := date_range(part)) is not None]
    if not spans or len(spans) != len(parts) or any(of != spans[0][1] for _, of in spans):
        return None
    return spans[0][1], sorted(span for span, _ in spans)


def stretches_words(spans: Sequence[tuple[date, date]]) -> str:
    """Stretches as alternatives: "in 2024 or 2025", "in March 2025 or from 3 Jan to 9 Feb 2026"."""
    told = [span_words(*span) for span in spans]
    if all(words.startswith("in ") for words in told):
        told = [told[0], *(words.removeprefix("in ") for words in told[1:])]
    return listed(told, "or")
