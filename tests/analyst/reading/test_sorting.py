"""Lists stand in the order that is asked for, whole."""

from __future__ import annotations

import pytest

from apps.analyst.plan import Aggregate, ColumnRef, Order, Output, Period, Query, Window
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.sorting import Sorted, as_sorted, asked_order
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY

ARRIVED = Output(label="Arrival", expr=ColumnRef(table="bookings", column="arr_dt"))
AMOUNT = Output(label="Amount", expr=ColumnRef(table="bookings", column="tot_amt"))
GUEST = Output(label="Guest", expr=ColumnRef(table="bookings", column="gst_no"))
COUNT = Output(label="Bookings", expr=Aggregate(fn="count"))


@pytest.mark.parametrize(
    ("text", "order"),
    [
        ("cancelled bookings with arrival, oldest first", Sorted(descending=False, by_date=True)),
        ("bookings of last week, most recent first please", Sorted(descending=True, by_date=True)),
        ("open invoices, newest at the top", Sorted(descending=True, by_date=True)),
        ("bookings by property, biggest first", Sorted(descending=True, by_date=False)),
        ("items by price, most expensive first", Sorted(descending=True, by_date=False)),
        ("bookings by property, lowest on top", Sorted(descending=False, by_date=False)),
    ],
)
def test_an_order_is_a_superlative_before_first(text: str, order: Sorted) -> None:
    assert asked_order(tokens_of(text)) == order


@pytest.mark.parametrize(
    "text",
    ["the first booking", "highest first weekend", "customers with the oldest first order", "who is on top salary"],
)
def test_the_first_of_something_is_no_order(text: str) -> None:
    assert asked_order(tokens_of(text)) is None


def sorted_as(text: str, plan: Query, stays: FixedCatalog) -> Query:
    made = as_sorted(plan, link(Question(text, today=TODAY), stays))
    assert isinstance(made, Query)
    return made


def test_rows_are_sorted_by_their_date_and_none_is_cut(stays: FixedCatalog) -> None:
    rows = Query(source="bookings", columns=(GUEST, ARRIVED))
    oldest = (Order(by="Arrival", descending=False),)
    assert sorted_as("bookings, oldest first", rows, stays) == rows.model_copy(update={"order": oldest})
    cut = rows.model_copy(update={"order": oldest, "limit": 1})
    assert sorted_as("bookings, oldest first", cut, stays) == rows.model_copy(update={"order": oldest})


def test_groups_are_sorted_by_their_figure_also_along_time(stays: FixedCatalog) -> None:
    months = Output(label="Month", expr=Period(of=ARRIVED.expr, grain="month"))
    plan = Query(source="bookings", groups=(months,), measures=(COUNT,), order=(Order(by="Month"),))
    assert sorted_as("bookings by month, biggest first", plan, stays).order == (Order(by="Bookings", descending=True),)


def test_the_first_five_stay_five(stays: FixedCatalog) -> None:
    top = Query(source="bookings", columns=(GUEST, AMOUNT), order=(Order(by="Amount", descending=True),), limit=5)
    assert sorted_as("top 5 bookings, biggest first", top, stays) == top


def test_a_list_without_a_date_is_sorted_by_its_own_which_stands_in_it(stays: FixedCatalog) -> None:
    booking = Output(label="Booking", expr=ColumnRef(table="bookings", column="bkg_no"))
    for plan in (
        Query(source="bookings", columns=(booking, AMOUNT)),
        Query(source="bookings", columns=(booking, AMOUNT), distinct=True),
    ):
        made = sorted_as("bookings with amount, newest first", plan, stays)
        assert [output.expr for output in made.columns[2:]] == [ARRIVED.expr]
        assert made.order == (Order(by=made.columns[2].label, descending=True),)


def test_what_has_nothing_to_be_sorted_by_stays_as_it_is(stays: FixedCatalog) -> None:
    names = Query(source="bookings", columns=(GUEST,), distinct=True)
    assert sorted_as("guests, oldest first", names, stays) == names


CHANGE = Output(label="Change", expr=Window(fn="change", of=COUNT.expr, order="Month"))


@pytest.mark.parametrize(
    ("text", "descending"),
    [
        ("the month with the biggest drop in bookings", False),
        ("which month lost the most bookings against the month before", False),
        ("which month fell the most in bookings", False),
        ("the month with the biggest increase in bookings", True),
        ("the month with the biggest change in bookings", True),
        ("the month with the smallest drop in bookings", True),
    ],
)
def test_the_biggest_drop_is_the_lowest_change(text: str, descending: bool, stays: FixedCatalog) -> None:
    months = Output(label="Month", expr=Period(of=ARRIVED.expr, grain="month"))
    first = Order(by="Change", descending=True)
    plan = Query(source="bookings", groups=(months,), measures=(CHANGE,), order=(first,), limit=1)
    assert sorted_as(text, plan, stays).order == (Order(by="Change", descending=descending),)
    by_count = plan.model_copy(update={"measures": (COUNT,), "order": (Order(by="Bookings", descending=True),)})
    assert sorted_as(text, by_count, stays) == by_count


# ---------------------------------------------------------------- how many, and from which end
NAMES = Output(label="Property", expr=ColumnRef(table="bookings", column="prop_nm"))
FIRST = Query(
    source="bookings",
    groups=(NAMES,),
    measures=(COUNT,),
    order=(Order(by="Bookings", descending=True),),
    limit=1,
)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("which properties have the most bookings", None),
        ("list the top properties by bookings", None),
        ("top property names by bookings", None),
        ("top property name by bookings", 1),
        ("which property bookings are the most", 1),
        ("which property has the most bookings", 1),
        ("which of our properties has the most bookings", 1),
        ("which 3 properties have the most bookings", 1),
        ("which guests have the most bookings by property", 1),
    ],
)
def test_of_several_that_are_asked_for_all_are_ranked(text: str, limit: int | None, stays: FixedCatalog) -> None:
    made = sorted_as(text, FIRST, stays)
    assert made.limit == limit
    assert made.order == FIRST.order


@pytest.mark.parametrize(
    ("text", "label", "descending"),
    [
        ("bottom five properties by bookings", "Bookings", False),
        ("five properties with the fewest bookings", "Bookings", False),
        ("the five worst properties by revenue", "Total revenue", False),
        ("the five worst properties by complaints", "Complaints", True),
        ("the five best properties by revenue", "Total revenue", True),
        ("lowest and highest properties by bookings", "Bookings", True),
    ],
)
def test_a_ranking_begins_at_the_end_that_is_named(
    text: str, label: str, descending: bool, stays: FixedCatalog
) -> None:
    figure = COUNT.model_copy(update={"label": label})
    order = (Order(by=label, descending=True),)
    plan = FIRST.model_copy(update={"measures": (figure,), "order": order, "limit": 5})
    assert sorted_as(text, plan, stays).order == (Order(by=label, descending=descending),)
