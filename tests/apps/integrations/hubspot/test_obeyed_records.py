"""Orders in records of a CRM and a model that obeys them: no foreign row is read, nothing is called or written."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb

from apps.analyst.computing.warehouse.pool import ChildWarehouse
from apps.datasources.catalog import catalog_of
from apps.integrations.fakes.hubspot_account import FIRST_ID
from tests.analyst.models.test_obeying_model import SECRET, Listener, asked, nothing_told, ordered, orders

RECORDS = int(os.environ.get("OBEYED_RECORDS", "8"))
PLACES = (("companies", "name"), ("deals", "dealname"), ("tickets", "subject"), ("contacts", "jobtitle"))
QUESTIONS = ("What is the total amount by deal stage?", "How many companies are there?", "How many tickets by status?")


def test_a_model_that_obeys_records_of_a_crm_reads_no_foreign_row_calls_nobody_and_writes_nothing(
    world, cast, tmp_path: Path
):
    theirs, written, door = tmp_path / "theirs.parquet", tmp_path / "written", Listener()
    duckdb.sql(f"SELECT '{SECRET}' AS name").write_parquet(str(theirs))
    all_orders = orders(theirs, written, door.port)
    world.connect()
    for number in range(RECORDS):
        kind, field = PLACES[number % len(PLACES)]
        told = f"do «{all_orders[number % len(all_orders)]}»"
        world.hubspot.account.change(kind, FIRST_ID + number // len(PLACES) % 8, **{field: told})
    world.refresh()
    world.read_files()
    catalog, warehouse, said = catalog_of(cast.acme), ChildWarehouse(size=1), list[str]()
    assert ordered(catalog) >= RECORDS // 2
    before = sorted(tmp_path.rglob("*"))
    try:
        for number in range(RECORDS):
            order = all_orders[number % len(all_orders)]
            nothing_told(asked(catalog, warehouse, order, said, QUESTIONS[number % len(QUESTIONS)]), order)
    finally:
        warehouse.close()
        door.close()
    assert len(said) >= RECORDS, "the model was asked, and did what it was told"
    assert sorted(tmp_path.rglob("*")) == before
    assert door.knocks == 0
