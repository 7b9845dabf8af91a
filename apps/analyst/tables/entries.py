"""Cells that list several entries, as tags and choices are exported: "Email;Phone", "Action|Comedy", "Red, Blue".

A comma also stands in "Leeds, UK" and "Smith, Ann". What tells a list is that the same entries come again in other
cells, and now in the first place, now further back or alone.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from apps.analyst.types import Column, ValueCount

SEPARATORS = ("|", ";", "\n", ",")
"""What entries are separated by; the first that fits is taken."""
FEWEST = 3
"""Different cells with several entries that a column of lists has at least."""
_SEVERAL = 0.05
"""The share of the different cells that list several, at least."""
_AGAIN, _MOVED = 0.7, 0.4
"""Of the entries of such cells, how many stand in another cell too, and how many both first and further back."""
_LONGEST, _MOST_WORDS = 40, 5


def separator_of(column: Column) -> str | None:
    """What separates the entries of a text column's cells; None where a cell holds one value."""
    return None if column.type != "text" or column.role == "id" else _separator(column)


@lru_cache(maxsize=4096)
def _separator(column: Column) -> str | None:
    return next((mark for mark in SEPARATORS if _lists(column, mark)), None)


def split_cell(cell: str, mark: str) -> list[str]:
    """The entries of a cell, blanks around them and empty ones left out."""
    return [entry for part in cell.split(mark) if (entry := part.strip())]


def entries_of(column: Column) -> tuple[ValueCount, ...]:
    """The known entries of a column of lists with the rows that have them, most frequent first; its values as they
    stand where it has no lists."""
    mark = separator_of(column)
    if mark is None:
        return column.values
    counts: Counter[str] = Counter()
    for found in column.values:
        for entry in dict.fromkeys(split_cell(found.value, mark)):
            counts[entry] += found.count
    return tuple(ValueCount(entry, count) for entry, count in counts.most_common())


def _lists(column: Column, mark: str) -> bool:
    cells = [split_cell(found.value, mark) for found in column.values if mark in found.value]
    several = [cell for cell in cells if len(cell) > 1]
    if len(several) < max(FEWEST, _SEVERAL * len(column.values)):
        return False
    every = [split_cell(found.value, mark) for found in column.values]
    heads = {cell[0] for cell in every if cell}
    tails = {entry for cell in every for entry in cell[1:]}
    held = Counter(entry for cell in every for entry in set(cell))
    inside = {entry for cell in several for entry in cell}
    if any(len(e) > _LONGEST or len(e.split()) > _MOST_WORDS for e in inside) or not any(map(_is_word, inside)):
        return False
    again = sum(held[entry] > 1 for entry in inside)
    moved = len(inside & heads & tails)
    return again >= _AGAIN * len(inside) and moved >= _MOVED * len(inside)


def _is_word(entry: str) -> bool:
    return re.search(r"[^\W\d_]{2}", entry) is not None
