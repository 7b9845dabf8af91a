"""A rate changes by percentage points, whoever compares it with what: never by a percentage of a percentage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from apps.analyst.computing.executor import execute, load
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Combine,
    Comparison,
    Expr,
    NamedQuery,
    Output,
    Period,
    Plan,
    Query,
    Window,
)
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.narrate import View, story
from apps.analyst.types import POINTS
from tests.analyst.plans.short import OWNERS, col, in_year, is_, label, number, out

See = Callable[[Plan], View]


def rate() -> Expr:
    won = Aggregate(fn="count", where=is_("stage", "Closed won"))
    return Arithmetic(op="/", left=Arithmetic(op="*", left=number(100), right=won), right=Aggregate(fn="count"))


RATE = out("Win rate", rate(), "%")
MONTH = out("month", Period(grain="month", of=col("create_date")))


def compared(**changes: Any) -> Comparison:
    query = Query(**{"source": "deals", "measures": (RATE,), **changes})
    return Comparison(
        query=query, current=in_year(2024), baseline=in_year(2023), current_label="2024", baseline_label="2023"
    )


def along(*more: Output) -> Query:
    return Query(source="deals", groups=(MONTH,), measures=(RATE, *more))


def test_the_change_of_a_rate_by_group_is_told_in_points_alone(seen: See) -> None:
    view = seen(compared(joins=(OWNERS,), groups=(out("region", col("region", "owners")),)))
    changes = [float(row[3]) for row in view.rows]  # type: ignore[arg-type]
    said = story(view, "Standard")
    assert f"(+{max(changes):.1f} percentage points)" in said
    assert "%" not in said


@pytest.mark.parametrize("groups", [(), (out("stage", col("stage")),)])
def test_the_change_of_a_rate_is_a_column_of_points(
    groups: tuple[Output, ...], seen: See, catalog: FixedCatalog
) -> None:
    plan = compared(groups=groups)
    for columns in (seen(plan).columns, execute(plan, catalog, load(catalog)).columns):
        assert [column.unit for column in columns[-4:]] == ["%", "%", POINTS, "%"]


def test_the_change_of_an_amount_keeps_its_unit(seen: See) -> None:
    total = out("Total", Aggregate(fn="sum", of=col("amount")))
    assert [column.unit for column in seen(compared(measures=(total,))).columns] == ["USD", "USD", "USD", "%"]


@pytest.mark.parametrize(
    ("name", "unit"), [("change", "%"), ("change", None), ("previous", "%")], ids=["stated", "inferred", "before"]
)
def test_a_rate_that_is_followed_along_time_moves_by_points(name: Any, unit: str | None, seen: See) -> None:
    """Readers give the change the rate's own unit. The last month is not over, so the one before it is told."""
    beside = out("Beside", Window(fn=name, of=rate(), order="month"), unit)
    relative = out("Change %", Window(fn="change_pct", of=rate(), order="month"), "%")
    view = seen(along(beside, relative))
    then, now = (float(row[1]) for row in view.rows[-3:-1])  # type: ignore[arg-type]
    way = "up" if now > then else "down"
    assert f"was {way} {abs(now - then):.1f} percentage points from the month before" in story(view, "Standard")


def test_a_difference_of_two_rates_is_one_of_points(seen: See) -> None:
    parts = [
        NamedQuery(label=name, query=Query(source="deals", where=in_year(year), measures=(RATE,)))
        for name, year in (("a", 2024), ("b", 2023))
    ]
    gap = Arithmetic(op="-", left=label("a"), right=label("b"))
    view = seen(Combine(parts=tuple(parts), outputs=(out("Difference", gap, "%"),)))
    assert view.columns[0].unit == POINTS
    assert story(view, "Standard").endswith(" percentage points**.")
