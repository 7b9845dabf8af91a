"""Rows among the data that are no rows of data: repeated headers, merged lines, remarks below the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence

from apps.analyst.tables import layout
from apps.analyst.tables.rewriting import row_notes
from apps.analyst.tables.wording import counted, shortened

MAX_FOOTER = 5
LOOKED_AT = 60
"""So many other rows, spread over the table, tell what a column holds."""
COMPARED = 2_000
"""So many, where lines below a table may be values of a column or remarks."""
_REMARK = re.compile(
    r"(?:sources?|notes?|remarks?|quelle)\s*[:.(\d]"
    r"|(?:generated|exported|created|printed|report)(?:\s+(?:on|by|at|from|date|generated|created|run)\b|\s*[:\d])"
    r"|(?:\*+|©|†|‡|\(c\))[\s:.\w]",
    re.IGNORECASE,
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
    if repeated or merged:
        figures = _columns_of_figures(height, blank | repeated | merged, row_at)
        if len(row_at(0)) == 1 and not figures:  # a value may be called what the only column is called
            repeated = set()
        if not figures or len(merged) >= 0.5 * (height - len(blank)):
            merged = set()
    notes = row_notes(short=0, long=0, overflow=0, repeated=len(repeated))
    if merged:
        words = shortened(row_at(min(merged))[0], 60)
        notes.append(f"{counted(len(merged), 'row')} saying one thing in every column left out ({words})")
    below = footer(height, blank, row_at)
    if below:
        notes.append(footer_note([next(cell for cell in row_at(index) if cell) for index in sorted(below)]))
    return blank | repeated | merged | below, notes


def _columns_of_figures(height: int, aside: set[int], row_at: RowAt) -> list[int]:
    """The columns whose other cells are figures or dates, so that words in them are no data of theirs."""
    others = _others(height, aside, row_at)
    found = []
    for column in range(len(row_at(0))):
        cells = [row[column].strip() for row in others if row[column].strip()]
        if len(cells) >= 2 and sum(1 for cell in cells if layout.is_figure(cell)) >= 0.8 * len(cells):
            found.append(column)
    return found


def _others(height: int, aside: set[int], row_at: RowAt, most: int = LOOKED_AT) -> list[Sequence[str]]:
    """About so many rows from the beginning to the end of the table, without these."""
    step = max(height // most, 1)
    return [row_at(index) for index in range(0, height, step) if index not in aside]


def footer_note(remarks: Sequence[str]) -> str:
    """What to tell about remarks below the table."""
    return f"{counted(len(remarks), 'line')} below the table left out: {shortened('; '.join(remarks))}"


def footer(height: int, blank: set[int], row_at: RowAt) -> set[int]:
    """Last rows that are remarks: a single cell each, most of them unlike what their column holds, in a table whose
    rows hold more; set off by a blank row, or each by its words."""
    if height < 4 or len(row_at(0)) < 3:
        return set()
    found: dict[int, int] = {}
    apart = False
    for index in range(height - 1, max(height - 8, 2), -1):
        if index in blank:
            apart = bool(found) and _filled(row_at(index - 1)) >= 2
            if apart:
                break
            continue
        row = row_at(index)
        if _filled(row) != 1 or len(found) == MAX_FOOTER:
            break
        found[index] = next(column for column, cell in enumerate(row) if cell)
    if not found:
        return set()
    others = _others(height, blank | set(found), row_at)
    if sum(1 for row in others if _filled(row) >= 2) < 0.9 * len(others):
        return set()
    if apart:
        lines = [(row_at(index)[column], column) for index, column in found.items()]
        return set(found) if _are_remarks(lines, _others(height, blank | set(found), row_at, COMPARED)) else set()
    return {index for index, column in found.items() if _REMARK.match(row_at(index)[column])}


def _are_remarks(lines: Sequence[tuple[str, int]], others: Sequence[Sequence[str]]) -> bool:
    """Whether the lines of a block behind a blank row, each with its column, are remarks: most are unlike what their
    column holds, or one is worded like a remark, and none is a value that stands in its column above."""
    if any(row[column] == line for line, column in lines for row in others):
        return False
    unlike = sum(_unlike(line, column, others) for line, column in lines)
    return 2 * unlike > len(lines) or any(_REMARK.match(line) for line, _ in lines)


def _unlike(remark: str, column: int, others: Sequence[Sequence[str]]) -> bool:
    """Whether a remark is longer than all that its column holds, or worded like one."""
    return bool(_REMARK.match(remark)) or len(remark) > max((len(row[column]) for row in others), default=0)


def _filled(row: Sequence[str]) -> int:
    return sum(1 for cell in row if cell)
