"""Messages behind the answer that they go on from: what is said of that answer, and what the network makes of both."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, Between, ColumnRef, Compare, Constant, Order, Output, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.reading.following import Before, is_short, meant, proposed_after, sentence_before
from apps.analyst.reading.linking import link
from apps.analyst.reading.network import add, network
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question, Turn
from tests.analyst.reading.conftest import TODAY

PLACE = ColumnRef(table="bookings", column="prop_nm")
TOTAL = Output(label="Total", expr=Aggregate(fn="sum", of=ColumnRef(table="bookings", column="tot_amt")))
BY_PLACE = Query(source="bookings", groups=(Output(label="Place", expr=PLACE),), measures=(TOTAL,))
BEST = BY_PLACE.model_copy(update={"order": (Order(by="Total", descending=True),), "limit": 1})


@pytest.fixture(scope="module")
def warehouse() -> Iterator[LocalWarehouse]:
    made = LocalWarehouse(threads=1)
    yield made
    made.close()


def asked(text: str) -> Question:
    return Question(text, today=TODAY)


def test_of_a_single_row_the_names_are_said_to_point_at() -> None:
    assert sentence_before(BEST, [("Bay View", 12_000)]).endswith(" Bay View")
    assert not sentence_before(BY_PLACE, [("Bay View", 1), ("Castle Mews", 2)]).endswith(("View", "Mews"))


def test_the_words_of_the_answer_before_are_marked(stays: FixedCatalog) -> None:
    before = sentence_before(BY_PLACE)
    linked = link(asked("only gold guests"), stays, before)
    assert linked.tokens[linked.before :] == ["only", "gold", "guests"]
    assert link(asked("only gold guests"), stays).before == 0


def test_what_is_too_long_to_be_read_together_is_not(stays: FixedCatalog) -> None:
    before = Before(BY_PLACE, None)
    assert is_short(asked("only gold guests"), before)
    assert not is_short(asked("and " * 60), before)


def test_small_maps_are_added_to_those_that_they_stand_beside() -> None:
    weights = {"a.weight": np.ones((2, 3), np.float32), "b.weight": np.zeros((1, 2), np.float32)}
    add(weights, {"a.inner": np.ones((1, 3), np.float32), "a.outer": np.array([[1.0], [2.0]], np.float32)})
    assert weights["a.weight"].tolist() == [[2, 2, 2], [3, 3, 3]]
    assert weights["b.weight"].tolist() == [[0, 0]]


def test_single_questions_are_read_by_the_weights_of_before() -> None:
    assert "before.weight" not in network().w


@pytest.mark.parametrize(
    ("text", "column", "value"),
    [("only the cancelled ones", "bkg_stat", "Cancelled"), ("half board only", "meal_pln", "HB")],
)
def test_a_message_takes_from_the_answer_what_it_leaves_unsaid(
    text: str, column: str, value: str, stays: FixedCatalog
) -> None:
    _, plans, _ = proposed_after(asked(text), Before(BY_PLACE, None), stays)
    plan = plans[0][0]
    assert isinstance(plan, Query)
    assert [group.expr for group in plan.groups] == [PLACE]
    kept = Compare(op="=", left=ColumnRef(table="bookings", column=column), right=Constant(value=value))
    assert [(part.left, part.right.value) for part in conjuncts(plan.where)] == [(kept.left, value)]


def test_each_result_is_one_reading_with_its_figures(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    before = Before(BY_PLACE, compute(BY_PLACE, stays, warehouse).result)
    every, rows = meant(asked("only the cancelled ones"), before, stays, warehouse, (), ())
    assert len(every) == len(rows) > 1
    likeliest = max(range(len(every)), key=lambda n: rows[n]["mass"])
    assert rows[likeliest]["groups_kept"] == rows[likeliest]["figures_kept"] == rows[likeliest]["conditions_new"] == 1
    assert rows[likeliest]["same"] == 0


def test_what_nobody_worded_as_a_change_is_one(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    before = Turn("what did each place bring in", BY_PLACE, "")
    question = Question("strip out the ones that got cancelled", today=TODAY, turns=(before,))
    given = answer(question, catalog=stays, warehouse=warehouse, onward=False)
    assert given.status == "answered"
    assert given.result is not None
    assert len(given.result.rows) == 3
    assert isinstance(given.plan, Query)
    assert given.plan.where is not None


def test_a_change_is_told_with_the_file_that_was_asked_for(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    before = Turn("what did each place bring in", BY_PLACE, "")
    question = Question("strip out the ones that got cancelled, as an excel file", today=TODAY, turns=(before,))
    given = answer(question, catalog=stays, warehouse=warehouse, onward=False)
    assert given.status == "answered"
    assert [file.file_name.rpartition(".")[2] for file in given.files] == ["xlsx"]


def test_a_period_stays_one_condition(stays: FixedCatalog) -> None:
    day = ColumnRef(table="bookings", column="arr_dt")
    low, high = Constant(value="2024-01-01", type="date"), Constant(value="2025-01-01", type="date")
    dated = BY_PLACE.model_copy(update={"where": Between(of=day, low=low, high=high, half_open=True)})
    before = Before(dated, None)
    assert before.sentence.endswith("in 2024")
    plan = proposed_after(asked("only the cancelled ones"), before, stays)[1][0][0]
    assert isinstance(plan, Query)
    assert dated.where in conjuncts(plan.where)
