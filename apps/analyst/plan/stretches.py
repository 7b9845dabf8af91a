"""Stretches of time in a plan's conditions: two ends that belong together are one range."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.tree import AllOf, AnyOf, Between, Compare, Constant, Expr, InQuery, Node, Predicate, Query


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
