"""Plans as they are kept beside answers."""

from __future__ import annotations

from functools import cache

from pydantic import TypeAdapter, ValidationError

from apps.analyst.plan import Plan


def plan_of(stored: object) -> Plan | None:
    """The kept plan; None where there is none, and for one that an older version wrote and this one cannot read."""
    if stored is None:
        return None
    try:
        return _plans().validate_python(stored)
    except ValidationError:
        return None


@cache
def _plans() -> TypeAdapter[Plan]:
    return TypeAdapter(Plan)
