"""Other rows: another value in the place of the one before, one more, all but one, another period."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from math import isfinite
from typing import Literal

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.conversation.dating import date_meant
from apps.analyst.conversation.figures import conditions_within
from apps.analyst.conversation.piece import Named, Piece
from apps.analyst.conversation.predicates import (
    among,
    column_of,
    earlier,
    is_of_text,
    is_time,
    left_out,
    span_of,
    values_of,
    within_days,
)
from apps.analyst.conversation.scene import Scene
from apps.analyst.knowledge.folding import folded
from apps.analyst.plan import AnyOf, ColumnRef, Compare, Constant, Node, Output, Predicate, Query, TextMatch
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.reading.calendars import Range

Bound = Literal["<", "<=", ">", ">="]
_MONTHS = {"year": 12, "quarter": 3, "month": 1, "period": 0}


def chosen_of(piece: Piece, query: Query, scene: Scene) -> Named:
    """The column that a value is meant of: one that the plan looks at, else one of its rows, else any."""
    used = {column_of(test) for test in conjuncts(query.where)} | {group.expr for group in query.groups}
    tables = [query.source, *(join.table for join in query.joins)]

    def distance(named: Named) -> tuple[bool, int]:
        at = tables.index(named.table) if named.table in tables else len(tables)
        return ref_of(named) not in used, at

    return min(piece.values, key=distance)


def all_of(piece: Piece, words: str, query: Query, scene: Scene) -> list[Named]:
    """The values that are meant by these words: where they stand in several values of the column alike ("annual" in
    "Pro Annual" and "Team Annual") all of them, but of those that the rows were chosen by where they stand in such."""
    first = chosen_of(piece, query, scene)
    if first.said or first.partial:
        return [first]
    alike = [one for one in piece.values if ref_of(one) == ref_of(first) and not one.partial]
    alike = [one for one in alike if one == first or f" {folded(words)} " in f" {folded(one.value)} "]
    shown = {value for test in conjuncts(query.where) if column_of(test) == ref_of(first) for value in values_of(test)}
    return [one for one in alike if one.value in shown] or alike


def ref_of(named: Named) -> ColumnRef:
    return ColumnRef(table=named.table, column=named.column)


def kept_to(query: Query, named: Sequence[Named], scene: Scene, *, also: bool, out: bool) -> Query | None:
    """The query for rows with these values of one column: instead of those before, also them, or all but them."""
    ref = ref_of(named[0])
    reached = scene.reached(query, [ref.table])
    if reached is None:
        return None
    values = [one.value for one in named]
    texts = [TextMatch(op="contains", of=ref, value=one.value) for one in named if one.partial]
    if texts:
        return _matched(reached, texts, ref, out=out)
    within = next((test for test in conditions_within(reached) if column_of(test) == ref), None)
    if within is not None and not out:
        return _within_figures(reached, within, among(ref, values))
    tests = conjuncts(reached.where)
    before = [test for test in tests if is_of_text(test, ref)]
    rest = [test for test in tests if test not in before]
    if out:
        new = _without(ref, before, values, lists=scene.lists(ref) and all(group.expr != ref for group in query.groups))
    else:
        hidden = [value for test in before for value in left_out(test)] if also else []
        if set(values) & set(hidden):
            return _put_back(reached, rest, ref, [value for value in hidden if value not in values])
        shown = [value for test in before for value in values_of(test)] if also else []
        new = [among(ref, [*shown, *values])]
    made = reached.model_copy(update={"where": together([*rest, *new])})
    several = also and not out and len(before) == 1 and not made.columns
    return grouped_too(made, ref) if several else made


def _put_back(query: Query, rest: Sequence[Predicate], ref: ColumnRef, hidden: Sequence[str]) -> Query:
    """The query with fewer values left out."""
    new = [among(ref, hidden, negated=True)] if hidden else []
    return query.model_copy(update={"where": together([*rest, *new])})


def _without(ref: ColumnRef, before: Sequence[Predicate], values: Sequence[str], *, lists: bool) -> list[Predicate]:
    """The tests of a column with these values left out too. What `lists` several may hold one that is kept and one
    that is left out."""
    shown = [value for test in before for value in values_of(test)]
    kept = [value for value in shown if value not in values]
    if kept and not lists:
        return [among(ref, kept)]
    hidden = [value for test in before for value in left_out(test)]
    gone = among(ref, [*hidden, *values], negated=True)
    return [among(ref, kept), gone] if kept else [gone]


def _matched(query: Query, texts: Sequence[TextMatch], ref: ColumnRef, *, out: bool) -> Query:
    rest = conjuncts(query.where)
    if out:  # of those that are left
        new: list[Predicate] = [text.model_copy(update={"negated": True}) for text in texts]
    else:
        rest = [test for test in rest if not is_of_text(test, ref)]
        new = [texts[0] if len(texts) == 1 else AnyOf(of=tuple(texts))]
    return query.model_copy(update={"where": together([*rest, *new])})


def _within_figures(query: Query, old: Predicate, new: Predicate) -> Query:
    def change(node: Node) -> Node | None:
        return new if node == old else None

    measures = tuple(rewrite(measure, change) for measure in query.measures)
    return query.model_copy(update={"measures": measures})


def grouped_too(query: Query, ref: ColumnRef) -> Query:
    """The query told apart by one more column, before what it is told apart by already."""
    if any(group.expr == ref for group in query.groups):
        return query
    group = Output(label=ref.column, expr=ref)
    return query.model_copy(update={"groups": (*query.groups, group)})


def released(query: Query, ref: ColumnRef) -> Query:
    """The query without its tests of a column: all of its values count."""
    tests = [test for test in conjuncts(query.where) if not is_of_text(test, ref)]
    return query.model_copy(update={"where": together(tests)})


def last_choice(query: Query, scene: Scene) -> ColumnRef | None:
    """The column whose values the rows were chosen by last."""
    for test in reversed(conjuncts(query.where)):
        if values_of(test) and not is_time(test, scene.dated):
            return column_of(test)
    return None


# ---------------------------------------------------------------- numbers
def none_of(query: Query, ref: ColumnRef, scene: Scene) -> Query | None:
    """The query for rows that have nothing left of something: "out of stock"."""
    reached = scene.reached(query, [ref.table])
    if reached is None or not scene.is_figure(ref):
        return None
    test = Compare(op="=", left=ref, right=Constant(value=0, type="number"))
    return reached.model_copy(update={"where": together([*conjuncts(reached.where), test])})


def bounded(query: Query, op: Bound, number: float, ref: ColumnRef | None) -> Query | None:
    """The query with another bound for a figure that is bounded already, or a bound for a column that is named. A
    number beyond all that can be computed bounds nothing."""
    if not isfinite(number):
        return None
    tests = conjuncts(query.where)
    mine = [t for t in bounds_of(query) if ref is None or t.left == ref]
    value = Constant(value=int(number) if number == int(number) else number, type="number")
    if len(mine) == 1:
        new = mine[0].model_copy(update={"op": op, "right": value})
        return query.model_copy(update={"where": together([new if t is mine[0] else t for t in tests])})
    if ref is None and query.groups and query.measures and not mine:
        figure = ColumnRef(table="", column=query.measures[0].label)
        return query.model_copy(update={"having": Compare(op=op, left=figure, right=value)})
    if ref is None or mine:
        return None
    added = Compare(op=op, left=ref, right=value)
    return query.model_copy(update={"where": together([*tests, added])})


def bounds_of(query: Query) -> list[Compare]:
    """The query's tests of columns by numbers."""
    tests = [test for test in conjuncts(query.where) if isinstance(test, Compare)]
    return [test for test in tests if _is_number(test.right) and isinstance(test.left, ColumnRef)]


