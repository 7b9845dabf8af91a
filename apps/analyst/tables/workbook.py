"""Workbooks that people take home, written by openpyxl row by row: cells of the right type and format, a header that
stays in sight, and text that never becomes a formula. What stands in which sheet is decided by the callers."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from itertools import chain, islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from apps.analyst.errors import ExportFailed
from apps.analyst.tables.neutral import risky
from apps.analyst.types import ColumnType, Scalar

if TYPE_CHECKING:
    from openpyxl.cell.cell import Cell
    from openpyxl.worksheet._write_only import WriteOnlyWorksheet

MAX_TEXT = 32_767
SURE_DIGITS = 15
"""A spreadsheet keeps so many digits of a figure; longer ones are written as text."""
_FIRST_DAY = date(1900, 3, 1)
"""Earlier days are counted wrongly by spreadsheets and are written as text."""
_MADE = datetime(2000, 1, 1)  # noqa: DTZ001 - the same content gives the same bytes; the format knows no time zones
_SAMPLE = 200
"""Rows that a column's width is taken from."""
_WIDEST = 60
_UNSAYABLE = re.compile("[\x00-\x08\x0b-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")


@dataclass(frozen=True, slots=True)
class SheetColumn:
    """A column of a sheet: its head, and how its figures and dates are shown."""

    name: str
    format: str = "General"


def number_format(type_: ColumnType, unit: str | None) -> str:
    """The format of a column's figures or dates, in the terms of spreadsheets."""
    if type_ == "date":
        return "yyyy-mm-dd"
    if type_ == "datetime":
        return "yyyy-mm-dd hh:mm:ss"
    if unit and len(unit) == 3 and unit.isupper() and type_ not in ("text", "boolean"):
        return f"[${unit}] #,##0{'' if type_ == 'integer' else '.00'}"
    return "General"


class Book:
    """A workbook in the making. Add its sheets in their order, then `save` it."""

    def __init__(self, *, cut: bool = False) -> None:
        """`cut` shortens texts that no cell can hold; without it they raise ExportFailed."""
        from openpyxl import Workbook
        from openpyxl.packaging.core import DocumentProperties

        self._cut = cut
        self._book = Workbook(write_only=True)
        self._book.properties = DocumentProperties(creator="", created=_MADE, modified=_MADE)

    def table(
        self, title: str, columns: Sequence[SheetColumn], rows: Iterable[Sequence[Scalar]], *, filtered: bool = False
    ) -> WriteOnlyWorksheet:
        """A sheet with a header that stays, and with a filter on each column where that is wished. Raises ExportFailed
        for a text that no cell can hold."""
        coming = iter(rows)
        sample = list(islice(coming, _SAMPLE))
        sheet = self._sheet(title, [_width(column.name, place, sample) for place, column in enumerate(columns)])
        sheet.freeze_panes = "A2"
        cells = _Cells(sheet, columns, cut=self._cut)
        sheet.append([cells.head(column.name) for column in columns])
        count = 0
        for count, row in enumerate(chain(sample, coming), start=1):
            sheet.append(cells.row(row, count))
        if filtered and count and columns:
            sheet.auto_filter.ref = f"A1:{_letter(len(columns))}{count + 1}"
        return sheet

    def notes(self, title: str, lines: Sequence[tuple[str, str]]) -> None:
        """A sheet of names with what is said under each."""
        from openpyxl.styles import Alignment

        sheet = self._sheet(title, [14, 100])
        cells = _Cells(sheet, [], cut=True)
        for name, said in lines:
            text = cells.text(said, 0)
            text.alignment = Alignment(wrap_text=True, vertical="top")
            sheet.append([cells.head(name), text])

    @staticmethod
    def cell_name(*, row: int, column: int) -> str:
        """What a cell is called in spreadsheets ("D2")."""
        return f"{_letter(column)}{row}"

    def save(self, target: Path | IO[bytes]) -> None:
        """Writes the file. Equal content gives equal bytes."""
        from openpyxl.writer.excel import ExcelWriter

        with _Archive(target, "w", ZIP_DEFLATED) as archive:
            ExcelWriter(self._book, archive).write_data()

    def _sheet(self, title: str, widths: Sequence[int]) -> WriteOnlyWorksheet:
        sheet: WriteOnlyWorksheet = self._book.create_sheet(title)
        for place, width in enumerate(widths, start=1):
            sheet.column_dimensions[_letter(place)].width = width
        return sheet


