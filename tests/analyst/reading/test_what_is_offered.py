"""Columns that hold nothing are no candidates, and values are found by the initials that people say for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.knowledge.folding import folded
from apps.analyst.reading.linking import link
from apps.analyst.reading.search import guesses
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY

STAGES = ("Marketing Qualified Lead", "Subscriber", "Sales Qualified Lead")


@pytest.fixture
def tastings(tmp_path: Path) -> FixedCatalog:
    lines = [f"T{n},{STAGES[n % 3]},,{('Oslo', 'Rome')[n % 2]},{10 + n}" for n in range(30)]
    path = tmp_path / "tastings.csv"
    path.write_text("\n".join(["Tasting No,Guest Stage,Region,Town,Fee", *lines]), encoding="utf-8")
    return catalog_from_files([path], tmp_path / "tables")


def test_a_column_without_a_value_is_no_candidate(tastings: FixedCatalog) -> None:
    linked = link(Question("fees by region", today=TODAY), tastings)
    empty = next(n for n, (_, column) in enumerate(linked.index.columns) if column.name == "Region")
    found = guesses(linked)
    assert found
    assert all(("C", empty) not in guess.actions for guess in found)


@pytest.mark.parametrize("said", ["mql", "MQLs", "the SQLs"])
def test_initials_of_a_stored_value_name_it(said: str, tastings: FixedCatalog) -> None:
    linked = link(Question(f"how many {said} were there", today=TODAY), tastings)
    wanted = "Marketing Qualified Lead" if "m" in said.casefold() else "Sales Qualified Lead"
    word = folded(said.split()[-1])
    assert [value for _, value in linked.index.stored[word]] == [wanted]
