"""The heads of an answer's table: columns called as people call them, where the plan kept their names from the file."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.plan import Aggregate, Bin, ColumnRef, Expr, Part, Period
from apps.analyst.plan.spelling import merged_column
from apps.analyst.telling.formats import capital, spoken
from apps.analyst.telling.labelling import once
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import Result


def headed(view: View) -> Result:
    """The result with readable heads. Names that a planner chose itself stay as they are."""
    result = view.computed.result
    if view.computed.statistic is not None:
        return result
    names = [_head(view, place) for place in range(len(result.columns))]
    folded = [name.casefold() for name in names]
    kept = [
        column.name if folded.count(mark) > 1 else name
        for column, name, mark in zip(result.columns, names, folded, strict=True)
    ]
    columns = tuple(replace(column, name=name) for column, name in zip(result.columns, kept, strict=True))
    return replace(result, columns=columns)


def _head(view: View, place: int) -> str:
    name, expr = view.columns[place].name, view.expr(place)
    source = _source(expr) if expr is not None else None
    if source is not None and name.casefold() == source.column.casefold():
        grain = f" ({_grain(expr)})" if isinstance(expr, Period) else " (from)" if isinstance(expr, Bin) else ""
        return capital(view.said(spoken(name))) + grain
    if isinstance(expr, Aggregate) and isinstance(expr.of, ColumnRef):
        own = spoken(expr.of.column)
        forms = "|".join(re.escape(form) for form in (expr.of.column, own))
        told = re.sub(rf"(?<!\w)(?:{forms})(?!\w)", lambda _: view.said(own), name, count=1, flags=re.IGNORECASE)
        if told != name:  # "Total fee taken" of "Total fee_taken" and of "Total Fee taken"
            return capital(once(told))
    counts = isinstance(expr, Aggregate) and expr.fn == "count" and not isinstance(expr.of, ColumnRef)
    return view.said(name) if counts else name


def _grain(expr: Period) -> str:
    fiscal = expr.first_month != 1 and expr.grain in ("quarter", "year")
    return f"fiscal {expr.grain}" if fiscal else expr.grain


def _source(expr: Expr) -> ColumnRef | None:
    """The column that a head names: as it is, by period or part, in bins, or in one spelling."""
    if isinstance(expr, Period | Part | Bin) and isinstance(expr.of, ColumnRef):
        return expr.of
    return expr if isinstance(expr, ColumnRef) else merged_column(expr)
