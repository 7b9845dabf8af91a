"""Questions that nobody would ask: whatever is typed, an answer comes, and soon."""

from __future__ import annotations

import calendar
import random
import time
from pathlib import Path

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language.lengths import LONGEST, is_too_long
from apps.analyst.pipeline import TOO_LONG, answer
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


@pytest.fixture(scope="module")
def dated(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """A table with a date, for periods to be about."""
    folder = tmp_path_factory.mktemp("dated")
    rows = [
        f"{('North', 'South')[n % 2]},2024-{n % 12 + 1:02}-10,C{n},{n * 7 % 90},{('Won', 'Lost')[n % 3 % 2]}"
        for n in range(50)
    ]
    (folder / "sales.csv").write_text("\n".join(["Region,Order date,Customer,Total amount,Stage", *rows]))
    return catalog_from_files([folder / "sales.csv"], folder / "tables")


SMALL_BUT_SLOW = {
    "periods": "q1 " * 663,
    "some periods": "total amount q1 " * 40,
    "years": "2024 " * 398,
    "months": "january " * 248,
    "dots": "." * LONGEST,
    "parted dots": ". " * 250,
    "dots in a row": "." * 500,
    "quotes": '"' * LONGEST,
    "parted quotes": '" ' * 250,
    "apostrophes": "' " * 250,
    "brackets": "(" * (LONGEST // 2) + ")" * (LONGEST // 2),
    "some brackets": "(" * 250 + ")" * 250,
    "dashes": "- " * 250,
}
READ_WITHIN = 8.0
"""Seconds of this process's own work, on a machine that is busy: each takes less than one on a quiet one."""


@pytest.mark.parametrize("name", SMALL_BUT_SLOW)
def test_a_small_text_of_little_but_marks_or_periods_is_soon_done_with(
    name: str, stays: FixedCatalog, dated: FixedCatalog
) -> None:
    warehouse = LocalWarehouse(threads=1)
    for catalog in (stays, dated):
        answer(Question("how many rows are there", today=TODAY), catalog=catalog, warehouse=warehouse, onward=False)
        begun = time.process_time()
        said = answer(Question(SMALL_BUT_SLOW[name], today=TODAY), catalog=catalog, warehouse=warehouse)
        assert time.process_time() - begun < READ_WITHIN, said.text
    warehouse.close()


@pytest.mark.parametrize("name", ["periods", "dots", "quotes", "brackets"])
def test_more_marks_or_periods_than_a_question_has_are_declined_with_what_to_do(name: str, stays: FixedCatalog) -> None:
    said = answer(
        Question(SMALL_BUT_SLOW[name][:LONGEST], today=TODAY), catalog=stays, warehouse=LocalWarehouse(threads=1)
    )
    assert (said.status, said.text) == ("declined", TOO_LONG)


def test_a_long_brief_and_three_years_of_months_are_read_as_questions() -> None:
    brief = "Please show me the total amount by region for the last year, and say how it changed. " * 23
    months = "total amount in " + ", ".join(
        f"{month} {year}" for year in (2022, 2023, 2024) for month in calendar.month_name[1:]
    )
    assert not is_too_long(brief[:LONGEST], TODAY)
    assert not is_too_long(months, TODAY)
