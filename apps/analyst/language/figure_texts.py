"""Texts that hold figures: "145 m", "10", "4th", and lengths of time: "4:32", "1:02:15"."""

from __future__ import annotations

import re

from apps.analyst.tables.lengths import are_lengths
from apps.analyst.types import Column

GAPS = frozenset(("-", "\u2013", "\u2014", "n/a", "N/A", "n / a", "?", "DNF", "DNS", "DSQ", "*"))
"""Texts that stand for no value."""
_FIGURE = re.compile(r"\s*[-+(~\u2212]?\s*[$\u20ac\u00a3]?\s*\d[\d,.]*(?![\d/:]|[-\u2013]\d)")
_MOSTLY = 0.8


def holds_figures(column: Column) -> bool:
    """True for text columns nearly all of whose values begin with a number ("145 m", "10") or are lengths of time."""
    values = _values(column)
    figures = sum(bool(_FIGURE.match(value)) for value in values)
    return bool(values) and (figures >= _MOSTLY * len(values) or are_lengths(values))


def holds_lengths(column: Column) -> bool:
    """True for text columns of lengths of time ("4:32"), and not for times of day, which are all written "08:05"."""
    return are_lengths(_values(column))


def _values(column: Column) -> list[str]:
    if column.type != "text":
        return []
    return [v.value for v in column.values[:60] if len(v.value.strip()) > 0 and v.value.strip() not in GAPS]
