"""Rows among the data that are no rows of data: repeated headers, merged lines, remarks below the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from apps.analyst.tables import layout
from apps.analyst.tables.rewriting import row_notes
from apps.analyst.tables.wording import counted, shortened

MAX_FOOTER = 5
_REMARK = re.compile(
    r"(?:sources?|notes?|remarks?|quelle|generated|exported|created|report|\*+|©|†|‡|\(c\))[\s:.\w]", re.IGNORECASE
)
RowAt = Callable[[int], Sequence[str]]


def find(
    height: int, blank: set[int], suspects: Iterable[int], row_at: RowAt, header: Sequence[str] | None
) -> tuple[set[int], list[str]]:
    """The rows to leave out, blank ones included, and what to tell about them.

    `suspects`: the rows whose first cell is the second one's twin, or the header's.
    """
    repeated: set[int] = set()
    merged: set[int] = set()
    for index in suspects:
        row = row_at(index)
        if header and [" ".join(text.split()) for text in row] == header[: len(row)]:
            repeated.add(index)
        elif layout.says_one_thing(row):
            merged.add(index)
    if len(merged) >= 0.5 * (height - len(blank)):
        merged = set()
    notes = row_notes(short=0, long=0, overflow=0, repeated=len(repeated))
    if merged:
        words = shortened(row_at(min(merged))[0], 60)
        notes.append(f"{counted(len(merged), 'row')} saying one thing in every column left out ({words})")
    below = footer(height, blank, row_at)
    if below:
        notes.append(footer_note([next(cell for cell in row_at(index) if cell) for index in sorted(below)]))
    return blank | repeated | merged | below, notes


def footer_note(remarks: Sequence[str]) -> str:
    """What to tell about remarks below the table."""
    return f"{counted(len(remarks), 'line')} below the table left out: {shortened('; '.join(remarks))}"


def footer(height: int, blank: set[int], row_at: RowAt) -> set[int]:
    """Last rows that are remarks: a single cell each, in a table whose rows hold more, set off by a blank row or
    their words."""
    if height < 4 or len(row_at(0)) < 3:
        return set()
    found: dict[int, str] = {}
    for index in range(height - 1, max(height - 8, 2), -1):
        if index in blank:
            if found and _filled(row_at(index - 1)) >= 2:
                return set(found)
            continue
        row = row_at(index)
        if _filled(row) != 1 or len(found) == MAX_FOOTER:
            break
        found[index] = next(cell for cell in row if cell)
    return {index for index, remark in found.items() if _REMARK.match(remark)}


def _filled(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell)
