"""The network's senses tell what a reading uses from what it does not."""

from __future__ import annotations

import numpy as np
import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.features import Computed, features
from apps.analyst.reading.judging import judge
from apps.analyst.reading.linking import Linked, link
from apps.analyst.reading.sensing import SENSES, Senses, sensed, senses_of
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


def linked(text: str, stays: FixedCatalog) -> Linked:
    return link(Question(text, today=TODAY), stays)


def place(of: Linked, column: str) -> int:
    """Where a column of the first table that has it stands among tables and columns."""
    found = next(n for n, (_, one) in enumerate(of.index.columns) if one.name == column)
    return len(of.index.tables) + found


@pytest.mark.parametrize(
    ("text", "named", "other"),
    [
        ("average nightly rate", "rt_per_nt", "tot_amt"),
        ("nightly rate", "rt_per_nt", "tot_amt"),
        ("what did guests pay in total", "tot_amt", "rt_per_nt"),
    ],
)
def test_words_lie_nearer_to_the_column_that_they_name(stays: FixedCatalog, text: str, named: str, other: str) -> None:
    question = linked(text, stays)
    senses = senses_of(question)
    right, wrong = (sensed(senses, [place(question, column)], []) for column in (named, other))
    assert right["sense_said"] > wrong["sense_said"]
    assert right["sense_used"] > wrong["sense_used"]
    assert right["sense_lost_sum"] < wrong["sense_lost_sum"]
    assert right["sense_margin"] > 0
    assert right["sense_margin"] - wrong["sense_margin"] > 0.4
    if "average" not in text:  # which lies as near to any figure as to another
        assert wrong["sense_margin"] < 0


def test_a_column_is_said_by_the_word_that_lies_nearest_to_it_and_by_how_much_nearer_than_to_others() -> None:
    near = np.array([[0.1, 0.7, 0.4], [0.0, 0.2, 0.9]], np.float32)  # words x one table and two columns
    senses = Senses(near, tables=1, columns=2, content=[0, 1])
    first, second, both = (sensed(senses, places, []) for places in ([1], [2], [1, 2]))
    assert first["sense_margin"] == pytest.approx(0.3)
    assert second["sense_margin"] == pytest.approx(0.7)
    assert (both["sense_margin"], both["sense_said"]) == (pytest.approx(0.3), pytest.approx(0.7))
    assert first["sense_lost"] == pytest.approx(0.7)
    taken = Senses(np.array([[0.1, 0.3, 0.5]], np.float32), tables=1, columns=2, content=[0])
    assert sensed(taken, [1], [])["sense_margin"] == pytest.approx(-0.2)


def test_a_reading_that_uses_nothing_has_lost_every_word(stays: FixedCatalog) -> None:
    none = sensed(senses_of(linked("average nightly rate", stays)), [], [])
    assert none["sense_used"] == none["sense_worst"] == 0
    assert none["sense_lost_sum"] > 0
    assert none["sense_said"] == none["sense_margin"] == 1


def test_a_question_without_content_has_no_senses(stays: FixedCatalog) -> None:
    assert senses_of(linked("and of the", stays)) is None
    assert sensed(None, [], []) == dict.fromkeys(SENSES, 0.0)


def test_the_judge_is_shown_every_figure_that_it_weighs(stays: FixedCatalog) -> None:
    asked = proposed(Question("average nightly rate by property", today=TODAY), stays)
    told = compute(asked.candidates[0].plan, stays, LocalWarehouse(threads=1))
    (row,) = features([Computed(told.plan, told.result, network=asked.candidates[0].score)], asked)
    assert set(judge().names) <= set(row)
    assert row["sense_said"] > 0


def test_the_judge_is_told_which_words_the_network_never_looked_at(stays: FixedCatalog) -> None:
    asked = proposed(Question("average nightly rate by property", today=TODAY), stays)
    told = compute(asked.candidates[0].plan, stays, LocalWarehouse(threads=1))
    assert asked.linked is not None
    everywhere, passing = (np.ones(len(asked.linked.tokens), np.float32) for _ in range(2))
    passing[asked.linked.tokens.index("property")] = 0
    by = (everywhere, passing)
    made = [Computed(told.plan, told.result, network=-0.1, heeded=looked, attended=looked) for looked in by]
    full, part = features(made, asked)
    assert (full["unheeded"], full["heeded_least"], full["heeded_lost"]) == (0, 1, 0)
    assert part["unheeded"] > 0
    assert (part["heeded_least"], part["heeded_lost"], part["unseen"]) == (0, 1, part["unheeded"])
