"""Reads a workbook's visible sheets into grids of text.

Values come from calamine (true dates, cached results of formulas); formats from the first rows; nothing is computed.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import crosstab, layout, xlsx_dates, xlsx_formats, xlsx_gate, xlsx_notes
from apps.analyst.tables.csv_reader import grid_from_columns, grid_from_rows, refuse_wide
from apps.analyst.tables.grid import Grid
from apps.analyst.tables.large_grid import HEAD_ROWS, LargeGrid
from apps.analyst.tables.plans import FileHints
from apps.analyst.tables.wording import counted
from apps.analyst.tables.xlsx_formats import CellFormat
from apps.analyst.tables.xlsx_large import LARGE, LargeSheets
from apps.analyst.tables.xlsx_notes import Note
from apps.analyst.tables.xlsx_text import Cell, column_text


def read_sheets(path: Path, display_name: str, large: int = LARGE) -> list[tuple[str, Grid | LargeGrid]]:
    """The non-empty visible sheets with their grids. Raises ReadFailed where there is none, or the file is no
    workbook. `large`: bytes of XML from which a sheet is read by whole columns."""
    import python_calamine as calamine

    with xlsx_gate.check(path, display_name) as archive:
        with _calamine_at_work(display_name):
            book = calamine.CalamineWorkbook.from_path(str(path))
            sheets = [meta for meta in book.sheets_metadata if meta.typ == calamine.SheetTypeEnum.WorkSheet]
        visible = [meta.name for meta in sheets if meta.visible == calamine.SheetVisibleEnum.Visible]
        skipped = [meta.name for meta in sheets if meta.visible != calamine.SheetVisibleEnum.Visible]
        return _visible(_Sheets(book, archive, display_name, large), visible, skipped, display_name)


def _visible(
    sheets: _Sheets, visible: Sequence[str], skipped: Sequence[str], display_name: str
) -> list[tuple[str, Grid | LargeGrid]]:
    grids: list[tuple[str, Grid | LargeGrid]] = []
    empty: list[str] = []
    reasons: list[ReadFailed] = []
    for name in visible:
        grid = None
        try:
            grid = sheets.table(name)
        except xlsx_gate.SheetsRefused:
            raise
        except ReadFailed as error:
            reasons.append(error)
        if grid is None:
            empty.append(name)
        else:
            grids.append((name, grid))
    if not grids:
        raise reasons[0] if reasons else ReadFailed(xlsx_gate.nothing_in(display_name))
    for names, kind in (
        (skipped, ("hidden sheet", "hidden sheets")),
        (empty, ("sheet without a table", "sheets without a table")),
    ):
        if names:
            left = counted(len(names), *kind)
            grids[0][1].report.append(f"{left} left out ({', '.join(names[:3])})")
    return grids


@contextmanager
def _calamine_at_work(display_name: str) -> Iterator[None]:
    """Raises ReadFailed for calamine's errors, which share no base that can be named, and for its panics (a date of a
    million years), which are no Exceptions."""
    try:
        yield
    except MemoryError:
        raise
    except Exception as error:
        raise ReadFailed(xlsx_gate.damaged(display_name)) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":
            raise
        raise ReadFailed(xlsx_gate.damaged(display_name)) from error


class _Sheets:
    """A workbook's sheets by name: the large ones by whole columns, the others cell by cell."""

    def __init__(self, book: Any, archive: zipfile.ZipFile, display_name: str, large: int) -> None:
        self._book = book
        self._archive = archive
        self._display_name = display_name
        self._parts = xlsx_formats.sheet_parts(archive)
        codes = xlsx_formats.style_codes(archive)
        self._formats = xlsx_formats.formats_of(codes)
        self._large = LargeSheets(archive, codes, display_name, large)
        self._hidden_rows: dict[str, int] | None = None

    def table(self, name: str) -> Grid | LargeGrid | None:
        """A sheet's table; None where the sheet is empty. Raises ReadFailed, SheetsRefused for the whole workbook."""
        part = self._parts.get(name, "")
        formats = xlsx_formats.by_column(self._archive, part, self._formats)
        large = self._large.table(part, formats)
        if large is not None:
            return large
        if self._hidden_rows is None:
            self._hidden_rows = xlsx_gate.check_sheets(self._archive, self._display_name)
        report = xlsx_gate.hidden_notes(self._hidden_rows.get(part, 0))
        return _small(self._book, name, self._display_name, formats, report, xlsx_notes.notes_of(self._archive, part))


