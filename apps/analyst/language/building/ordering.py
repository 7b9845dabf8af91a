"""Orders and limits of aggregated queries."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import references
from apps.analyst.language.figures import (
    as_figure,
    column_ref,
)
from apps.analyst.language.parse.draft import Draft, Measure, Sort, is_time
from apps.analyst.language.scan import Scan
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import (
    Aggregate,
    ColumnRef,
    Expr,
    Order,
    Output,
)


def same_measure(one: Measure, other: Measure) -> bool:
    if one is other:
        return True
    mine = one.slot.best if one.slot and one.slot.hits else None
    theirs = other.slot.best if other.slot and other.slot.hits else None
    return (
        one.fn == other.fn
        and one.table == other.table
        and (mine and (mine.table, mine.column)) == (theirs and (theirs.table, theirs.column))
    )


def orders_of(
    draft: Draft, groups: list[Output], outputs: list[Output], measures: list[Measure], scan: Scan
) -> tuple[list[Order], int | None, int, bool]:
    orders: list[Order] = []
    limit, offset, ties = None, 0, False
    for sort in draft.sorts:
        by = _order_label(draft, sort, groups, outputs, measures)
        if by is None:
            continue
        orders.append(Order(by=by, descending=sort.descending))
        if sort.limit is not None:
            limit, offset = sort.limit, sort.offset
            ties = limit == 1 and not offset
    if not orders and groups:
        expr = groups[0].expr
        if expr.kind in ("period", "part", "bin") or is_moment(draft, expr):
            orders.append(Order(by=groups[0].label))
        elif outputs and draft.wish is None:
            orders.append(Order(by=outputs[0].label, descending=True))
    return orders, limit, offset, ties


def is_moment(draft: Draft, expr: Expr) -> bool:
    if not isinstance(expr, ColumnRef):
        return False
    named = draft.lexicon.schema.columns.get((expr.table, expr.column))
    return named is not None and is_time(named.column)


def _order_label(
    draft: Draft, sort: Sort, groups: list[Output], outputs: list[Output], measures: list[Measure]
) -> str | Expr | None:
    if sort.measure is not None:
        return next(
            (o.label for o, m in zip(outputs, measures, strict=False) if same_measure(m, sort.measure)),
            outputs[0].label if outputs else None,
        )
    if sort.axis == "x":
        return groups[0].label if groups else None
    if sort.axis == "y":
        return outputs[0].label if outputs else None
    if sort.slot is not None:
        hit = sort.slot.best
        for output in groups:
            if mentions(output.expr, hit):
                return output.label
        for output, measure in zip(outputs, measures, strict=False):
            if mentions(output.expr, hit) or _is_of(measure, hit):
                return output.label
        fn = "max" if sort.descending else "min"
        if sort.superlative:
            return Aggregate(fn=fn, of=as_figure(draft, hit) or column_ref(draft, hit))
        return groups[0].label if groups else None
    return outputs[0].label if outputs else None


def mentions(expr: Expr, hit: ColumnHit) -> bool:
    return any((column.table, column.column) == (hit.table, hit.column) for column in references(expr))


def _is_of(measure: Measure, hit: ColumnHit) -> bool:
    """True for the figure of a column, which may be made of several stored ones."""
    slot = measure.slot
    return slot is not None and bool(slot.hits) and (slot.best.table, slot.best.column) == (hit.table, hit.column)
