"""When two results say the same: one has all that the other has and little more ("the store" and "the store with its
sales"), a list stands with and without its repeated rows, two figures stand beside each other or below each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from apps.analyst.types import Result

MORE, WIDEST, MOST_SIDES = 2, 8, 4
"""Columns that a result may have beyond another's, columns of the widest that is compared, and rows of a comparison."""
MOST_ROWS = 500

Rows = tuple[tuple[str, ...], ...]


def figures_key(result: Result) -> Rows:
    """Equal for two results that say the same, whatever their columns are called and however rows are ordered."""
    return tuple(sorted(tuple(sorted(map(said, row))) for row in result.rows[:MOST_ROWS]))


def named_alone(result: Result) -> Result:
    """A result without the group that has no name. Whether it is told beside the others is a matter of telling, not of
    reading: two readings that part there alone agree."""
    first = result.columns[0].kind if len(result.columns) > 1 else "measure"
    blank = [row for row in result.rows if row[0] is None] if first == "dimension" else []
    if len(blank) != 1 or len(result.rows) < 2 or result.columns[-1].kind != "measure":
        return result
    return replace(result, rows=tuple(row for row in result.rows if row[0] is not None))


def said(value: object) -> str:
    """A cell as it is compared: numbers to seven digits."""
    if isinstance(value, str) or value is None:
        return str(value)
    if isinstance(value, int | float):
        return f"{float(value):.7g}"
    try:
        return f"{float(str(value)):.7g}"
    except ValueError:
        return str(value)


@dataclass(frozen=True)
class Told:
    """A result as it is held against others."""

    result: Result

    @cached_property
    def rows(self) -> Rows:
        """Its different rows."""
        return tuple(dict.fromkeys(tuple(map(said, row)) for row in self.result.rows[:MOST_ROWS]))

    @cached_property
    def columns(self) -> tuple[frozenset[str], ...]:
        """The different values of each column."""
        return tuple(map(frozenset, zip(*self.rows, strict=True)))

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The figures of a comparison, whichever way they stand; none where it is no comparison."""
        rows, kinds = self.result.rows, [column.kind for column in self.result.columns]
        if not rows or len(rows) > MOST_SIDES or "measure" not in kinds:
            return ()
        if (len(rows) == 1) == ("dimension" in kinds):
            return ()
        figures = [said(v) for row in rows for v, kind in zip(row, kinds, strict=True) if kind == "measure"]
        return tuple(sorted(figures)) if 2 <= len(figures) <= WIDEST else ()

    def covers(self, other: Told) -> bool:
        """Whether this result has all that the other has, and little more."""
        if not self.rows or not other.rows:
            return False
        if self.sides and self.sides == other.sides and (len(self.rows) == 1) != (len(other.rows) == 1):
            return True
        wide, narrow = len(self.columns), len(other.columns)
        if not narrow <= wide <= min(narrow + MORE, WIDEST):
            return False
        wanted = set(other.rows)
        return any({tuple(row[n] for n in places) for row in self.rows} == wanted for places in self._places(other))

    def _places(self, other: Told, first: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
        """The ways to find the other's columns among these."""
        if len(first) == len(other.columns):
            yield first
            return
        for place, column in enumerate(self.columns):
            if place not in first and column == other.columns[len(first)]:
                yield from self._places(other, (*first, place))
