"""Where a word of a question may be a stored value: exact and partial look-up over all text values of a catalog.

Small columns live in dictionaries; a table with very many distinct values keeps its folded values in one Arrow column
that is tested with a vectorised set look-up, so that a million values cost milliseconds and few bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps.analyst.language.morphology import fold
from apps.analyst.tables.wholeness import values_of
from apps.analyst.types import Column, Table

SMALL_COLUMN = 20_000
"""Columns up to so many distinct values are held in dictionaries."""
WORD_INDEX_LIMIT = 200_000
"""So many values at most are found by one of their words."""
_WORDS = re.compile(r"\w+")
_HUMPS = re.compile(r"[A-Z][a-z]+(?:[A-Z][a-z]+)+")
"""Words written as one: "NewHaven"."""


@dataclass(frozen=True, slots=True)
class StoredValue:
    """A value as stored, and where."""

    table: str
    column: str
    value: str
    count: int
    words: tuple[str, ...]


def value_key(text: str) -> str:
    """What two spellings of a value share: folded words without punctuation."""
    return " ".join(_WORDS.findall(fold(text)))


@dataclass(slots=True)
class ValueIndex:
    """Exact and by-word look-up. Built once per catalog version."""

    exact: dict[str, list[StoredValue]] = field(default_factory=dict)
    by_word: dict[str, list[StoredValue]] = field(default_factory=dict)
    large: list[tuple[Table, Path, frozenset[str]]] = field(default_factory=list)
    _arrow: dict[str, Any] = field(default_factory=dict)
    _size: int = 0

    def add(self, table: Table, column: Column, values: Iterable[tuple[str, int]]) -> None:
        """Takes a column's distinct values."""
        for value, count in values:
            words = tuple(_WORDS.findall(fold(value)))
            if not words:
                continue
            stored = StoredValue(table.name, column.name, value, count, words)
            self.exact.setdefault(" ".join(words), []).append(stored)
            if len(words) == 1 and _HUMPS.fullmatch(value):
                apart = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", value)
                self.exact.setdefault(value_key(apart), []).append(stored)
            if len(words) <= 12 and self._size < WORD_INDEX_LIMIT:
                self._size += 1
                for word in set(words):
                    self.by_word.setdefault(word, []).append(stored)

    def find(self, keys: Sequence[str]) -> dict[str, list[StoredValue]]:
        """The stored values of each key that is one, ignoring case, accents and punctuation."""
        found = {key: list(self.exact[key]) for key in keys if key in self.exact}
        for table, path, columns in self.large:
            for key, stored in self._find_large(table, path, columns, keys):
                found.setdefault(key, []).append(stored)
        return found

    def containing(self, words: Sequence[str]) -> list[StoredValue]:
        """Stored values that hold all of some words (folded), in their order of discovery."""
        lists = sorted((self.by_word.get(word, []) for word in words), key=len)
        if not lists or not lists[0] or len(lists[0]) > 2000:
            return []
        wanted = set(words)
        return [stored for stored in lists[0] if wanted <= set(stored.words)]

    def _find_large(
        self, table: Table, path: Path, columns: frozenset[str], keys: Sequence[str]
    ) -> Iterable[tuple[str, StoredValue]]:
        import pyarrow as pa
        import pyarrow.compute as pc

        if str(path) not in self._arrow:
            self._arrow[str(path)] = values_of(path)
        stored = self._arrow[str(path)]
        if stored is None:
            return
        hits = stored.filter(pc.is_in(stored["folded"], value_set=pa.array(list(keys), type=stored["folded"].type)))
        for row in hits.to_pylist():
            if row["column"] in columns:
                value = str(row["value"])
                yield (
                    value_key(value),
                    StoredValue(table.name, row["column"], value, int(row["count"]), tuple(value_key(value).split())),
                )


def build_values(tables: Sequence[Table]) -> ValueIndex:
    """The index over every text column of the tables."""
    index = ValueIndex()
    for table in tables:
        partial = []
        for column in table.columns:
            if column.type not in ("text", "boolean"):
                continue
            if column.values_complete or table.values_path is None:
                index.add(table, column, ((value.value, value.count) for value in column.values))
            else:
                partial.append(column)
        if partial and table.values_path is not None:
            _add_stored(index, table, partial, table.values_path)
    return index


def _add_stored(index: ValueIndex, table: Table, columns: Sequence[Column], path: Path) -> None:
    small = {column.name: column for column in columns if column.distinct <= SMALL_COLUMN}
    large = frozenset(column.name for column in columns if column.distinct > SMALL_COLUMN)
    if small and (rows := values_of(path)) is not None:
        import pyarrow.compute as pc

        for name, column in small.items():
            part = rows.filter(pc.equal(rows["column"], name))
            pairs = zip(part["value"].to_pylist(), part["count"].to_pylist(), strict=True)
            index.add(table, column, ((str(value), int(count)) for value, count in pairs))
    if large and path.exists():
        index.large.append((table, path, large))
