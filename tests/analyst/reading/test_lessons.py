"""What "Always" keeps: the entry of the dictionary by which a question is read as somebody chose."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.lessons import lesson, with_lesson
from apps.analyst.conversation.readas.others import Parts
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question
from tests.analyst.reading.conftest import TODAY


@pytest.fixture(scope="module")
def visits(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    """200 visits to five piers."""
    folder: Path = tmp_path_factory.mktemp("visits")
    lines = [f"{n},Pier {n % 5},{(n * 7) % 90 + n % 5 * 3},{n % 11}" for n in range(1, 201)]
    (folder / "visits.csv").write_text("\n".join(["visit,pier,fee,crates", *lines]))
    return catalog_from_files([folder / "visits.csv"], folder / "tables")


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("Which pier did best?", "best"),
        ("What is the best pier?", "best"),
        ("Show me the best piers", "best"),
        ("What is the strongest pier?", "strongest"),
        ("What are the strongest piers?", "strongest"),
    ],
)
def test_a_word_that_ranks_is_kept_for_the_figure_that_was_chosen(visits: FixedCatalog, asked: str, word: str) -> None:
    warehouse = LocalWarehouse(threads=1)

    def answers(question: Question, catalog: FixedCatalog) -> Answer:
        return answer(question, catalog=catalog, warehouse=warehouse, onward=False)

    question = Question(asked, today=TODAY)
    told = answers(question, visits)
    plans = [option.plan for option in told.plan.options] if isinstance(told.plan, Clarify) else [told.plan]
    others = ((plan, one) for plan in plans for one in Parts(plan, visits, told.rivals).of("figure:0"))  # type: ignore[arg-type]
    read, fee = next((plan, one) for plan, one in others if one.label == "Total fee")
    assert isinstance(read, Query)
    result = compute(fee.plan, visits, warehouse).result
    found = lesson(question, read, fee.plan, visits, result, answers)  # type: ignore[arg-type]
    assert found is not None
    assert (found.column, found.synonym) == ("fee", word)
    again = answers(question, with_lesson(visits, found))  # type: ignore[arg-type]
    assert again.result is not None
    assert again.result.rows == result.rows
