"""A worker that is killed in the middle of a join costs time, not figures. At 10^7 rows: `python -m benches spark`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.spark.cluster import Cluster
from tests.spark.losing import losing
from tests.spark.same import differences

ROWS = 400_000
JOIN = (
    'SELECT c."segment", count(*) AS "sales", sum(s."amount") AS "total" FROM "sales" AS s '
    'JOIN "customers" AS c ON s."customer" = c."customer" GROUP BY 1 ORDER BY 1'
)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("join")
    sales, customers = folder / "sales.parquet", folder / "customers.parquet"
    duckdb.execute(
        f"COPY (SELECT i AS id, i * 7919 % 20000 AS customer, CAST(i % 9973 / 100.0 AS DECIMAL(18, 2)) AS amount "
        f"FROM range({ROWS}) AS t(i)) TO '{sales}' (ROW_GROUP_SIZE 20480)"
    )
    duckdb.execute(f"COPY (SELECT i AS customer, 'S' || i % 7 AS segment FROM range(20000) AS t(i)) TO '{customers}'")
    return {"sales": sales, "customers": customers}


@pytest.fixture
def restored(cluster: Cluster) -> Iterator[Cluster]:
    """The cluster, with both workers again for whoever comes next."""
    yield cluster
    cluster.start_worker("worker-1")
    cluster.await_worker("worker-1")


def test_a_join_gives_the_same_figures_when_a_worker_is_killed_in_the_middle(restored, local, warehouse, tables):
    here = local.query(JOIN, (), tables=tables)
    there = losing(restored, "worker-1", lambda: warehouse.query(JOIN, (), tables=tables))
    assert differences(here, there) == []
