"""Texts that hold figures: "145 m", "10", "4th"."""

from __future__ import annotations

import re

from apps.analyst.types import Column

GAPS = frozenset(("-", "\u2013", "\u2014", "n/a", "N/A", "n / a", "?", "DNF", "DNS", "DSQ", "*"))
"""Texts that stand for no value."""
_FIGURE = re.compile(r"\s*[-+(~\u2212]?\s*[$\u20ac\u00a3]?\s*\d[\d,.]*(?![\d/:]|[-\u2013]\d)")


def holds_figures(column: Column) -> bool:
    """True for text columns nearly all of whose values begin with a number ("145 m", "10")."""
    if column.type != "text":
        return False
    values = [
        value.value for value in column.values[:60] if len(value.value.strip()) > 0 and value.value.strip() not in GAPS
    ]
    figures = sum(bool(_FIGURE.match(value)) for value in values)
    return bool(values) and figures >= 0.8 * len(values)
