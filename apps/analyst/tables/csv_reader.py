"""Reads a delimited text file into a grid of trimmed text."""

from __future__ import annotations

import csv

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import crosstab, layout, strays
from apps.analyst.tables import source as sources
from apps.analyst.tables.grid import Grid
from apps.analyst.tables.plans import FileHints
from apps.analyst.tables.rewriting import row_notes

csv.field_size_limit(sources.MAX_CELL)


def read(found: sources.Source) -> Grid:
    """The whole file as a grid. Raises ReadFailed where it holds no table."""
    rows = found.head_rows if found.whole else list(sources.rows_of(found))
    corner = crosstab.find_corner(rows)
    if corner is not None:
        facts, notes = crosstab.unfold(rows, corner)
        found_layout = layout.find(facts, len(facts[0]))
        return grid_from_rows(facts, found_layout, found.display_name, [*found.notes, *notes], FileHints())
    return grid_from_rows(rows, found.layout, found.display_name, list(found.notes), FileHints())


def grid_from_rows(
    rows: list[list[str]], found: layout.Layout, display_name: str, report: list[str], hints: FileHints
) -> Grid:
    """A grid from rows of text: blank rows and repeated headers left out, ragged rows filled up."""
    refuse_no_table(found, display_name)
    body = rows[found.first_data_row :]
    names = list(found.names)
    overflow = max((_filled_width(row) for row in body if len(row) > len(names)), default=0) - len(names)
    long = 0
    if overflow > 0:
        refuse_wide(len(names) + overflow, display_name)
        long = sum(1 for row in body if any(cell.strip() for cell in row[len(names) :]))
        names += [f"Column {number}" for number in range(len(names) + 1, len(names) + overflow + 1)]
    short = sum(1 for row in body if len(row) < len(found.names) and any(cell.strip() for cell in row))
    width = len(names)
    if any(len(row) != width for row in body):
        body = [row[:width] if len(row) >= width else [*row, *[""] * (width - len(row))] for row in body]
    columns = [[cell.strip() for cell in column] for column in zip(*body, strict=True)]
    header = [" ".join(cell.split()) for cell in rows[found.header_rows[-1]]] if found.header_rows else None
    columns, notes = tidy(columns, header)
    report.extend([*found.notes, *row_notes(short=short, long=long, overflow=overflow, repeated=0), *notes])
    if not columns or not columns[0]:
        raise ReadFailed(no_rows(display_name))
    return Grid(names, columns, report, hints, above=found.above)


def grid_from_columns(
    columns: list[list[str]], found: layout.Layout, display_name: str, report: list[str], hints: FileHints
) -> Grid:
    """A grid from whole columns of trimmed text, with the rows above the data still in them."""
    refuse_no_table(found, display_name)
    header = [" ".join(column[found.header_rows[-1]].split()) for column in columns] if found.header_rows else None
    width = len(found.names)
    columns, notes = tidy([column[found.first_data_row :] for column in columns[:width]], header)
    report.extend([*found.notes, *notes])
    if not columns or not columns[0]:
        raise ReadFailed(no_rows(display_name))
    return Grid(list(found.names), columns, report, hints, above=found.above)


def refuse_no_table(found: layout.Layout, display_name: str) -> None:
    """Raises ReadFailed where no table was found, or one too wide."""
    refuse_wide(len(found.names), display_name)
    if not found.names:
        raise ReadFailed(sources.nothing_in(display_name))


def tidy(columns: list[list[str]], header: list[str] | None) -> tuple[list[list[str]], list[str]]:
    """The columns without blank rows, repeated headers and merged lines between rows, and what to tell about these."""
    if not columns:
        return columns, []
    first, second = columns[0], columns[1] if len(columns) > 1 else columns[0]
    title = header[0] if header else None
    blank: set[int] = set()
    suspects: list[int] = []
    for index, cell in enumerate(first):
        if not cell:
            if not any(column[index] for column in columns):
                blank.add(index)
        elif cell == second[index] or cell == title:
            suspects.append(index)
    gone, notes = strays.find(len(first), blank, suspects, lambda index: [column[index] for column in columns], header)
    if gone:
        columns = [[cell for index, cell in enumerate(column) if index not in gone] for column in columns]
    return columns, notes


def _filled_width(row: list[str]) -> int:
    """The width of a row without its trailing empty cells."""
    width = len(row)
    while width and not row[width - 1].strip():
        width -= 1
    return width


def no_rows(display_name: str) -> str:
    """What is said of a header with nothing below it."""
    return f"{display_name} has a header but no rows of data."


def refuse_wide(width: int, display_name: str, most: int = layout.MAX_COLUMNS) -> None:
    """Raises ReadFailed where a table has more columns than can be kept."""
    if width > most:
        raise ReadFailed(f"{display_name} has more than {most:,} columns, the most that a table can have.")
