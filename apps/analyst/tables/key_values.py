"""Compares the values of key columns: from the profiles where those are complete, else from the Parquet files."""

# ruff: noqa: S608 - names and literals are quoted here, the rest is ours

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

from apps.analyst.tables.folding import core_key, core_key_sql, key_part_sql
from apps.analyst.types import Column, EmbeddedKey, Table

Fold = Literal["none", "core"]
SAMPLE = 200_000
"""Match rates of larger tables are taken from so many of their first rows."""
AGREEING = 1.05
"""Rows of one key agree where there are at most so many different texts for each."""


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _file(path: Path) -> str:
    return "read_parquet('" + str(path).replace("'", "''") + "')"


class KeyValues:
    """Answers questions about key columns; holds one DuckDB connection while it is open, made when first needed."""

    def __init__(self) -> None:
        self._connection: Any = None
        self._counts: dict[tuple[str, str, Fold], dict[str, int]] = {}
        self._distinct: dict[tuple[str, str, Fold], bool] = {}

    def __enter__(self) -> KeyValues:
        return self

    def __exit__(self, *_: object) -> None:
        if self._connection is not None:
            self._connection.close()

    def _one(self, sql: str) -> tuple[Any, ...]:
        if self._connection is None:
            import duckdb

            self._connection = duckdb.connect(config={"threads": "1"})
        row: tuple[Any, ...] | None = self._connection.execute(sql).fetchone()
        return row or (None, None)

    def match_rate(self, left_table: Table, left: Column, right_table: Table, right: Column, fold: Fold) -> float:
        """The share of the left table's filled rows whose key occurs on the right."""
        if left.values_complete and right.values_complete:
            counts = self._profiled(left_table, left, fold)
            partners = self._profiled(right_table, right, fold)
            total = sum(counts.values())
            return sum(count for value, count in counts.items() if value in partners) / total if total else 0.0
        a, b = _folded(_name(left.name), fold), _folded(_name(right.name), fold)
        if left.type != right.type:
            a, b = f"CAST({a} AS VARCHAR)", f"CAST({b} AS VARCHAR)"
        matched, total = self._one(
            f"SELECT count(*) FILTER (WHERE k IN (SELECT {b} FROM {_file(right_table.path)} WHERE {_name(right.name)} "
            f"IS NOT NULL)), count(*) FROM (SELECT {a} AS k FROM {_file(left_table.path)} "
            f"WHERE {_name(left.name)} IS NOT NULL LIMIT {SAMPLE})"
        )
        return float(matched / total) if total else 0.0

    def _profiled(self, table: Table, column: Column, fold: Fold) -> dict[str, int]:
        key = (str(table.path), column.name, fold)
        counts = self._counts.get(key)
        if counts is None:
            counts = {}
            for item in column.values:
                value = _fold_value(item.value, fold)
                counts[value] = counts.get(value, 0) + item.count
            self._counts[key] = counts
        return counts

    def keeps_distinct(self, table: Table, column: str, fold: Fold) -> bool:
        """Whether a column's folded keys are as distinct as its keys, so that folding throws nothing together."""
        key = (str(table.path), column, fold)
        if key not in self._distinct:
            name = _name(column)
            plain, folded = self._one(
                f"SELECT count(DISTINCT {name}), count(DISTINCT {_folded(name, fold)}) FROM {_file(table.path)}"
            )
            self._distinct[key] = bool(plain) and folded >= 0.999 * plain
        return self._distinct[key]

    def filled(self, table: Table, columns: Sequence[str], fold: Fold) -> tuple[int, int]:
        """How many rows have a value in each of these columns, and how many different combinations they have."""
        names = [_name(column) for column in columns]
        groups, total = self._one(
            f"SELECT count(*), coalesce(sum(n), 0) FROM (SELECT count(*) AS n FROM {_file(table.path)} "
            f"WHERE {' AND '.join(f'{name} IS NOT NULL' for name in names)} "
            f"GROUP BY {', '.join(_folded(name, fold) for name in names)})"
        )
        return int(total), int(groups)

    def match_rate_of(self, left: Table, right: Table, keys: Sequence[tuple[str, str]], fold: Fold = "none") -> float:
        """The share of the left table's rows whose combination of keys occurs on the right."""
        on = " AND ".join(f"{_folded(f'l.{_name(a)}', fold)} = {_folded(f'r.{_name(b)}', fold)}" for a, b in keys)
        matched, total = self._one(
            f"SELECT count(*) FILTER (WHERE EXISTS (SELECT 1 FROM {_file(right.path)} r WHERE {on})), count(*) "
            f"FROM (SELECT * FROM {_file(left.path)} LIMIT {SAMPLE}) l"
        )
        return float(matched / total) if total else 0.0

    def embedded_rate(
        self, left_table: Table, left: Column, right_table: Table, right: Column, part: EmbeddedKey
    ) -> float:
        """The share of the left table's filled rows that find a partner where one key is a part of the other."""
        stretch = str(part.start), str(part.length or 0)
        mine, theirs = (stretch, ("0", "0")) if part.side == "left" else (("0", "0"), stretch)
        a, b = key_part_sql(_name(left.name), *mine), key_part_sql(_name(right.name), *theirs)
        matched, total = self._one(
            f"SELECT count(*) FILTER (WHERE k IN (SELECT {b} FROM {_file(right_table.path)} "
            f"WHERE {_name(right.name)} IS NOT NULL)), count(*) FROM (SELECT {a} AS k FROM {_file(left_table.path)} "
            f"WHERE {_name(left.name)} IS NOT NULL LIMIT {SAMPLE})"
        )
        return float(matched / total) if total else 0.0

    def ends_are_unique(self, table: Table, column: Column, start: int) -> bool:
        """Whether what a key holds from `start` on tells the table's rows apart."""
        end = key_part_sql(_name(column.name), str(start), "0")
        plain, ends = self._one(f"SELECT count({_name(column.name)}), count(DISTINCT {end}) FROM {_file(table.path)}")
        return bool(plain) and ends == plain

    def agree_by_end(self, table: Table, column: Column, start: int) -> bool:
        """Whether rows that end alike agree in their texts, so that they are versions of one thing."""
        end = key_part_sql(_name(column.name), str(start), "0")
        texts = [c for c in table.columns if c.type == "text" and c.name != column.name]
        for text in texts:
            keys, pairs = self._one(
                f"SELECT count(DISTINCT {end}), count(DISTINCT ({end}, {_name(text.name)})) "
                f"FROM {_file(table.path)} WHERE {_name(text.name)} IS NOT NULL"
            )
            if pairs > AGREEING * keys:
                return False
        return bool(texts)


def _folded(sql: str, fold: Fold) -> str:
    return core_key_sql(sql) if fold == "core" else sql


def _fold_value(value: str, fold: Fold) -> str:
    return core_key(value) if fold == "core" else value
