"""The cells of a large sheet, taken from its XML by operations over whole arrays instead of cell by cell.

Only XML as spreadsheet programs write it is understood: tags without prefixes, a reference in front of each cell's
other attributes, one value a cell. Anything else raises Unusual, and a full reader takes over.
"""

from __future__ import annotations

import re
import zipfile
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from apps.analyst.tables import xlsx_gate
from apps.analyst.tables.xlsx_tags import (
    CELL,
    CELL_END,
    ITEM,
    ROW,
    UNKNOWN,
    VALUE,
    Numbers,
    Tags,
    Unusual,
    between,
    plain_text,
    tags_of,
)

NUMBER, SHARED, TEXT, TRUTH, FAULT = range(5)
"""What a cell's value is: a figure, a place among the shared strings, a text, a truth value, an error."""
_KINDS = {"n": NUMBER, "s": SHARED, "str": TEXT, "inlineStr": TEXT, "b": TRUTH, "e": FAULT}
_BLOCK = 1 << 20
_MAX_CARRIED = 64 << 20
MAX_ROWS = 1 << 20
_POWERS = 10 ** np.arange(7)
_FIRST_LETTERS = np.array([(1 << 8 * length) - 1 for length in range(9)], np.uint64)
"""By a length, the bits of so many letters of eight."""
_ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')


@dataclass(frozen=True, slots=True)
class Cells:
    """The filled cells of some rows: where they stand (from 0), what they are, their styles and values as written."""

    rows: Numbers
    columns: Numbers
    kinds: Numbers
    styles: Numbers
    values: Any
    """An Arrow array of text."""


# ---------------------------------------------------------------- cells
class SheetText:
    """The XML of a sheet, a few whole rows at a time; at the end, what stands below them. Raises Unusual."""

    def __init__(self, archive: zipfile.ZipFile, part: str) -> None:
        self._archive = archive
        self._part = part
        self.below = b""
        self.hidden = 0
        """How many of the rows given so far are hidden."""

    def __iter__(self) -> Iterator[bytes]:
        with self._archive.open(self._part) as sheet:
            text = _behind(sheet, b"<sheetData>")
            while True:
                end = text.rfind(b"</sheetData>")
                if end >= 0:
                    self.below = text[end:] + sheet.read(_MAX_CARRIED)
                    yield self._counted(text[:end])
                    return
                cut = text.rfind(b"</row>") + len(b"</row>")
                if cut >= len(b"</row>"):
                    yield self._counted(text[:cut])
                    text = text[cut:]
                block = sheet.read(_BLOCK)
                if not block or len(text) > _MAX_CARRIED:
                    raise Unusual
                text += block

    def _counted(self, rows: bytes) -> bytes:
        self.hidden += xlsx_gate.hidden_in(rows)
        return rows


def _behind(sheet: IO[bytes], mark: bytes) -> bytes:
    """What stands behind a mark, as far as it has been read."""
    text = b""
    while mark not in text:
        block = sheet.read(_BLOCK)
        if not block or len(text) > 2 * _BLOCK:
            raise Unusual
        text += block
    return text.partition(mark)[2]


def cells_in(texts: Iterable[bytes]) -> Iterator[Cells]:
    """The filled cells of texts in their order, two texts at a time: whole-array work leaves room for other threads.
    Raises Unusual."""
    with ThreadPoolExecutor(2) as pool:
        waiting: deque[Future[Cells]] = deque()
        for text in texts:
            waiting.append(pool.submit(cells_of, text))
            if len(waiting) > 2:
                yield waiting.popleft().result()
        for future in waiting:
            yield future.result()


def cells_of(text: bytes) -> Cells:
    """The filled cells of whole rows of XML. Raises Unusual."""
    tags = tags_of(text)
    if ((tags.kinds == UNKNOWN) | (tags.kinds == ITEM)).any():
        raise Unusual
    data = np.frombuffer(text, np.uint8)
    cells, values = tags.of(CELL), tags.of(VALUE)
    closed = data[tags.ends[cells] - 1] == ord("/")
    if int((tags.kinds == CELL_END).sum()) + int(closed.sum()) != len(cells):
        raise Unusual
    values = values[data[tags.ends[values] - 1] != ord("/")]
    if values.size and (values[-1] + 1 >= len(tags.kinds) or not (data[tags.begins[values + 1] + 1] == ord("/")).all()):
        raise Unusual
    values = values[tags.ends[values] + 1 < tags.begins[values + 1]]
    owners = tags.at(CELL, values)
    if values.size and (owners[0] < 0 or (np.diff(owners) <= 0).any() or closed[owners].any()):
        raise Unusual
    owning = cells[owners]
    numbers = _row_numbers(data, tags)
    standing = tags.at(ROW, owning)
    if standing.size and standing[0] < 0:
        raise Unusual
    rows = numbers[standing]
    columns, behind = _columns(data, tags.begins[owning] + 3, rows)
    kinds, styles = _attributes(text, behind, tags.ends[owning])
    parts = plain_text(between(text, tags.ends[values] + 1, tags.begins[values + 1]))
    return Cells(rows - 1, columns, kinds, styles, parts)


