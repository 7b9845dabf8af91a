"""Tables in which what is said of a whole thing stands on the first of its lines only, as in the exports of shops.

Each order has several rows, one below the other, with its number on all of them; who ordered, when and for how much is
told on the first row, what was bought on each. Such a table is known by its cells alone: a column repeats on rows that
stand together, at least two columns are given on exactly the first row of each, and others tell each row something of
its own. What is said of the whole is then carried down to all of its rows, so that conditions and groups keep them;
amounts stay where they are, so that they add up once.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.analyst.tables.grid import TypedColumn
from apps.analyst.tables.profile import profile
from apps.analyst.tables.wording import counted, shortened
from apps.analyst.types import Column, PerKey

FEWEST_WHOLES = 3
"""Things of several rows that there have to be, and their share of all."""
_REAL_SHARE = 0.05
_BLOCK = 2
"""Columns given on exactly the first rows that no accident explains."""
_ACCIDENT = 0.01
"""How likely it may be that the few cells of a column stand on first rows by accident."""
_GIVEN = 0.9
"""The share of the other rows in which a column is given that tells each row something."""


@dataclass(frozen=True, slots=True)
class Key:
    """A column that may say which thing a row belongs to, and those that may be given on first rows only; by place."""

    column: int
    block: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Runs:
    """What stands together in the rows of a key: how many keys have several rows, and how many rows are not first."""

    several: int
    others: int


@dataclass(frozen=True, slots=True)
class Cells:
    """How a column's cells lie in these runs."""

    astray: int
    """Rows that are first without a cell, or not first with one."""
    first: int
    """First rows with a cell, of keys with several rows."""
    others: int
    """Rows that are not first, with a cell."""
    changes: int
    """Rows that are not first and hold something else than the row above."""


def likely_keys(columns: Sequence[Column], rows: int) -> Iterator[Key]:
    """The keys that the profile allows for: as many different values as other columns have cells. There hardly ever is
    one, so that most tables need no look at their rows."""
    gaps: defaultdict[int, list[int]] = defaultdict(list)
    for place, column in enumerate(columns):
        if 0 < column.missing < rows:
            gaps[column.missing].append(place)
    for place, column in enumerate(columns):
        block = gaps.get(rows - column.distinct, [])
        if not column.missing and len(block) >= _BLOCK:
            yield Key(place, tuple(block))


def _settled(key: Key, runs: Runs, cells: Mapping[int, Cells], columns: Sequence[Column]) -> dict[int, PerKey] | None:
    """How each column lies in the runs of a key, by place; None where the rows are no lines of it. `cells` are those of
    all columns but the key."""
    wholes = runs.several and columns[key.column].distinct
    if not wholes or runs.several < max(FEWEST_WHOLES, _REAL_SHARE * wholes):
        return None
    block = [place for place in key.block if not cells[place].astray]
    own = [place for place, of in cells.items() if of.others >= _GIVEN * runs.others and of.changes]
    if len(block) < _BLOCK or not any(2 * cells[place].changes >= runs.others for place in own):
        return None
    dated = any(columns[place].type in ("date", "datetime") for place in own)
    if dated and len(block) < len(own):
        return None  # events of a customer, of whom a little is told with the first one
    return {key.column: "key", **{place: _lies(cells[place], runs, columns[place]) for place in cells}}


def _lies(of: Cells, runs: Runs, column: Column) -> PerKey:
    if not of.changes:
        return "same"
    if of.others:
        return ""
    share = runs.several / (runs.several + runs.others)
    return "same" if column.role != "measure" and share**of.first < _ACCIDENT else "once"


@dataclass(frozen=True, slots=True)
class Lines:
    """How the columns of such a table lie, by place, which are carried down, and how many rows that concerns."""

    lies: Mapping[int, PerKey]
    down: tuple[int, ...]
    others: int

    def note(self, columns: Sequence[Column]) -> str:
        """What to tell people about it."""

        def named(places: Iterable[int]) -> str:
            return shortened(", ".join(columns[place].name for place in places), 160)

        key = named(place for place, how in self.lies.items() if how == "key")
        once = named(place for place, how in self.lies.items() if how == "once")
        told = [f"filled down: {named(self.down)}"] if self.down else []
        told += [f"kept on the first row alone, to add up once: {once}"] if once else []
        return f"{counted(self.others, 'row')} with the same {key} as the row above: {'; '.join(told)}"


def lines_of(key: Key, runs: Runs, cells: Mapping[int, Cells], columns: Sequence[Column]) -> Lines | None:
    """What the runs of a key make of a table; None where its rows are no lines of it."""
    lies = _settled(key, runs, cells, columns)
    if lies is None:
        return None
    down = tuple(place for place, how in lies.items() if how == "same" and place in cells and cells[place].changes)
    return Lines(lies, down, runs.others)


def described(columns: Sequence[Column], before: Sequence[Column], lines: Lines) -> tuple[Column, ...]:
    """The columns with how they lie; one that was carried down is for what it was for `before`."""
    return tuple(
        replace(column, per_key=lines.lies[place], role=earlier.role, unit=earlier.unit)
        for place, (column, earlier) in enumerate(zip(columns, before, strict=True))
    )


# ---------------------------------------------------------------- in memory
def carry_down(columns: list[TypedColumn], profiled: Sequence[Column]) -> tuple[tuple[Column, ...], list[str]]:
    """Carries down what is said of whole things, in place. The columns' profiles, and what to tell."""
    for key in likely_keys(profiled, len(columns[0].values) if columns else 0):
        first = first_rows(columns[key.column].values)
        if sum(first) != profiled[key.column].distinct:
            continue  # its rows do not stand together
        cells = {place: cells_of(of.values, first) for place, of in enumerate(columns) if place != key.column}
        lines = lines_of(key, runs_of(first), cells, profiled)
        if lines is not None:
            for place in lines.down:
                columns[place] = _filled(columns[place], first)
            return described(profile(columns), profiled, lines), [lines.note(profiled)]
    return tuple(profiled), []


def first_rows(values: Sequence[Any]) -> list[bool]:
    """For each row whether it holds something else than the row above, as the very first one does."""
    return [row == 0 or value != values[row - 1] for row, value in enumerate(values)]


def runs_of(first: list[bool]) -> Runs:
    """The runs that begin on the first rows."""
    return Runs(sum(map(_is_several, *_beside(first))), first.count(False))


def _beside(first: list[bool]) -> tuple[list[bool], list[bool]]:
    return first, [*first[1:], True]


def _is_several(first: bool, next_first: bool) -> bool:
    """Whether a row is the first of several."""
    return first and not next_first


def cells_of(values: Sequence[Any], first: list[bool]) -> Cells:
    """How these cells lie in the runs that begin on the first rows."""
    astray = of_first = others = changes = 0
    for row, (value, begins, ends) in enumerate(zip(values, *_beside(first), strict=True)):
        given = value is not None
        astray += given != begins
        of_first += given and _is_several(begins, ends)
        others += given and not begins
        changes += not begins and value != values[row - 1]
    return Cells(astray, of_first, others, changes)


def _filled(column: TypedColumn, first: list[bool]) -> TypedColumn:
    values: list[Any] = []
    for value, begins in zip(column.values, first, strict=True):
        values.append(value if begins else values[-1])
    return replace(column, values=values, counts=Counter(value for value in values if value is not None))
