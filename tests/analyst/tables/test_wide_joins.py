"""Looking for joins between tables of very many columns ends soon: what a column looks like is looked at once."""

from __future__ import annotations

import gc
import signal
import time
from dataclasses import replace
from pathlib import Path
from weakref import ref

import pytest

from apps.analyst.errors import QueryFailed
from apps.analyst.tables import embedded_keys, joins
from apps.analyst.tables.joins import find_joins
from apps.analyst.tables.joins_aside import found_aside
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


def tables_with_a_join() -> list[Table]:
    def keyed(name: str, distinct: int) -> Table:
        codes = tuple(ValueCount(f"AC-{n:04}", 40 // distinct) for n in range(distinct))
        key = Column("account_code", "text", "id", distinct=distinct, values=codes, values_complete=True,
                     unique=distinct == 40)  # fmt: skip
        return Table(name, f"{name}.csv", Path("/none"), 40, (key,))

    return [keyed("accounts", 40), keyed("orders", 20)]


def children() -> str:
    return "".join(path.read_text() for path in Path("/proc/self/task").glob("*/children"))


def test_between_very_many_columns_joins_are_found_in_a_child(monkeypatch) -> None:
    tables = tables_with_a_join()
    found = find_joins(tables)
    assert found

    def here(_: object) -> None:
        raise AssertionError("joins were looked for in this process")

    monkeypatch.setattr(joins, "find_joins", here)
    assert found_aside(tables, wide=2) == found
    with pytest.raises(AssertionError):
        found_aside(tables)


def test_a_search_for_joins_that_is_ended_ends_its_child() -> None:
    before = children()

    class Ended(BaseException):
        pass

    def ring(*_: object) -> None:
        raise Ended

    former = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    try:
        with pytest.raises(Ended):
            found_aside([table(n, 400) for n in range(8)], wide=1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert children() == before


def test_a_child_that_finds_no_end_is_an_error_in_words() -> None:
    broken = replace(tables_with_a_join()[0], columns=(7,))  # type: ignore[arg-type]
    with pytest.raises(QueryFailed):
        found_aside([broken], wide=1)
