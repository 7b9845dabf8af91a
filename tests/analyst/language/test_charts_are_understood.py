"""Which chart a question wishes for, and what is to be on it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.language import Reading
from apps.analyst.plan import Query

Best = Callable[..., Reading]


@pytest.mark.parametrize(("question", "mark"), [
    ("bar chart of trips by status", "bar"), ("Show the number of trips by status as a pie chart", "pie"),
    ("line chart of total amount by start date month", "line"), ("scatter plot of amount vs discount", "scatter"),
])  # fmt: skip
def test_a_named_chart_is_wished_for_explicitly(best: Best, question: str, mark: str) -> None:
    wish = best(question).chart
    assert wish is not None
    assert wish.mark == mark
    assert wish.explicit


def test_a_relationship_lists_both_figures_row_by_row(best: Best) -> None:
    plan = best("scatter plot of amount against discount").plan
    assert isinstance(plan, Query)
    assert [output.label for output in plan.columns] == ["amount", "discount"]


def test_a_chart_keeps_the_order_that_is_asked(best: Best) -> None:
    plan = best("bar chart of the number of trips per status, sort the y axis from high to low").plan
    assert isinstance(plan, Query)
    assert [entry.descending for entry in plan.order] == [True]
    assert plan.order[0].by == plan.measures[0].label


def test_over_time_takes_the_dates_of_the_data(best: Best) -> None:
    plan = best("total amount over time").plan
    assert isinstance(plan, Query)
    assert [output.label for output in plan.groups] == ["start_date"]
