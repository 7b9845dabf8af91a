"""Conditions of a plan taken apart and put together."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.plan import AllOf, ColumnRef, Compare, Constant, InQuery, Missing, Predicate, Query


def conjuncts(condition: Predicate | None) -> list[Predicate]:
    """The conditions that all have to hold."""
    if condition is None:
        return []
    return [part for of in condition.of for part in conjuncts(of)] if isinstance(condition, AllOf) else [condition]


def is_of_group(condition: Predicate) -> bool:
    """True for a condition that gives columns their values, as that of one group does; not for a stretch of days."""
    return all(_gives_value(part) for part in conjuncts(condition))


def _gives_value(part: Predicate) -> bool:
    if isinstance(part, Missing):
        return isinstance(part.of, ColumnRef) and not part.negated
    if not isinstance(part, Compare) or part.op != "=" or not isinstance(part.left, ColumnRef):
        return False
    return isinstance(part.right, Constant) and part.right.type not in ("date", "datetime")


def together(conditions: Sequence[Predicate]) -> Predicate | None:
    """The condition that all hold; None for none."""
    if not conditions:
        return None
    return conditions[0] if len(conditions) == 1 else AllOf(of=tuple(conditions))


def all_of(*conditions: Predicate | None) -> Predicate | None:
    """The condition that all hold which there are, in one row: what held several before stands among the others."""
    flat: list[Predicate] = []
    for condition in conditions:
        flat += condition.of if isinstance(condition, AllOf) else [] if condition is None else [condition]
    return together(flat)


def said_once(test: Predicate, beside: Sequence[Predicate]) -> Predicate:
    """A condition for words: of the first of a ranking what holds for all rows `beside` it is not said again."""
    match test:
        case InQuery(query=Query(limit=int()) as first) if all(part in beside for part in conjuncts(first.where)):
            return test.model_copy(update={"query": first.model_copy(update={"where": None})})
    return test
