"""One organisation and one warehouse for all plan tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from apps.analyst.catalog import FixedCatalog
from apps.analyst.warehouse.duckdb_local import LocalWarehouse
from tests.analyst.plans.sales import sales_catalog


@pytest.fixture(scope="session")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    return sales_catalog(tmp_path_factory.mktemp("sales"))


@pytest.fixture(scope="session")
def warehouse() -> Iterator[LocalWarehouse]:
    engine = LocalWarehouse()
    yield engine
    engine.close()
