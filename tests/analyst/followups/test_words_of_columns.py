"""Words that stand in the names of columns, in stored values and in what the rows are called: a change of the answer
before takes each for what it names."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest

from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from tests.analyst.consensus.planted import write
from tests.analyst.followups.conftest import Talk, sentence

HEAD = ["Record ID", "Job Name", "Job Owner", "Job Difficulty", "Opened On", "Enquiry Source", "Paid By",
        "Strings Replaced", "Fee Billed", "Yearly owner bonus percent on revenue", "Turnover"]  # fmt: skip
SOURCES = ("Offline Sources", "Web Search", "Walk In")
OWNERS = ("Ottilie Brandt", "Ravi Menon", "Solveig Dahl")


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder = tmp_path_factory.mktemp("tuners")
    return catalog_from_files([_jobs(folder)], folder / "tables")


def _jobs(folder: Path) -> Path:
    rows = [
        [900 + n, f"Piano {n}", OWNERS[n % 3], 1 + n % 5, date(2024, 6, 1) + timedelta(days=3 * n), SOURCES[n % 7 % 3],
         ("Card", "Cash")[n % 2], 1 + n % 6, 80 + 17 * n % 300, 0.01 * (n % 9), 5 + 3 * n % 60]
        for n in range(240)
    ]  # fmt: skip
    return write(folder, "tuning-exports-all-jobs.csv", HEAD, rows)


OWNED = "What is the total fee billed by job owner?"


@pytest.mark.parametrize("text", ["by source", "by enquiry source"])
def test_a_word_of_a_columns_name_is_no_part_of_its_values(text: str, talk: Talk) -> None:
    told = sentence(talk("What is the total strings replaced in 2025?", text)[-1])
    assert "by enquiry source in" in told
    assert "enquiry source is" not in told
    assert "contains" not in told


def test_a_value_that_holds_more_than_the_name_still_is_one(talk: Talk) -> None:
    assert "enquiry source is Offline Sources" in sentence(talk(OWNED, "only offline sources")[-1])


def test_the_number_of_what_the_rows_are_is_no_column_that_begins_so(talk: Talk) -> None:
    told = sentence(talk(OWNED, "and the number of jobs")[-1])
    assert told.startswith("Number of")
    assert "difficulty" not in told
    assert "by job owner" in told


def test_a_figure_that_is_told_already_is_no_change(talk: Talk) -> None:
    assert talk(OWNED, "and the fee billed")[-1].result is None


def test_a_column_that_is_what_a_word_speaks_of_comes_before_one_whose_name_holds_it(talk: Talk) -> None:
    assert sentence(talk(OWNED, "and revenue")[-1]).startswith("Total turnover by job owner")


def test_of_what_is_told_already_another_is_meant_that_the_word_fits(talk: Talk) -> None:
    told = talk("What is the average yearly owner bonus percent on revenue by job owner?", "and revenue")[-1]
    assert "turnover by job owner" in sentence(told)


def test_a_figure_by_another_is_one_figure_of_the_groups_and_rows_before(talk: Talk) -> None:
    told = sentence(talk("What is the total fee billed by job owner in 2025?", "turnover per string pls")[-1])
    assert told.startswith("Total turnover ÷ total strings replaced by job owner")
    assert "where opened on is in 2025" in told
