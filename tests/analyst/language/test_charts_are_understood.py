"""Which chart a question wishes for, and what is to be on it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

import pytest

from apps.analyst.language import Reading
from apps.analyst.language.choose import ANSWER_THRESHOLD
from apps.analyst.plan import Query
from tests.analyst.language.asking import Desk, csv, uploaded

Best = Callable[..., Reading]
Rows = Callable[..., list[list[object]]]


@pytest.mark.parametrize(("question", "mark"), [
    ("bar chart of trips by status", "bar"), ("Show the number of trips by status as a pie chart", "pie"),
    ("trips by status as a doughnut", "doughnut"), ("donut chart of trips by status", "doughnut"),
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


def test_values_side_by_side_are_lines_of_their_own(rows: Rows) -> None:
    shown = rows("line chart of the number of trips per year that were Finished and Cancelled")
    assert {tuple(row) for row in shown} == {
        (2024, "Finished", 2), (2024, "Cancelled", 1), (2025, "Finished", 3), (2025, "Cancelled", 1),
    }  # fmt: skip


def test_points_of_named_groups_are_told_apart(best: Best) -> None:
    plan = best("scatter plot of amount against discount for Finished, Planned and Cancelled trips").plan
    assert isinstance(plan, Query)
    assert [output.label for output in plan.columns] == ["amount", "discount", "status"]


def test_one_row_a_bar_is_called_by_its_name(rows: Rows) -> None:
    shown = rows("What are the visitors of each trail in Rock? Show in a bar chart.")
    assert {tuple(row) for row in shown} == {("Bluebell Bay", 800), ("Elm & Oak Way", 15)}


@pytest.mark.parametrize(("begun", "then"), [
    ("draw bars", "show me the status"), ("show me a bar chart", "number of trips by status"),
    ("Group by status", "plot the number of trips"),
])  # fmt: skip
def test_a_chart_that_was_begun_waits_for_what_is_shown(rows: Rows, begun: str, then: str) -> None:
    assert {(row[0], row[-1]) for row in rows(then, begun)} == {
        ("Finished", 5), ("Cancelled", 2), ("Planned", 1), ("Offered", 1),
    }  # fmt: skip


def test_the_year_of_something_is_one_dimension(best: Best) -> None:
    plan = best("number of trips by status start date").plan
    assert isinstance(plan, Query)
    assert [output.label for output in plan.groups] == ["start_date"]


def test_a_dimension_that_the_data_do_not_know_makes_unsure(best: Best) -> None:
    assert best("How much amount is there in each realm?").score < ANSWER_THRESHOLD


CARS = csv("car,origin,rooms,price,list_rating,user_rating,initial", [
    (f"Car {n}", ("Oslo", "Bern")[n % 2], 2 + n % 3, 100 + 7 * n, ("A", "B")[n % 2], 30 + 3 * n % 41, "T")
    for n in range(30)
])  # fmt: skip


cars = uploaded(today=date(2026, 3, 10), cars=CARS)


def test_bars_of_two_figures_stand_on_the_one_of_few_values(cars: Desk) -> None:
    shown = cars.rows("bar chart of price vs rooms")
    assert [row[0] for row in shown] == [2, 3, 4]


def test_points_have_figures_on_both_sides(cars: Desk) -> None:
    assert all(isinstance(cell, int) for cell in cars.rows("scatter plot of rating vs price")[0][:2])


def test_an_axis_is_no_stored_value(cars: Desk) -> None:
    shown = cars.rows("Bar chart x axis rooms y axis the total number, and sort y-axis from high to low order please.")
    assert {tuple(row) for row in shown} == {(2, 10), (3, 10), (4, 10)}


def test_how_one_figure_varies_with_another_in_each_region(cars: Desk) -> None:
    shown = cars.rows("For each region, how does the price vary with the user rating?")
    assert len(shown) == 30
    assert {row[2] for row in shown} == {"Oslo", "Bern"}


LOTS = csv("lot,gate,keeper", [(n, "NSEW"[min(n % 7, 3)], f"Keeper {n % 12}") for n in range(60)])
lots = uploaded(lots=LOTS)


def test_a_pie_of_the_first_of_a_few_shows_the_share_of_each(lots: Desk) -> None:
    asked = lots.ask("Which gate has the most lots? As a pie chart.")
    assert [row[0] for row in asked.result.rows] == ["W"]
    assert sorted(asked.chart.document["labels"]) == ["E", "N", "S", "W"]


def test_a_pie_of_the_first_of_many_shows_no_shares_of_some(lots: Desk) -> None:
    asked = lots.ask("Which keeper has the highest total lot? As a pie chart.")
    assert asked.chart.document["type"] == "bar"
    assert asked.chart.document["labels"][0] == "Keeper 11"
    assert len(asked.chart.document["labels"]) == 10
