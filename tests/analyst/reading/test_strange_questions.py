"""Questions that nobody would ask: whatever is typed, an answer comes, and soon."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import LONGEST, TOO_LONG, answer
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from benches.data import sales_csv
from benches.strange import questions
from tests.analyst.reading.conftest import TODAY


@pytest.mark.parametrize("seed", range(4))
def test_no_mixture_of_words_raises(seed: int, stays: FixedCatalog) -> None:
    warehouse = LocalWarehouse(threads=1)
    made = questions(random.Random(seed))
    for _ in range(12):
        said = answer(Question(made(), today=TODAY), catalog=stays, warehouse=warehouse, onward=False)
        assert said.status in ("answered", "clarify", "declined")
        assert said.text
    warehouse.close()


def test_a_text_far_beyond_a_question_is_declined_with_what_to_do(stays: FixedCatalog) -> None:
    text = "total amount by property " * (LONGEST // 20)
    said = answer(Question(text, today=TODAY), catalog=stays, warehouse=LocalWarehouse(threads=1))
    assert (said.status, said.text) == ("declined", TOO_LONG)


def test_what_is_computed_of_a_whole_table_is_told_without_a_column(tmp_path: Path) -> None:
    sales_csv(tmp_path / "sales.csv", 300)
    owners = [f"Owner {n},Team {n % 5}" for n in range(40)]
    (tmp_path / "owners.csv").write_text("\n".join(["owner,team", *owners]))
    catalog = catalog_from_files([tmp_path / "sales.csv", tmp_path / "owners.csv"], tmp_path / "tables")
    asked = Question("cheapest trend -1 team best am team price", today=TODAY)
    assert answer(asked, catalog=catalog, warehouse=LocalWarehouse(threads=1), onward=False).text
