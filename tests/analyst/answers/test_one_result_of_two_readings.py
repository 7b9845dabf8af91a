"""Two readings that come to one result by chance: the one that heeds more of the question is told."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question

TODAY = date(2026, 2, 16)
LAST_WEEK = date(2026, 2, 9)


@pytest.fixture(scope="module")
def rentals(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """Rentals of boats, last week seven by seven renters; they are paid for on the day."""
    folder: Path = tmp_path_factory.mktemp("rentals")
    days = [LAST_WEEK - timedelta(days=n) for n in range(1, 60)] + [LAST_WEEK + timedelta(days=n) for n in range(7)]
    rows = [f"R{n:03},Renter {n % 11},{day},{day},{40 + n % 7}" for n, day in enumerate(days)]
    (folder / "rentals.csv").write_text("\n".join(["Rental no,Renter,Rented on,Paid on,Fee", *rows]))
    return catalog_from_files([folder / "rentals.csv"], folder / "tables")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("how many different renters last week", "renters"),
        ("how many rentals last week", "rentals, where rented on"),
    ],
)
def test_what_heeds_more_of_the_question_is_told(rentals: FixedCatalog, text: str, said: str) -> None:
    made = answer(Question(text, TODAY), catalog=rentals, warehouse=LocalWarehouse())
    assert made.result is not None, made.text
    assert [tuple(map(int, row)) for row in made.result.rows] == [(7,)]
    assert said in made.evidence.plan_sentence.casefold()
