"""What an answer takes: no statement is run twice for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question, Result
from tests.analyst.answers.conftest import TODAY


class Watched:
    """A warehouse that remembers what it ran, without what columns are called."""

    def __init__(self, warehouse: LocalWarehouse) -> None:
        self.warehouse = warehouse
        self.ran: list[tuple[str, tuple[Any, ...]]] = []

    def query(self, sql: str, parameters: Sequence[Any], *, columns: Any = None, **more: Any) -> Result:
        bare = sql
        for column in columns or ():
            bare = bare.replace(f' AS "{column.name}"', "")
        self.ran.append((bare, tuple(parameters)))
        return self.warehouse.query(sql, parameters, columns=columns, **more)


def test_readings_that_name_their_columns_differently_are_computed_once(
    catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    watched = Watched(warehouse)
    made = answer(Question("total amount by region", today=TODAY), catalog=catalog, warehouse=watched)
    assert made.status == "answered"
    assert len(watched.ran) > 1
    assert len(watched.ran) == len(set(watched.ran))
