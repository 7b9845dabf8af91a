"""Reads a workbook's visible sheets into grids of text.

Values come from calamine (true dates, cached results of formulas); formats from the first rows; nothing is computed.
"""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import crosstab, layout, xlsx_dates, xlsx_formats, xlsx_gate
from apps.analyst.tables.csv_reader import grid_from_columns, grid_from_rows, too_wide
from apps.analyst.tables.grid import Grid
from apps.analyst.tables.plans import FileHints
from apps.analyst.tables.wording import counted, was
from apps.analyst.tables.xlsx_formats import CellFormat

HEAD_ROWS = 500
"""The header is looked for in so many first rows."""
Cell = Any
"""What calamine gives: text, float, bool, a date, a moment, a time of day or a span of time."""


def read_sheets(path: Path, display_name: str) -> list[tuple[str, Grid]]:
    """The non-empty visible sheets with their grids. Raises ReadFailed where there is none, or the file is no
    workbook."""
    archive = xlsx_gate.check(path, display_name)
    with archive:
        hidden_rows = xlsx_gate.check_sheets(archive, display_name)
        return _read(path, display_name, archive, hidden_rows)


def _read(
    path: Path, display_name: str, archive: zipfile.ZipFile, hidden_rows: dict[str, int]
) -> list[tuple[str, Grid]]:
    import python_calamine as calamine

    try:
        book = calamine.CalamineWorkbook.from_path(str(path))
        sheets = list(book.sheets_metadata)
    except Exception as error:  # calamine's errors share no base that can be named
        raise ReadFailed(xlsx_gate.damaged(display_name)) from error
    parts, known = xlsx_formats.sheet_parts(archive), xlsx_formats.styles(archive)
    grids: list[tuple[str, Grid]] = []
    skipped: list[str] = []
    empty: list[str] = []
    reasons: list[ReadFailed] = []
    for meta in sheets:
        if meta.typ != calamine.SheetTypeEnum.WorkSheet:
            continue
        if meta.visible != calamine.SheetVisibleEnum.Visible:
            skipped.append(meta.name)
            continue
        part = parts.get(meta.name, "")
        formats = xlsx_formats.by_column(archive, part, known)
        try:
            grid = _sheet(book, meta.name, display_name, formats, hidden_rows.get(part, 0))
        except ReadFailed as error:
            reasons.append(error)
            grid = None
        if grid is None:
            empty.append(meta.name)
        else:
            grids.append((meta.name, grid))
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


def _sheet(book: Any, name: str, display_name: str, formats: dict[int, CellFormat], hidden: int) -> Grid | None:
    """One sheet's grid; None where it is empty. Raises ReadFailed where it holds no table."""
    try:
        sheet = book.get_sheet_by_name(name)
        if sheet.end is None:
            return None
        cells: list[list[Cell]] = sheet.to_python(skip_empty_area=True)
        start_row, start_column = sheet.start or (0, 0)
        merged = sheet.merged_cell_ranges or []
    except Exception as error:  # calamine's errors share no base that can be named
        raise ReadFailed(xlsx_gate.damaged(display_name)) from error
    width = max((len(row) for row in cells), default=0)
    if width > layout.MAX_COLUMNS:
        raise ReadFailed(too_wide(display_name))
    formats = {column - start_column: found for column, found in formats.items()}
    fill_merged(cells, merged, start_row, start_column)
    columns, mended = as_text(cells, formats)
    while columns and not any(columns[-1]):
        columns.pop()
    if not columns:
        return None
    report = []
    if hidden:
        report.append(f"{counted(hidden, 'hidden row')} {was(hidden)} read as well")
    grid = _grid(columns, display_name, report, formats)
    for index in mended:
        if index < len(grid.names) == len(columns):
            grid.report.append(
                f"{grid.names[index]}: day and month had been swapped where both are 12 or less; they were swapped back"
            )
    return grid


def _grid(columns: list[list[str]], display_name: str, report: list[str], formats: dict[int, CellFormat]) -> Grid:
    head = [list(row) for row in zip(*(column[:HEAD_ROWS] for column in columns), strict=True)]
    hints = FileHints(workbook=True)
    corner = crosstab.find_corner(head)
    if corner is not None:
        rows = [list(row) for row in zip(*columns, strict=True)]
        facts, notes = crosstab.unfold(rows, corner)
        return grid_from_rows(facts, layout.find(facts, len(facts[0])), display_name, [*report, *notes], hints)
    grid = grid_from_columns(columns, layout.find(head, len(columns)), display_name, report, hints)
    grid.units = {index: shown.unit for index, shown in formats.items() if shown.unit and 0 <= index < len(grid.names)}
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


def as_text(cells: list[list[Cell]], formats: dict[int, CellFormat]) -> tuple[list[list[str]], list[int]]:
    """The columns of cells in their canonical text form, shares that are shown as per cent in per cent.

    Also the positions of columns in which swapped days and months were swapped back.
    """
    columns: list[list[Cell]] = [list(column) for column in zip(*cells, strict=True)]
    mended = xlsx_dates.unswap(columns)
    texts = [
        _column_text(column, percent=formats[index].percent if index in formats else False)
        for index, column in enumerate(columns)
    ]
    return texts, mended


def _column_text(column: list[Cell], *, percent: bool) -> list[str]:
    if percent:
        return [percent_text(cell) if type(cell) is float else cell_text(cell) for cell in column]
    kinds = set(map(type, column))
    if kinds == {str}:
        return [cell.strip() for cell in column]
    if kinds == {float}:
        return _figures(column)
    if kinds <= {str, float}:
        figures = iter(_figures([cell for cell in column if type(cell) is float]))
        return [next(figures) if type(cell) is float else cell.strip() for cell in column]
    known: dict[Cell, str] = {}
    if kinds <= {str, dt.datetime, dt.date}:
        for cell in set(column):
            known[cell] = cell_text(cell)
        return [known[cell] for cell in column]
    return [cell_text(cell) for cell in column]


def _figures(column: list[Cell]) -> list[str]:
    """`number_text` of a column of nothing but figures, in bulk."""
    texts = list(map(repr, column))
    together = "".join(texts)
    if max(map(len, texts)) > 16 or "e" in together or "n" in together:
        return list(map(number_text, column))
    return [text[:-2] if text.endswith(".0") else text for text in texts]


def cell_text(cell: Cell) -> str:
    """A cell's value in its canonical text form. Figures have the 15 digits that a spreadsheet shows."""
    if isinstance(cell, str):
        return cell.strip()
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return number_text(cell)
    if isinstance(cell, dt.datetime):
        return cell.isoformat(sep=" ") if cell.time() != dt.time() else cell.date().isoformat()
    if isinstance(cell, dt.date | dt.time):
        return cell.isoformat()
    return "" if cell is None else str(cell)


def number_text(value: float) -> str:
    """A figure as a spreadsheet knows it: 15 significant digits, whole numbers without a point."""
    text = repr(value)
    if len(text) <= 16 and "e" not in text and "n" not in text:
        return text[:-2] if text.endswith(".0") else text
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return f"{Decimal(f'{value:.15g}'):f}" if 1e-9 < abs(value) < 1e18 else f"{value:.15g}"


def percent_text(value: float) -> str:
    """A share as per cent: 0.125 is 12.5."""
    return f"{(Decimal(f'{value:.13g}') * 100).normalize():f}"
