"""What a lifted query means: the plan over DuckDB, the plan over frames, and the query itself give the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import permutations
from typing import Any

from apps.analyst.computing.compute import compute
from apps.analyst.computing.executor import execute, load
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.evaluate.predictions import value
from apps.analyst.plan import Plan, Query
from apps.analyst.plan.lift import lift
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.plan.validate import validate
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Result

TODAY = date(2024, 6, 1)


@dataclass(frozen=True)
class Meaning:
    """Lifts a query and holds it against what the engine says of the query itself."""

    catalog: FixedCatalog
    warehouse: LocalWarehouse

    def __call__(self, sql: str, instead: str = "") -> Plan:
        """The plan, once all three agree; `instead` is the query as the engine would have to be asked."""
        plan = lift(sql, self.catalog, TODAY)
        validate(plan, self.catalog)
        computed = compute(plan, self.catalog, self.warehouse)
        paths = {table.name: table.path for table in self.catalog.tables()}
        asked = rows(self.warehouse.query(instead or sql, (), tables=paths))
        found = rows(computed.result)
        assert asked, "a test that finds nothing shows nothing"
        assert same(found, asked), f"{found} is not {asked}"
        framed = rows(execute(computed.plan, self.catalog, load(self.catalog)))
        assert same(framed, found), f"over frames: {framed} is not {found}"
        assert plan_sentence(plan)
        return plan

    def query(self, sql: str, instead: str = "") -> Query:
        """The plan where it is one query."""
        plan = self(sql, instead)
        assert isinstance(plan, Query)
        return plan


def rows(result: Result) -> list[list[Any]]:
    """The rows in the words of an answer."""
    return [[_cell(value(c, column)) for c, column in zip(row, result.columns, strict=True)] for row in result.rows]


def _cell(cell: Any) -> Any:
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return cell
    return round(float(cell), 6)


def same(found: list[list[Any]], asked: list[list[Any]]) -> bool:
    """The same rows, whatever the order of rows and columns."""
    if not found or len(found[0]) != len(asked[0]):
        return False
    wanted = sorted(map(repr, asked))
    places = permutations(range(len(found[0])))
    return any(sorted(repr([row[i] for i in order]) for row in found) == wanted for order in places)
