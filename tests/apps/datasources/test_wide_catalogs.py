"""What this process keeps of an organization's very wide tables, and for how long."""

from __future__ import annotations

import pytest

from apps.datasources.catalog import WIDE_COLUMNS, catalog_of, wide_forget
from apps.datasources.services.sweep import files_sweep
from tests.apps.datasources.conftest import SALES

PARTS = 3
WIDE = ",".join(f"amount_{n}" for n in range(WIDE_COLUMNS // PARTS + 1))
ROW = ",".join("7" for _ in WIDE.split(","))


@pytest.fixture(autouse=True)
def nothing_kept():
    wide_forget(unused_for=0.0)
    yield
    wide_forget(unused_for=0.0)


def test_a_very_wide_catalog_is_let_go_when_nobody_asks_for_it(upload, cast):
    upload(*((f"wide {n}.csv", f"{WIDE}\n{ROW}\n".encode()) for n in range(PARTS)))
    first = catalog_of(cast.acme)
    assert sum(len(table.columns) for table in first.tables()) >= WIDE_COLUMNS
    assert wide_forget() == 0, "it was asked for just now"
    assert files_sweep() == 0
    assert catalog_of(cast.acme) is first
    assert wide_forget(unused_for=0.0) == 1
    again = catalog_of(cast.acme)
    assert again is not first
    assert again == first


def test_a_catalog_of_usual_width_is_kept(upload, cast):
    upload(("sales.csv", SALES))
    first = catalog_of(cast.acme)
    assert wide_forget(unused_for=0.0) == 0
    assert catalog_of(cast.acme) is first
