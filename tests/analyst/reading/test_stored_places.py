"""Places that a file stores by their codes are named as people call them."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.reading.linking import link
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


@pytest.fixture(scope="module")
def clinics(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("clinics")
    places = [("Austin", "TX"), ("Dallas", "TX"), ("Reno", "NV"), ("New York", "NY"), ("Buffalo", "NY")]
    rows = [f"{n},{city},{state},{40 + n}" for n, (city, state) in enumerate(places * 3)]
    (folder / "clinics.csv").write_text("\n".join(["clinic_id,city,state,beds", *rows]))
    return catalog_from_files([folder / "clinics.csv"], folder / "tables")


def named(text: str, clinics: FixedCatalog) -> set[tuple[str, str]]:
    linked = link(Question(text, today=TODAY), clinics)
    whole = (n for n in range(len(linked.items)) if linked.item_features[n, 3] > 0)
    return {(linked.index.columns[linked.items[n].column][1].name, linked.items[n].value) for n in whole}


def test_a_state_is_named_by_its_name_or_its_code(clinics: FixedCatalog) -> None:
    assert ("state", "TX") in named("beds in Texas", clinics)
    assert ("state", "TX") in named("beds in tx", clinics)


def test_a_name_that_another_column_stores_is_that_one(clinics: FixedCatalog) -> None:
    assert named("beds in New York", clinics) == {("city", "New York")}


def test_rows_of_a_state_are_counted(clinics: FixedCatalog) -> None:
    said = answer(Question("How many clinics are in Texas?", TODAY), catalog=clinics, warehouse=LocalWarehouse())
    assert said.result is not None
    assert said.result.rows == ((6,),)
