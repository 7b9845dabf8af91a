"""A small orders table as Parquet, and a warehouse of each kind."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.computing.warehouse.pool import ChildWarehouse


@pytest.fixture(scope="session")
def orders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("orders") / "orders.parquet"
    duckdb.execute(
        f"""COPY (
            SELECT i AS id, ['N', 'S', 'E'][1 + i % 3] AS region,
                   CAST(i / 4.0 AS DECIMAL(18, 2)) AS amount, i / 7.0 AS rate,
                   DATE '2024-01-01' + CAST(i % 30 AS INTEGER) AS day,
                   TIMESTAMP '2024-01-01 10:00:00' + INTERVAL (i) MINUTE AS moment,
                   i % 2 = 0 AS even, CASE WHEN i % 10 = 0 THEN NULL ELSE i END AS gaps
            FROM range(1, 1001) AS t(i)
        ) TO '{path}'"""
    )
    return path


@pytest.fixture(scope="session")
def children() -> Iterator[ChildWarehouse]:
    warehouse = ChildWarehouse()
    yield warehouse
    warehouse.close()


@pytest.fixture(scope="session")
def local() -> Iterator[LocalWarehouse]:
    warehouse = LocalWarehouse()
    yield warehouse
    warehouse.close()


@pytest.fixture(params=["local", "children"])
def warehouse(request: pytest.FixtureRequest) -> LocalWarehouse | ChildWarehouse:
    found: LocalWarehouse | ChildWarehouse = request.getfixturevalue(request.param)
    return found
