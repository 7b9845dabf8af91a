"""A large sheet as whole columns of canonical text, in Arrow: what `xlsx_reader` makes of small ones, without a Python
object for every cell.

Where a sheet holds what is not surely read alike here (times of day, dates before March 1900), a full reader takes
over.
"""

from __future__ import annotations

import datetime as dt
import re
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from apps.analyst.tables import xlsx_cells, xlsx_dates, xlsx_formats, xlsx_gate
from apps.analyst.tables.xlsx_cells import FAULT, NUMBER, SHARED, TEXT, TRUTH, Cells
from apps.analyst.tables.xlsx_formats import CellFormat
from apps.analyst.tables.xlsx_tags import Numbers, Unusual
from apps.analyst.tables.xlsx_text import cell_text, column_text, number_text, percent_text

MAX_COLUMNS = 2_000
"""In wider sheets columns are so short that nothing is gained."""
_PLAIN = r"^-?(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{0,13}[1-9])?$"
_LONGEST_PLAIN = 16
_FIGURE = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_MERGED = re.compile(rb'<mergeCell ref="([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})"')
_EPOCH = dt.datetime(1899, 12, 30)  # noqa: DTZ001 - spreadsheets know no zones
_EPOCH_1904 = dt.datetime(1904, 1, 1)  # noqa: DTZ001
_FIRST_DAY, _LAST_DAY = 61, 2_950_000
"""Day numbers that mean the same to every reader: from March 1900 to some day of 9976."""


@dataclass(frozen=True, slots=True)
class Book:
    """What the cells of a workbook's sheets point to."""

    strings: Any
    """The shared strings, trimmed, as an Arrow array; NULL where nothing is left."""
    dated: Numbers
    """By style, whether its figures are days or moments."""
    doubtful: Numbers
    """By style, whether that is not sure."""
    from_1904: bool


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """The columns of a sheet from its first to its last filled cell, NULL where a cell is empty."""

    columns: list[Any]
    first_row: int
    first_column: int
    mended: list[int]
    """Columns in which swapped days and months were swapped back."""
    hidden: int
    """Hidden rows; they are read as well."""


def read(archive: zipfile.ZipFile, part: str, book: Book, formats: dict[int, CellFormat]) -> SheetColumns:
    """The columns of a sheet. `formats`: by column, counted from A. Raises Unusual."""
    text = xlsx_cells.SheetText(archive, part)
    cells = _without_faults(_together(list(xlsx_cells.cells_in(text))))
    if not len(cells.rows):
        raise Unusual
    top, left = int(cells.rows.min()), int(cells.columns.min())
    height, width = int(cells.rows.max()) - top + 1, int(cells.columns.max()) - left + 1
    if (top + height) * (left + width) > xlsx_gate.MAX_CELLS or width > MAX_COLUMNS:
        raise Unusual
    merged = _merged_down(text.below)
    order = np.argsort(cells.columns.astype(np.int16), kind="stable")
    edges = np.searchsorted(cells.columns[order], np.arange(left, left + width + 1))
    columns, mended = [], []
    for index in range(width):
        chosen = order[edges[index] : edges[index + 1]]
        column = Column(_chosen(cells, chosen), top, height, book, formats.get(left + index, CellFormat()))
        spans = [(first - top, last - top) for at, first, last in merged if at == left + index]
        texts, swapped = column.texts(spans)
        columns.append(texts)
        if swapped:
            mended.append(index)
    while columns and columns[-1].null_count == height:
        columns.pop()
    if not columns:
        raise Unusual
    return SheetColumns(columns, top, left, mended, text.hidden)


def _together(blocks: list[Cells]) -> Cells:
    import pyarrow as pa

    return Cells(
        np.concatenate([block.rows for block in blocks]),
        np.concatenate([block.columns for block in blocks]),
        np.concatenate([block.kinds for block in blocks]),
        np.concatenate([block.styles for block in blocks]),
        pa.chunked_array([block.values for block in blocks], pa.string()).combine_chunks(),
    )


def _chosen(cells: Cells, chosen: Numbers) -> Cells:
    import pyarrow as pa

    return Cells(
        cells.rows[chosen],
        cells.columns[chosen],
        cells.kinds[chosen],
        cells.styles[chosen],
        cells.values.take(pa.array(chosen)),
    )


def _without_faults(cells: Cells) -> Cells:
    """Cells of errors are empty."""
    faults = cells.kinds == FAULT
    return _chosen(cells, np.flatnonzero(~faults)) if faults.any() else cells


def _merged_down(below: bytes) -> list[tuple[int, int, int]]:
    """Column, first and last row of cells merged downwards over one column."""
    found = []
    for left, top, right, bottom in _MERGED.findall(below):
        if left == right and 0 < int(bottom) - int(top) <= 10_000:
            found.append((xlsx_formats.column_index(left.decode()), int(top) - 1, int(bottom) - 1))
    return found


