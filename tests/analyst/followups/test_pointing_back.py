"""A message that points at what was told ("how many is that by owner") is about just that: its conditions stay."""

from __future__ import annotations

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Compare, Constant
from apps.analyst.plan.nodes import every
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.dialogues import playing


def thread(*says: str) -> Answer:
    """The answer to the last of what is said, one behind the other."""
    catalog, warehouse = playing.catalog("deals"), LocalWarehouse(threads=1)
    turns: tuple[Turn, ...] = ()
    for say in says:
        said = answer(Question(say, playing.TODAY, turns=turns), catalog=catalog, warehouse=warehouse)
        turns = (*turns, Turn(say, said.plan, said.text))
    warehouse.close()
    return said


@pytest.mark.parametrize(
    ("says", "kept"),
    [
        (("total amount of won deals in EMEA", "how many is that by owner"), {"Won", "EMEA"}),
        (("total amount of won deals by region", "what are those worth by owner?"), {"Won"}),
        (("number of lost deals by owner", "what was the average amount of those"), {"Lost"}),
    ],
)
def test_what_is_pointed_at_keeps_its_conditions(says: tuple[str, ...], kept: set[str]) -> None:
    said = thread(*says)
    assert said.status == "answered"
    assert said.plan is not None
    assert {n.right.value for n in every(said.plan) if isinstance(n, Compare) and isinstance(n.right, Constant)} == kept


def test_a_question_that_points_at_nothing_stands_by_itself() -> None:
    said = thread("total amount of won deals in EMEA", "Which lead source has the most deals?")
    assert said.plan is not None
    assert not any(isinstance(node, Compare) for node in every(said.plan))
