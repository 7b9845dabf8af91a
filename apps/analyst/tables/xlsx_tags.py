"""The tags of an XML text and what stands between them, found by operations over whole arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

UNKNOWN, CELL, CELL_END, VALUE, ROW, ITEM, OTHER, MARKUP = range(8)
"""Kinds of tags; of those that nothing is asked of, OTHER stand in sheets of cells, UNKNOWN do not."""
_ENTITY = re.compile(r"&(#x[0-9A-Fa-f]{1,6}|#\d{1,7}|\w+);")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_ESCAPED = re.compile(rb"_x[0-9A-Fa-f]{4}_")
Numbers = np.ndarray[Any, np.dtype[Any]]


class Unusual(Exception):
    """The XML is written in a way that only a full reader understands."""


def _kinds_of_tags() -> Numbers:
    """The kind of a tag by its first two letters, taken as one number."""
    kinds = np.full(1 << 16, UNKNOWN, np.uint8)
    for kind, names in (
        (CELL, ("c ",)),
        (CELL_END, ("/c",)),
        (VALUE, ("v>", "t>", "t ")),
        (ROW, ("ro",)),
        (ITEM, ("si",)),
        (OTHER, ("/v", "v/", "f>", "f ", "f/", "/f", "/r", "is", "/i", "/t", "t/")),
        (MARKUP, tuple("!" + chr(letter) for letter in range(256))),
    ):
        for name in names:
            kinds[ord(name[0]) | ord(name[1]) << 8] = kind
    return kinds


_KIND_OF_TAG = _kinds_of_tags()


@dataclass(frozen=True, slots=True)
class Tags:
    """Every tag of a text: where it begins and ends, and its kind by its first two letters."""

    begins: Numbers
    ends: Numbers
    kinds: Numbers

    def of(self, kind: int) -> Numbers:
        """The positions of the tags of that kind."""
        return np.flatnonzero(self.kinds == kind)

    def at(self, kind: int, places: Numbers) -> Numbers:
        """For tags at these places, which of those of that kind is the last one up to there; -1: none."""
        return np.cumsum(self.kinds == kind, dtype=np.int32)[places] - 1


def tags_of(text: bytes) -> Tags:
    """The tags of a text. Raises Unusual where marks stand outside of tags, or lines end as they do on Windows."""
    data = np.frombuffer(text, np.uint8)
    marks = np.flatnonzero(data & ~np.uint8(2) == ord("<"))  # < and >, which differ in that bit
    begins, ends = np.ascontiguousarray(marks[0::2]), np.ascontiguousarray(marks[1::2])
    if len(begins) != len(ends) or (data[begins] != ord("<")).any() or (data[ends] != ord(">")).any():
        raise Unusual
    if (begins + 1 == ends).any() or b"\r" in text or ((data == ord("_")).any() and _ESCAPED.search(text)):
        raise Unusual
    if not len(begins):
        return Tags(begins, ends, np.zeros(0, np.uint8))
    kinds = _KIND_OF_TAG[np.ndarray(len(text) - 1, "<u2", text, strides=(1,))[begins + 1]]
    if (kinds == MARKUP).any():
        raise Unusual
    return Tags(begins, ends, kinds)


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
