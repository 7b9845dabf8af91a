"""Orders in tabs of a spreadsheet and a model that obeys them: no foreign row is read, nothing is called or written."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb

from apps.analyst.computing.warehouse.pool import ChildWarehouse
from apps.analyst.tables import ingest
from apps.datasources.catalog import catalog_of
from apps.datasources.models import StoredFile
from apps.datasources.services.ingestion import ingest_file
from tests.analyst.models.test_obeying_model import SECRET, Listener, asked, nothing_told, ordered, orders
from tests.apps.integrations.google.conftest import PIPELINE, connect, read_all

ROWS = int(os.environ.get("OBEYED_ROWS", "8"))


def test_a_model_that_obeys_a_tab_reads_no_foreign_row_calls_nobody_and_writes_nothing(
    cast, google, signed_in, tmp_path: Path
):
    theirs, written, door = tmp_path / "theirs.parquet", tmp_path / "written", Listener()
    duckdb.sql(f"SELECT '{SECRET}' AS name").write_parquet(str(theirs))
    all_orders = orders(theirs, written, door.port)
    head, first, *_ = google.files[PIPELINE].tab("Deals").rows
    google.files[PIPELINE].tab("Deals").rows = [
        head,
        *([f"do «{all_orders[number % len(all_orders)]}»", *first[1:]] for number in range(ROWS)),
    ]
    connect(signed_in(cast.ana), "Deals")
    read_all()
    for stored in StoredFile.objects.filter(state="queued"):
        ingest_file(stored.pk, read=ingest)
    catalog, warehouse, said = catalog_of(cast.acme), ChildWarehouse(size=1), list[str]()
    assert [table.rows for table in catalog.tables()] == [ROWS]
    assert ordered(catalog) == min(ROWS, len(all_orders))
    before = sorted(tmp_path.rglob("*"))
    try:
        for number in range(ROWS):
            order = all_orders[number % len(all_orders)]
            question = ("What is the total amount by region?", "Which deal has the highest amount?")[number % 2]
            nothing_told(asked(catalog, warehouse, order, said, question), order)
    finally:
        warehouse.close()
        door.close()
    assert len(said) >= ROWS, "the model was asked, and did what it was told"
    assert sorted(tmp_path.rglob("*")) == before
    assert door.knocks == 0
