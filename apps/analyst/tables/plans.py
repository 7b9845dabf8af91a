"""What was decided about a column: its type, its unit, and how its cells are read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from apps.analyst.tables import dates, numbers
from apps.analyst.tables.words import ALWAYS_MISSING
from apps.analyst.types import ColumnType

CellValue = str | int | float | bool | Decimal | date | datetime | None
MAX_DECIMAL_PLACES = 4
"""Plain decimals with at most so many places are kept exactly (DECIMAL); more are measurements (DOUBLE)."""
MAX_DIGITS = 18
TELLING = 50
"""Columns with fewer filled cells have no stray cells: every one must fit."""


@dataclass(frozen=True, slots=True)
class FileHints:
    """What the rest of the file says where a column alone is ambiguous."""

    decimal_comma: bool | None = None
    day_first: bool | None = None
    workbook: bool = False
    """The cells come from a spreadsheet: figures are written with a point, dates may be day numbers."""


@dataclass(frozen=True, slots=True)
class ColumnPlan:
    """A column's decided type and its reader. `read` gives None for a cell that is not of the type."""

    type: ColumnType
    read: Callable[[str], CellValue]
    unit: str | None = None
    places: int = 0
    """Decimal places of a DECIMAL column."""
    missing_words: frozenset[str] = ALWAYS_MISSING
    native: bool = False
    """True where a plain cast of the trimmed text gives the same values as `read`."""
    number_style: numbers.NumberStyle | None = None
    date_style: dates.DateStyle | None = None
    date_format: str | None = None
    """How every date of the column is written, in the letters of strptime, where all are written alike."""
    marks: str | None = None
    """The characters around and between digits, where these are only currency signs, per cent, brackets and
    grouping."""
    python_only: bool = False
    """True where cells were seen that only `read` can read, not the SQL that is made of the plan."""
    notes: tuple[str, ...] = ()
    evidence: str = ""
    """What the column says to the other columns of its file: "us", "eu" (number marks), "mdy", "dmy" (date order)."""

    def is_missing(self, text: str) -> bool:
        """True where a trimmed cell means "no value" in this column."""
        return text.casefold() in self.missing_words


def tolerated(readable: int, total: int, *, share: float) -> bool:
    """Whether `readable` of `total` cells are practically all: every one in a short column, `share` in a long one."""
    return readable == total or (total >= TELLING and readable >= share * total)
