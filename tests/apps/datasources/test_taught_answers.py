"""What an admin teaches about a file is what the next question is read with."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date

import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.types import Answer, Question
from apps.datasources.catalog import catalog_of
from tests.apps.datasources.test_teaching import LINES, teach, undo

Ask = Callable[[str], Answer]


@pytest.fixture
def ask(upload, cast) -> Iterator[Ask]:
    """Asks the real engine about forty orders of Acme."""
    upload(("orders.csv", LINES))
    warehouse = LocalWarehouse()
    yield lambda text: answer(
        Question(text, today=date(2025, 6, 1)), catalog=catalog_of(cast.acme), warehouse=warehouse
    )
    warehouse.close()


def rows(told: Answer) -> list[tuple[object, ...]]:
    assert told.status == "answered", told.text
    assert told.result is not None
    return sorted(told.result.rows)


def test_a_word_that_was_taught_makes_a_question_answerable_until_it_is_undone(ask, cast):
    asked = "Total moolah by return flag"
    assert ask(asked).status != "answered"
    teach(cast.ada, {"synonyms": ["moolah"]})
    assert [(flag, float(total)) for flag, total, *_ in rows(ask(asked))] == [("N", 410.0), ("Y", 390.0)]
    undo(cast.ada)
    assert ask(asked).status != "answered"


def test_a_flag_is_read_by_the_meaning_that_was_taught(ask, cast):
    teach(cast.ada, {"values": {"Y": "boomeranged"}, "value_synonyms": {"Y": ["boomeranged"]}}, "RTN_FLG")
    assert any("Y" in condition for condition in ask("How many orders were boomeranged?").evidence.filters)


def test_a_stored_value_is_found_by_what_else_people_call_it(ask, cast):
    asked = "How many orders were boomeranged?"
    teach(cast.ada, {"value_synonyms": {"Y": ["boomeranged"]}}, "RTN_FLG")
    assert any("Y" in condition for condition in ask(asked).evidence.filters)