def _is_number(expr: object) -> bool:
    return isinstance(expr, Constant) and expr.type == "number"


# ---------------------------------------------------------------- periods
def in_period(
    query: Query, ranges: Sequence[Range], scene: Scene, *, way: str = "", by: ColumnRef | None = None
) -> Query | None:
    """The query for the days of the ranges, by the date that is named, else by the one it goes by."""
    ref = by or date_meant(query, scene)
    if ref is None:
        return None
    if way == "since":
        new: Predicate = within_days(ref, ranges[0][0], None)
    elif way == "until":
        new = within_days(ref, None, ranges[0][0])
    else:
        spans = joined(ranges)
        tests = tuple(within_days(ref, *span) for span in spans)
        new = tests[0] if len(tests) == 1 else AnyOf(of=tests)
    rest = [test for test in conjuncts(query.where) if not is_time(test, scene.dated)]
    rest += [t for t in conjuncts(query.where) if is_time(t, scene.dated) and column_of(t) != ref]
    return query.model_copy(update={"where": together([*rest, new])})


def joined(ranges: Sequence[Range]) -> list[Range]:
    """The ranges in order, those that touch as one."""
    made: list[Range] = []
    for low, high in sorted(ranges):
        if made and low <= made[-1][1]:
            made[-1] = (made[-1][0], max(high, made[-1][1]))
        else:
            made.append((low, high))
    return made


def meant_range(ranges: Sequence[Range], query: Query, scene: Scene) -> Range:
    """Of a month whose year is not said the one that lies in the query's own period, else in the same year."""
    span = span_of(query, scene.dated)
    if span is None or len(ranges) == 1:
        return ranges[0]
    inside = [r for r in ranges if span[0] <= r[0] and r[1] <= span[1]]
    alike = [r for r in ranges if r[0].year == span[0].year]
    return (inside or alike or list(ranges))[0]


def shifted_back(query: Query, unit: str, scene: Scene) -> Query | None:
    """The query for the period before its own."""
    span = span_of(query, scene.dated)
    if span is None or unit not in (*_MONTHS, "week"):
        return None
    months = _MONTHS.get(unit, 0)
    if months and (span[1] - span[0]).days > 31 * months:
        return None  # the month before a year
    week = timedelta(days=7)
    back = (span[0] - week, span[1] - week) if unit == "week" else earlier(span, months)
    return in_period(query, [back], scene)
