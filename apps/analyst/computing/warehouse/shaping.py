"""Turns what DuckDB returns into the engine's Result."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any

from apps.analyst.types import ColumnType, Result, ResultColumn, Scalar


def to_scalar(value: Any) -> Scalar:
    """A DuckDB value as a scalar: NaN and infinities are missing, times and nested values are written as text."""
    if value is None or isinstance(value, str | bool | int | Decimal):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, date):
        return value
    if isinstance(value, time):
        return value.isoformat()
    return str(value)


def to_result(
    described: Sequence[tuple[str, ColumnType]],
    rows: Sequence[tuple[Scalar, ...]],
    total: int,
    columns: Sequence[ResultColumn] | None,
) -> Result:
    """The Result. `columns` names them as the plan means them; without, numbers are measures and the rest
    dimensions."""
    if columns is not None and len(columns) == len(described):
        shaped = tuple(
            ResultColumn(wanted.name, kind, wanted.kind, wanted.unit, wanted.grain)
            for wanted, (_, kind) in zip(columns, described, strict=True)
        )
    else:
        shaped = tuple(
            ResultColumn(name, kind, "measure" if kind in ("integer", "decimal", "float") else "dimension")
            for name, kind in described
        )
    return Result(shaped, tuple(rows), total)
