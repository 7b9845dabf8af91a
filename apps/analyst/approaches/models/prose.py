"""Is every figure of a text in its result, or does it follow from it? Pure. Where not, the template speaks instead.

A figure follows by a stated operation: it is a cell, a count of rows, a sum of a column, a difference, a share or a
relative change of two cells of one column, each as exactly as the text writes it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from apps.analyst.types import Result, Scalar

_FIGURE = re.compile(
    r"(?<![\w.,])[-\u2212]?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|k|m|bn|million|thousand|billion)\b|%)?", re.IGNORECASE
)
_SCALE = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_MARKUP = re.compile(r"!\[|\]\(|<[a-z/!]|https?:|```|\|\s*-{3}", re.IGNORECASE)
MOST_ROWS = 60
MOST_TEXT = 3_000


def acceptable(text: str, result: Result, asked: str) -> bool:
    """True where the text may stand: short, without links, images, HTML or tables, and with no figure of its own.

    Figures of the question may be repeated.
    """
    if not text.strip() or len(text) > MOST_TEXT or _MARKUP.search(text):
        return False
    known = list(_known(result))
    said = [value for value, _ in figures(asked)]
    return all(_found(value, half, known) or value in said for value, half in figures(text))


def figures(text: str) -> Iterator[tuple[float, float]]:
    """Each figure of a text with half of its last digit's step."""
    for match in _FIGURE.finditer(text):
        raw = match.group().replace("\u2212", "-").replace(",", "").lower().strip()
        number = re.match(r"-?\d+(?:\.\d+)?", raw)
        if number is None:
            continue
        scale = _SCALE.get(raw[number.end() :].strip(" %"), 1.0)
        places = len(number.group().partition(".")[2])
        yield float(number.group()) * scale, 0.5 * 10**-places * scale


def _found(value: float, half: float, known: Iterable[float]) -> bool:
    """A figure may leave out its sign ("fell by 5 %")."""
    return any(abs(abs(value) - abs(one)) <= half * (1 + 1e-9) for one in known)


def _known(result: Result) -> Iterator[float]:
    yield float(result.total_rows)
    columns = [[_numbers(row[i]) for row in result.rows[:MOST_ROWS]] for i in range(len(result.columns))]
    for cells in columns:
        values = [number for cell in cells for number in cell]
        yield from values
        plain = [cell[0] for cell in cells if len(cell) == 1]
        if len(plain) < 2:
            continue
        total = sum(plain)
        yield from (total, total / len(plain))
        for a in plain:
            if total:
                yield 100 * a / total
            for b in plain:
                yield a - b
                if b:
                    yield from (100 * (a - b) / abs(b), a / b)


def _numbers(cell: Scalar) -> list[float]:
    """The figures of a cell: its number, the parts of its date, or the figures in its text."""
    if cell is None or isinstance(cell, bool):
        return []
    if isinstance(cell, date):
        return [float(cell.year), float(cell.month), float(cell.day), float((cell.month - 1) // 3 + 1)]
    if isinstance(cell, int | float | Decimal):
        return [float(cell)]
    return [value for value, _ in figures(str(cell))]
