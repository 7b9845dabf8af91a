"""Notes that people put on the cells of a sheet, which the fast readers pass over: openpyxl reads their parts alone.

What is written on a column's header says what the column holds, so it becomes the column's description. It is data,
like any cell: shown and quoted, never followed.
"""

from __future__ import annotations

import posixpath
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from apps.analyst.tables.wording import counted

MAX_PART = 4 << 20
MAX_TEXT = 500
_THREADED = "[Threaded comment]"


class Note(NamedTuple):
    """A cell, both counted from 0, and what is written on it."""

    row: int
    column: int
    text: str


def notes_of(archive: zipfile.ZipFile, part: str) -> list[Note]:
    """The notes of a sheet in the order of its rows; none where they cannot be read."""
    from defusedxml import ElementTree
    from defusedxml.common import DefusedXmlException

    notes: list[Note] = []
    try:
        for target in _targets(archive, part):
            notes += _read(ElementTree.fromstring(archive.read(target)))
    except (KeyError, ValueError, TypeError, AttributeError, IndexError, ElementTree.ParseError,
            DefusedXmlException, zipfile.BadZipFile, OSError):  # fmt: skip
        return []
    return sorted(note for note in notes if note.text)


def _read(tree: Any) -> Iterator[Note]:
    # Imported here: only sheets with notes need it.
    from openpyxl.comments.comment_sheet import CommentSheet
    from openpyxl.utils.cell import coordinate_to_tuple

    for cell, comment in CommentSheet.from_tree(tree).comments:
        row, column = coordinate_to_tuple(cell)
        yield Note(row - 1, column - 1, _plain(comment.text or "", comment.author or ""))


def on_headers(
    notes: Iterable[Note], names: list[str], said: Callable[[int, int], str | None], start: tuple[int, int]
) -> dict[str, str]:
    """Column names with the first note on their header: a cell whose text stands in the name of its column.

    `start` is the table's first cell; `said` gives a cell's text by row and column from there, None outside.
    """
    found: dict[str, str] = {}
    for note in notes:
        row, column = note.row - start[0], note.column - start[1]
        words = " ".join((said(row, column) or "").split())
        if words and words.casefold() in names[column].casefold():
            found.setdefault(names[column], note.text)
    return found


def kept(found: dict[str, str]) -> list[str]:
    """What is told about notes that became descriptions."""
    if not found:
        return []
    return [f"{counted(len(found), 'note')} on the header kept as what the column holds ({', '.join(list(found)[:3])})"]


def _targets(archive: zipfile.ZipFile, part: str) -> list[str]:
    """The parts with a sheet's notes, small enough to be read."""
    from defusedxml import ElementTree

    folder, name = posixpath.split(part)
    relations = f"{folder}/_rels/{name}.rels"
    if relations not in archive.namelist():
        return []
    targets = [
        node.get("Target", "")
        for node in ElementTree.fromstring(archive.read(relations))
        if node.get("Type", "").endswith("/comments")
    ]
    paths = [path.lstrip("/") if path.startswith("/") else posixpath.normpath(f"{folder}/{path}") for path in targets]
    return [path for path in paths if archive.getinfo(path).file_size <= MAX_PART]


def _plain(text: str, author: str) -> str:
    """A note without the name that spreadsheets write above it, and without what they say of a threaded one."""
    if text.startswith(_THREADED):
        text = text.partition("Comment:\n")[2].partition("\nReply:")[0]
    words = " ".join(text.split())
    return words.removeprefix(f"{author}:").strip()[:MAX_TEXT] if author else words[:MAX_TEXT]
