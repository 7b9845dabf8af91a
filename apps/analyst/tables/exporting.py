"""Tables as CSV and XLSX for other programs, exact and harmless: numbers stay numbers, text never becomes a formula."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

import codecs
import io
import math
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from apps.analyst.errors import ExportFailed
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.neutral import csv_line, neutral, neutral_sql, risky
from apps.analyst.types import ColumnType, Scalar

ExportFormat = Literal["csv", "xlsx"]
MAX_SHEET_ROWS = 1_048_575
"""Rows that a sheet holds below its header."""
MAX_SHEET_COLUMNS = 16_384
MAX_SHEET_TEXT = 32_767
MAX_SHEET_CELLS = 3_000_000
"""A workbook with more cells takes too long to write, and to open."""
SURE_DIGITS = 15
"""A spreadsheet keeps so many digits of a figure; longer ones are written as text."""
_FIRST_DAY = date(1900, 3, 1)
"""Earlier days are counted wrongly by spreadsheets and are written as text."""
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
        _write_sheet(columns, _rows_of(path), target)


def export_rows(columns: Sequence[ExportColumn], rows: Sequence[Sequence[Scalar]], kind: ExportFormat) -> bytes:
    """Rows in memory as the bytes of a file for people. Raises ExportFailed where the format cannot hold them."""
    if kind == "xlsx":
        refuse_large_sheet(len(columns), len(rows))
        out = io.BytesIO()
        _write_sheet(columns, rows, out)
        return out.getvalue()
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


def _write_sheet(columns: Sequence[ExportColumn], rows: Iterable[Sequence[Scalar]], target: Path | io.BytesIO) -> None:
    """A workbook of one sheet. Text is written as text cells marked as such, so that editing one makes no formula."""
    import xlsxwriter

    book = xlsxwriter.Workbook(
        str(target) if isinstance(target, Path) else target,
        {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False},
    )
    sheet = book.add_worksheet("Data")
    formats = _Formats(book)
    for index, column in enumerate(columns):
        sheet.write_string(0, index, column.name, formats.head)
    sheet.freeze_panes(1, 0)
    kinds = [formats.of(column) for column in columns]
    for number, row in enumerate(rows, start=1):
        for index, cell in enumerate(row):
            if cell is not None:
                _write_cell(sheet, number, index, cell, kinds[index], formats.text)
    book.close()


class _Formats:
    """The cell formats of a workbook."""

    def __init__(self, book: Any) -> None:
        self._book = book
        self.head = book.add_format({"bold": True, "quote_prefix": True})
        self.text = book.add_format({"quote_prefix": True})

    def of(self, column: ExportColumn) -> Any:
        """How a column's figures and dates are shown."""
        if column.type == "date":
            return self._book.add_format({"num_format": "yyyy-mm-dd"})
        if column.type == "datetime":
            return self._book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
        if column.unit and len(column.unit) == 3 and column.unit.isupper() and column.type != "text":
            places = "" if column.type == "integer" else ".00"
            return self._book.add_format({"num_format": f"[${column.unit}] #,##0{places}"})
        return None


def _write_cell(sheet: Any, row: int, column: int, cell: Scalar, kind: Any, text: Any) -> None:
    if isinstance(cell, bool):
        sheet.write_boolean(row, column, cell)
    elif isinstance(cell, str):
        if len(cell) > MAX_SHEET_TEXT:
            raise ExportFailed(
                f"Row {row:,} has a text of {len(cell):,} characters; a cell of a workbook can have at most "
                f"{MAX_SHEET_TEXT:,}. Please take the CSV file."
            )
        sheet.write_string(row, column, cell, text if risky(cell) else None)
    elif isinstance(cell, datetime):
        if cell.date() < _FIRST_DAY or cell.microsecond:
            sheet.write_string(row, column, cell.isoformat(sep=" "))
        else:
            sheet.write_datetime(row, column, cell, kind)
    elif isinstance(cell, date):
        if cell < _FIRST_DAY:
            sheet.write_string(row, column, cell.isoformat())
        else:
            sheet.write_datetime(row, column, datetime(cell.year, cell.month, cell.day), kind)  # noqa: DTZ001
    elif isinstance(cell, float):
        if math.isfinite(cell):
            sheet.write_number(row, column, cell, kind)
    elif _digits(cell) > SURE_DIGITS:
        sheet.write_string(row, column, str(cell))
    else:
        sheet.write_number(row, column, cell, kind)


def _digits(figure: int | Decimal | None) -> int:
    if isinstance(figure, Decimal):
        return len(figure.normalize().as_tuple().digits)
    return len(str(abs(figure or 0)))
