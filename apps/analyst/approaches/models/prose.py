"""Is every figure of a text in its result, or does it follow from it? Pure. Where not, the template speaks instead.

A figure follows by a stated operation: it is a cell, a count of rows, a sum of a column, a difference, a share or a
relative change of two cells of one column, each as exactly as the text writes it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from apps.analyst.types import Result, Scalar

_FIGURE = re.compile(
    r"(?<![\w.,])[-\u2212]?\d[\d,]*(?:\.\d+)?(?:\s?(?:%|k|m|bn|million|thousand|billion)\b|%)?", re.IGNORECASE
)
_SCALE = {"k": 1e3, "thousand": 1e3, "m": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_MARKUP = re.compile(r"!\[|\]\(|<[a-z/!]|https?:|```|\|\s*-{3}", re.IGNORECASE)
_SENTENCE = re.compile(r"[.!?:][*_)\"”’]*\s|\n")
"""Where a sentence of a growing text has ended: its stop, and the space that shows that no digit follows."""
MOST_ROWS = 60
MOST_TEXT = 3_000


def acceptable(text: str, result: Result, asked: str) -> bool:
    """True where the text may stand: short, without links, images, HTML or tables, and with no figure of its own.

    Figures of the question may be repeated.
    """
    return _stands(text, [*_known(result)], [value for value, _ in figures(asked)])


def _stands(text: str, known: Iterable[float], said: Iterable[float]) -> bool:
    if not text.strip() or len(text) > MOST_TEXT or _MARKUP.search(text):
        return False
    return all(_found(value, half, known) or value in said for value, half in figures(text))


@dataclass
class Telling:
    """A model's text while it comes, shown a sentence at a time.

    A sentence is shown once all text up to its end is acceptable, so a figure that is not in the result is never seen:
    numbers are never written by a model, not even for a moment. What was shown is withdrawn (by showing "") where a
    later sentence fails or the stream breaks, and the template speaks instead.
    """

    result: Result
    asked: str
    show: Callable[[str], None]
    heard: str = ""
    shown: str = ""
    failed: bool = False
    _known: list[float] = field(init=False)
    _said: list[float] = field(init=False)

    def __post_init__(self) -> None:
        self._known = [*_known(self.result)]
        self._said = [value for value, _ in figures(self.asked)]

    def hear(self, piece: str) -> None:
        """Takes the next piece; shows the sentences that are whole by now."""
        self.heard += piece
        ends = [found.end() for found in _SENTENCE.finditer(self.heard)]
        whole = self.heard[: ends[-1]].strip() if ends else ""
        if self.failed or len(whole) <= len(self.shown):
            return
        if not _stands(whole, self._known, self._said):
            self.withdraw()
            return
        self.shown = whole
        self.show(whole)

    def close(self, text: str) -> bool:
        """Whether the whole text may stand; where not, what was shown is withdrawn."""
        if not self.failed and _stands(text, self._known, self._said):
            return True
        self.withdraw()
        return False

    def withdraw(self) -> None:
        """Takes back what was shown; nothing more is."""
        self.failed = True
        if self.shown:
            self.shown = ""
            self.show("")


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
