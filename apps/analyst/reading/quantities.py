"""What figures measure, as far as their units say: money is neither added to hours nor held against them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, auto

from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.knowledge.english import english
from apps.analyst.reading.composing_rows import OPERATORS
from apps.analyst.reading.sketch import Sketch, walk


class Common(Enum):
    """Quantities of many units."""

    MONEY = auto()
    TIME = auto()


Quantity = Common | str
"""Else it is the unit itself ("kWh")."""
_ALIKE = frozenset(("vadd", "vsub", "plus", "minus", *(f"v{op}" for op in OPERATORS), *(f"hm{op}" for op in OPERATORS)))
"""The productions whose two parts are measured alike."""
_OF_FIRST = frozenset(("sum", "avg", "min", "max", "median", "given", "running", "previous"))
"""Those that measure what their first part does."""


def is_mixed(sketch: Sketch, known: Mapping[str, TableMeaning]) -> bool:
    """Whether a sketch adds, takes away or compares figures that are known to be of unlike quantities."""
    return any(
        len({quantity(part, known) for part in node[1:]} - {None}) > 1 for node in walk(sketch) if node[0] in _ALIKE
    )


def quantity(node: Sketch, known: Mapping[str, TableMeaning]) -> Quantity | None:
    """What a figure or value measures; None where that is not known."""
    if node[0] == "C":
        return _of_column(known[node[1]].column(node[2]) if node[1] in known else None)
    if node[0] in ("span", "age", "ahead"):
        return Common.TIME
    if node[0] in _OF_FIRST:
        return quantity(node[1], known)
    if node[0] in _ALIKE:
        return quantity(node[1], known) or quantity(node[2], known)
    return None


def _of_column(meaning: ColumnMeaning | None) -> Quantity | None:
    if meaning is None or meaning.kind != "measure":
        return None
    if meaning.money:
        return Common.MONEY
    return Common.TIME if (meaning.unit or "") in english().durations else meaning.unit
