"""One cluster, one session on it, and DuckDB beside them: every test asks both."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.computing.warehouse.spark.warehouse import SparkWarehouse
from tests.analyst.warehouse.conftest import orders  # noqa: F401 - the same table
from tests.spark.cluster import Cluster

LIGHT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"""Java that starts soon and computes more slowly, which is right for small tables."""
QUICK = {
    "spark.driver.extraJavaOptions": LIGHT,
    "spark.executor.extraJavaOptions": LIGHT,
    # Small tables: generating code for each query would take longer than running it.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    # Joins go through the network between the workers, as those of large tables do.
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.adaptive.enabled": "false",
    # Many small tasks, so that a worker can be lost between two of them.
    "spark.sql.files.maxPartitionBytes": "128k",
    "spark.sql.files.openCostInBytes": "0",
}


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with Cluster(tmp_path_factory.mktemp("cluster")) as started:
        yield started


@pytest.fixture(scope="session")
def warehouse(cluster: Cluster) -> Iterator[SparkWarehouse]:
    found = cluster.warehouse(**QUICK)
    yield found
    found.close()


@pytest.fixture(scope="session")
def local() -> Iterator[LocalWarehouse]:
    found = LocalWarehouse()
    yield found
    found.close()
