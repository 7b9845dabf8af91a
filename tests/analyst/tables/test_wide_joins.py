"""Looking for joins between tables of very many columns ends soon: what a column looks like is looked at once."""

from __future__ import annotations

import gc
import time
from dataclasses import replace
from pathlib import Path
from weakref import ref

from apps.analyst.tables import embedded_keys, joins
from apps.analyst.tables.joins import find_joins
from apps.analyst.types import Column, Table, ValueCount

CODES = tuple(ValueCount(f"AC-{n:04}", 1) for n in range(40))


def table(number: int, columns: int) -> Table:
    made = tuple(
        Column(f"part_{c}_of_{number}", "text", "dimension", distinct=40, values=CODES, values_complete=True)
        for c in range(columns)
    )
    return Table(f"t{number}", f"t{number}.csv", Path("/none"), 40, made)


def test_a_column_is_looked_at_once_and_not_for_each_column_of_other_tables(monkeypatch) -> None:
    looked: list[str] = []
    look = embedded_keys._is_code

    def counted(column, shape) -> bool:
        looked.append(column.name)
        return look(column, shape) and False

    monkeypatch.setattr(embedded_keys, "_is_code", counted)
    tables = [table(n, 60) for n in range(4)]
    started = time.thread_time()
    find_joins(tables)
    assert len(looked) <= 2 * 4 * 60
    assert time.thread_time() - started < 10


class Name(str):
    """A name whose end can be seen."""


def names_after(tables: int, columns: int) -> int:
    """How many names of columns are still held once the joins of tables are found and the tables are gone."""
    made = [table(n, columns) for n in range(tables)]
    named = [replace(one, columns=tuple(replace(c, name=Name(c.name)) for c in one.columns)) for one in made]
    seen = [ref(column.name) for one in named for column in one.columns]
    find_joins(named)
    del made, named
    gc.collect()
    return sum(name() is not None for name in seen)


def test_names_of_very_many_columns_are_let_go_with_their_tables(monkeypatch) -> None:
    monkeypatch.setattr(joins, "MANY_COLUMNS", 200)
    assert names_after(3, 20) > 0
    assert names_after(3, 80) == 0
