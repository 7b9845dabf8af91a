"""What kind of text file this is: encoding, delimiter, header, and where its rows begin. Judged from its first part."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import dialect, encoding, layout
from apps.analyst.tables.neutral import restored

HEAD_BYTES = 1 << 20
MAX_CELL = 16 << 20
"""Characters of one cell."""
MAX_CELL_LINES = 30
"""A quoted cell over more lines is none where some quote mark is never closed."""
_BLOCK = 1 << 22
_GUARD = re.compile(
    rb"""(?:^|(?<=[,;\t|^~"\r\n \x00\x0b\x0c\x1c-\x1e\x85\xa8\xa9]))'[\x00-\x20'"\x7f-\xff]{0,40}[=+\-@\t\r\n\xef]"""
)
"""A guard where a cell, or a part of one, starts. Coarse: `restored` looks at each cell."""


@dataclass(frozen=True, slots=True)
class Source:
    """A text file and how to read it."""

    path: Path
    display_name: str
    encoding: str
    dialect: dialect.Dialect
    layout: layout.Layout
    head_rows: list[list[str]]
    """The rows of the file's first part, from its first line."""
    data_line: int
    """How many physical lines stand before the first row of data."""
    whole: bool
    """True where the first part is the entire file."""
    notes: tuple[str, ...] = ()
    tolerant: bool = False
    """True where a quote mark that is never closed would swallow the rest of the file."""
    nuls: bool = False
    """True where the file holds NUL bytes, which are left out."""
    guarded: bool = False
    """True where cells carry a single quote that keeps spreadsheets from taking them for formulas; it is left off."""


def examine(path: Path, display_name: str) -> Source:
    """How to read the file. Raises ReadFailed where it is empty or no text."""
    if path.stat().st_size == 0:
        raise ReadFailed(nothing_in(display_name))
    name = encoding.detect(path, display_name)
    text, whole = _head(path, name)
    if not text.strip():
        raise ReadFailed(nothing_in(display_name))
    found = dialect.detect(text[: 1 << 18], whole=whole and len(text) <= 1 << 18)
    tolerant, guarded, nuls = _scan(path, name, found.quote)
    try:
        cut = list(_cut(io.StringIO(text, newline=""), found, tolerant=tolerant))
        if not tolerant and _swallowed_rows([row for row, _ in cut], found.delimiter):
            tolerant = True
            cut = list(_cut(io.StringIO(text, newline=""), found, tolerant=True))
            found = replace(found, width=dialect.usual_width([row for row, _ in cut]))
    except csv.Error as error:
        raise ReadFailed(_unreadable(display_name, error)) from error
    rows, lines = [row for row, _ in cut], [line for _, line in cut]
    if guarded:
        rows = [unguarded(row) for row in rows]
    if not whole and len(rows) > 1:
        rows.pop()
    shape = layout.find(rows, found.width)
    data_line = lines[shape.first_data_row - 1] if shape.first_data_row else 0
    notes = tuple(_notes(name, found, tolerant))
    return Source(path, display_name, name, found, shape, rows, data_line, whole, notes, tolerant, nuls, guarded)


def unguarded(row: list[str]) -> list[str]:
    """The cells of a row without the quotes that keep spreadsheets from computing them."""
    return [restored(cell.strip()) for cell in row]


def _unreadable(display_name: str, error: csv.Error) -> str:
    if "field larger" in str(error):
        size = MAX_CELL >> 20
        return f"{display_name} has a cell of more than {size} MB. Please look for a quote mark that is never closed."
    return f"{display_name} could not be read as a table: {error}."


def nothing_in(display_name: str) -> str:
    """What is said of an empty file."""
    return f"{display_name} is empty. Please upload a file with a header row and at least one row of data."


def _head(path: Path, name: str) -> tuple[str, bool]:
    """The decoded first part of the file, and whether that is all of it."""
    with path.open("rb") as file:
        data = file.read(HEAD_BYTES + 1)
    whole = len(data) <= HEAD_BYTES
    decoder = codecs.getincrementaldecoder(name)(errors="replace")
    return decoder.decode(data[:HEAD_BYTES], whole).replace("\x00", ""), whole


def _scan(path: Path, name: str, quote: str) -> tuple[bool, bool, bool]:
    """What the whole file holds: an odd number of quote marks (one of them is never closed), cells that are guarded
    against being taken for formulas, NUL bytes."""
    count, guarded, nuls, before = 0, False, False, b"\n"
    mark = quote.encode()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            count += block.count(mark)
            if not guarded and b"'" in block:
                guarded = _GUARD.search(before[-64:] + block) is not None
            nuls = nuls or b"\x00" in block
            before = block
    wide = name.startswith(("utf-16", "utf-32"))
    return count % 2 == 1 and not wide, guarded and quote != "'", nuls and not wide


def _swallowed_rows(rows: list[list[str]], delimiter: str) -> bool:
    """Whether some cell holds what look like many rows: between two stray quote marks all is one cell."""
    marks = max((len(row) for row in rows[:5]), default=1) - 1
    for row in rows:
        for cell in row:
            inner = cell.split("\n")[1:-1] if len(cell) > MAX_CELL_LINES else []
            if len(inner) > MAX_CELL_LINES and marks:
                return sum(1 for line in inner if line.count(delimiter) == marks) >= 0.8 * len(inner)
    return False


def _cut(lines: Iterable[str], found: dialect.Dialect, *, tolerant: bool) -> Iterator[tuple[list[str], int]]:
    """The rows of a text, each with the number of physical lines up to its end. Raises csv.Error."""
    spaces = found.delimiter != "\t"
    if tolerant:
        yield from _cut_line_by_line(lines, found, skip_spaces=spaces)
        return
    reader = csv.reader(lines, delimiter=found.delimiter, quotechar=found.quote, skipinitialspace=spaces)
    for row in reader:
        yield row, reader.line_num


def _cut_line_by_line(
    lines: Iterable[str], found: dialect.Dialect, *, skip_spaces: bool
) -> Iterator[tuple[list[str], int]]:
    """Rows of a text in which some quote mark is never closed: such a mark is taken for a letter."""
    pending: list[str] = []
    number = 0

    def strict(text: list[str]) -> list[str] | None:
        try:
            rows = list(
                csv.reader(
                    text, delimiter=found.delimiter, quotechar=found.quote, skipinitialspace=skip_spaces, strict=True
                )
            )
        except csv.Error as error:
            if "unexpected end" in str(error):
                return None
            rows = list(
                csv.reader(text, delimiter=found.delimiter, quotechar=found.quote, skipinitialspace=skip_spaces)
            )
        return rows[0] if rows else []

    def literal(text: str) -> list[str]:
        return next(csv.reader([text], delimiter=found.delimiter, quoting=csv.QUOTE_NONE), [])

    for line in lines:
        number += 1
        pending.append(line)
        row = strict(pending)
        if row is not None:
            yield row, number
            pending = []
        elif len(pending) > MAX_CELL_LINES:
            yield literal(pending[0]), number - len(pending) + 1
            pending = pending[1:]
            while pending and (row := strict(pending[:1])) is not None:
                yield row, number - len(pending) + 1
                pending = pending[1:]
    for index, line in enumerate(pending):
        row = strict([line])
        yield literal(line) if row is None else row, number - len(pending) + index + 1


def _notes(name: str, found: dialect.Dialect, tolerant: bool) -> Iterator[str]:
    if tolerant:
        yield "a quote mark is never closed; it was read as part of its cell"
    if name not in ("utf-8", "utf-8-sig"):
        yield f"the file was read as {encoding.label(name)}"
    if found.delimiter != ",":
        marks = {";": "semicolons", "\t": "tabs", "|": "vertical bars"}
        yield f"cells are separated by {marks.get(found.delimiter, repr(found.delimiter))}"


def rows_of(source: Source) -> Iterator[list[str]]:
    """All rows of the file as text, from its first line. Raises ReadFailed."""
    with source.path.open("r", encoding=source.encoding, errors="replace", newline="") as file:
        lines = (line.replace("\x00", "") for line in file) if source.nuls else file
        try:
            rows = _rows(lines, source.dialect, tolerant=source.tolerant)
            yield from map(unguarded, rows) if source.guarded else rows
        except csv.Error as error:
            raise ReadFailed(_unreadable(source.display_name, error)) from error


def _rows(lines: Iterable[str], found: dialect.Dialect, *, tolerant: bool) -> Iterator[list[str]]:
    if tolerant:
        return (row for row, _ in _cut(lines, found, tolerant=True))
    spaces = found.delimiter != "\t"
    return csv.reader(lines, delimiter=found.delimiter, quotechar=found.quote, skipinitialspace=spaces)
