"""A figure asked once for each of several values: "how many are open and how many closed" is a figure by state."""

from __future__ import annotations

from apps.analyst.plan import Aggregate, AnyOf, ColumnRef, Compare, Expr, Output, Plan, Query


def one_each(plan: Plan) -> Plan:
    """The plan with one figure for each value where it holds the same figure as often as its filter holds values."""
    if not isinstance(plan, Query) or plan.groups or plan.columns or len(plan.measures) < 2:
        return plan
    first, *others = plan.measures
    column = _column_of_values(plan, len(plan.measures))
    if column is None or not all(_asked_again(first.expr, other.expr) for other in others):
        return plan
    return plan.model_copy(update={"groups": (Output(label=column.column, expr=column),), "measures": (first,)})


def _asked_again(first: Expr, other: Expr) -> bool:
    """The same figure, or a bare "how many" behind a count of things."""
    counts = [expr for expr in (first, other) if isinstance(expr, Aggregate) and expr.fn == "count"]
    return first == other or (len(counts) == 2 and counts[1].of is None)


def _column_of_values(plan: Query, count: int) -> ColumnRef | None:
    """The column that the filter holds against so many values."""
    if not isinstance(plan.where, AnyOf) or len(plan.where.of) != count:
        return None
    tests = [test for test in plan.where.of if isinstance(test, Compare) and test.op == "="]
    columns = {test.left for test in tests if isinstance(test.left, ColumnRef)}
    return next(iter(columns)) if len(tests) == count and len(columns) == 1 else None
