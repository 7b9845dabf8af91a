"""A question that names, word for word, a column which only one table has is read over that table."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.reading.homes import homes
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.tables.drawn_joins import drawn_join
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY

FILES = {
    "shifts": ("shop,day,warden", [f"S{n % 5},2025-03-{n // 5 + 1:02},{('Tarn', 'Vole')[n % 2]}" for n in range(50)]),
    "tills": ("till,sold on,barrels", [f"S{n % 5},2025-03-{n // 5 % 10 + 1:02},{n}" for n in range(100)]),
    "picking": ("orchard,crates", ["Hilltop,141", "Riverside,32", "Seaside,77"]),
    "mooring": ("visit,moored,levy", [f"{n},{n % 20 + 1},{n}.50" for n in range(100, 180)]),
    "quays": ("berth,cove", [f"{n},{('Tarn', 'Vole')[n % 2]}" for n in range(1, 21)]),
    "landings": ("visit,pier", [f"{n},Pier {n % 7}" for n in range(1, 91)]),
    "ferry tickets": (
        "ticket_no,sold_on,route,fare",
        [f"T{n},{date(2024, 3, 2) + timedelta(n)},{('Oslo', 'Riga')[n % 2]},{40 + n % 7}.50" for n in range(200)],
    ),
    "lock keepers": ("keeper,lock", ["Ann,Upper", "Bo,Lower", "Cy,Upper"]),
    "harbour orders": (
        "order id,harbour,net amount,order date",
        [f"{n},{('Oslo', 'Riga')[n % 2]},{10 * n},2024-0{1 + n % 6}-10" for n in range(1, 41)],
    ),
    "parcels": (
        "parcel id,state,list price,sent on",
        [f"{n},{('Shipped', 'Cancelled')[n % 2]},{n},2024-0{1 + n % 6}-10" for n in range(1, 61)],
    ),
}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Ten small files of which tills and shifts, and mooring and quays, were connected by hand."""
    folder: Path = tmp_path_factory.mktemp("many")
    for name, (head, rows) in FILES.items():
        (folder / f"{name}.csv").write_text("\n".join([head, *rows]))
    read = catalog_from_files([folder / f"{name}.csv" for name in FILES], folder / "tables")
    by = {table.name: table for table in read.tables()}
    drawn = (
        drawn_join(by["tills"], ("till", "sold on"), by["shifts"], ("shop", "day")),
        drawn_join(by["mooring"], ("moored",), by["quays"], ("berth",)),
    )
    return FixedCatalog("many", tuple(read.tables()), (*drawn, *read.joins()))


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("What is the total barrels by warden?", {("Tarn", 2450), ("Vole", 2500)}),
        ("What is the total levy by cove?", {("Tarn", 5620), ("Vole", 5580)}),
    ],
)
def test_a_drawn_connection_is_used_however_many_other_files_are_there(
    text: str, rows: set[tuple[str, int]], many: FixedCatalog
) -> None:
    said = answer(Question(text, today=TODAY), catalog=many, warehouse=LocalWarehouse(threads=1), onward=False)
    assert said.result is not None, said.text
    assert {(str(name), int(figure)) for name, figure in said.result.rows} == rows


def test_a_column_that_is_named_is_meant_though_knowledge_has_the_word_for_another_table_too(tmp_path: Path) -> None:
    files = {
        "deals": ["deal_id,owner_id,seats", *(f"{n},{n % 6},{n % 9}" for n in range(60))],
        "owners": ["owner_id,owner_name,quota", *(f"{n},Owner {n},{1000 * n}" for n in range(6))],
        "activities": [
            "activity_id,deal_id,kind,minutes",
            *(f"{n},{n % 60},{'Call' if n % 3 else 'Email'},{n % 50}" for n in range(300)),
        ],
    }
    for name, lines in files.items():
        (tmp_path / f"{name}.csv").write_text("\n".join(lines))
    catalog = catalog_from_files([tmp_path / f"{name}.csv" for name in files], tmp_path / "tables")
    assert "owners" in homes(link(Question("What is the total quota by activity kind?", today=TODAY), catalog))


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("What is the total barrels by warden?", {"tills", "shifts"}),
        ("Barrels per cove", {"tills", "quays"}),
        ("How many visits were there?", set()),
        ("What was the average price by state?", {"parcels"}),
        ("How many were shipped?", set()),
        ("What is the net harbour amount?", {"harbour orders"}),
        ("What is the barrels price?", set()),
    ],
)
def test_a_table_is_named_by_a_column_that_it_alone_has(text: str, tables: set[str], many: FixedCatalog) -> None:
    assert homes(link(Question(text, today=TODAY), many)) == tables
