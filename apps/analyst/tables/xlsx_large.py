"""The large sheets of a workbook, read by whole columns where that is surely right."""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Sequence

import numpy as np

from apps.analyst.tables import large_grid, xlsx_cells, xlsx_columns, xlsx_dates, xlsx_formats, xlsx_gate, xlsx_notes
from apps.analyst.tables.large_grid import LargeGrid
from apps.analyst.tables.xlsx_columns import Book, SheetColumns
from apps.analyst.tables.xlsx_formats import CellFormat, StyleCode
from apps.analyst.tables.xlsx_tags import Unusual

LARGE = 4 << 20
"""Sheets of fewer bytes are read cell by cell as fast."""
_FROM_1904 = re.compile(rb'<workbookPr[^>]* date1904="(?:1|true)"')


class LargeSheets:
    """The sheets of a workbook that are worth reading by whole columns."""

    def __init__(
        self, archive: zipfile.ZipFile, codes: Sequence[StyleCode], display_name: str, large: int = LARGE
    ) -> None:
        """`large`: bytes of XML from which a sheet is large."""
        self._archive = archive
        self._display_name = display_name
        self._codes = codes
        self._from = large
        self._book: Book | None = None

    def table(self, part: str, formats: dict[int, CellFormat]) -> LargeGrid | None:
        """The table of a large sheet; None where a full reader is needed. Raises ReadFailed."""
        try:
            if self._archive.getinfo(part).file_size < self._from:
                return None
            self._book = self._book or _book(self._archive, self._codes)
            sheet = xlsx_columns.read(self._archive, part, self._book, formats)
        except (Unusual, KeyError, zipfile.BadZipFile, OSError, ValueError, EOFError, zlib.error):
            return None
        if large_grid.is_crosstab(sheet.columns):
            return None
        table = large_grid.of_sheet(sheet.columns, self._display_name, xlsx_gate.hidden_notes(sheet.hidden))
        formats = {column - sheet.first_column: found for column, found in formats.items()}
        table.units = xlsx_formats.units_of(formats, len(table.names))
        if len(table.names) == len(sheet.columns):
            table.report.extend(xlsx_dates.note(table.names[index]) for index in sheet.mended)
            table.descriptions = self._descriptions(part, sheet, table.names)
            table.report.extend(xlsx_notes.kept(table.descriptions))
        return table

    def _descriptions(self, part: str, sheet: SheetColumns, names: list[str]) -> dict[str, str]:
        """What notes on the header say that columns hold, by name."""

        def said(row: int, column: int) -> str | None:
            inside = 0 <= row < len(sheet.columns[0]) and 0 <= column < len(sheet.columns)
            return sheet.columns[column][row].as_py() if inside else None

        return xlsx_notes.on_headers(
            xlsx_notes.notes_of(self._archive, part), names, said, (sheet.first_row, sheet.first_column)
        )


def _book(archive: zipfile.ZipFile, codes: Sequence[StyleCode]) -> Book:
    """Raises Unusual."""
    import pyarrow.compute as pc

    days = [xlsx_formats.says_day(known) for known in codes] + [False]
    strings = pc.utf8_trim_whitespace(xlsx_cells.shared_strings(archive))
    return Book(
        pc.if_else(pc.equal(strings, ""), None, strings),
        np.array([day is True for day in days]),
        np.array([day is None for day in days]),
        bool(_FROM_1904.search(archive.read("xl/workbook.xml"))),
    )
