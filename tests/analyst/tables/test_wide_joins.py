"""Looking for joins between tables of very many columns ends soon: what a column looks like is looked at once."""

from __future__ import annotations

import time
from pathlib import Path

from apps.analyst.tables import embedded_keys
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
