"""What a question says that no sketch can is put into the plan, or the plan is none."""

from __future__ import annotations

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    AnyOf,
    Between,
    ColumnRef,
    Compare,
    Constant,
    InQuery,
    Not,
    Output,
    Query,
)
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.reading.amended import amended, is_heeded, place_asked
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question, Turn
from tests.analyst.reading.conftest import TODAY


def likeliest(text: str, stays: FixedCatalog) -> Query:
    plan = proposed(Question(text, today=TODAY), stays).candidates[0].plan
    assert isinstance(plan, Query)
    return plan


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("the second highest total", 2),
        ("which property has the third most bookings", 3),
        ("5th biggest booking", 5),
        ("the first booking", None),
        ("the first highest", None),
        ("bookings in the second quarter", None),
        ("every second booking", None),
    ],
)
def test_a_place_in_a_ranking_is_an_ordinal_before_a_superlative(text: str, place: int | None) -> None:
    assert place_asked(tokens_of(text)) == place


def test_the_second_best_is_not_the_best(stays: FixedCatalog) -> None:
    best, second = (likeliest(f"which property has the {way} bookings", stays) for way in ("most", "second most"))
    assert (best.limit, best.offset) == (1, 0)
    assert second == best.model_copy(update={"offset": 1})
    warehouse = LocalWarehouse(threads=1)
    counted = compute(best.model_copy(update={"limit": 2}), stays, warehouse).result.rows
    assert compute(second, stays, warehouse).result.rows == counted[1:]


def test_a_listing_has_no_place_for_the_second_best(stays: FixedCatalog) -> None:
    listing = likeliest("which property has the most bookings", stays).model_copy(update={"limit": None})
    with pytest.raises(Unfit):
        amended(listing, link(Question("the second most bookings by property", today=TODAY), stays))


def test_a_reading_of_the_rules_that_passes_over_what_was_said_is_none(stays: FixedCatalog) -> None:
    asked = Question("which property has the second most bookings", today=TODAY)
    best = likeliest("which property has the most bookings", stays)
    second = best.model_copy(update={"offset": 1})
    assert [is_heeded(plan, link(asked, stays)) for plan in (best, second)] == [False, True]
    assert all(is_heeded(one.plan, link(asked, stays)) for one in understood(asked, stays))


def test_a_period_that_is_left_out_is_nowhere_in_the_plan(stays: FixedCatalog) -> None:
    """What one figure counts of March, or other rows of March, is no place to leave March out."""
    march = likeliest("how many bookings arrived in march 2025", stays)
    of_march = Output(label="March", expr=Aggregate(fn="count", where=march.where))
    among = InQuery(
        of=ColumnRef(table="bookings", column="gst_no"),
        query=march.model_copy(
            update={
                "measures": (),
                "columns": (Output(label="Members", expr=ColumnRef(table="bookings", column="gst_no")),),
            }
        ),
    )
    asked = link(Question("bookings excluding march 2025", today=TODAY), stays)
    for where, measures in ((None, (of_march,)), (among, march.measures)):
        with pytest.raises(Unfit):
            amended(march.model_copy(update={"where": where, "measures": measures}), asked)
    never = march.model_copy(update={"where": among.model_copy(update={"negated": True})})
    assert amended(never, asked) == never


@pytest.mark.parametrize(
    "way",
    ["excluding", "except", "without", "not counting", "other than", "apart from", "excluding the month of", "not in"],
)
def test_a_period_that_is_left_out_is_not_the_period(way: str, stays: FixedCatalog) -> None:
    inside = Between(
        of=ColumnRef(table="bookings", column="arr_dt"),
        low=Constant(value="2025-03-01", type="date"),
        high=Constant(value="2025-04-01", type="date"),
        half_open=True,
    )
    ends = tuple(
        Compare(op=op, left=inside.of, right=day)  # type: ignore[arg-type]
        for op, day in ((">=", inside.low), ("<", inside.high))
    )
    march = likeliest("how many bookings arrived in march 2025", stays)
    assert march.where is not None
    assert set(ends) <= set(march.where.__dict__["of"])
    asked = link(Question(f"how many bookings arrived {way} march 2025", today=TODAY), stays)
    assert amended(march, asked).model_dump() == march.model_copy(update={"where": Not(of=inside)}).model_dump()
    kept = link(Question("how many bookings arrived not by train but in march 2025", today=TODAY), stays)
    assert amended(march, kept) == march


def test_the_top_ten_percent_are_not_the_top_ten(stays: FixedCatalog) -> None:
    ten = likeliest("top 10 guests by total amount", stays)
    assert ten.limit == 10
    with pytest.raises(Unfit):
        amended(ten, link(Question("top 10 % of guests by total amount", today=TODAY), stays))
    assert amended(ten, link(Question("top 10 guests, at least 10 % off", today=TODAY), stays)) == ten


def _days(plan: Query) -> set[tuple[str, str]]:
    """The comparisons of a plan with days, as operators and days."""
    found = conjuncts(plan.where)
    return {
        (test.op, str(test.right.value))
        for test in found
        if isinstance(test, Compare) and isinstance(test.right, Constant) and test.right.type == "date"
    }


@pytest.mark.parametrize("said", ["up to march 2025", "up to the end of march 2025", "until march 2025"])
def test_what_only_ends_with_a_month_is_not_that_month(said: str, stays: FixedCatalog) -> None:
    assert _days(likeliest(f"how many bookings arrived {said}", stays)) == {("<", "2025-04-01")}


def test_the_last_month_of_a_stretch_leaves_its_beginning(stays: FixedCatalog) -> None:
    found = likeliest("how many bookings arrived from january until march 2025", stays)
    assert _days(found) == {(">=", "2025-01-01"), ("<", "2025-04-01")}


