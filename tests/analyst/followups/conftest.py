"""Conversations over the `catalog` of a test's module, and what they come to in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Clarify, Option, Plan
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.reading.weighing import DOUBT
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question, Turn

TODAY = date(2025, 8, 10)
LATER = date(2026, 6, 15)
UNCERTAIN = DOUBT.partition("{")[0]
Talk = Callable[..., list[Answer]]
Ask = Callable[..., Answer]


@pytest.fixture(scope="module")
def talk(catalog: FixedCatalog) -> Iterator[Talk]:
    """Says these texts one after another, after the turns that were before, to the rules alone; each with its
    answer."""
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


@pytest.fixture(scope="module")
def ask(catalog: FixedCatalog) -> Iterator[Ask]:
    """Says these texts one after another, after the turns that were before; the last one's answer, by all readers."""
    warehouse = LocalWarehouse()

    def asked(*texts: str, turns: tuple[Turn, ...] = ()) -> Answer:
        said = turns
        for text in texts:
            given = answer(Question(text, today=LATER, turns=said), catalog=catalog, warehouse=warehouse)
            said = (*said, Turn(text, given.plan, given.text))
        return given

    yield asked
    warehouse.close()


def offered(first: str, plan: Plan, label: str) -> Turn:
    """A turn in which a question was only asked back, with a reading of it offered."""
    text = "I am not sure that I understood this correctly."
    return Turn(first, Clarify(question=text, options=(Option(label=label, question=label, plan=plan),)), text)


def sentence(given: Answer) -> str:
    """How the answer's plan reads."""
    assert given.plan is not None, given.text
    return plan_sentence(given.plan)
