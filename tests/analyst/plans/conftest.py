"""The catalog all plan tests ask, its files as they are written, and a way to ask it."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.tables.catalog import FixedCatalog
from tests.analyst.plans.asking import Asking
from tests.analyst.plans.sales import write_files


@pytest.fixture(scope="session")
def catalog(sales: FixedCatalog) -> FixedCatalog:
    return sales


@pytest.fixture(scope="session")
def deals(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    return _read(write_files(tmp_path_factory.mktemp("plain"))[0])


@pytest.fixture(scope="session")
def activities(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, str]]:
    return _read(write_files(tmp_path_factory.mktemp("plain"))[2])


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def ask(catalog: FixedCatalog, warehouse: LocalWarehouse) -> Asking:
    return Asking(catalog, warehouse)
