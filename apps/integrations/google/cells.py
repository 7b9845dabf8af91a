"""A tab's cells as a CSV file: ragged rows made even, dates as ISO text, percents and money as people wrote them. Pure.

Values are asked for unformatted, with dates as day counts: what the sheet shows is rounded, and its dates depend on a
locale. The number format of the column says which numbers are dates, percents or money.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, Literal

from apps.analyst.tables.neutral import csv_line

Kind = Literal["plain", "date", "datetime", "time", "percent", "money"]

_KINDS: dict[str, Kind] = {
    "DATE": "date",
    "DATE_TIME": "datetime",
    "TIME": "time",
    "PERCENT": "percent",
    "CURRENCY": "money",
}
_SYMBOL = re.compile("[$€£¥₹]")
_DAY_ZERO = datetime(1899, 12, 30)  # noqa: DTZ001 - a sheet's dates have no zone
_LAST_DAY = 2_958_465
"""The day count of 9999-12-31."""


@dataclass(frozen=True, slots=True)
class ColumnFormat:
    """What the numbers of a column are; `symbol` is the currency's sign, where the format shows one."""

    kind: Kind = "plain"
    symbol: str = ""


PLAIN = ColumnFormat()


def column_formats(rows: Sequence[Sequence[Mapping[str, Any]]]) -> list[ColumnFormat]:
    """The format most cells of each column have, from a tab's first rows; the header's own rarely has one."""
    width = max(map(len, rows), default=0)
    columns = []
    for at in range(width):
        seen = Counter(_format(row[at]) for row in rows if at < len(row) and row[at])
        columns.append(seen.most_common(1)[0][0] if seen else PLAIN)
    return columns


def _format(number_format: Mapping[str, Any]) -> ColumnFormat:
    kind = _KINDS.get(str(number_format.get("type", "")), "plain")
    pattern = str(number_format.get("pattern", "")).replace("[$", "")  # [$€-407] is a euro of Germany
    symbol = _SYMBOL.search(pattern) if kind == "money" else None
    return ColumnFormat(kind, symbol.group() if symbol else "")


def csv_bytes(rows: Iterable[Sequence[Any]], formats: Sequence[ColumnFormat] = ()) -> bytes | None:
    """The rows as UTF-8 CSV, every row as wide as the widest; None where no cell holds anything."""
    texts = [
        [cell_text(cell, formats[at] if at < len(formats) else PLAIN) for at, cell in enumerate(row)] for row in rows
    ]
    while texts and not any(texts[-1]):
        texts.pop()
    width = max((_filled(row) for row in texts), default=0)
    if width == 0:
        return None
    return "".join(csv_line((row + [""] * width)[:width], "\n") for row in texts).encode()


def _filled(row: Sequence[str]) -> int:
    """How many cells the row has up to its last one that holds something."""
    return max((at for at, text in enumerate(row, 1) if text), default=0)


def cell_text(cell: object, column: ColumnFormat = PLAIN) -> str:
    """A cell as a CSV file writes it."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, int | float):
        return _number_text(cell, column)
    return str(cell)


def _number_text(number: float, column: ColumnFormat) -> str:
    exact = Decimal(repr(number)) if isinstance(number, float) else Decimal(number)
    match column.kind:
        case "date" | "datetime" if 0 <= number <= _LAST_DAY + 1:
            return _moment(number, day_only=column.kind == "date")
        case "time" if 0 <= number < 1:
            return _moment(number, day_only=False)[11:]
        case "percent":
            return f"{_plain(exact * 100)}%"
        case "money" if column.symbol:
            return f"{'-' if exact < 0 else ''}{column.symbol}{_plain(abs(exact))}"
        case _:
            return _plain(exact)


def _moment(days: float, *, day_only: bool) -> str:
    moment = _DAY_ZERO + timedelta(seconds=round(days * 86_400))
    return moment.date().isoformat() if day_only else moment.isoformat(sep=" ")


def _plain(number: Decimal) -> str:
    """Without an exponent and without needless zeros: 1E+3 is 1000, 0.10 is 0.1."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
