"""Finds rows of totals among the rows of data. A row goes only if it says so and its figures are sums of the rows
above it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

_WORD = r"(?:sub)?totals?|sums?|gesamt(?:summe|ergebnis)?|summe|suma"
_LABEL = re.compile(
    rf"(?:(?:grand|sub|overall|net|running|report|all|gross)[\s-]*)?(?:{_WORD})(?:\s*[:.=])?"
    r"|.{1,60}\s(?:sub)?totals?\s*:?|(?:sub)?totals?\s(?:for|of|in)?\s*.{1,60}",
    re.IGNORECASE,
)
MAX_CANDIDATES = 2_000
PLAIN_LABELS = frozenset(
    write(f"{front}{word}{mark}")
    for front in ("", "grand ", "sub ", "sub-", "sub", "overall ")
    for word in ("total", "totals")
    for mark in ("", ":")
    for write in (str.lower, str.upper, str.title, str.capitalize)
)
"""What marks a row of totals in whatever column it stands; longer labels stand first in their row."""


def is_total_label(cell: str) -> bool:
    """Whether a cell is worded like the label of a row or column of totals."""
    return bool(_LABEL.fullmatch(cell.strip()))


def label_of(row: Sequence[str]) -> str:
    """The first filled cell of a row."""
    return next((cell for cell in row if cell), "")


def total_rows(columns: Sequence[Sequence[Decimal | None]], candidates: Sequence[int]) -> list[int]:
    """Which of the candidate rows are sums: of all other rows above them, or of those since the total before.

    `columns`: the figures of every column that may be added up, row by row.
    """
    confirmed: list[int] = []
    excluded = set(candidates)
    for row in candidates:
        after = max((other for other in confirmed if other < row), default=-1)
        spans = [range(row), range(after + 1, row)]
        if any(_is_sum(columns, row, [i for i in span if i not in excluded]) for span in spans):
            confirmed.append(row)
    return confirmed


def _is_sum(columns: Sequence[Sequence[Decimal | None]], row: int, parts: Sequence[int]) -> bool:
    """Whether a row's figures are the sums of `parts`."""
    if len(parts) < 2:
        return False
    figures, sums = [], []
    for column in columns:
        figure = column[row]
        if figure is not None:
            values = [value for index in parts if (value := column[index]) is not None]
            figures.append(figure)
            sums.append(sum(values, Decimal(0)) if values else None)
    return agree(figures, sums, len(parts))


def agree(figures: Sequence[Decimal], sums: Sequence[Decimal | None], count: int) -> bool:
    """Whether at least half of the figures, and one that is not zero, are the sums (of `count` parts each) beside
    them."""
    matching = telling = 0
    for figure, total in zip(figures, sums, strict=True):
        if total is not None and abs(total - figure) <= _tolerance(figure, count):
            matching += 1
            telling += bool(figure)
    return telling > 0 and matching * 2 >= len(figures)


def _tolerance(figure: Decimal, count: int) -> Decimal:
    """How far rounded parts may add up beside a rounded sum; whole numbers must meet exactly."""
    exponent = figure.as_tuple().exponent
    if not isinstance(exponent, int) or exponent >= 0:
        return Decimal(0)
    rounding = Decimal(1).scaleb(exponent) / 2 * min(count, 20)
    return max(rounding, abs(figure) * Decimal("1e-9"))
