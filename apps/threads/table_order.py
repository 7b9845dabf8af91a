"""The order in which a reader has put an answer's table, for the file that is taken home: the page sorts the same way.

Figures by their value, texts as people read them (numbers in them count, capitals and accents do not); rows without a
value come last in both directions, equal rows keep their order. `assets/features/answer/table-order.ts` is its twin.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from apps.analyst.types import Scalar

_PARTS = re.compile(r"\d+|\D")


@dataclass(frozen=True, slots=True)
class TableOrder:
    """The column that rows are sorted by, counted from 0."""

    column: int
    descending: bool = False


def in_order(rows: Sequence[Sequence[Scalar]], order: TableOrder | None) -> Sequence[Sequence[Scalar]]:
    """The rows as the reader sees them."""
    if order is None:
        return rows
    valued = [row for row in rows if row[order.column] is not None]
    missing = [row for row in rows if row[order.column] is None]
    return [*sorted(valued, key=lambda row: _place(row[order.column]), reverse=order.descending), *missing]


def _place(cell: Scalar) -> tuple[int, int | float | Decimal, tuple[tuple[int, int, str], ...]]:
    if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
        return 0, cell, ()
    said = str(cell).lower() if isinstance(cell, bool) else cell.isoformat() if isinstance(cell, date) else str(cell)
    return 1, 0, _as_read(said)


def _as_read(text: str) -> tuple[tuple[int, int, str], ...]:
    """Blanks and signs before figures, figures before letters."""
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(sign))
    return tuple(
        (1, int(part), "") if part.isdecimal() else (2 if part.isalpha() else 0, 0, part)
        for part in _PARTS.findall(plain)
    )
