"""Periods that are not over: up to which day the data know a date, and as much of an earlier period beside it.

In: profiled columns and spans of days (first and last, both included). Out: spans and their words. No rows are read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.analyst.computing.metrics.rhythms import MONTHS_OF, day_of, is_first, rhythm
from apps.analyst.plan import BY_THEN, SO_FAR, Between, ColumnRef, Comparison, Constant, Expr, Grain, Predicate, Query
from apps.analyst.plan.spans import date_range, span_words
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import MONTH_NAMES, day
from apps.analyst.types import Column, Result

Span = tuple[date, date]

LITTLE = 2
"""A period is whole for people that lacks no more days than these."""
SHORTEST = 28
"""Days of a period from which on a day or two are little; of a week they are much."""
_SPARSE = 15
"""Where dates lie far apart, the last gap may take this part of a period."""
_PLACES = ("first", "second", "third", "fourth")


def last_of(start: date, grain: str) -> date:
    """The last day of the period of this grain that starts on a day; a grain below weeks is over with its day."""
    if grain == "week":
        return start + timedelta(days=6)
    months = MONTHS_OF.get(grain, 0)
    return _later(start, months) - timedelta(days=1) if months else start


def in_rhythm(query: Query, result: Result, catalog: Catalog) -> Result:
    """The result with the grain of its groups where stored first days stand for months, quarters or years."""
    meant: dict[str, Grain] = {}
    for group in query.groups:
        column = _stored(group.expr, catalog)
        grain = rhythm(column) if column is not None else None
        place = next((i for i, found in enumerate(result.columns) if found.name == group.label), None)
        if grain is not None and place is not None:
            days = {day_of(row[place]) for row in result.rows if row[place] is not None}
            if all(day is not None and is_first(day, grain) for day in days):
                meant[group.label] = grain
    if not meant:
        return result
    columns = tuple(replace(one, grain=meant.get(one.name, one.grain)) for one in result.columns)
    return replace(result, columns=columns)


def newest(column: Column) -> date | None:
    """The last day that a column of dates speaks of: of first days of months it is the end of the last month."""
    high = day_of(column.maximum)
    grain = rhythm(column) if high is not None else None
    return last_of(high, grain) if high is not None and grain is not None else high


def known_to(column: Column | None, today: date) -> date:
    """The day up to which the data know a date: its newest one, for what lies ahead today."""
    known = newest(column) if column is not None else None
    if known is None or column is None:
        return today
    return known if rhythm(column) is not None else min(known, today)


def little(days: int, column: Column | None = None) -> int:
    """How many of a period's days may lack at its end before it counts as one that is not over."""
    if days < SHORTEST:
        return 0
    low, high = (day_of(column.minimum), day_of(column.maximum)) if column is not None else (None, None)
    if column is None or low is None or high is None or column.distinct < 2:
        return LITTLE
    gap = (high - low).days / (column.distinct - 1)
    return max(LITTLE, int(min(2 * gap, days / _SPARSE)))


def is_running(span: Span, known: date, column: Column | None = None) -> bool:
    """Whether the data know only a part of a period: its beginning, and more than little of its end not."""
    first, last = span
    return first <= known and (last - known).days > little((last - first).days + 1, column)


def as_much(now: Span, then: Span, known: date) -> Span:
    """As much of an earlier period as the later one has up to a day: to the same day of the same month of whole
    months, else as many days."""
    if now[0].day == then[0].day == 1 and all((last + timedelta(days=1)).day == 1 for last in (now[1], then[1])):
        months = (known.year - now[0].year) * 12 + known.month - now[0].month
        month = _later(then[0], months)
        reached = min(month + timedelta(days=known.day - 1), _later(month, 1) - timedelta(days=1))
    else:
        reached = then[0] + (known - now[0])
    return then[0], min(reached, then[1])


@dataclass(frozen=True, slots=True)
class Beside:
    """Two periods side by side with their names, and what has to be said of them ("" where nothing has)."""

    now: Span
    then: Span
    labels: tuple[str, str]
    told: str = ""


def beside(
    now: Span, then: Span, today: date, column: Column | None = None, *, text: str = "", in_full: bool | None = None
) -> Beside:
    """Two periods as they are compared: one that is not over is held against as much of the earlier one.

    Where the question names both in full ("2026 against 2025"), which its `text` tells unless `in_full` does, they
    stay whole, and that the later one is not over is said.
    """
    current, baseline = names = label_of(now), label_of(then)
    known = known_to(column, today)
    known = known if known >= now[0] else today
    sparse = column if today > now[1] else None  # what is still to come is no gap between dates
    if not is_running(now, known, sparse) or then[1] >= now[0]:
        return Beside(now, then, names)
    state = f"{current} is {'not over' if known >= today else f'known up to {day(known)}'}"
    if names_both(text, now, then) if in_full is None else in_full:
        return Beside(now, then, (current + SO_FAR, baseline), f"{state}, and the whole of {baseline} stands beside it")
    told = f"{state}, so it is held against as much of {baseline}"
    return Beside((now[0], known), as_much(now, then, known), (current + SO_FAR, baseline + BY_THEN), told)


