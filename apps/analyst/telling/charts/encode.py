"""A choice of chart as an encoding free of any drawing library: source columns, aggregate, colour, bins."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import Aggregate, ColumnRef, Window
from apps.analyst.telling.charts.choice import Choice, is_binned
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import Encoding

_AGGREGATES = {"avg": "mean", "sum": "sum", "min": "min", "max": "max", "median": "median", "count": "count"}


def encoding(view: View, choice: Choice) -> Encoding:
    """What the chart shows. Fields are source columns where the plan shows a column as it is, else result labels."""
    y, aggregate = measure_field(view, choice.y[0])
    shown = {choice.x, choice.color, *choice.y}
    facet = next((i for i in view.dimensions if i not in shown and view.shape == "grid"), None)
    return Encoding(
        mark=choice.mark,
        x=field(view, choice.x),
        y=y,
        aggregate=aggregate,
        color=field(view, choice.color) if choice.color is not None else None,
        x_bin=is_binned(view, choice.x),
        facet=field(view, facet) if facet is not None else None,
    )


def field(view: View, place: int) -> str:
    """The one source column behind a result column, or the result column's own name."""
    expr = view.expr(place)
    if expr is None:
        return view.columns[place].name
    read = {ref.column for ref in references(expr)}
    return read.pop() if len(read) == 1 else view.columns[place].name


def measure_field(view: View, place: int) -> tuple[str | None, str | None]:
    """Field and aggregate of a figure: ("amount", "sum"), (None, "count"), or a raw column."""
    expr = view.expr(place)
    if isinstance(expr, Window):
        expr = expr.of
    if isinstance(expr, Aggregate):
        if expr.fn == "count" and not expr.distinct:
            return None, "count"
        if expr.fn in _AGGREGATES and isinstance(expr.of, ColumnRef):
            return expr.of.column, _AGGREGATES[expr.fn]
    return field(view, place), None
