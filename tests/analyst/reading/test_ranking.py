"""A whole plan read beside the question: how it is spelled out, and that what fits better scores higher."""

from __future__ import annotations

import numpy as np
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Aggregate, AllOf, ColumnRef, Compare, Constant, Order, Output, Plan, Predicate, Query
from apps.analyst.reading.linking import link
from apps.analyst.reading.network import network
from apps.analyst.reading.ranking import FIT_FEATURES, MOST_WORDS, WORD_FEATURES, ranker, seen, spelled, word_features
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY


def column(name: str) -> ColumnRef:
    return ColumnRef(table="bookings", column=name)


def figure(fn: str, name: str, where: Predicate | None = None, **more: object) -> Query:
    """One figure over the bookings."""
    measure = Output(label="figure", expr=Aggregate.model_validate({"fn": fn, "of": column(name)}))
    return Query.model_validate({"source": "bookings", "measures": (measure,), "where": where, **more})


def by_place(descending: bool) -> Query:
    groups = (Output(label="place", expr=column("prop_nm")),)
    return figure("sum", "tot_amt", groups=groups, order=(Order(by="figure", descending=descending),), limit=1)


def since(day: str) -> Predicate:
    return Compare(op=">=", left=column("arr_dt"), right=Constant(value=day, type="date"))


def is_plan(name: str) -> Predicate:
    return Compare(op="=", left=column("meal_pln"), right=Constant(value=name))


def words(plan: Plan, stays: FixedCatalog) -> str:
    return " ".join(spelled(plan, link(Question("?", today=TODAY), stays).index).words)


def test_a_plan_is_spelled_with_the_names_that_the_dictionary_has(stays: FixedCatalog) -> None:
    both = AllOf(of=(is_plan("HB"), since("2024-03-01")))
    assert words(figure("sum", "tot_amt", both), stays) == (
        "booking where = meal plan hb >= arrival date 1 march 2024 measures sum total amount"
    )


def test_an_order_says_by_what_rows_are_ordered(stays: FixedCatalog) -> None:
    assert words(by_place(descending=True), stays).endswith(
        "groups property name measures sum total amount order sum total amount descending limit 1"
    )


def test_no_plan_is_longer_than_what_is_looked_at(stays: FixedCatalog) -> None:
    long = AllOf(of=tuple(is_plan(f"plan {n}") for n in range(60)))
    linked = link(Question("How many bookings?", today=TODAY), stays)
    shown = seen(linked, figure("sum", "tot_amt", long))
    assert len(shown.plan.words) == MOST_WORDS
    assert shown.fits.shape == (len(linked.tokens), FIT_FEATURES)
    assert shown.near.shape == (len(linked.tokens), MOST_WORDS)
    assert word_features(shown.plan, linked.index).shape == (MOST_WORDS, WORD_FEATURES)


@pytest.mark.parametrize(
    ("question", "right", "wrong"),
    [
        ("What is the average amount?", figure("avg", "tot_amt"), figure("sum", "tot_amt")),
        ("What is the total amount?", figure("sum", "tot_amt"), figure("sum", "nts")),
        ("Total amount with meal plan HB?", figure("sum", "tot_amt", is_plan("HB")), figure("sum", "tot_amt")),
        (
            "Total amount with meal plan HB?",
            figure("sum", "tot_amt", is_plan("HB")),
            figure("sum", "tot_amt", is_plan("BB")),
        ),
        ("Total amount since March 2024?", figure("sum", "tot_amt", since("2024-03-01")), figure("sum", "tot_amt")),
        ("Which property has the lowest total amount?", by_place(descending=False), by_place(descending=True)),
    ],
)
def test_a_plan_that_says_what_was_asked_scores_above_one_that_does_not(
    question: str, right: Plan, wrong: Plan, stays: FixedCatalog
) -> None:
    linked = link(Question(question, today=TODAY), stays)
    scores = ranker().scores(network().words.states(linked.tokens), linked, [right, wrong])
    assert np.isfinite(scores).all()
    assert scores[0] > scores[1]


def test_a_word_of_a_columns_name_does_not_outweigh_what_is_asked_of_it(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    """The ranking alone cannot tell the "total" of "average total amount" from a sum; with the network's likelihood
    the average is told."""
    said = answer(Question("What is the average total amount?", today=TODAY), catalog=stays, warehouse=warehouse)
    assert isinstance(said.plan, Query)
    (figure,) = said.plan.measures
    assert isinstance(figure.expr, Aggregate)
    assert (said.status, figure.expr.fn) == ("answered", "avg")