def test_a_part_of_a_month_is_in_every_reading(stays: FixedCatalog) -> None:
    """A reading that takes the month alone, or no days at all, is none: neither the network's nor the rules'."""
    march = likeliest("how many bookings arrived in march 2025", stays)
    asked = Question("how many bookings arrived in the first ten days of march 2025", today=TODAY)
    found = proposed(asked, stays).candidates
    assert found
    assert all({"2025-03-01", "2025-03-11"} & {day for _, day in _days(one.plan)} for one in found)
    assert not is_heeded(march, link(asked, stays))
    assert not understood(asked, stays), "the rules read March"
    with pytest.raises(Unfit):
        amended(march.model_copy(update={"where": None}), link(asked, stays))


@pytest.mark.parametrize("text", ["bookings this week last year", "plot bookings per month up to march 2025"])
def test_what_the_rules_pass_over_is_not_told_where_nothing_else_is_likely(text: str, stays: FixedCatalog) -> None:
    """ "This week last year" was told as this week or last year, since the rules were sure of it."""
    assert not understood(Question(text, today=TODAY), stays)


def test_a_definition_and_what_goes_on_from_an_answer_read_their_own_way(stays: FixedCatalog) -> None:
    march = likeliest("how many bookings arrived in march 2025", stays)
    turn = Turn("how many bookings arrived in march 2025", plan=march, answer="42")
    going_on = Question("and in the first week of april 2025?", today=TODAY, turns=(turn,))
    assert [one.reader for one in understood(going_on, stays)][:1] in ([], ["editing"], ["clarifying"])


def _held(*days: tuple[str, str]) -> Query:
    """The number of bookings between pairs of days, any of them."""
    of = ColumnRef(table="bookings", column="arr_dt")
    inside = [
        AllOf(
            of=(
                Compare(left=of, op=">=", right=Constant(value=start, type="date")),
                Compare(left=of, op="<", right=Constant(value=end, type="date")),
            )
        )
        for start, end in days
    ]
    count = Output(label="Bookings", expr=Aggregate(fn="count"))
    where = inside[0] if len(inside) == 1 else AnyOf(of=tuple(inside))
    return Query(source="bookings", measures=(count,), where=where)


@pytest.mark.parametrize(
    ("text", "one", "other"),
    [
        ("bookings today vs yesterday", ("2025-06-30", "2025-07-01"), ("2025-06-29", "2025-06-30")),
        ("bookings yesterday compared to today", ("2025-06-29", "2025-06-30"), ("2025-06-30", "2025-07-01")),
        ("bookings in May versus June 2024", ("2024-05-01", "2024-06-01"), ("2024-06-01", "2024-07-01")),
        ("compare bookings of Q1 2024 with Q1 2025", ("2024-01-01", "2024-04-01"), ("2025-01-01", "2025-04-01")),
        ("Jun-Aug 2023 against 2024, bookings", ("2023-06-01", "2023-09-01"), ("2024-06-01", "2024-09-01")),
        ("summer (Jun-Aug arrivals) 2023 versus 2024", ("2023-06-01", "2023-09-01"), ("2024-06-01", "2024-09-01")),
        ("Nov + Dec 2024 vs the two months before", ("2024-11-01", "2025-01-01"), ("2024-09-01", "2024-11-01")),
    ],
)
def test_no_reading_tells_one_side_of_a_comparison_alone(
    text: str, one: tuple[str, str], other: tuple[str, str], stays: FixedCatalog
) -> None:
    linked = link(Question(text, today=TODAY), stays)
    for alone in (one, other):
        with pytest.raises(Unfit):
            amended(_held(alone), linked)
    amended(_held(one, other), linked)


def test_a_year_beside_a_part_of_another_is_no_comparison_of_the_part(stays: FixedCatalog) -> None:
    linked = link(Question("compare summer (Jun-Aug arrivals) 2023 versus 2024", today=TODAY), stays)
    for last in (("2024-06-01", "2024-09-01"), ("2024-08-01", "2024-09-01"), ("2024-01-01", "2025-01-01")):
        with pytest.raises(Unfit):
            amended(_held(("2023-01-01", "2024-01-01"), last), linked)


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("bookings today vs yesterday, by day", ("2025-06-29", "2025-07-01")),
        ("bookings in May versus June 2024 by month", ("2024-05-01", "2024-07-01")),
        ("bookings of 2024 vs 2025 by year", ("2024-01-01", "2026-01-01")),
        ("bookings in May 2024 that were paid in June 2024", ("2024-05-01", "2024-06-01")),
        ("bookings in May 2024 and June 2024", ("2024-05-01", "2024-07-01")),
    ],
)
def test_days_that_hold_both_sides_hold_the_comparison(text: str, days: tuple[str, str], stays: FixedCatalog) -> None:
    amended(_held(days), link(Question(text, today=TODAY), stays))


@pytest.mark.parametrize(
    ("text", "heeded"),
    [
        ("how many bookings after Castle Mews", False),
        ("bookings before the Castle Mews ones", False),
        ("bookings after the property Castle Mews", False),
        ("how many bookings at Castle Mews", True),
        ("bookings at Castle Mews before they left", True),
    ],
)
def test_what_comes_after_a_thing_is_not_the_thing(text: str, heeded: bool, stays: FixedCatalog) -> None:
    there = Compare(op="=", left=ColumnRef(table="bookings", column="prop_nm"), right=Constant(value="Castle Mews"))
    plan = Query(source="bookings", where=there, measures=(Output(label="n", expr=Aggregate(fn="count")),))
    assert is_heeded(plan, link(Question(text, today=TODAY), stays)) is heeded
