"""What a statistic gives back: named figures, or a table, with the rule it followed and one plain sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal

from apps.analyst.telling import formats
from apps.analyst.types import ColumnType, Result, ResultColumn, Scalar

LEAST = 1e-4
"""Smaller figures are written as powers of ten."""


@dataclass(frozen=True, slots=True)
class StatisticResult:
    """A computed statistic.

    `figures` are the named values in reading order. Where the statistic is a table by nature (a correlation matrix,
    frequencies) `columns` and `rows` hold it and `figures` its key values, if any.
    """

    name: str
    figures: Mapping[str, Scalar] = field(default_factory=dict)
    columns: tuple[ResultColumn, ...] = ()
    rows: tuple[tuple[Scalar, ...], ...] = ()
    rule: str = ""
    """The rule and its numbers in words: "below Q1 - 1.5 IQR or above Q3 + 1.5 IQR; quartiles interpolated"."""
    sentence: str = ""
    """The finding in one sentence for people who do no statistics."""
    notes: tuple[str, ...] = ()
    """What was done to the data on the way: values read as numbers, rows left out."""
    picture: Result | None = None
    """What a chart of the finding is drawn from where that is not the table itself: the points of a correlation."""
    units: Mapping[str, str] = field(default_factory=dict)
    """Units of figures by their names; those in "%" are in per cent (12.4 is 12.4 %)."""
    rows_used: int = 0
    """Rows the figures stand on, after everything was left out."""

    def result(self) -> Result:
        """The table, or the figures as a table of one row."""
        if self.columns:
            return Result(columns=self.columns, rows=self.rows, total_rows=len(self.rows))
        names = tuple(self.figures)
        values = tuple(self.figures[name] for name in names)
        columns = tuple(measure(n, value, self.units.get(n)) for n, value in zip(names, values, strict=True))
        return Result(columns=columns, rows=(values,), total_rows=1)


def type_of(value: Scalar) -> ColumnType:
    """The column type that holds a value; text where it is missing."""
    match value:
        case bool():
            return "boolean"
        case int():
            return "integer"
        case float():
            return "float"
        case Decimal():
            return "decimal"
        case datetime():
            return "datetime"
        case date():
            return "date"
        case _:
            return "text"


def measure(name: str, value: Scalar, unit: str | None = None) -> ResultColumn:
    """A result column for one figure; texts are dimensions, all else measures."""
    kind = type_of(value)
    return ResultColumn(name=name, type=kind, kind="dimension" if kind == "text" else "measure", unit=unit)


def words(result: StatisticResult) -> str:
    """The finding in one plain sentence, e.g. "The two move together strongly (Pearson r = 0.82 over 412 rows)."."""
    return result.sentence


def prose(value: Scalar) -> str:
    """A figure in a sentence: three significant digits, a word from a million on; whole numbers, names and days as they
    are. The exact one stands in the table."""
    if not isinstance(value, float | Decimal) or value != value:
        return figure_text(value)
    size = formats.magnitude(value)
    if 0 < size < LEAST:
        return figure_text(value)
    whole = size == int(size)
    told = formats.scaled(size) or formats.plain_number(size if whole else formats.significant(size))
    return f"{formats.MINUS}{told}" if value < 0 else told


def figure_text(value: Scalar) -> str:
    """A figure as people read it: four significant digits below 1,000, thousands separators above."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float | Decimal):
        number = float(value)
        if number != number:
            return "nothing"
        if number.is_integer() and abs(number) < 1e15:
            return f"{int(number):,}"
        if abs(number) >= 1000:
            return f"{number:,.2f}"
        return f"{number:.4g}" if abs(number) >= LEAST else f"{number:.2e}"
    return value.isoformat() if isinstance(value, date | datetime) else str(value)
