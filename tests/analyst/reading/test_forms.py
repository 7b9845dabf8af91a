"""What a question's form asks for, held against what a plan does."""

from __future__ import annotations

from datetime import date

import pytest

from apps.analyst.plan import Aggregate, ColumnRef, Order, Output, Period, Query
from apps.analyst.reading.forms import figures
from apps.analyst.reading.linking import tokens_of
from apps.analyst.reading.periods import periods


def counted(*groups: Output) -> Query:
    return Query(source="tickets", groups=groups, measures=(Output(label="Tickets", expr=Aggregate(fn="count")),))


BY_MONTH = Output(label="Month", expr=Period(grain="month", of=ColumnRef(table="tickets", column="opened")))


def unmet(text: str, plan: Query) -> float:
    tokens = tokens_of(text)
    named = periods(tokens, date(2026, 11, 23), date(2026, 11, 23))
    within = {place for mention in named for place in range(mention.start, mention.end)}
    return figures(tokens, plan, within)["unmet_over_time"]


@pytest.mark.parametrize("text", ["tickets per month", "monthly tickets", "tickets by month in 2025"])
def test_a_grain_that_no_group_keeps_is_unmet(text: str) -> None:
    assert unmet(text, counted()) == 1
    assert unmet(text, counted(BY_MONTH)) == 0


@pytest.mark.parametrize("text", ["tickets last month", "how many tickets in the past 3 weeks"])
def test_a_period_asks_for_nothing_along_time(text: str) -> None:
    assert unmet(text, counted()) == 0


def test_several_that_stand_in_their_order_are_the_first_ones_that_are_asked_for() -> None:
    agent = Output(label="Agent", expr=ColumnRef(table="tickets", column="agent"))
    every = counted(agent).model_copy(update={"order": (Order(by="Tickets", descending=True),)})
    for text, lacking in (
        ("which agents have the most tickets", 0),
        ("list the top agents by tickets", 0),
        ("which agent has the most tickets", 1),
        ("which of our agents has the most tickets", 1),
    ):
        assert figures(tokens_of(text), every)["unmet_highest"] == lacking, text
