"""Two ends of one stretch of time as one condition, to be put into words."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.conversation.readas.names import Names
from apps.analyst.plan import AllOf, Between, ColumnRef, Compare, Constant, Predicate


def put_together(conditions: Sequence[Predicate], names: Names) -> list[Predicate]:
    """The conditions, two ends of one stretch of time put together where the first stands."""
    made: list[Predicate] = []
    for condition in conditions:
        ends = _end(condition, names)
        other = next((part for part in made if ends and _are_ends(part, condition, names)), None)
        if other is None:
            made.append(condition)
        else:
            made[made.index(other)] = AllOf(of=(other, condition))
    return made


def _end(condition: Predicate, names: Names) -> Compare | None:
    """A condition that bounds a date on one side."""
    if not isinstance(condition, Compare) or condition.op not in ("<", "<=", ">", ">="):
        return None
    dated = isinstance(condition.left, ColumnRef) and names.is_dated(condition.left)
    return condition if dated and isinstance(condition.right, Constant) else None


def _are_ends(one: Predicate, other: Predicate, names: Names) -> bool:
    first, second = _end(one, names), _end(other, names)
    return first is not None and second is not None and first.left == second.left and first.op[0] != second.op[0]


def whole_days(condition: Predicate) -> Between | None:
    """Two ends of a stretch of whole days as one condition, to be put into words."""
    if not isinstance(condition, AllOf) or len(condition.of) != 2:
        return None
    ends = {part.op: part for part in condition.of if isinstance(part, Compare)}
    if set(ends) not in ({">=", "<"}, {">=", "<="}):
        return None
    last = ends.get("<") or ends["<="]
    return Between(of=last.left, low=ends[">="].right, high=last.right, half_open="<" in ends)
