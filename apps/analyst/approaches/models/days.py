"""A date minus a date is a number of days: models write it so, and the algebra has a function for it."""

from __future__ import annotations

from typing import TypeVar

from apps.analyst.computing.compile.outputs import scope_of
from apps.analyst.computing.compile.scope import Scope
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Arithmetic, Call, Expr, InQuery, Node, Plan, Query, ScalarQuery
from apps.analyst.ports import Catalog

N = TypeVar("N", bound=Node)


def with_days(plan: Plan, catalog: Catalog) -> Plan:
    """The plan with differences of dates as days between them."""
    return _changed(plan, catalog)


def _changed(node: N, catalog: Catalog) -> N:
    """The node with all its queries changed."""
    if isinstance(node, Query):
        return _query(node, catalog)  # type: ignore[return-value]
    updates: dict[str, object] = {}
    for name in type(node).model_fields:
        value = getattr(node, name)
        if isinstance(value, Node):
            updates[name] = _changed(value, catalog)
        elif isinstance(value, tuple):
            updates[name] = tuple(_changed(part, catalog) if isinstance(part, Node) else part for part in value)
    return node.model_copy(update=updates)


def _query(query: Query, catalog: Catalog) -> Query:
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": _query(query.source, catalog)})
    try:
        scope = scope_of(query, catalog)
    except PlanRejected:
        return query  # it names what is not there, which is told when it is held against the catalog

    def change(node: Node) -> Node | None:
        if isinstance(node, ScalarQuery | InQuery):
            return node.model_copy(update={"query": _query(node.query, catalog)})
        if isinstance(node, Arithmetic) and node.op == "-" and _is_day(node.left, scope) and _is_day(node.right, scope):
            return Call(name="days_between", args=(node.right, node.left))
        return None

    return rewrite(query, change)


def _is_day(expr: Expr, scope: Scope) -> bool:
    try:
        return shape_of(expr, scope).temporal
    except PlanRejected:
        return False
