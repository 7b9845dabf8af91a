"""Changes to the period before, where a condition keeps a range of periods: the first one told is held against the
period before the range, whose rows are read for that alone.

In: a query. Out: the query that reads and leaves out that period, or None where there is nothing of the kind to do. The
plan itself keeps its range: it says what is told.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from apps.analyst.computing.compile.outputs import inline_labels, outputs_of
from apps.analyst.computing.compile.scope import table_named
from apps.analyst.computing.compile.walk import windowed, within
from apps.analyst.computing.metrics.rhythms import MONTHS_OF, rhythm
from apps.analyst.plan import (
    AnyOf,
    Between,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Missing,
    Node,
    Output,
    Part,
    Period,
    Predicate,
    Query,
    Window,
)
from apps.analyst.plan.conditions import all_of, conjuncts, together
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import fiscal_grain, period
from apps.analyst.types import Column, Scalar

_LOOK_BACK = frozenset({"previous", "change", "change_pct"})
_DAYS = {"day": 1, "week": 7}


@dataclass(frozen=True, slots=True)
class Before:
    """A query that reads what lies before its range and does not tell it."""

    query: Query
    told: Predicate
    """What holds for rows of the range alone."""
    note: str


def with_before(query: Query, catalog: Catalog) -> Before | None:
    """The completed `query` with the periods before its range read for its changes; None where it has no changes along
    a date that a condition keeps within a range, the data have nothing before it, or other figures look across rows,
    too, which the periods before would change."""
    windows, scan = list(_windows(query)), _scan(query)
    group, along = _followed(query, scan, windows, catalog) if windows and scan is not None else (None, None)
    if scan is None or group is None or along is None or _drops_blank(query):
        return None
    tests = conjuncts(scan.where)
    starts = [(test, start) for test in tests if (start := _start(test, along.of)) is not None]
    if len(starts) != 1 or not _begins(starts[0][1], along):
        return None
    test, start = starts[0]
    first = _earlier(start, along, max(window.span or 1 for window in windows))
    if first is None or _is_before_all(along.of, start, scan, catalog):
        return None
    earlier = Between(of=along.of, low=_day(first), high=_day(start), half_open=True)
    where = together([AnyOf(of=(test, earlier)) if part is test else part for part in tests])
    low = Constant(value=start.year, type="number") if isinstance(group.expr, Part) else _day(start)
    told = Compare(op=">=", left=ColumnRef(table="", column=group.label), right=low)
    changed = {"where": where} if scan is query else {"source": scan.model_copy(update={"where": where})}
    made = query.model_copy(update={**changed, "having": all_of(query.having, told)})
    return Before(made, test, _note(first, start, along))


def _scan(query: Query) -> Query | None:
    """The query that makes the groups along which figures look: itself, or the one whose groups it lists; None for all
    else."""
    if query.groups:
        return query
    inner = query.source
    whole = not (query.measures or query.distinct or query.joins) and query.where is None
    if not whole or not isinstance(inner, Query) or not inner.groups or inner.limit is not None or inner.offset:
        return None
    return None if any(True for _ in _windows(inner)) else inner


def _windows(query: Query) -> Iterator[Window]:
    """The windows of the figures, of what groups are held to, and of what sorts them."""
    parts: list[Node] = [output.expr for output in outputs_of(query)]
    parts += [part for part in (query.having, *(order.by for order in query.order)) if isinstance(part, Node)]
    yield from (node for part in parts for node in within(part) if isinstance(node, Window))


def _followed(
    query: Query, scan: Query, windows: list[Window], catalog: Catalog
) -> tuple[Output | None, Period | None]:
    """The group along which all windows look back, each within all other groups, by the label that the query gives it,
    with its periods; None for all else."""
    groups = _told_groups(query, scan)
    times = [(group, along) for group in groups if (along := _along(group.expr, scan, catalog)) is not None]
    if len(groups) != len(scan.groups) or len(times) != 1 or any(window.fn not in _LOOK_BACK for window in windows):
        return None, None
    label = times[0][0].label
    others = {group.label for group in groups} - {label}
    fits = all(window.order in (None, label) and set(window.partition) == others for window in windows)
    return times[0] if fits else (None, None)


def _told_groups(query: Query, scan: Query) -> list[Output]:
    """The groups that the query tells, each once, by its own labels."""
    if scan is query:
        return list(query.groups)
    inner = {ColumnRef(table="", column=group.label): group.expr for group in scan.groups}
    told = {output.expr: output.label for output in reversed(query.columns) if output.expr in inner}
    return [Output(label=label, expr=inner[ref]) for ref, label in told.items() if isinstance(ref, ColumnRef)]


def _along(expr: Expr, query: Query, catalog: Catalog) -> Period | None:
    """The periods that a group tells apart; years told as numbers are periods, too, and stored first days of months."""
    if isinstance(expr, Part) and expr.part == "year":
        return Period(grain="year", of=expr.of)
    if isinstance(expr, ColumnRef):
        column = _stored(expr, query, catalog)
        grain = rhythm(column) if column is not None else None
        return Period(grain=grain, of=expr) if grain is not None else None
    return expr if isinstance(expr, Period) and expr.grain in {**MONTHS_OF, **_DAYS} else None


def _drops_blank(query: Query) -> bool:
    """Whether the query itself leaves out what has nothing before it: then it says which periods it wants."""
    having = inline_labels(query.having, query, own_first=True) if query.having is not None else None
    return having is not None and any(isinstance(part, Missing) and windowed(part) for part in within(having))


def _start(test: Predicate, of: Expr) -> date | None:
    """The day on which a condition on a date lets its range begin."""
    if isinstance(test, Between) and test.of == of:
        return _day_of(test.low)
    if isinstance(test, Compare) and test.op == ">=" and test.left == of:
        return _day_of(test.right)
    if isinstance(test, Compare) and test.op in ("=", ">=") and test.left == Part(part="year", of=of):
        year = test.right.value if isinstance(test.right, Constant) else None
        return date(year, 1, 1) if isinstance(year, int) and date.min.year < year <= date.max.year else None
    return None


def _day_of(expr: Expr) -> date | None:
    """The day of a constant; None for a moment within one."""
    if not isinstance(expr, Constant) or expr.type not in ("date", "datetime") or not isinstance(expr.value, str):
        return None
    try:
        return date.fromisoformat(expr.value.removesuffix(" 00:00:00").removesuffix("T00:00:00"))
    except ValueError:
        return None


def _begins(day: date, along: Period) -> bool:
    """Whether a period starts on the day: half a month is held against none."""
    if along.grain in _DAYS:
        return along.grain == "day" or day.weekday() == 0
    return day.day == 1 and (day.month - along.first_month) % MONTHS_OF[along.grain] == 0


def _earlier(day: date, along: Period, count: int) -> date | None:
    """The first day of the period so many before; None before there were years."""
    try:
        if along.grain in _DAYS:
            return day - timedelta(days=count * _DAYS[along.grain])
        place = day.year * 12 + day.month - 1 - count * MONTHS_OF[along.grain]
        return date(place // 12, place % 12 + 1, 1)
    except (ValueError, OverflowError):
        return None


def _day(day: date) -> Constant:
    return Constant(value=day.isoformat(), type="date")


def _is_before_all(of: Expr, start: date, query: Query, catalog: Catalog) -> bool:
    """Whether the profile of a stored date says that it has nothing before a day."""
    column = _stored(of, query, catalog) if isinstance(of, ColumnRef) else None
    return column is not None and _is_from(column.minimum, start)


def _stored(ref: ColumnRef, query: Query, catalog: Catalog) -> Column | None:
    """The stored column of a reference; None for one of an inner query."""
    if not ref.table:
        return None
    name = next((join.table for join in query.joins if (join.alias or join.table) == ref.table), ref.table)
    return table_named(catalog, name).column(ref.column)


def _is_from(least: Scalar, start: date) -> bool:
    return isinstance(least, date) and (least.year, least.month, least.day) >= (start.year, start.month, start.day)


def _note(first: date, start: date, along: Period) -> str:
    """What is read beside the range, for the evidence."""
    last = _earlier(start, along, 1) or first
    grain = along.grain if along.first_month == 1 else fiscal_grain(along.grain, along.first_month)
    names = dict.fromkeys(period(day, grain) for day in (first, last))
    return f"Rows of {' to '.join(names)} are read, too: the figures told are held against them."
