"""What all tests share: nothing talks to the outside; the sales tables and a warehouse to ask them with."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
    from apps.analyst.tables.catalog import FixedCatalog

# A slow machine is no fault of the code, and what passed once must pass again: HYPOTHESIS_PROFILE=default looks anew.
settings.register_profile("steady", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

_connect = socket.socket.connect


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """`--dist loadgroup` keeps together what shares something."""
    if config.getoption("dist") != "loadgroup":
        return None
    from tests.sharing import SharingScheduling

    return SharingScheduling(config, log)


def _loopback_only(self: socket.socket, address: Any) -> None:
    host = address[0] if isinstance(address, tuple) else ""
    if self.family in (socket.AF_INET, socket.AF_INET6) and not str(host).startswith(("127.", "localhost", "::1")):
        raise RuntimeError(f"A test tried to reach {host}: tests talk to this machine only.")
    _connect(self, address)


@pytest.fixture(scope="session", autouse=True)
def nothing_leaves_this_machine() -> Iterator[None]:
    socket.socket.connect = _loopback_only  # type: ignore[method-assign]
    yield
    socket.socket.connect = _connect  # type: ignore[method-assign]


@pytest.fixture(scope="session")
def sales(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Deals, their owners, and the activities on each deal."""
    from tests.analyst.plans.sales import sales_catalog

    return sales_catalog(tmp_path_factory.mktemp("sales"))


@pytest.fixture(scope="session")
def warehouse() -> Iterator[LocalWarehouse]:
    """Runs queries in the tests' own process; where others are meant, a nearer fixture of that name says so."""
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse

    engine = LocalWarehouse()
    yield engine
    engine.close()