class Column:
    """The cells of one column on their way to text."""

    def __init__(self, cells: Cells, top: int, height: int, book: Book, shown: CellFormat) -> None:
        self._cells = cells
        self._places = cells.rows - top
        self._height = height
        self._book = book
        self._shown = shown
        if len(self._places) and (np.diff(self._places) <= 0).any():
            raise Unusual
        figures = cells.kinds == NUMBER
        styles = np.minimum(cells.styles, len(book.dated) - 1)
        if (figures & book.doubtful[styles]).any():
            raise Unusual
        self._dates = figures & book.dated[styles]

    def texts(self, merged: list[tuple[int, int]]) -> tuple[Any, bool]:
        """The column's texts, and whether its dates had been swapped. `merged`: rows that share the first one's
        value."""
        words = np.isin(self._cells.kinds, (SHARED, TEXT))
        may_be_swapped = min(int(words.sum()), int(self._dates.sum())) >= xlsx_dates.MIN_TEXTS
        if may_be_swapped or merged:
            return self._as_objects(merged)
        return self._as_arrays(words), False

    # ------------------------------------------------------------ whole arrays
    def _as_arrays(self, words: Numbers) -> Any:
        import pyarrow as pa

        pools, places = [], np.full(self._height, -1, np.int64)
        filled = 0
        plain_figures = (self._cells.kinds == NUMBER) & ~self._dates
        for chosen, read in (
            (words, self._words),
            (plain_figures, self._figures),
            (self._dates, self._days),
            (self._cells.kinds == TRUTH, self._truths),
        ):
            at = np.flatnonzero(chosen)
            if len(at):
                pools.append(read(at))
                places[self._places[at]] = np.arange(filled, filled + len(at))
                filled += len(at)
        if not pools:
            return pa.nulls(self._height, pa.string())
        pool = pa.chunked_array(pools, pa.string()).combine_chunks()
        if len(pool) == self._height and (places == np.arange(self._height)).all():
            return pool
        return pool.take(pa.array(places, mask=places < 0))

    def _values(self, at: Numbers) -> Any:
        import pyarrow as pa

        return self._cells.values if len(at) == len(self._cells.rows) else self._cells.values.take(pa.array(at))

    def _words(self, at: Numbers) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        values, shared = self._values(at), self._cells.kinds[at] == SHARED
        if shared.all():
            return self._shared(values)
        if shared.any():
            words = values.to_pylist()
            for place, word in zip(
                np.flatnonzero(shared).tolist(), self._shared(values.filter(pa.array(shared))).to_pylist(), strict=True
            ):
                words[place] = word
            values = pa.array(words, pa.string())
        trimmed = pc.utf8_trim_whitespace(values)
        return pc.if_else(pc.equal(trimmed, ""), pa.scalar(None, pa.string()), trimmed)

    def _shared(self, values: Any) -> Any:
        import pyarrow as pa

        try:
            return self._book.strings.take(values.cast(pa.int32()))
        except pa.ArrowException as error:
            raise Unusual from error

    def _figures(self, at: Numbers) -> Any:
        import pyarrow as pa
        import pyarrow.compute as pc

        values = self._values(at)
        if self._shown.percent:
            return _each(values, lambda text: percent_text(_float(text)))
        plain = pc.and_(
            pc.match_substring_regex(values, _PLAIN), pc.less_equal(pc.binary_length(values), _LONGEST_PLAIN)
        )
        if pc.all(plain).as_py():
            return values
        odd = _each(values.filter(pc.invert(plain)), lambda text: number_text(_float(text)))
        return pc.replace_with_mask(values, pc.invert(plain), odd.cast(pa.string()))

    def _truths(self, at: Numbers) -> Any:
        import pyarrow.compute as pc

        return pc.if_else(pc.equal(self._values(at), "1"), "true", "false")

    def _days(self, at: Numbers) -> Any:
        return _each(self._values(at), lambda text: cell_text(self._moment(text)))

    def _moment(self, text: str) -> dt.datetime:
        number = _float(text)
        if not (1 if self._book.from_1904 else _FIRST_DAY) <= number < _LAST_DAY:
            raise Unusual
        epoch = _EPOCH_1904 if self._book.from_1904 else _EPOCH
        return epoch + dt.timedelta(milliseconds=round(number * 86_400_000))

    # ------------------------------------------------------------ cell by cell
    def _as_objects(self, merged: list[tuple[int, int]]) -> tuple[Any, bool]:
        """For columns in which cells depend on each other."""
        import pyarrow as pa

        cells: list[Any] = [""] * self._height
        words = self._words_by_place()
        for position, (place, text) in enumerate(
            zip(self._places.tolist(), self._cells.values.to_pylist(), strict=True)
        ):
            kind = self._cells.kinds[position]
            if position in words:
                cells[place] = words[position]
            elif kind == TRUTH:
                cells[place] = text == "1"
            else:
                cells[place] = self._moment(text) if self._dates[position] else _float(text)
        for first, last in merged:
            if 0 <= first < self._height and cells[first] != "":
                for row in range(first + 1, min(last, self._height - 1) + 1):
                    cells[row] = cells[first] if cells[row] == "" else cells[row]
        swapped = bool(xlsx_dates.unswap([cells]))
        texts = column_text(cells, percent=self._shown.percent)
        return pa.array([text or None for text in texts], pa.string()), swapped

    def _words_by_place(self) -> dict[int, str]:
        at = np.flatnonzero(np.isin(self._cells.kinds, (SHARED, TEXT)))
        if not len(at):
            return {}
        return {place: word or "" for place, word in zip(at.tolist(), self._words(at).to_pylist(), strict=True)}


def _float(text: str) -> float:
    if not _FIGURE.fullmatch(text):
        raise Unusual
    return float(text)


def _each(values: Any, read: Callable[[str], str]) -> Any:
    """Every value read, each different one once."""
    import pyarrow as pa

    encoded = values.dictionary_encode()
    return pa.array([read(text) for text in encoded.dictionary.to_pylist()], pa.string()).take(encoded.indices)
