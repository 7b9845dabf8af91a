"""How many of something there are for each of what they belong to counts all of those, the ones that have none, too:
workouts for each user, over the users' own table."""

from __future__ import annotations

from apps.analyst.reading.joining import Schema
from apps.analyst.reading.sketch import Sketch

_QUOTIENTS = ("ratio", "pct")


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
