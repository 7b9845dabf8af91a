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

NUMBER, SHARED, TEXT, TRUTH, FAULT = range(5)
"""What a cell's value is: a figure, a place among the shared strings, a text, a truth value, an error."""
_KINDS = {"n": NUMBER, "s": SHARED, "str": TEXT, "inlineStr": TEXT, "b": TRUTH, "e": FAULT}
_BLOCK = 1 << 20
_MAX_CARRIED = 64 << 20
MAX_ROWS = 1 << 20
_POWERS = 10 ** np.arange(7)
_ATTRIBUTE = re.compile(rb'([\w:]+)="([^"]*)"')
_ENTITY = re.compile(r"&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|\w+);")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPED = re.compile(rb"_x[0-9A-Fa-f]{4}_")
Numbers = np.ndarray[Any, np.dtype[Any]]


class Unusual(Exception):
    """The XML is written in a way that only a full reader understands."""


@dataclass(frozen=True, slots=True)
class Tags:
    """Every tag of a text: where it begins and ends, and its first two letters as one number."""

    begins: Numbers
    ends: Numbers
    codes: Numbers

    def of(self, *names: str) -> Numbers:
        """The positions of the tags that begin with one of these pairs of letters."""
        wanted = self.codes == _code(names[0])
        for name in names[1:]:
            wanted |= self.codes == _code(name)
        return np.flatnonzero(wanted)


@dataclass(frozen=True, slots=True)
class Cells:
    """The filled cells of some rows: where they stand (from 0), what they are, their styles and values as written."""

    rows: Numbers
    columns: Numbers
    kinds: Numbers
    styles: Numbers
    values: Any
    """An Arrow array of text."""


def _code(letters: str) -> int:
    return ord(letters[0]) | ord(letters[1]) << 8


_KNOWN = np.array(
    [_code(name) for name in ("c ", "/c", "v>", "/v", "v/", "f>", "f ", "f/", "/f", "ro", "/r", "is", "/i", "t>", "t ",
                              "/t", "t/")],
    np.uint16,
)  # fmt: skip


def tags_of(text: bytes) -> Tags:
    """The tags of a text. Raises Unusual where marks stand outside of tags, or lines end as they do on Windows."""
    data = np.frombuffer(text, np.uint8)
    begins, ends = np.flatnonzero(data == ord("<")), np.flatnonzero(data == ord(">"))
    if len(begins) != len(ends) or (begins + 1 >= ends).any() or (ends[:-1] >= begins[1:]).any():
        raise Unusual
    if b"\r" in text or (b"_x" in text and _ESCAPED.search(text)):
        raise Unusual
    if not len(begins):
        return Tags(begins, ends, np.zeros(0, np.uint16))
    codes = np.ndarray(len(text) - 1, "<u2", text, strides=(1,))[begins + 1]
    if (codes & 255 == ord("!")).any():
        raise Unusual
    return Tags(begins, ends, codes)


def between(text: bytes, begins: Numbers, ends: Numbers) -> Any:
    """The parts of a text from each begin to its end, as an Arrow array of bytes; parts stand in order."""
    import pyarrow as pa

    if not len(begins):
        return pa.array([], pa.binary())
    edges = np.empty(2 * len(begins), np.int32)
    edges[0::2], edges[1::2] = begins, ends
    buffers = [None, pa.py_buffer(edges), pa.py_buffer(text)]
    together = pa.Array.from_buffers(pa.binary(), len(edges) - 1, buffers)
    return together.take(pa.array(np.arange(0, len(edges), 2)))


def plain_text(parts: Any) -> Any:
    """Bytes of XML as text, its entities read. Raises Unusual where they are no UTF-8."""
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        texts = parts.cast(pa.string())
    except pa.ArrowInvalid as error:
        raise Unusual from error
    marked = pc.match_substring(texts, "&")
    if not pc.any(marked).as_py():
        return texts
    read = [_ENTITY.sub(_character, text) for text in texts.filter(marked).to_pylist()]
    return pc.replace_with_mask(texts, marked, pa.array(read, pa.string()))


def _character(found: re.Match[str]) -> str:
    name = found.group(1)
    try:
        if not name.startswith("#"):
            return _NAMED[name]
        character = chr(int(name[2:], 16) if name[1] == "x" else int(name[1:]))
        character.encode()
        return character
    except (KeyError, ValueError) as error:
        raise Unusual from error


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
    if not np.isin(tags.codes, _KNOWN).all():
        raise Unusual
    data = np.frombuffer(text, np.uint8)
    cells, values = tags.of("c "), tags.of("v>", "t>", "t ")
    closed = data[tags.ends[cells] - 1] == ord("/")
    if len(tags.of("/c")) + int(closed.sum()) != len(cells):
        raise Unusual
    values = values[data[tags.ends[values] - 1] != ord("/")]
    if values.size and (values[-1] + 1 >= len(tags.codes) or not (data[tags.begins[values + 1] + 1] == ord("/")).all()):
        raise Unusual
    values = values[tags.ends[values] + 1 < tags.begins[values + 1]]
    owners = np.searchsorted(cells, values) - 1
    if values.size and (owners[0] < 0 or (np.diff(owners) <= 0).any() or closed[owners].any()):
        raise Unusual
    owning = cells[owners]
    row_tags, numbers = _row_numbers(data, tags)
    standing = np.searchsorted(row_tags, owning) - 1
    if standing.size and standing[0] < 0:
        raise Unusual
    rows = numbers[standing]
    columns, behind = _columns(data, tags.begins[owning] + 3, rows)
    kinds, styles = _attributes(text, behind, tags.ends[owning])
    parts = plain_text(between(text, tags.ends[values] + 1, tags.begins[values + 1]))
    return Cells(rows - 1, columns, kinds, styles, parts)


def _row_numbers(data: Numbers, tags: Tags) -> tuple[Numbers, Numbers]:
    """The rows' tags, and their numbers as they are written."""
    rows = tags.of("ro")
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
    return rows, numbers


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
    encoded = between(text, begins, ends).dictionary_encode()
    kinds, styles = [], []
    for written in encoded.dictionary.to_pylist():
        found = dict(_ATTRIBUTE.findall(written))
        kind, style = found.get(b"t", b"n").decode(), found.get(b"s", b"0")
        if kind not in _KINDS or not style.isdigit() or b"r" in found:
            raise Unusual
        kinds.append(_KINDS[kind])
        styles.append(min(int(style), 1 << 20))
    indices = encoded.indices.to_numpy()
    return np.array(kinds, np.int8)[indices], np.array(styles, np.int32)[indices]


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
    items, parts = tags.of("si"), tags.of("t>", "t ")
    parts = parts[np.frombuffer(text, np.uint8)[tags.ends[parts] - 1] != ord("/")]
    owners = np.searchsorted(items, parts) - 1
    if parts.size and (parts[-1] + 1 >= len(tags.codes) or owners[0] < 0):
        raise Unusual
    words = plain_text(between(text, tags.ends[parts] + 1, tags.begins[parts + 1]))
    if len(owners) == len(items) and (np.diff(owners) == 1).all():
        return words
    whole = [""] * len(items)
    for owner, word in zip(owners.tolist(), words.to_pylist(), strict=True):
        whole[owner] += word
    return pa.array(whole, pa.string())
