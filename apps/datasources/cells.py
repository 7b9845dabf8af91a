"""Cells as the API says them: numbers as numbers, dates as ISO text, what is missing as null. Pure."""

from __future__ import annotations

import math
from datetime import date, datetime
from decimal import Decimal


def cell_to_json(value: object) -> str | int | float | bool | None:
    """A cell JSON-ready; figures that JSON cannot say (NaN, infinity) are missing."""
    if value is None or isinstance(value, str | bool | int):
        return value
    if isinstance(value, Decimal):
        number = float(value)
        return number if math.isfinite(number) else None
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime | date):
        return value.isoformat()
    return str(value)


def cell_to_text(value: object) -> str:
    """A cell as a CSV file writes it: exact decimals, ISO dates, nothing for what is missing."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, datetime):
        return value.isoformat(sep=" ")
    return str(value)
