"""Tables as CSV and XLSX for other programs, exact and harmless: numbers stay numbers, text never becomes a formula."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

import codecs
import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO, Literal

from apps.analyst.errors import ExportFailed
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.neutral import csv_line, neutral, neutral_sql
from apps.analyst.tables.workbook import Book, SheetColumn, number_format
from apps.analyst.types import ColumnType, Scalar

ExportFormat = Literal["csv", "xlsx"]
MAX_SHEET_ROWS = 1_048_575
"""Rows that a sheet holds below its header."""
MAX_SHEET_COLUMNS = 16_384
MAX_SHEET_CELLS = 3_000_000
"""A workbook with more cells takes too long to write, and to open."""
_BATCH = 8_192


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column as it leaves: its name, its type, and the unit of its figures."""

    name: str
    type: ColumnType
    unit: str | None = None


def export_table(path: Path, columns: Sequence[ExportColumn], rows: int, target: Path, kind: ExportFormat) -> None:
    """Writes a typed Parquet table as a file for people. Raises ExportFailed where the format cannot hold it."""
    if kind == "csv":
        _table_as_csv(path, columns, target)
    else:
        refuse_large_sheet(len(columns), rows)
        write_book(columns, _rows_of(path), target)


def rows_as_csv(columns: Sequence[ExportColumn], rows: Sequence[Sequence[Scalar]]) -> bytes:
    """Rows in memory as the bytes of a CSV file for people."""
    lines = [_header(columns), *(csv_line((_cell_text(cell) for cell in row), "\n") for row in rows)]
    return codecs.BOM_UTF8 + "".join(lines).encode()


def refuse_large_sheet(columns: int, rows: int) -> None:
    """Raises ExportFailed for what a workbook cannot hold."""
    if rows > MAX_SHEET_ROWS or columns > MAX_SHEET_COLUMNS or rows * columns > MAX_SHEET_CELLS:
        raise ExportFailed(
            f"{rows:,} rows of {columns:,} columns are too many for a workbook: "
            f"it can have at most {MAX_SHEET_CELLS:,} cells. Please take the CSV file."
        )


# ---------------------------------------------------------------- CSV
def _table_as_csv(path: Path, columns: Sequence[ExportColumn], target: Path) -> None:
    """The header by hand, the rows by DuckDB; the mark in front is how spreadsheets know UTF-8."""
    import duckdb

    body = target.with_name(f"{target.name}.rows")
    cells = ", ".join(_sql_cell(column) for column in columns)
    with duckdb.connect(config={"threads": "1", "memory_limit": "256MB"}) as connection:
        connection.execute(
            f"COPY (SELECT {cells} FROM read_parquet({literal(str(path))})) TO {literal(str(body))} "
            f"(FORMAT csv, HEADER false, NULLSTR ''{_quoting(columns)})"
        )
    with target.open("w", encoding="utf-8-sig", newline="") as head:
        head.write(_header(columns))
    with target.open("ab") as whole, body.open("rb") as rows:
        shutil.copyfileobj(rows, whole, 1 << 20)
    body.unlink()


def _quoting(columns: Sequence[ExportColumn]) -> str:
    """All texts are quoted: DuckDB by itself leaves what only other readers take for the end of a cell."""
    texts = [quoted(column.name) for column in columns if column.type == "text"]
    return f", FORCE_QUOTE ({', '.join(texts)})" if texts else ""


def _sql_cell(column: ExportColumn) -> str:
    name = quoted(column.name)
    if column.type == "float":
        return f"CASE WHEN isfinite({name}) THEN {name} END"
    return f"{neutral_sql(name)} AS {name}" if column.type == "text" else name


def _header(columns: Sequence[ExportColumn]) -> str:
    return csv_line((neutral(column.name) for column in columns), "\n")


def _cell_text(cell: Scalar) -> str:
    if cell is None or (isinstance(cell, float) and not math.isfinite(cell)):
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ")
    return neutral(cell) if isinstance(cell, str) else str(cell)


# ---------------------------------------------------------------- XLSX
def _rows_of(path: Path) -> Iterator[tuple[Scalar, ...]]:
    import pyarrow.parquet as parquet

    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=_BATCH):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)


def write_book(columns: Sequence[ExportColumn], rows: Iterable[Sequence[Scalar]], target: Path | IO[bytes]) -> None:
    """A workbook of one sheet. Raises ExportFailed for a text that no cell can hold."""
    book = Book()
    book.table("Data", [SheetColumn(c.name, number_format(c.type, c.unit)) for c in columns], rows)
    book.save(target)
