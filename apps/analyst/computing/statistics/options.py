"""The stated numbers and choices of a statistic, read with types and limits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from apps.analyst.errors import AnalystError
from apps.analyst.types import Scalar

Options = Mapping[str, Any]


def choice(options: Options, name: str, allowed: tuple[str, ...], default: str) -> str:
    """One of the allowed words. Raises AnalystError for any other."""
    value = options.get(name)
    if value is None:
        return default
    if value not in allowed:
        raise AnalystError(f"“{value}” is no {name} this statistic knows; it knows {', '.join(allowed)}.")
    return str(value)


def number(options: Options, name: str, default: float, low: float = -math.inf, high: float = math.inf) -> float:
    """A number between the limits. Raises AnalystError for anything else."""
    value = options.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise AnalystError(f"{name} must be a number from {low:g} to {high:g}, not {value}.")
    return float(value)


def flag(options: Options, name: str, default: bool = False) -> bool:
    """A yes or no."""
    value = options.get(name)
    return default if value is None else bool(value)


def text(options: Options, name: str, default: str = "") -> str:
    """A text."""
    value: Scalar = options.get(name)
    return default if value is None else str(value)
