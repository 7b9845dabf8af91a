"""One question's statements are run once, whatever their columns are called."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from apps.analyst.computing.warehouse.once import OnceWarehouse
from apps.analyst.errors import QueryFailed
from apps.analyst.types import Result, ResultColumn

TABLES = {"deals": Path("deals.parquet")}


class Counting:
    """A warehouse that remembers what it was asked; it answers with the number of the time."""

    def __init__(self, failing: int = 0) -> None:
        self.asked: list[str] = []
        self.failing = failing

    def query(self, sql: str, parameters: Sequence[Any], *, columns: Any = None, **more: Any) -> Result:
        self.asked.append(sql)
        if len(self.asked) <= self.failing:
            raise QueryFailed("The query was ended.", retryable=True)
        return Result(tuple(columns or ()), ((len(self.asked), 2.5),), 1)


def named(*names: str) -> list[ResultColumn]:
    return [ResultColumn(name, "float", "measure") for name in names]


def asked(warehouse: OnceWarehouse, sql: str, columns: list[ResultColumn], **more: Any) -> Result:
    return warehouse.query(sql, more.pop("parameters", ()), tables=more.pop("tables", TABLES), columns=columns, **more)


def test_statements_that_differ_in_names_of_columns_alone_are_one_and_each_keeps_its_names() -> None:
    counting = Counting()
    warehouse = OnceWarehouse(counting)
    first = asked(warehouse, 'SELECT a AS "Total amount", b AS "_hn" FROM t', named("Total amount", "_hn"))
    second = asked(warehouse, 'SELECT a AS "sum ""x""", b AS "_hn" FROM t', named('sum "x"', "_hn"))
    assert len(counting.asked) == 1
    assert second.rows == first.rows == ((1, 2.5),)
    assert [column.name for column in second.columns] == ['sum "x"', "_hn"]


@pytest.mark.parametrize(
    "other",
    [
        {"sql": 'SELECT b AS "x" FROM t'},
        {"sql": 'SELECT a AS "x" FROM t WHERE "x" > 0'},
        {"parameters": (True,)},
        {"parameters": (1.0,)},
        {"tables": {"deals": Path("newer.parquet")}},
        {"max_rows": 5},
    ],
)
def test_what_differs_in_anything_else_is_run(other: dict[str, Any]) -> None:
    counting = Counting()
    warehouse = OnceWarehouse(counting)
    usual: dict[str, Any] = {"sql": 'SELECT a AS "x" FROM t', "parameters": (1,)}
    asked(warehouse, columns=named("x"), **usual)
    asked(warehouse, columns=named("x"), **{**usual, **other})
    assert len(counting.asked) == 2


def test_a_name_that_the_statement_refers_to_keeps_it_apart() -> None:
    counting = Counting()
    warehouse = OnceWarehouse(counting)
    asked(warehouse, 'SELECT * FROM (SELECT a AS "x" FROM t) WHERE "x" > 0', named("x"))
    asked(warehouse, 'SELECT * FROM (SELECT a AS "y" FROM t) WHERE "y" > 0', named("y"))
    assert len(counting.asked) == 2


def test_a_failure_is_not_kept() -> None:
    counting = Counting(failing=1)
    warehouse = OnceWarehouse(counting)
    with pytest.raises(QueryFailed):
        asked(warehouse, "SELECT 1", [])
    assert asked(warehouse, "SELECT 1", []).rows == ((2, 2.5),)
