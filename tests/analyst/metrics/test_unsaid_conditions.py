"""A figure's name says the condition that the figure alone has, once."""

from __future__ import annotations

import pytest

from apps.analyst.computing.metrics.used import unsaid_condition
from apps.analyst.plan import Aggregate, AllOf, Between, ColumnRef, Compare, Constant, Predicate

FEE = ColumnRef(table="bookings", column="fee")
THIRD = Between(
    of=ColumnRef(table="bookings", column="class date"),
    low=Constant(value="2026-07-01", type="date"),
    high=Constant(value="2026-09-30", type="date"),
)
ATTENDED = Compare(op="=", left=ColumnRef(table="bookings", column="status"), right=Constant(value="Attended"))


@pytest.mark.parametrize(
    ("condition", "label", "unsaid"),
    [
        (THIRD, "total fee (Q3 2026)", ""),
        (THIRD, "total fee", "class date is in Q3 2026"),
        (ATTENDED, "total fee (Attended)", ""),
        (AllOf(of=(ATTENDED, THIRD)), "total fee (attended, Q3 2026)", ""),
        (AllOf(of=(ATTENDED, THIRD)), "total fee (Q3 2026)", "status is Attended and class date is in Q3 2026"),
    ],
)
def test_a_condition_is_said_where_the_label_does_not_say_it(condition: Predicate, label: str, unsaid: str) -> None:
    assert unsaid_condition(Aggregate(fn="sum", of=FEE, where=condition), label) == unsaid


def test_a_figure_of_all_rows_has_nothing_to_say() -> None:
    assert unsaid_condition(Aggregate(fn="sum", of=FEE), "total fee") == ""
