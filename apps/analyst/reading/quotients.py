"""What one figure is divided by, or held against, where the two are of two tables: workouts for each user count all
users, those without any, too; sales against targets are held against all targets, not against the highest."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.knowledge.english import english
from apps.analyst.reading.joining import Schema, leads_to
from apps.analyst.reading.sketch import Sketch

_QUOTIENTS, _HELD, _COMPARED = ("ratio", "pct"), ("ratio", "pct", "minus"), "hm"


def with_all_owners(sketch: Sketch, schema: Schema) -> Sketch:
    """The sketch (its leaves by name) with the rows of a table counted where it counts the different keys of that table
    beside the filled keys of another: so rows are counted over a join that keeps those without a match."""
    if sketch[0] in _QUOTIENTS and (counts := _counts(sketch[1], sketch[2], schema)) is not None:
        return (sketch[0], *counts)
    return (sketch[0], *(with_all_owners(part, schema) if isinstance(part, tuple) else part for part in sketch[1:]))


def _counts(part: Sketch, whole: Sketch, schema: Schema) -> tuple[Sketch, Sketch] | None:
    if part[0] != "given" or part[1][0] != "count" or part[2][0] != "filled":
        return None
    if whole[0] != "countd" or whole[1][0] != "C" or part[2][1][1] != part[1][1][1]:
        return None
    own, owner = part[2][1], whole[1]
    keys = all(schema.column(key).unique and not schema.column(key).missing for key in (own, owner))
    return (part[1], ("count", ("T", owner[1]))) if keys and owner[1] != own[1] else None


def with_sums(sketch: Sketch, tokens: Sequence[str], schema: Schema) -> Sketch:
    """The sketch with the sum of a column in the place of its highest value beside a sum of another table, unless the
    question's words (lower case) ask for the highest: of rows that belong together the highest stands for the one there
    is. So it is where the two tables do not meet, or by several columns of which the groups keep some (a target of each
    month, told by seller)."""
    if not english().cues["highest"].isdisjoint(tokens):
        return sketch
    return _summed(sketch, schema, sketch[1][1:] if sketch[0] == "group" else ())


def _summed(sketch: Sketch, schema: Schema, keys: Sequence[Sketch]) -> Sketch:
    if sketch[0] in _HELD or sketch[0].startswith(_COMPARED):
        one, other = sketch[1:3]
        if _is_sum_and_highest(one, other, schema, keys):
            return (sketch[0], *(("sum", m[1]) if m[0] == "max" else m for m in (one, other)), *sketch[3:])
    return (sketch[0], *(_summed(part, schema, keys) if isinstance(part, tuple) else part for part in sketch[1:]))


def _is_sum_and_highest(one: Sketch, other: Sketch, schema: Schema, keys: Sequence[Sketch]) -> bool:
    """Whether of two figures of a column each one is a sum and one the highest value of a table of which a group may
    have several rows."""
    plain = [m[1] if m[0] == "given" else m for m in (one, other)]
    if {m[0] for m in plain} != {"sum", "max"} or any(m[1][0] != "C" for m in plain):
        return False
    first, second = (m[1][1] for m in sorted(plain, key=lambda m: m[0], reverse=True))
    if first not in leads_to(schema, second) and second not in leads_to(schema, first):
        return True
    path = next((path for path in schema.joins.get(first, ()) if path.right_table == second), None)
    if path is None or len(path.left_columns) < 2:
        return False
    told = set(keys)
    pairs = zip(path.left_columns, path.right_columns, strict=True)
    return not all(told & {("C", first, left), ("C", second, right)} for left, right in pairs)
