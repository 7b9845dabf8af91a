"""After an average, a rate or a share the same figure is offered on, and read so in the thread."""

from __future__ import annotations

from pathlib import Path

import pytest

from apps.analyst.plan import Comparison, Plan, Query
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.telling.onward import BESIDE
from apps.analyst.types import Turn
from tests.analyst.followups.conftest import Ask
from tests.analyst.followups.test_follow_ups_edit_the_plan import orders


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> FixedCatalog:
    folder: Path = tmp_path_factory.mktemp("orders")
    return catalog_from_files([orders(folder)], folder / "tables")


def query_of(plan: Plan | None) -> Query:
    found = plan.query if isinstance(plan, Comparison) else plan
    assert isinstance(found, Query)
    return found


@pytest.mark.parametrize(
    ("question", "offered"),
    [
        ("What is the average amount by region?", ("And by product instead?", "And by month instead?")),
        ("What is the median amount in 2024?", (BESIDE, "And by region?", "And by product?")),
        ("What is the highest amount in 2023?", ("And by region?", "And by product?", "And by month?")),
        (
            "What share of the total amount comes from each region?",
            ("And by product instead?", "And by month instead?"),
        ),
    ],
)
def test_the_same_figure_is_offered_and_told(question: str, offered: tuple[str, ...], ask: Ask) -> None:
    first = ask(question)
    assert first.follow_ups == offered
    turn, told = Turn(question, first.plan, first.text), query_of(first.plan)
    for text in offered:
        further = ask(text, turns=(turn,))
        assert further.status == "answered", text
        again = query_of(further.plan)
        assert [one.expr for one in again.measures] == [one.expr for one in told.measures], text
        assert again.groups != told.groups or isinstance(further.plan, Comparison), text


def test_after_a_total_whole_questions_are_offered_as_before(ask: Ask) -> None:
    assert all(text.startswith(("What", "How", "Which")) for text in ask("What is the total amount?").follow_ups)
