"""The heads of an answer's table: columns called as people call them, where the plan kept their names from the file."""

from __future__ import annotations

import re
from dataclasses import replace

from apps.analyst.plan import Aggregate, Bin, ColumnRef, Expr, Part, Period, Statistic
from apps.analyst.plan.spelling import merged_column
from apps.analyst.telling.formats import capital, spoken
from apps.analyst.telling.labelling import once
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import Result, ResultColumn


def headed(view: View) -> Result:
    """The result with readable heads. Names that a planner chose itself stay as they are."""
    result = view.computed.result
    if isinstance(view.plan, Statistic) and view.plan.name == _PROGRAM:
        return result
    if view.computed.statistic is not None:
        columns = tuple(_of_statistic(view, column) for column in result.columns)
        return replace(result, columns=columns)
    names = [_head(view, place) for place in range(len(result.columns))]
    folded = [name.casefold() for name in names]
    kept = [
        column.name if folded.count(mark) > 1 else name
        for column, name, mark in zip(result.columns, names, folded, strict=True)
    ]
    columns = tuple(replace(column, name=name) for column, name in zip(result.columns, kept, strict=True))
    return replace(result, columns=columns)


_PROGRAM = "program"
"""A statistic of several steps, each of which is named by the question."""
_WORDS = {
    "n": "Number of values", "p": "P-value", "r": "Correlation (r)", "r_squared": "R²", "t": "t",
    "std": "Standard deviation", "std_pop": "Standard deviation (population)", "variance_pop": "Variance (population)",
    "q1": "Lower quartile", "q3": "Upper quartile", "iqr": "Interquartile range", "cv": "Coefficient of variation",
    "cagr": "Compound growth rate", "mse": "Mean squared error", "rmse": "Root mean squared error",
    "cramers_v": "Cramér's V", "mean_percent": "Average change", "percent": "Change", "statistic": "Test statistic",
}  # fmt: skip
"""What figures of statistics are called that have a short sign in formulas."""
_REST = "remaining "
"""What stands before the figures of those values that are left."""


def _of_statistic(view: View, column: ResultColumn) -> ResultColumn:
    """A figure of a statistic with a head in words; the columns that it is told for as everywhere."""
    name = column.name
    listed = next((output.expr for output in view.query.columns if output.label == name), None) if view.query else None
    if listed is not None:
        stored = view.stored(listed) if isinstance(listed, ColumnRef) else None
        unit = stored[1].unit if stored is not None and column.type != "text" else column.unit
        return replace(column, name=capital(view.said(spoken(name))), unit=unit)
    if name in _named(view):
        return column
    rest, bare = (_REST, name.removeprefix(_REST)) if name.startswith(_REST) else ("", name)
    told = _WORDS.get(bare) or bare.replace("_", " ")
    return replace(column, name=capital(f"{rest}{told[:1].lower()}{told[1:]}" if rest else told))


def _named(view: View) -> set[str]:
    """What the question itself calls the figures that it asks for."""
    shown = view.plan.options.get("show") if isinstance(view.plan, Statistic) else None
    return {label for entry in str(shown or "").split(",") if (label := entry.partition("=")[2])}


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
