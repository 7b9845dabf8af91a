"""Which figures are parts of one whole, so that slices may show them, and why others are not.

Slices say "so much of all". That is only so of figures that add up, of at least two groups, of one period.
"""

from __future__ import annotations

from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import (
    Aggregate,
    Among,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Comparison,
    Conditional,
    Constant,
    Drivers,
    Expr,
    Predicate,
    Query,
    ScalarQuery,
    Statistic,
    Window,
)
from apps.analyst.telling.narrate.view import ADDITIVE, View
from apps.analyst.types import ChartType

SLICED: frozenset[ChartType] = frozenset({"pie", "doughnut", "polarArea"})
ONE_FIGURE = "A single figure has no parts, so there is nothing to divide into slices."
ONE_GROUP = "There is only one group here, so there is nothing to divide into slices."
TWO_SIDES = "The two sides of a comparison are not parts of a whole, so they are shown as bars."
NO_PARTS = "These figures are not parts of a whole, so they are shown as bars."
NOT_ALL = "These shares do not make up the whole, so they are shown as bars."
_COUNTED_OUT = frozenset({"distribution", "frequency"})
"""Statistics whose rows are all there are, each counted once."""
_ALL = 100
_ROUNDED = 1


def why_no_slices(view: View, places: tuple[int, ...], *, across: bool = False) -> str:
    """Why the figures at `places` are not drawn as slices; "" where they are parts of a whole. `across` sets several
    figures beside each other, where else the groups of the first one are."""
    if isinstance(view.plan, Comparison):
        return TWO_SIDES
    if isinstance(view.plan, Drivers):
        return NO_PARTS
    if across and len(view.rows) == 1:
        return "" if _are_kinds(view, places) else NO_PARTS
    if len(view.rows) < 2:
        return ONE_GROUP if view.query is not None and view.query.groups else ONE_FIGURE
    if not has_no_parts(view, places[0]):
        return ""
    return NOT_ALL if _is_share(view.expr(places[0]), view) else NO_PARTS


def has_no_parts(view: View, place: int) -> bool:
    """True for figures that make no whole together: averages, highest ones and rates, shares of some of the groups
    alone, which slices would show as other shares; and for negative ones."""
    expr = view.expr(place)
    if isinstance(view.plan, Statistic) and expr is None:
        return view.plan.name not in _COUNTED_OUT
    if isinstance(expr, Aggregate):
        adds = view.additive(place)
    elif (isinstance(expr, ColumnRef) and view.columns[place].unit == "%") or _is_share(expr, view):
        adds = abs(sum(view.values(place)) - _ALL) <= _ROUNDED
    else:
        adds = expr is None or _adds_up(expr, view.query)
    return not adds or any(value < 0 for value in view.values(place))


def _is_share(expr: Expr | None, view: View) -> bool:
    """True for shares of a whole that adds up."""
    return isinstance(expr, Window) and expr.fn == "share" and _adds_up(expr, view.query)


def _adds_up(expr: Expr, query: Query | None) -> bool:
    """True for totals and counts, for what follows from them by plain sums, and for their shares of the whole."""
    match expr:
        case Aggregate():
            return expr.fn in ADDITIVE and not expr.distinct
        case Window():
            return expr.fn == "share" and _adds_up(expr.of, query)
        case Arithmetic(op="+" | "-"):
            return _adds_up(expr.left, query) and _adds_up(expr.right, query)
        case Arithmetic(op="*"):
            sides = (expr.left, expr.right)
            return any(_is_fixed(side) for side in sides) and any(_adds_up(side, query) for side in sides)
        case Arithmetic():
            return _is_fixed(expr.right) and _adds_up(expr.left, query)
        case Call():
            return _adds_up(expr.args[0], query)
        case Conditional():
            return _adds_up(expr.then, query)
        case ColumnRef(table=""):
            source = query.source if query is not None else None
            inner = source if isinstance(source, Query) else None
            outputs = (*inner.columns, *inner.groups, *inner.measures) if inner is not None else ()
            found = next((output.expr for output in outputs if output.label == expr.column), None)
            return found is None or _adds_up(found, inner)
        case ColumnRef():
            return True
        case _:
            return False


def _is_fixed(expr: Expr) -> bool:
    """True for what is the same in every group: a number, or a figure of all rows."""
    return isinstance(expr, Constant) or (isinstance(expr, ScalarQuery) and expr.own is None)


def _are_kinds(view: View, places: tuple[int, ...]) -> bool:
    """True for one figure of several kinds of rows, as won and lost deals are: no row is in two of them."""
    figures = [expr for place in places if isinstance(expr := view.expr(place), Aggregate)]
    if len(figures) < 2 or len(figures) < len(places):
        return False
    first = figures[0]
    one = all((figure.fn, figure.of, figure.distinct) == (first.fn, first.of, False) for figure in figures)
    values = [_values_of(figure.where) for figure in figures]
    apart = len(set().union(*values)) == sum(map(len, values))
    columns = {ref for figure in figures if figure.where is not None for ref in references(figure.where)}
    return first.fn in ADDITIVE and one and all(values) and apart and len(columns) == 1


def _values_of(where: Predicate | None) -> frozenset[object]:
    """The values of one column that a condition lets through; none where it is no such condition."""
    if isinstance(where, Compare) and where.op == "=" and isinstance(where.right, Constant):
        return frozenset((where.right.value,))
    if isinstance(where, Among) and not where.negated:
        return frozenset(value.value for value in where.values)
    return frozenset()