def _row_numbers(data: Numbers, tags: Tags) -> Numbers:
    """The numbers of the rows as they are written."""
    rows = tags.of(ROW)
    at = tags.begins[rows] + 4
    if not _reads(data, at, b' r="').all():
        raise Unusual
    at = at + 4
    numbers = np.zeros(len(at), np.int32)
    reading = np.ones(len(at), bool)
    for _ in range(8):
        digits = data[at]
        reading = reading & (digits >= ord("0")) & (digits <= ord("9"))
        numbers = np.where(reading, numbers * 10 + digits - 48, numbers)
        at = at + reading
    if not ((data[at] == ord('"')) & (numbers > 0) & (numbers <= MAX_ROWS)).all():
        raise Unusual
    return numbers


def _columns(data: Numbers, at: Numbers, rows: Numbers) -> tuple[Numbers, Numbers]:
    """Columns (from 0) of references like `r="AB12"` in those rows, and where the attribute ends."""
    if not _reads(data, at, b'r="').all():
        raise Unusual
    at = at + 3
    columns = np.zeros(len(at), np.int32)
    reading = np.ones(len(at), bool)
    for _ in range(3):
        letters = data[at]
        reading = reading & (letters >= ord("A")) & (letters <= ord("Z"))
        if not reading.any():
            break
        columns = np.where(reading, columns * 26 + letters - 64, columns)
        at = at + reading
    at = at + np.searchsorted(_POWERS, rows, side="right")
    fits = (data[at] == ord('"')) & (data[at - 1] - 48 == rows % 10) & (columns > 0)
    if not fits.all():
        raise Unusual
    return columns - 1, at + 1


def _reads(data: Numbers, at: Numbers, letters: bytes) -> Numbers:
    """Whether these letters stand at each place."""
    found = np.ones(len(at), bool)
    for offset, letter in enumerate(letters):
        found &= data[at + offset] == letter
    return found


def _attributes(text: bytes, begins: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Kinds and styles of cells by the attributes behind their references; few different ones occur."""
    kinds, styles = np.zeros(len(begins), np.int8), np.zeros(len(begins), np.int32)
    lengths = ends - begins
    short = bool(len(text) >= 8 and (lengths <= 8).all() and (begins <= len(text) - 8).all())
    if not short:
        encoded = between(text, begins, ends).dictionary_encode()
        found = [_kind_and_style(written) for written in encoded.dictionary.to_pylist()]
        indices = encoded.indices.to_numpy()
        return np.array([kind for kind, _ in found], np.int8)[indices], np.array([s for _, s in found], np.int32)[
            indices
        ]
    letters = np.ndarray(len(text) - 7, "<u8", text, strides=(1,))[begins] & _FIRST_LETTERS[lengths]
    left = np.arange(len(letters))
    while left.size:
        first = left[0]
        same = letters[left] == letters[first]
        alike = left[same]
        kinds[alike], styles[alike] = _kind_and_style(text[begins[first] : ends[first]])
        left = left[~same]
    return kinds, styles


def _kind_and_style(written: bytes) -> tuple[int, int]:
    """What attributes like `s="1" t="s"` say. Raises Unusual."""
    found = dict(_ATTRIBUTE.findall(written))
    kind, style = found.get(b"t", b"n").decode(), found.get(b"s", b"0")
    if kind not in _KINDS or not style.isdigit() or b"r" in found:
        raise Unusual
    return _KINDS[kind], min(int(style), 1 << 20)


# ---------------------------------------------------------------- shared strings
def shared_strings(archive: zipfile.ZipFile) -> Any:
    """The workbook's shared strings as an Arrow array. Raises Unusual."""
    import pyarrow as pa

    try:
        text = archive.read("xl/sharedStrings.xml")
    except KeyError:
        return pa.array([], pa.string())
    if b"<rPh" in text:
        raise Unusual
    tags = tags_of(text)
    items, parts = tags.of(ITEM), tags.of(VALUE)
    parts = parts[np.frombuffer(text, np.uint8)[tags.ends[parts] - 1] != ord("/")]
    owners = tags.at(ITEM, parts)
    if parts.size and (parts[-1] + 1 >= len(tags.kinds) or owners[0] < 0):
        raise Unusual
    words = plain_text(between(text, tags.ends[parts] + 1, tags.begins[parts + 1]))
    if len(owners) == len(items) and (np.diff(owners) == 1).all():
        return words
    whole = [""] * len(items)
    for owner, word in zip(owners.tolist(), words.to_pylist(), strict=True):
        whole[owner] += word
    return pa.array(whole, pa.string())
