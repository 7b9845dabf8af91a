"""The chart a sketch asks for, in terms of the built query's output labels."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.language.building.built import Built
from apps.analyst.language.parse.draft import Draft, is_time
from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import ColumnRef, Expr
from apps.analyst.types import ChartType

_NAMES = {"sum": "sum", "avg": "mean", "count": "count", "min": "min", "max": "max", "median": "median"}


def wish_of(draft: Draft, built: Built) -> ChartWish | None:
    """The wish with its axes filled in; None where no chart was asked for."""
    query = built.query
    wish = draft.wish or ChartWish()
    if query.groups:
        axis = next((group for group in query.groups if _is_moment(draft, group.expr)), query.groups[0])
        x = axis.label
        y = query.measures[0].label if query.measures else None
        color = next((group.label for group in query.groups if group is not axis), None)
        aggregate = _NAMES.get(getattr(query.measures[0].expr, "fn", "")) if query.measures else None
        return replace(
            wish,
            mark=wish.mark or _mark(draft, axis.expr),
            x=x,
            y=y,
            color=color,
            aggregate=aggregate,
            x_bin=axis.expr.kind == "bin",
        )
    if len(query.columns) >= 2:
        color = query.columns[2].label if len(query.columns) > 2 else None
        return replace(wish, x=query.columns[0].label, y=query.columns[1].label, color=color, x_bin=False)
    return draft.wish


def _mark(draft: Draft, expr: Expr) -> ChartType:
    """Time runs along a line."""
    return "line" if draft.trend or _is_moment(draft, expr) else "bar"


def _is_moment(draft: Draft, expr: Expr) -> bool:
    if expr.kind == "period" or (expr.kind == "part" and expr.part in ("year", "decade")):
        return True
    if isinstance(expr, ColumnRef):
        named = draft.lexicon.schema.columns.get((expr.table, expr.column))
        return named is not None and is_time(named.column)
    return False
