"""A group-by and a join over 10^7 rows on Spark with two workers, against DuckDB; then with one worker killed.

SPARK_ROWS makes it smaller. It needs `make setup-spark`. The query that loses a worker is the join: the worker is
killed (-9, with all below it) once its executor has done a part of it.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TypeVar

import duckdb

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.computing.warehouse.spark.warehouse import SparkWarehouse
from apps.analyst.plan import Aggregate, ColumnRef, Join, JoinKey, Output, Plan, Query
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question, Result
from benches.data import sales_csv
from tests.spark.cluster import Cluster
from tests.spark.losing import losing
from tests.spark.same import differences

ROWS = int(os.environ.get("SPARK_ROWS", "10000000"))
TODAY = date(2025, 12, 1)
QUESTION = "total amount by region"
OPTIONS = {
    # The join is shuffled between the workers, in tasks small enough that one can be lost between two of them.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.files.maxPartitionBytes": "4m",
}
T = TypeVar("T")


def run(folder: Path, rows: int = ROWS) -> None:
    catalog = _catalog(folder, rows)
    group_by = understood(Question(QUESTION, today=TODAY), catalog)[0].plan
    local = LocalWarehouse()
    here = {name: compute(plan, catalog, local).result for name, plan in (("by", group_by), ("join", _join()))}
    local.close()
    with Cluster(folder) as cluster:
        warehouse = cluster.warehouse(**OPTIONS)
        try:
            _, started = _timed(warehouse.warm)
            print(f"   two workers of one core, session in {started:.1f} s", flush=True)
            for name, plan in (("by", group_by), ("by", group_by), ("join", _join())):
                there, taken = _timed(_asked(plan, catalog, warehouse))
                _say(f"{rows:>10,} rows, {'joined and ' if name == 'join' else ''}grouped", here[name], there, taken)
            there, taken = _timed(lambda: losing(cluster, "worker-1", _asked(_join(), catalog, warehouse)))
            _say(f"{rows:>10,} rows, joined and grouped, a worker killed on the way", here["join"], there, taken)
        finally:
            warehouse.close()


def _say(what: str, here: Result, there: Result, taken: float) -> None:
    found = differences(here, there)
    if found:
        raise RuntimeError(f"{what}: not the same figures: {found[:3]}")
    print(f"   {what}: {taken:.1f} s, the same {len(there.rows)} rows as DuckDB", flush=True)


def _asked(plan: Plan, catalog: FixedCatalog, warehouse: SparkWarehouse) -> Callable[[], Result]:
    return lambda: compute(plan, catalog, warehouse).result


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    begun = time.perf_counter()
    return work(), time.perf_counter() - begun


def _join() -> Plan:
    """Sales by the region of their customer's account: every row meets one of another table."""

    def ref(table: str, column: str) -> ColumnRef:
        return ColumnRef(table=table, column=column)

    keys = (JoinKey(left=ref("sales", "customer"), right=ref("accounts", "customer")),)
    return Query(
        source="sales",
        joins=(Join(table="accounts", on=keys),),
        groups=(Output(label="Segment", expr=ref("accounts", "segment")),),
        measures=(
            Output(label="Sales", expr=Aggregate(fn="count")),
            Output(label="Amount", expr=Aggregate(fn="sum", of=ref("sales", "amount"))),
            Output(label="Median", expr=Aggregate(fn="median", of=ref("sales", "price"))),
        ),
    )


def _catalog(folder: Path, rows: int) -> FixedCatalog:
    """A sample's profile over all the rows, and the accounts of its customers."""
    accounts = folder / "accounts.csv"
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT 'Customer ' || i AS customer, 'Segment ' || i % 7 AS segment FROM range(5000) AS t(i)) "
            f"TO '{accounts}' (HEADER)"
        )
        sample = catalog_from_files([sales_csv(folder / "sales.csv", 20_000), accounts], folder / "sample")
        sales = next(table for table in sample.tables() if table.name.startswith("sales"))
        large, times = folder / "sales.parquet", max(1, rows // sales.rows)
        connection.execute(
            f"COPY (SELECT sales.* FROM '{sales.path}' AS sales, range({times})) TO '{large}' (ROW_GROUP_SIZE 122880)"
        )
    held = tuple(
        replace(table, path=large, rows=times * table.rows) if table is sales else table for table in sample.tables()
    )
    return FixedCatalog(f"{sample.version}/{rows}", held, sample.joins())