def _small(
    book: Any, name: str, display_name: str, formats: dict[int, CellFormat], report: list[str], notes: list[Note]
) -> Grid | None:
    """One sheet's grid; None where it is empty. Raises ReadFailed where it holds no table."""
    with _calamine_at_work(display_name):
        sheet = book.get_sheet_by_name(name)
        if sheet.end is None:
            return None
        cells: list[list[Cell]] = sheet.to_python(skip_empty_area=True)
        start_row, start_column = sheet.start or (0, 0)
        merged = sheet.merged_cell_ranges or []
    width = max((len(row) for row in cells), default=0)
    refuse_wide(width, display_name)
    formats = {column - start_column: found for column, found in formats.items()}
    fill_merged(cells, merged, start_row, start_column)
    fill_groups(cells, merged, start_row, start_column)
    columns, mended = as_text(cells, formats)
    while columns and not any(columns[-1]):
        columns.pop()
    if not columns:
        return None
    grid = _grid(columns, display_name, report, formats)
    grid.above = (name, *grid.above)
    if len(grid.names) == len(columns):
        grid.report.extend(xlsx_dates.note(grid.names[index]) for index in mended)
        grid.descriptions = _descriptions(notes, grid.names, columns, (start_row, start_column))
        grid.report.extend(xlsx_notes.kept(grid.descriptions))
    return grid


def _descriptions(
    notes: list[Note], names: list[str], columns: list[list[str]], start: tuple[int, int]
) -> dict[str, str]:
    """What notes on the header say that columns hold, by name."""

    def said(row: int, column: int) -> str | None:
        return columns[column][row] if 0 <= column < len(columns) and 0 <= row < len(columns[0]) else None

    return xlsx_notes.on_headers(notes, names, said, start)


def _grid(columns: list[list[str]], display_name: str, report: list[str], formats: dict[int, CellFormat]) -> Grid:
    head = [list(row) for row in zip(*(column[:HEAD_ROWS] for column in columns), strict=True)]
    hints = FileHints(workbook=True)
    corner = crosstab.find_corner(head)
    if corner is not None:
        rows = [list(row) for row in zip(*columns, strict=True)]
        facts, notes = crosstab.unfold(rows, corner)
        return grid_from_rows(facts, layout.find(facts, len(facts[0])), display_name, [*report, *notes], hints)
    grid = grid_from_columns(columns, layout.find(head, len(columns)), display_name, report, hints)
    grid.units = xlsx_formats.units_of(formats, len(grid.names))
    return grid


def fill_merged(cells: list[list[Cell]], merged: Sequence[Any], start_row: int, start_column: int) -> None:
    """Writes the value of cells merged downwards into each row they cover (a label that stands for several rows)."""
    for (top, left), (bottom, right) in merged:
        if bottom == top or right != left or bottom - top > 10_000:
            continue
        column, first = left - start_column, top - start_row
        if not 0 <= first < len(cells) or not 0 <= column < len(cells[first]) or cells[first][column] == "":
            continue
        for row in range(first + 1, min(bottom - start_row, len(cells) - 1) + 1):
            if column < len(cells[row]) and cells[row][column] == "":
                cells[row][column] = cells[first][column]


def fill_groups(cells: list[list[Cell]], merged: Sequence[Any], start_row: int, start_column: int) -> None:
    """Writes a name merged over several columns of a header into each of them, so that it ends where its cell ends.

    Such a name stands right above words that name its columns, and beside other columns; a title stands over all.
    """
    for (top, left), (bottom, right) in merged:
        row, first, last = top - start_row, left - start_column, right - start_column
        if bottom != top or right == left or first < 1 or not 0 <= row < min(len(cells) - 1, layout.HEADER_SEARCH):
            continue
        name, below = cells[row][first], cells[row + 1][first : last + 1]
        if isinstance(name, str) and name and all(isinstance(cell, str) and cell for cell in below):
            cells[row][first : last + 1] = [name] * len(below)


def as_text(cells: list[list[Cell]], formats: dict[int, CellFormat]) -> tuple[list[list[str]], list[int]]:
    """The columns of cells in their canonical text form, shares that are shown as per cent in per cent.

    Also the positions of columns in which swapped days and months were swapped back.
    """
    columns: list[list[Cell]] = [list(column) for column in zip(*cells, strict=True)]
    mended = xlsx_dates.unswap(columns)
    texts = [
        column_text(column, percent=formats[index].percent if index in formats else False)
        for index, column in enumerate(columns)
    ]
    return texts, mended
