"""What columns are called: names as people wrote them, put together where a header stands over several rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from apps.analyst.tables.wording import counted, was

LONGEST_NAME = 200
"""Letters of a column's name: a longer one is a text that stands where a header should, and dear to read by."""


def names(rows: Sequence[Sequence[str]], width: int) -> tuple[list[str], list[str]]:
    """The column names of a header of one or several rows, and what to tell about them."""
    cells = [[_one_line(row[column]) if column < len(row) else "" for column in range(width)] for row in rows]
    notes: list[str] = []
    if len(cells) > 1:
        notes.append(f"the header stands over {len(cells)} rows; their words were put together")
    joined = [""] * width
    for level, row in enumerate(cells):
        last = level == len(cells) - 1
        spread = not last and any(not row[column] and cells[-1][column] for column in range(1, width))
        words = _spread(row, cells[level + 1]) if spread else row
        for column, word in enumerate(words):
            joined[column] = _join(joined[column], word, " - " if _is_spread(cells, level) else " ")
    clean, more = unique(joined)
    return clean, notes + more


def _one_line(cell: str) -> str:
    return " ".join(cell.replace("\x00", "").split())


def _is_spread(cells: Sequence[Sequence[str]], level: int) -> bool:
    """Whether the level above spans groups of columns, so that a dash reads better than a space."""
    if not level:
        return False
    above = cells[level - 1]
    return _repeats(above) or any(not above[column] and cells[level][column] for column in range(1, len(above)))


def _repeats(row: Sequence[str]) -> bool:
    """Whether a row of group names itself says each of them over all of its columns."""
    return any(cell and cell == before for before, cell in pairwise(row))


def _spread(row: Sequence[str], below: Sequence[str]) -> list[str]:
    """A row of group names with every name repeated over the columns of its group."""
    if _repeats(row):
        return list(row)
    words, current = [], ""
    for column, cell in enumerate(row):
        current = cell or current
        words.append(current if below[column] else cell)
    return words


def _join(left: str, right: str, mark: str) -> str:
    if not left or not right or left.casefold() == right.casefold():
        return left or right
    return f"{left}{mark}{right}"


def unique(raw: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names that are never empty and each stand once, and what was changed."""
    clean: list[str] = []
    taken: set[str] = set()
    behind: dict[str, int] = {}
    unnamed = repeated = long = 0
    for column, word in enumerate(raw):
        whole = _one_line(word)
        name = whole if len(whole) <= LONGEST_NAME else f"{whole[: LONGEST_NAME - 1].rstrip()}…"
        long += name != whole
        if not name:
            name = f"Column {column + 1}"
            unnamed += 1
        once, number = name, behind.get(name.casefold(), 2)
        while once.casefold() in taken:
            once, number = f"{name} ({number})", number + 1
        behind[name.casefold()] = number
        repeated += once != name
        taken.add(once.casefold())
        clean.append(once)
    notes = []
    if unnamed:
        notes.append(f"{counted(unnamed, 'column')} without a name {was(unnamed)} numbered")
    if repeated:
        notes.append(f"{counted(repeated, 'repeated column name')} got a number behind")
    if long:
        notes.append(f"{counted(long, 'column name')} {was(long)} longer than {LONGEST_NAME} letters and cut")
    return clean, notes
