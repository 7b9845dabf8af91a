"""Keys inside keys: an item number that begins with its group's code ("AC-HE-4711" of the group "AC_HE"), or that
other tables know without it ("4711").

Only codes of several parts are looked at, letters and digits are compared without case and marks, and names need not
agree: nearly all rows must find a partner instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

from apps.analyst.tables.key_values import KeyValues
from apps.analyst.types import Column, EmbeddedKey, JoinPath, Table

MATCHED = 0.9
"""The least share of rows that must find a partner."""
_PARTED = re.compile(r"[A-Za-z0-9]+(?:[-_./ ][A-Za-z0-9]+)+")
_CODE = re.compile(r"[A-Za-z0-9]+(?:[-_./ ][A-Za-z0-9]+)*")
_LONGEST, _FEWEST, _LEAST_LETTERS = 60, 4, 3
_DEEPEST = 12
"""So many letters and digits may stand before a key."""


def embedded_joins(tables: Sequence[Table], known: Sequence[JoinPath], values: KeyValues) -> Iterator[JoinPath]:
    """Joins by a part of a key, of tables that no known join ties together."""
    tied = {frozenset((path.left_table, path.right_table)) for path in known}
    codes = {table.name: _codes(table) for table in tables}
    for left, right in permutations(tables, 2):
        if frozenset((left.name, right.name)) in tied:
            continue
        found = next((path for path in _between(left, right, codes, values)), None)
        if found is not None:
            tied.add(frozenset((left.name, right.name)))
            yield found


@dataclass(frozen=True, slots=True)
class _Codes:
    """The columns of a table that are written like codes, looked at once and not for each other table's columns."""

    all: tuple[Column, ...]
    parted: frozenset[str]


def _codes(table: Table) -> _Codes:
    found = tuple(column for column in table.columns if _is_code(column, _CODE))
    return _Codes(found, frozenset(column.name for column in found if _is_code(column, _PARTED)))


def _between(left: Table, right: Table, codes: Mapping[str, _Codes], values: KeyValues) -> Iterator[JoinPath]:
    """The left table's long key holds the right one's as its beginning; or the left one's is the end of the right's."""
    long, others = codes[left.name], codes[right.name]
    for mine in long.all:
        for theirs in others.all:
            if mine.name in long.parted and theirs.unique:
                yield from _as_beginning(left, mine, right, theirs, values)
            elif theirs.name in others.parted and theirs.distinct > 2 * _FEWEST:
                yield from _as_end(left, mine, right, theirs, values)


def _is_code(column: Column, shape: re.Pattern[str]) -> bool:
    """True for texts that are written like codes of that shape."""
    if column.type != "text" or column.distinct < _FEWEST or not column.values:
        return False
    said = [value.value.strip() for value in column.values[:60]]
    fits = sum(len(text) <= _LONGEST and any(c.isdigit() or c.isupper() for c in text) and
               shape.fullmatch(text) is not None for text in said)  # fmt: skip
    return fits >= MATCHED * len(said)


def _letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _as_beginning(left: Table, mine: Column, right: Table, theirs: Column, values: KeyValues) -> Iterator[JoinPath]:
    lengths = {len(_letters(value.value)) for value in theirs.values}
    size = lengths.pop() if len(lengths) == 1 else 0
    if size < _LEAST_LETTERS or not _longer(mine, size):
        return
    part = EmbeddedKey("left", 0, size)
    rate = values.embedded_rate(left, mine, right, theirs, part)
    if rate >= MATCHED:
        yield JoinPath(left.name, (mine.name,), right.name, (theirs.name,), round(rate, 4), True, embedded=part)


def _as_end(left: Table, mine: Column, right: Table, theirs: Column, values: KeyValues) -> Iterator[JoinPath]:
    short = [_letters(value.value) for value in mine.values[:60]]
    if min(map(len, short)) < _LEAST_LETTERS:
        return
    for start in sorted(_places(theirs)):
        part = EmbeddedKey("right", start)
        rate = values.embedded_rate(left, mine, right, theirs, part)
        if rate >= MATCHED:
            one = values.ends_are_unique(right, theirs, start)
            same = one or values.agree_by_end(right, theirs, start)
            ends = (left.name, (mine.name,), right.name, (theirs.name,), round(rate, 4), one)
            yield JoinPath(*ends, embedded=part, versions=same and not one)
            return


def _places(column: Column) -> set[int]:
    """How many letters and digits stand before a mark, where they do in (nearly) all of the keys."""
    counted: dict[int, int] = {}
    said = [value.value.strip() for value in column.values[:60]]
    for text in said:
        for mark in re.finditer(r"[-_./ ]", text):
            place = len(_letters(text[: mark.start()]))
            counted[place] = counted.get(place, 0) + 1
    return {place for place, count in counted.items() if 0 < place <= _DEEPEST and count >= MATCHED * len(said)}


def _longer(column: Column, size: int) -> bool:
    return all(len(_letters(value.value)) > size for value in column.values[:60])
