"""When two results are the same: names, kinds, rows and their order; figures but for their last digits."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal

from apps.analyst.types import Result


def same_value(one: object, other: object) -> bool:
    """True where both mean the same."""
    numbers = (int, float, Decimal)
    if isinstance(one, numbers) and isinstance(other, numbers) and not isinstance(one, bool):
        return math.isclose(float(one), float(other), rel_tol=1e-12, abs_tol=1e-9)
    if type(one) in (date, datetime) and type(other) in (date, datetime):
        return str(one)[:10] == str(other)[:10] if type(one) is date or type(other) is date else one == other
    return one == other


def differences(here: Result, there: Result) -> list[object]:
    """What is not the same, to be read."""
    found: list[object] = []
    if [(c.name, c.type) for c in here.columns] != [(c.name, c.type) for c in there.columns]:
        found.append(([(c.name, c.type) for c in here.columns], [(c.name, c.type) for c in there.columns]))
    if (len(here.rows), here.total_rows) != (len(there.rows), there.total_rows):
        found.append((len(here.rows), here.total_rows, len(there.rows), there.total_rows))
    for one, other in zip(here.rows, there.rows, strict=False):
        if not all(map(same_value, one, other)):
            found.append((one, other))
    return found
