"""Slices are parts of one whole: what is none is drawn as bars or not at all, and the answer says why."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest

from apps.analyst.computing.compute import compute
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.language.reading import ChartWish, Reading
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Comparison,
    Cut,
    Drivers,
    Order,
    Plan,
    Query,
    ScalarQuery,
    Statistic,
    Window,
)
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.telling.answers import Found, whole_ranking, worded
from apps.analyst.telling.charts.slices import NO_PARTS, NOT_ALL, ONE_FIGURE, ONE_GROUP, TWO_SIDES
from apps.analyst.telling.narrate import View
from apps.analyst.types import Answer, Question
from tests.analyst.plans.short import OWNERS, average, col, in_year, is_, label, number, out, rows, total

See = Callable[[Plan], View]
Tell = Callable[[Plan], Answer]
PIE = ChartWish(mark="pie", explicit=True)
STAGE, OWNER = out("stage", col("stage")), out("owner_id", col("owner_id"))
WON, LOST = (Aggregate(fn="count", where=is_("stage", stage)) for stage in ("Closed won", "Closed lost"))


def deals(**changes: Any) -> Query:
    return Query(**{"source": "deals", "measures": (out("Total", total()),), **changes})


def years(query: Query) -> Comparison:
    return Comparison(
        query=query, current=in_year(2024), baseline=in_year(2023), current_label="2024", baseline_label="2023"
    )


@pytest.fixture
def as_pie(seen: See, catalog: FixedCatalog) -> Tell:
    def tell(plan: Plan, wish: ChartWish | None = PIE) -> Answer:
        computed = seen(plan).computed
        return worded(Question("?", date(2025, 1, 10)), Reading(plan, 1.0, chart=wish), computed, catalog)

    return tell


def mark(made: Answer) -> str | None:
    return str(made.chart.document["type"]) if made.chart is not None else None


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (deals(), ONE_FIGURE),
        (deals(measures=(out("n", rows()),)), ONE_FIGURE),
        (deals(measures=(out("Average", average()),)), ONE_FIGURE),
        (deals(groups=(STAGE,), where=is_("stage", "Closed won")), ONE_GROUP),
    ],
    ids=["total", "count", "average", "one group"],
)
def test_one_figure_is_no_pie_and_the_answer_says_why(plan: Plan, reason: str, as_pie: Tell) -> None:
    made = as_pie(plan)
    assert made.chart is None
    assert made.text.endswith(f" {reason}")


@pytest.mark.parametrize("groups", [(), (STAGE,)], ids=["alone", "by group"])
def test_a_comparison_is_drawn_as_bars_of_its_two_sides(groups: Any, as_pie: Tell) -> None:
    made = as_pie(years(deals(groups=groups)))
    assert mark(made) == "bar"
    assert made.chart is not None
    document: Any = made.chart.document
    sides = document["labels"] if not groups else [dataset["label"] for dataset in document["datasets"]]
    assert sides == ["2024", "2023"]
    assert document["options"]["slices"] is False
    assert made.text.endswith(f" {TWO_SIDES}")


def test_the_title_of_two_sides_names_the_figure(as_pie: Tell) -> None:
    made = as_pie(years(deals()))
    assert made.chart is not None
    assert made.chart.document["title"] == "Total amount, 2024 and 2023"


def test_what_made_up_a_change_is_drawn_as_bars(as_pie: Tell) -> None:
    cut = Cut(by=out("region", col("region", "owners")), joins=(OWNERS,))
    made = as_pie(Drivers(comparison=years(deals()), cuts=(cut,)))
    assert mark(made) == "bar"
    assert made.text.endswith(f" {NO_PARTS}")


@pytest.mark.parametrize(
    "figure",
    [
        average(),
        Aggregate(fn="count", of=col("owner_id"), distinct=True),
        Window(fn="share", of=average()),
        Window(fn="running_total", of=total()),
        Arithmetic(op="/", left=total(), right=rows()),
    ],
    ids=["average", "different ones", "share of averages", "running total", "ratio"],
)
def test_figures_that_do_not_add_up_are_bars(figure: Any, as_pie: Tell) -> None:
    made = as_pie(deals(groups=(STAGE,), measures=(out("Figure", figure),)))
    assert mark(made) == "bar"
    assert made.text.endswith(f" {NO_PARTS}")


def test_shares_of_averages_are_no_doughnut_of_their_own_accord(as_pie: Tell) -> None:
    shares = (out("Average", average()), out("Share", Window(fn="share", of=average())))
    assert mark(as_pie(deals(groups=(STAGE,), measures=shares), None)) == "bar"


@pytest.mark.parametrize(
    "figure",
    [
        total(),
        Arithmetic(op="-", left=total(), right=Arithmetic(op="*", left=number(0.1), right=total())),
        Arithmetic(op="/", left=total(), right=ScalarQuery(query=deals())),
        Window(fn="share", of=rows()),
    ],
    ids=["total", "total less its part", "part of all", "share"],
)
def test_figures_that_add_up_are_slices(figure: Any, as_pie: Tell) -> None:
    made = as_pie(deals(groups=(STAGE,), measures=(out("Figure", figure),)))
    assert mark(made) == "pie"
    assert "slices" not in made.text


def test_several_figures_of_each_group_are_slices_by_the_first(as_pie: Tell) -> None:
    figures = (out("Total", total()), *(out(fn, Aggregate(fn=fn, of=col("amount"))) for fn in ("avg", "max")))  # type: ignore[arg-type]
    made = as_pie(deals(groups=(STAGE,), measures=figures))
    assert made.chart is not None
    assert mark(made) == "pie"
    assert "Closed won" in made.chart.document["labels"]  # type: ignore[operator]


def test_counts_of_two_kinds_are_slices_and_two_figures_of_all_are_not(as_pie: Tell) -> None:
    kinds = as_pie(deals(measures=(out("Won deals", WON), out("Lost deals", LOST))))
    assert mark(kinds) == "pie"
    assert kinds.chart is not None
    labels: Any = kinds.chart.document["labels"]
    assert [label.split(" where")[0] for label in labels] == ["Won deals", "Lost deals"]
    both = as_pie(deals(measures=(out("Won deals", WON), out("Number of deals", rows()))))
    assert mark(both) == "bar"
    assert both.text.endswith(f" {NO_PARTS}")


def test_how_often_values_occur_may_be_slices_and_other_statistics_may_not(as_pie: Tell) -> None:
    listed = Query(source="deals", columns=(STAGE,))
    assert mark(as_pie(Statistic(name="frequency", query=listed))) == "pie"
    summed = as_pie(Statistic(name="summary", query=Query(source="deals", columns=(out("amount", col("amount")),))))
    assert mark(summed) == "bar"
    assert summed.text.endswith(f" {NO_PARTS}")


def _first(figure: Any, group: Any = STAGE) -> Query:
    return deals(
        groups=(group,), measures=(out("Figure", figure),), order=(Order(by="Figure", descending=True),), limit=1
    )


def test_the_first_of_an_order_is_drawn_among_all_that_make_the_whole(
    as_pie: Tell, seen: See, catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    plan = _first(total())
    assert "slices" not in as_pie(plan).text
    chart = whole_ranking(Found(Reading(plan, 1.0, chart=PIE), compute(plan, catalog, warehouse)), catalog, warehouse)
    assert chart is not None
    assert chart.document["type"] == "pie"
    assert as_pie(_first(average())).text.endswith(f" {NO_PARTS}")


def test_too_many_slices_around_the_first_are_bars_of_the_first_ones(
    catalog: FixedCatalog, warehouse: LocalWarehouse
) -> None:
    plan = _first(total(), out("deal_name", col("deal_name")))
    chart = whole_ranking(Found(Reading(plan, 1.0, chart=PIE), compute(plan, catalog, warehouse)), catalog, warehouse)
    assert chart is not None
    assert chart.document["type"] == "bar"
    assert len(chart.document["labels"]) == 10  # type: ignore[arg-type]


def test_listed_percentages_are_slices_only_where_they_make_a_hundred(as_pie: Tell) -> None:
    share = out("Share", Window(fn="share", of=total()), "%")
    inner = deals(groups=(STAGE,), measures=(share,))
    listed = Query(source=inner, columns=(out("stage", label("stage")), out("Share", label("Share"))))
    assert mark(as_pie(listed)) == "pie"
    assert mark(as_pie(listed.model_copy(update={"limit": 3}))) == "bar"


def test_shares_of_some_groups_alone_are_no_slices(as_pie: Tell) -> None:
    share = out("Share", Window(fn="share", of=total()), unit="%")
    every = deals(groups=(STAGE,), measures=(share,), order=(Order(by="Share", descending=True),))
    assert mark(as_pie(every)) == "pie"
    first = as_pie(every.model_copy(update={"limit": 2}))
    assert mark(first) == "bar"
    assert NOT_ALL in first.text
