"""Stretches of time in a plan's conditions: two ends that belong together are one range."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.tree import (
    Aggregate,
    AllOf,
    AnyOf,
    Between,
    Compare,
    Comparison,
    Constant,
    Expr,
    InQuery,
    Node,
    Plan,
    Predicate,
    Query,
)


def plain(plan: Plan) -> Plan:
    """A plan whose query has its ranges plain, and its order without conditions that hold for all of its rows; plans
    without a query as they are."""
    if isinstance(plan, Comparison):
        return plan.model_copy(update={"query": _plain(plan.query)})
    return _plain(plan) if isinstance(plan, Query) else plan


def _plain(query: Query) -> Query:
    made = plain_periods(query)
    order = tuple(by.model_copy(update={"by": _unconditioned(by.by, made)}) for by in made.order)
    return made if order == made.order else made.model_copy(update={"order": order})


def _unconditioned(figure: str | Expr, query: Query) -> str | Expr:
    """A figure without its condition where all rows of the query fulfill that anyway."""
    if not isinstance(figure, Aggregate) or figure.where is None:
        return figure
    held = conjuncts(query.where)
    inside = all(test in held for test in conjuncts(figure.where))
    return figure.model_copy(update={"where": None}) if inside else figure


def plain_periods(query: Query) -> Query:
    """The query with each pair of a first and a last day as one range: both say the same, one is easier to change."""
    tests = conjuncts(query.where)
    made, measures = _ranges(tests), tuple(rewrite(output, _as_range) for output in query.measures)
    if made == tests and measures == query.measures:
        return query
    return query.model_copy(update={"where": together(made), "measures": measures})


def _as_range(node: Node) -> Node | None:
    """Conditions that all hold, of a figure, with ranges; None for all else."""
    return together(_ranges(conjuncts(node))) if isinstance(node, AllOf) else None


def _ranges(tests: list[Predicate]) -> list[Predicate]:
    """Conditions that all hold, each pair of two ends as one."""
    made: list[Predicate] = []
    for test in tests:
        other = next((o for o in tests if _opens(test) and _closes(o) and _left(o) == _left(test)), None)
        if other is not None and isinstance(test, Compare) and isinstance(other, Compare):
            made.append(Between(of=test.left, low=test.right, high=other.right, half_open=True))
        elif not any(_opens(o) and _closes(test) and _left(o) == _left(test) for o in tests):
            made.append(_within(test))
    return made


def _within(test: Predicate) -> Predicate:
    """A condition on another query, with that one's ranges; of alternatives each with its own."""
    if isinstance(test, AnyOf):
        return test.model_copy(update={"of": tuple(together(_ranges(conjuncts(one))) or one for one in test.of)})
    if not isinstance(test, InQuery):
        return test
    inner = plain_periods(test.query)
    return test if inner is test.query else test.model_copy(update={"query": inner})


def _left(test: Predicate) -> Expr | None:
    return test.left if isinstance(test, Compare) else None


def _opens(test: Predicate) -> bool:
    return isinstance(test, Compare) and test.op == ">=" and _is_day(test.right)


def _closes(test: Predicate) -> bool:
    return isinstance(test, Compare) and test.op == "<" and _is_day(test.right)


def _is_day(expr: Expr) -> bool:
    return isinstance(expr, Constant) and expr.type == "date"
