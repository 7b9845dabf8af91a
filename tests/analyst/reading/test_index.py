"""Of a catalog with more tables and columns than can be looked at, a question sees those that lie nearest."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.reading.index import MOST_NODES, identifiers, index_of
from apps.analyst.reading.linking import Linked, link
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY

PLACES = ("Harbour House", "Castle Mews", "Bay View")


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """A file of 400 columns of probes, and one of stays, joined to a third."""
    folder: Path = tmp_path_factory.mktemp("wide")
    probes = [f"probe {n}" for n in range(400)]
    rows = [",".join(str(n * k % 97) for k in range(400)) for n in range(1, 20)]
    (folder / "probes.csv").write_text("\n".join([",".join(probes), *rows]))
    stays = [f"{n},{PLACES[n % 3]},{n % 8 + 1},2025-0{n % 6 + 1}-1{n % 9},G{n % 12}" for n in range(60)]
    (folder / "stays.csv").write_text("\n".join(["stay_no,prop_nm,nights,arr_dt,guest_no", *stays]))
    guests = [f"G{n},Ada {n},{'Gold' if n % 2 else 'Silver'}" for n in range(12)]
    (folder / "guests.csv").write_text("\n".join(["guest_no,guest_nm,tier", *guests]))
    return catalog_from_files([folder / f"{name}.csv" for name in ("probes", "stays", "guests")], folder / "tables")


def seen(linked: Linked) -> set[str]:
    return {column.name for _, column in linked.index.columns}


def test_a_question_sees_the_columns_that_it_names(wide: FixedCatalog) -> None:
    linked = link(Question("average nights of gold guests at Castle Mews by month", today=TODAY), wide)
    assert len(linked.index.names) <= MOST_NODES
    assert {"nights", "tier", "prop_nm", "arr_dt", "guest_no"} <= seen(linked)
    named = {linked.items[n].value for n in range(len(linked.items)) if linked.item_features[n, 3] > 0}
    assert {"Castle Mews", "Gold"} <= named


def test_what_it_sees_hangs_together_as_in_the_whole(wide: FixedCatalog) -> None:
    linked = link(Question("nights by tier", today=TODAY), wide)
    index = linked.index
    assert index.relations.shape == (len(index.names),) * 2
    assert (index.relations == 3).any()
    for item in linked.items:
        column = index.columns[item.column][1]
        assert item.value in {value.value for value in column.values}
    for (table, column), name in zip(index.columns, index.names[len(index.tables) :], strict=True):
        assert column in index.tables[table].columns
        assert name


def test_the_index_of_the_whole_holds_nothing_that_grows_with_its_square(wide: FixedCatalog) -> None:
    assert index_of(wide).relations.size == 0


def test_numbers_that_refer_to_another_table_are_identifiers_and_never_figures(tmp_path: Path) -> None:
    members = [f"{2000 + 7 * n},Ada {n}" for n in range(30)]
    sales = [f"2025-01-{1 + n % 28:02},{2000 + 7 * (n % 30)},{n * 3}" for n in range(90)]
    (tmp_path / "members.csv").write_text("\n".join(["member,full_name", *members]))
    (tmp_path / "sales.csv").write_text("\n".join(["sold_on,member,spent", *sales]))
    club = catalog_from_files([tmp_path / "members.csv", tmp_path / "sales.csv"], tmp_path / "tables")
    assert {dictionary_of(club)[table].column("member").kind for table in ("members", "sales")} == {"identifier"}
    index = index_of(club)
    told = {
        (index.tables[t].name, c.name) for (t, c), own in zip(index.columns, identifiers(index), strict=True) if own
    }
    assert told == {("members", "member"), ("sales", "member")}
