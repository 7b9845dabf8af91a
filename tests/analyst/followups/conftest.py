"""Conversations over the `catalog` of a test's module, without the learned reader, and what they come to in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question, Turn

TODAY = date(2025, 8, 10)
Talk = Callable[..., list[Answer]]


@pytest.fixture(scope="module")
def talk(catalog: FixedCatalog) -> Iterator[Talk]:
    """Says these texts one after another, after the turns that were before; each with its answer."""
    warehouse = LocalWarehouse()

    def ask(*texts: str, turns: tuple[Turn, ...] = ()) -> list[Answer]:
        said, answers = list(turns), []
        for text in texts:
            question = Question(text, today=TODAY, turns=tuple(said))
            answers.append(answer(question, catalog=catalog, warehouse=warehouse, learned=False, onward=False))
            said.append(Turn(text, answers[-1].plan, answers[-1].text))
        return answers

    yield ask
    warehouse.close()


def sentence(given: Answer) -> str:
    """How the answer's plan reads."""
    assert given.plan is not None, given.text
    return plan_sentence(given.plan)