def compared_words(plan: Comparison) -> str:
    """ "2026 against 2025"; where one is not over, up to which day the other one goes: "2025 up to 23 Nov"."""
    current, baseline = plan.current_label, plan.baseline_label
    span = date_range(plan.baseline) if isinstance(plan.baseline, Between) else None
    if not baseline.endswith(BY_THEN) or span is None:
        return f"{current} against {'all of ' if current.endswith(SO_FAR) else ''}{baseline}"
    last = day(span[1]).removesuffix(f" {span[1].year}")
    return f"{current} against {baseline.removesuffix(BY_THEN)} up to {last}"


def part_words(label: str) -> str:
    """A side of a comparison as a sentence says it: "the same part of Q3 2026" where it is as much of it."""
    return f"the same part of {label.removesuffix(BY_THEN)}" if label.endswith(BY_THEN) else label


def turned(plan: Comparison, column: Column | None) -> Comparison | None:
    """A comparison of a period that is not over, against all of the other one instead of as much of it, or the other
    way round as far as the dates of `column` tell; None where there is nothing to turn."""
    now, then = (date_range(side) if isinstance(side, Between) else None for side in (plan.current, plan.baseline))
    if now is None or then is None or not plan.current_label.endswith(SO_FAR):
        return None
    if plan.baseline_label.endswith(BY_THEN):
        baseline = plan.baseline_label.removesuffix(BY_THEN)
        spans = _named(now[0], plan.current_label.removesuffix(SO_FAR)), _named(then[0], baseline)
    else:
        baseline = plan.baseline_label + BY_THEN
        known = newest(column) if column is not None else None
        if known is None or not is_running(now, known):
            return None
        spans = (now[0], known), as_much(now, then, known)
    if spans[0] is None or spans[1] is None:
        return None
    sides = {"current": days_of(plan.current, spans[0]), "baseline": days_of(plan.baseline, spans[1])}
    return plan.model_copy(update={**sides, "baseline_label": baseline})


def _named(first: date, label: str) -> Span | None:
    """The period of that name from its first day on."""
    ends = [_later(first, months) - timedelta(days=1) for months in range(1, 13)] if first.day == 1 else []
    spans = [(first, last) for last in (*ends, first + timedelta(days=6))]
    return next((span for span in spans if label_of(span) == label), None)


def names_both(text: str, *spans: Span) -> bool:
    """Whether a question names each of these periods by itself, not as the one that is or was ("last year")."""
    return bool(text) and all(any(re.search(word, text.casefold()) for word in _names_of(span)) for span in spans)


def _names_of(span: Span) -> Sequence[str]:
    """Patterns of the names that people give a period: "2026", "Q4", "fourth quarter", "November", "Nov"."""
    first, last = span
    after = last + timedelta(days=1)
    months = (after.year - first.year) * 12 + after.month - first.month
    if first.day != 1 or after.day != 1:
        return ()
    if months == 1:
        name = MONTH_NAMES[first.month - 1].casefold()
        return (rf"\b{name}\b", rf"\b{name[:3]}t?\b", rf"\b{first.year}-{first.month:02}\b")
    if months in (3, 6) and (first.month - 1) % months == 0:
        letter, word, place = ("q", "quarter", 3) if months == 3 else ("h", "half", 6)
        number = (first.month - 1) // place
        return (rf"\b{letter} ?{number + 1}\b", rf"\b{_PLACES[number]} {word}\b")
    return (rf"\b{first.year}\b",) if months == 12 and first.month == 1 else ()


def label_of(span: Span) -> str:
    """A period's name: "2026", "Q4 2026", "3 Jan to 9 Feb 2025"."""
    words = span_words(*span)
    return next((words.removeprefix(joint) for joint in ("in ", "from ", "on ") if words.startswith(joint)), words)


def days_of(test: Predicate, span: Span) -> Predicate:
    """A condition on a date with other days; what bounds no date stays."""
    if not isinstance(test, Between) or date_range(test) == span:
        return test
    low = Constant(value=span[0].isoformat(), type="date")
    high = Constant(value=(span[1] + timedelta(days=1)).isoformat(), type="date")
    return test.model_copy(update={"low": low, "high": high, "half_open": True})


def dated_column(test: Predicate, catalog: Catalog) -> Column | None:
    """The stored column whose days a condition bounds; None where it is no plain one."""
    return _stored(test.of, catalog) if isinstance(test, Between) else None


def _stored(expr: Expr, catalog: Catalog) -> Column | None:
    """The stored column that an expression is; None where it is made of one."""
    if not isinstance(expr, ColumnRef):
        return None
    table = next((table for table in catalog.tables() if table.name == expr.table), None)
    return table.column(expr.column) if table is not None else None


def _later(first: date, months: int) -> date:
    """The first day of a month so many months later."""
    place = first.year * 12 + first.month - 1 + months
    return date(place // 12, place % 12 + 1, 1)
