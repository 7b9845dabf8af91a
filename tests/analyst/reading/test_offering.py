"""A question back puts its readings in few words, and only those that may be meant."""

from __future__ import annotations

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.readas.offering import ONE, SEVERAL, put_shortly
from apps.analyst.conversation.readas.phrasing import as_question, as_questions
from apps.analyst.language import Reading
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Clarify,
    ColumnRef,
    Compare,
    Constant,
    Missing,
    Option,
    Order,
    Output,
    Query,
)
from apps.analyst.reading.reader import Weighed
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Choice

PLACE = Output(label="Property", expr=ColumnRef(table="bookings", column="prop_nm"))
ROWS = Output(label="Number of bookings", expr=Aggregate(fn="count"))
BY_PLACE = Query(source="bookings", groups=(PLACE,), measures=(ROWS,))


@pytest.fixture(scope="module")
def warehouse() -> LocalWarehouse:
    return LocalWarehouse(threads=1)


def ranked(count: int, *, descending: bool) -> Query:
    order = (Order(by=ROWS.label, descending=descending),)
    return BY_PLACE.model_copy(update={"order": order, "limit": count})


@pytest.mark.parametrize(
    ("plan", "words"),
    [
        (BY_PLACE, "Number of bookings by property name"),
        (ranked(1, descending=True), "Property name with the most bookings"),
        (ranked(3, descending=False), "3 property names with the fewest bookings"),
    ],
)
def test_a_plan_is_worded_as_somebody_would_ask(plan: Query, words: str, stays: FixedCatalog) -> None:
    assert as_question(plan, stays) == words


def test_a_condition_on_what_is_missing_is_said(stays: FixedCatalog) -> None:
    nameless = BY_PLACE.model_copy(update={"where": Missing(of=ColumnRef(table="bookings", column="arr_dt"))})
    assert as_question(nameless, stays) == "Number of bookings by property name, where arrival date is missing"


def test_files_are_named_only_where_words_would_be_the_same(stays: FixedCatalog) -> None:
    assert as_questions([BY_PLACE, BY_PLACE], stays) == ["Number of bookings by property name, in bookings"] * 2
    assert as_questions([BY_PLACE], stays) == ["Number of bookings by property name"]


def offered(text: str, plans: list[Query], stays: FixedCatalog, warehouse: LocalWarehouse) -> Answer:
    options = tuple(Option(label=f"the {n}th", question=f"the {n}th", plan=plan) for n, plan in enumerate(plans))
    made = Answer(
        "clarify",
        "Several.",
        plan=Clarify(question="Several.", options=options),
        choices=tuple(Choice(option.label, option.label) for option in options),
    )
    weighed = [Weighed(Reading(plan=plan, score=0.3), compute(plan, stays, warehouse)) for plan in plans]
    return put_shortly(made, text, weighed, stays)


def test_the_other_end_is_not_offered(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    plans = [ranked(3, descending=True), ranked(3, descending=False)]
    said = offered("the 3 properties with the fewest bookings", plans, stays, warehouse)
    assert (said.text, [choice.label for choice in said.choices]) == (
        ONE,
        ["3 property names with the fewest bookings"],
    )


def test_what_gives_nothing_is_not_offered_beside_what_gives_something(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    nowhere = Compare(op="=", left=PLACE.expr, right=Constant(value="Nowhere"))
    none = Query(source="bookings", measures=(ROWS,), where=nowhere)
    said = offered("how many", [none, BY_PLACE], stays, warehouse)
    assert [choice.label for choice in said.choices] == ["Number of bookings by property name"]
    assert offered("how many", [none], stays, warehouse).choices


def test_a_period_that_is_asked_for_beside_names_is_not_passed_over(
    stays: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    said = offered("bookings per month by property", [BY_PLACE], stays, warehouse)
    assert [choice.label for choice in said.choices] == [
        "Number of bookings by property name and month of arrival date"
    ]
    plain = offered("bookings by property", [BY_PLACE], stays, warehouse)
    assert [choice.label for choice in plain.choices] == ["Number of bookings by property name"]


def test_each_reading_is_offered_with_what_it_comes_to(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    count = Query(source="bookings", measures=(ROWS,))
    said = offered("bookings", [count, ranked(1, descending=True)], stays, warehouse)
    rows = compute(count, stays, warehouse).result.rows[0][0]
    assert said.choices[0].figure == str(rows)
    assert said.choices[1].figure.startswith(("Castle Mews", "Harbour House", "Bay View"))


def test_each_choice_is_taken_by_its_words(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    said = offered("bookings", [BY_PLACE, ranked(1, descending=True)], stays, warehouse)
    assert said.text == SEVERAL
    assert isinstance(said.plan, Clarify)
    assert [choice.question for choice in said.choices] == [option.label for option in said.plan.options]
    assert [option.plan for option in said.plan.options] == [BY_PLACE, ranked(1, descending=True)]


def total(*, since: str, until: str) -> Output:
    within = tuple(
        Compare(op=op, left=ColumnRef(table="bookings", column="arr_dt"), right=Constant(value=day, type="date"))
        for op, day in ((">=", since), ("<", until))
    )
    figure = Aggregate(fn="sum", of=ColumnRef(table="bookings", column="tot_amt"), where=AllOf(of=within))
    return Output(label=f"Total from {since}", expr=figure)


def test_the_same_figures_in_another_layout_are_no_other_choice(stays: FixedCatalog, warehouse: LocalWarehouse) -> None:
    old, new = total(since="2024-01-01", until="2024-04-01"), total(since="2025-01-01", until="2025-04-01")
    both = Query(source="bookings", measures=(new, old))
    turned, one = Query(source="bookings", measures=(old, new)), Query(source="bookings", measures=(new,))
    assert len(offered("first quarters", [both, turned, one], stays, warehouse).choices) == 1
    assert (
        len(offered("first quarters", [one, Query(source="bookings", measures=(old,))], stays, warehouse).choices) == 2
    )