class _Cells:
    """The cells of a sheet. For figures and dates one cell a column is enough: it is written before the next is asked
    for."""

    def __init__(self, sheet: WriteOnlyWorksheet, columns: Sequence[SheetColumn], *, cut: bool) -> None:
        self._sheet, self._cut = sheet, cut
        self._figures = [self._cell() for _ in columns]
        for cell, column in zip(self._figures, columns, strict=True):
            cell.number_format = column.format

    def head(self, name: str) -> Cell:
        from openpyxl.styles import Border, Font, Side

        cell = self._cell(guarded=True)
        cell.font = Font(bold=True)
        cell.border = Border(bottom=Side("thin"))
        return self._say(cell, name, 0)

    def row(self, values: Sequence[Scalar], number: int) -> Iterator[Cell | None]:
        """The cells of a row, one after the other."""
        for value, figure in zip(values, self._figures, strict=True):
            kept = _kept(value)
            if kept is None:
                yield None
            elif isinstance(kept, str):
                yield self.text(kept, number)
            else:
                figure.value = kept
                yield figure

    def text(self, text: str, number: int) -> Cell:
        """A new cell that holds a text."""
        return self._say(self._cell(guarded=risky(text)), text, number)

    def _cell(self, *, guarded: bool = False) -> Cell:
        """`guarded` marks the cell as text, so that editing it makes no formula either."""
        from openpyxl.cell import WriteOnlyCell

        cell: Cell = WriteOnlyCell(self._sheet)
        if guarded:
            cell.quotePrefix = True
        return cell

    def _say(self, cell: Cell, text: str, number: int) -> Cell:
        said = sayable(text)
        if len(said) > MAX_TEXT and not self._cut:
            raise ExportFailed(
                f"Row {number:,} has a text of {len(text):,} characters; a cell of a workbook can have at most "
                f"{MAX_TEXT:,}. Please take the CSV file."
            )
        cell.value = said
        cell.data_type = "s"  # never "f", nor an error, whatever the text looks like
        return cell


class _Archive(ZipFile):
    """Files in it carry no time, so that the same content gives the same bytes."""

    def writestr(self, zinfo_or_arcname: str | ZipInfo, data: Any, *args: Any, **kwargs: Any) -> None:
        info = ZipInfo(str(zinfo_or_arcname))
        info.compress_type = ZIP_DEFLATED
        super().writestr(info, data)

    def write(self, filename: Any, arcname: Any = None, *args: Any, **kwargs: Any) -> None:
        info = ZipInfo(str(arcname))
        info.compress_type = ZIP_DEFLATED
        with Path(filename).open("rb") as source, self.open(info, "w", force_zip64=True) as target:
            while block := source.read(1 << 20):
                target.write(block)


def sayable(text: str) -> str:
    """A text with what XML cannot say written in the format's own way (`_x001F_`)."""
    return _UNSAYABLE.sub(_said, text)


def _said(found: re.Match[str]) -> str:
    mark = found[0]
    return f"_x005F{mark}" if len(mark) > 1 else f"_x{ord(mark):04X}_"


def _kept(value: Scalar) -> Scalar:
    """A value as a spreadsheet can keep it; what it would change is text."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, datetime):
        plain = value.astimezone(UTC).replace(tzinfo=None) if value.tzinfo else value
        return plain.isoformat(sep=" ") if plain.date() < _FIRST_DAY or plain.microsecond else plain
    if isinstance(value, date):
        return value.isoformat() if value < _FIRST_DAY else value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Decimal) and not value.is_finite():
        return None
    return str(value) if _digits(value) > SURE_DIGITS else value


def _digits(figure: int | Decimal) -> int:
    return len(figure.normalize().as_tuple().digits) if isinstance(figure, Decimal) else len(str(abs(figure)))


def _width(name: str, place: int, sample: Sequence[Sequence[Scalar]]) -> int:
    longest = max((len(_shown(row[place])) for row in sample), default=0)
    return min(_WIDEST, max(longest, len(name)) + 2)


def _shown(value: Scalar) -> str:
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, float | Decimal):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _letter(place: int) -> str:
    from openpyxl.utils import get_column_letter

    letter: str = get_column_letter(place)
    return letter
