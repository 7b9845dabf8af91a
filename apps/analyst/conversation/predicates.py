"""Tests of a plan's rows as a conversation changes them: which hold a date, which a value, what takes their place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, timedelta

from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import (
    Among,
    Between,
    ColumnRef,
    Compare,
    Constant,
    Missing,
    Not,
    Period,
    Predicate,
    Query,
    TextMatch,
)
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.spans import date_range
from apps.analyst.reading.calendars import Range, shifted

Dated = Callable[[ColumnRef], bool]
"""Whether a column holds dates."""


def column_of(test: Predicate) -> ColumnRef | None:
    """The one column that a test looks at; None where it looks at none or several."""
    found = set(references(test))
    return found.pop() if len(found) == 1 else None


def is_time(test: Predicate, dated: Dated) -> bool:
    """True for tests of when something was, not of whether it has happened."""
    ref = column_of(test)
    missing = test.of if isinstance(test, Not) else test
    return ref is not None and dated(ref) and not isinstance(missing, Missing)


def date_of(query: Query, dated: Dated) -> ColumnRef | None:
    """The one date column that a query goes by: of its periods, else of its groups."""
    tested = {column_of(test) for test in conjuncts(query.where) if is_time(test, dated)}
    grouped = {g.expr.of for g in query.groups if isinstance(g.expr, Period) and isinstance(g.expr.of, ColumnRef)}
    for found in (tested, grouped):
        if len(found) == 1:
            return found.pop()
    return None


def span_of(query: Query, dated: Dated) -> Range | None:
    """The days that a query's one period covers, the last one left out."""
    spans = [
        found
        for test in conjuncts(query.where)
        if is_time(test, dated) and isinstance(test, Between) and (found := date_range(test)) is not None
    ]
    return (spans[0][0], spans[0][1] + timedelta(days=1)) if len(spans) == 1 else None


def within_days(ref: ColumnRef, low: date | None, high: date | None) -> Predicate:
    """The test for days from `low` on and before `high`."""
    if low is not None and high is not None:
        return Between(of=ref, low=_day(low), high=_day(high), half_open=True)
    if low is not None:
        return Compare(op=">=", left=ref, right=_day(low))
    assert high is not None
    return Compare(op="<", left=ref, right=_day(high))


def _day(day: date) -> Constant:
    return Constant(value=day.isoformat(), type="date")


def earlier(span: Range, months: int) -> Range:
    """The span so many months earlier; 0: the one of its own length just before."""
    if months:
        return shifted(span[0], -months), shifted(span[1], -months)
    low, high = span
    if low.day == 1 and high.day == 1:
        return earlier(span, (high.year - low.year) * 12 + high.month - low.month)
    return low - (high - low), low


def values_of(test: Predicate) -> tuple[str, ...]:
    """The stored values that a test lets through; empty for other tests."""
    if isinstance(test, Compare) and test.op == "=" and isinstance(test.right, Constant):
        return (str(test.right.value),)
    if isinstance(test, Among) and not test.negated:
        return tuple(str(value.value) for value in test.values)
    return ()


def among(ref: ColumnRef, values: Sequence[str], *, negated: bool = False) -> Predicate:
    """The test for one of several stored values, or for none of them."""
    kept = list(dict.fromkeys(values))
    if len(kept) == 1:
        return Compare(op="!=" if negated else "=", left=ref, right=Constant(value=kept[0]))
    return Among(of=ref, values=tuple(Constant(value=value) for value in kept), negated=negated)


def left_out(test: Predicate) -> tuple[str, ...]:
    """The stored values that a test leaves out; empty for other tests."""
    if isinstance(test, Compare) and test.op == "!=" and isinstance(test.right, Constant):
        return (str(test.right.value),)
    if isinstance(test, Among) and test.negated:
        return tuple(str(value.value) for value in test.values)
    return ()


def is_of_text(test: Predicate, ref: ColumnRef) -> bool:
    """True for tests of a column's values or of text inside them."""
    return column_of(test) == ref and (bool(values_of(test) or left_out(test)) or isinstance(test, TextMatch))
