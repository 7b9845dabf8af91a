"""How many rows an answer has: as many as the question asks for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from apps.analyst.language import Reading
from apps.analyst.language.extent import as_asked, wants_one
from apps.analyst.plan import Aggregate, ColumnRef, Order, Output, Query

Rows = Callable[..., list[list[object]]]
SURFACE = Output(label="surface", expr=ColumnRef(table="trails", column="surface"))
VISITORS = Output(label="visitors", expr=Aggregate(fn="avg", of=ColumnRef(table="trails", column="visitors")))
GROUPED = Query(source="trails", groups=(SURFACE,), measures=(VISITORS,))
FIRST = GROUPED.model_copy(update={"order": (Order(by="visitors", descending=True),), "limit": 1, "ties": True})


def made(text: str, plan: Query) -> Query:
    found = as_asked(text, Reading(plan, 0.9))
    assert isinstance(found, Query)
    return found


def test_one_figure_across_all_is_not_parted() -> None:
    assert made("What is the average visitors across all surfaces?", GROUPED).groups == ()


@pytest.mark.parametrize(
    "text", ["What is the average visitors of each surface?", "average visitors across surfaces", "visitors by surface"]
)
def test_groups_that_are_asked_for_stay(text: str) -> None:
    assert made(text, GROUPED).groups == (SURFACE,)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Which three surfaces have the highest visitors?", 3),
        ("Which 2 surfaces had the most visitors?", 2),
        ("Which surface has the highest visitors?", 1),
    ],
)
def test_a_number_of_rows_is_kept(text: str, wanted: int) -> None:
    assert made(text, FIRST).limit == wanted


def test_an_average_per_period_is_the_mean_of_what_periods_come_to() -> None:
    plan = made("What was the average visitors per year?", GROUPED)
    assert isinstance(plan.source, Query)
    inner = plan.source.measures[0].expr
    assert plan.groups == ()
    assert isinstance(inner, Aggregate)
    assert inner.fn == "sum"


def test_three_are_named_where_three_are_asked_for(rows: Rows) -> None:
    names = [row[0] for row in rows("Which three trails have the most visitors?")]
    assert names == ["Bluebell Bay", "Fjord Path", "Acorn Ridge"]


def test_who_did_it_parts_no_figure() -> None:
    assert made("What is the average visitors counted by guides who started early?", GROUPED).groups == ()


@pytest.mark.parametrize(
    ("text", "one"),
    [
        ("Who had more visitors, Dune Walk or Acorn Ridge?", True),
        ("Which is the only trail in Norway?", True),
        ("Which trails had less than 50 or more than 500 visitors?", False),
        ("Which trails are gravel or sand?", False),
    ],
)
def test_a_choice_wants_one_row(text: str, one: bool) -> None:
    assert wants_one(text) is one
