"""Questions for one of some that are named ("who sold more, Ben or Ann"): a row for each of them answers these, for it
tells which one it is. Several rows of anything else do not."""

from __future__ import annotations

from apps.analyst.language.extent import wants_one
from apps.analyst.plan import Among, AnyOf, Compare, Expr, Plan, Predicate, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.types import Result


def has_too_many(text: str, plan: Plan, result: Result) -> bool:
    """Whether one is asked for and several rows come that the question does not name."""
    return len(result.rows) > 1 and wants_one(text) and not _is_choice(plan, len(result.rows))


def _is_choice(plan: Plan, rows: int) -> bool:
    """Whether a plan's rows, so many, are no more than the values that a condition allows what they are called by."""
    if not isinstance(plan, Query):
        return False
    allowed = dict(held for test in conjuncts(plan.where) if (held := _allowed(test)) is not None)
    return any(rows <= allowed.get(output.expr, 0) for output in (*plan.groups, *plan.columns))


def _allowed(test: Predicate) -> tuple[Expr, int] | None:
    """What a condition holds to some values, and to how many."""
    if isinstance(test, Among) and not test.negated:
        return test.of, len(test.values)
    parts = test.of if isinstance(test, AnyOf) else ()
    sides = [part.left for part in parts if isinstance(part, Compare) and part.op == "="]
    same = bool(sides) and len(sides) == len(parts) and all(side == sides[0] for side in sides)
    return (sides[0], len(sides)) if same else None
