"""What a question holds against an average is in the plan, or the plan is none."""

from __future__ import annotations

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.plan import Aggregate, Arithmetic, ColumnRef, Compare, Constant, Output, Query, ScalarQuery
from apps.analyst.reading.averages import against_average, asked_multiple
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.linking import Linked, link
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Question
from tests.analyst.reading.conftest import TODAY

AMOUNT = ColumnRef(table="bookings", column="tot_amt")
MEAN = Query(source="bookings", measures=(Output(label="Average", expr=Aggregate(fn="avg", of=AMOUNT)),))
COUNT = Output(label="Number", expr=Aggregate(fn="count"))
ABOVE = Query(source="bookings", where=Compare(op=">", left=AMOUNT, right=ScalarQuery(query=MEAN)), measures=(COUNT,))


def linked_to(text: str, stays: FixedCatalog) -> Linked:
    return link(Question(text, today=TODAY), stays)


@pytest.mark.parametrize(
    ("text", "multiple"),
    [
        ("bookings of more than double the average amount", 2),
        ("at least twice the mean amount", 2),
        ("guests who spend five times what the average guest spends", 5),
        ("below half the average rate", 0.5),
        ("over 1.5x the average", 1.5),
        ("more than 150% of the average amount", 1.5),
        ("bookings above the average amount", None),
        ("average amount of double rooms", None),
        ("guests who came 3 times, average amount", None),
        ("two properties by average amount", None),
    ],
)
def test_a_multiple_of_an_average_stands_right_before_it(
    text: str, multiple: float | None, stays: FixedCatalog
) -> None:
    linked = linked_to(text, stays)
    found = asked_multiple(linked.tokens, linked.amounts)
    assert (found.value if found is not None else None) == multiple


def test_more_than_double_the_average_is_counted_so(stays: FixedCatalog) -> None:
    made = against_average(ABOVE, linked_to("how many bookings are more than double the average amount", stays))
    warehouse = LocalWarehouse(threads=1)
    (many,), (few,) = (compute(plan, stays, warehouse).result.rows[0] for plan in (ABOVE, made))
    assert 0 < int(str(few)) < int(str(many))
    assert isinstance(made, Query)
    assert isinstance(made.where, Compare)
    times = Arithmetic(op="*", left=ScalarQuery(query=MEAN), right=Constant(value=2.0, type="number"))
    assert made.where.right == times
    assert against_average(made, linked_to("more than double the average amount", stays)) == made


@pytest.mark.parametrize(("words", "op"), [("at least twice", ">="), ("more than twice", ">"), ("twice", ">")])
def test_at_least_twice_the_average_is_not_more_than_twice(words: str, op: str, stays: FixedCatalog) -> None:
    made = against_average(ABOVE, linked_to(f"bookings of {words} the average amount", stays))
    assert isinstance(made, Query)
    assert isinstance(made.where, Compare)
    assert made.where.op == op


def test_a_plan_that_holds_nothing_against_an_average_is_none_for_double_the_average(stays: FixedCatalog) -> None:
    over_two = Query(
        source="bookings",
        where=Compare(op=">", left=AMOUNT, right=Constant(value=2, type="number")),
        measures=(COUNT,),
    )
    with pytest.raises(Unfit):
        against_average(over_two, linked_to("bookings of more than double the average amount", stays))


def test_their_own_groups_average_is_that_of_each_rows_group(stays: FixedCatalog) -> None:
    asked = "how many bookings are above the average amount of their own property"
    made = against_average(ABOVE, linked_to(asked, stays))
    assert isinstance(made, Query)
    assert isinstance(made.where, Compare)
    assert isinstance(made.where.right, ScalarQuery)
    assert made.where.right.own == ColumnRef(table="bookings", column="prop_nm")
    warehouse = LocalWarehouse(threads=1)
    rows = compute(Query(source="bookings", columns=tuple(
        Output(label=name, expr=ColumnRef(table="bookings", column=name)) for name in ("prop_nm", "tot_amt")
    )), stays, warehouse).result.rows  # fmt: skip
    amounts: dict[str, list[float]] = {}
    for place, amount in rows:
        amounts.setdefault(str(place), []).append(float(str(amount)))
    above = sum(v > sum(own) / len(own) for own in amounts.values() for v in own)
    assert compute(made, stays, warehouse).result.rows == ((above,),)


def test_a_ratio_is_told_for_as_many_as_the_question_says(stays: FixedCatalog) -> None:
    nights, amount = (Aggregate(fn="sum", of=ColumnRef(table="bookings", column=c)) for c in ("nts", "tot_amt"))
    each = Query(
        source="bookings",
        measures=(Output(label="Amount per night", expr=Arithmetic(op="/", left=amount, right=nights)),),
    )
    made = against_average(each, linked_to("total amount per 1,000 nights", stays))
    warehouse = LocalWarehouse(threads=1)
    (one,), (thousand,) = (compute(plan, stays, warehouse).result.rows[0] for plan in (each, made))
    assert float(str(thousand)) == pytest.approx(1000 * float(str(one)))
    assert against_average(each, linked_to("total amount per night over 30 days", stays)) == each
