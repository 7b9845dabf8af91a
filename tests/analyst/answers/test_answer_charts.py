"""Which chart an answer gets, what it shows, and the file that the front end draws."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from apps.analyst.language.reading import ChartWish
from apps.analyst.plan import (
    Aggregate,
    Among,
    Arithmetic,
    Between,
    Bin,
    Comparison,
    Constant,
    Expr,
    Order,
    Part,
    Period,
    Plan,
    Query,
    Statistic,
    Window,
)
from apps.analyst.telling.charts import draw
from apps.analyst.telling.narrate import View
from apps.analyst.types import Chart, ChartType
from tests.analyst.plans.short import OWNERS, average, col, in_year, is_, out, rows, text, total

See = Callable[[Plan], View]


def deals(**changes: object) -> Query:
    return Query(**{"source": "deals", "measures": (out("Total", total()),), **changes})  # type: ignore[arg-type]


STAGE = out("stage", col("stage"))
MONTH = out("month", Period(grain="month", of=col("create_date")))
BY_STAGE = deals(groups=(STAGE,))
BY_MONTH = deals(groups=(MONTH,))


def drawn(view: View, wish: ChartWish | None = None) -> Chart:
    chart = draw(view, wish)
    assert chart is not None
    json.dumps(chart.document)
    return chart


def test_a_ranking_of_names_lies_down(seen: See) -> None:
    document = drawn(seen(BY_STAGE)).document
    assert document["type"] == "bar"
    assert document["labels"][0] == "Closed won"  # type: ignore[index]
    assert document["options"] == {
        "xAxisTitle": "Total amount (USD)",
        "yAxisTitle": "Stage",
        "legend": {"display": False},
        "indexAxis": "y",
    }


def test_the_rest_of_a_long_ranking_of_totals_may_be_gathered(seen: See) -> None:
    names = tuple(text(f"Deal {number}") for number in range(1, 21))
    by_name = deals(groups=(out("deal_name", col("deal_name")),), where=Among(of=col("deal_name"), values=names))
    assert drawn(seen(by_name)).document["options"]["others"] == "sum"  # type: ignore[index]
    top = by_name.model_copy(update={"order": (Order(by="Total", descending=True),), "limit": 15})
    assert "others" not in drawn(seen(top)).document["options"]  # type: ignore[operator]
    means = by_name.model_copy(update={"measures": (out("Mean", average()),)})
    assert "others" not in drawn(seen(means)).document["options"]  # type: ignore[operator]


def test_three_quarters_are_bars_and_four_a_line(seen: See) -> None:
    quarter = out("Quarter", Period(grain="quarter", of=col("create_date")))
    ends = (Constant(value=day, type="date") for day in ("2023-04-01", "2024-01-01", "2024-04-01"))
    start, after_three, after_four = ends
    for end, mark in ((after_three, "bar"), (after_four, "line")):
        span = Between(of=col("create_date"), low=start, high=end, half_open=True)
        assert drawn(seen(deals(groups=(quarter,), where=span))).document["type"] == mark


def test_time_makes_a_line_with_dates_that_can_be_read_as_such(seen: See) -> None:
    document = drawn(seen(BY_MONTH)).document
    assert document["type"] == "line"
    assert document["labels"][:2] == ["2023-01", "2023-02"]  # type: ignore[index]
    assert document["title"] == "Total amount by month"


def test_a_line_runs_upwards_however_the_table_is_sorted(seen: See) -> None:
    backwards = BY_MONTH.model_copy(update={"order": (Order(by="Total", descending=True),)})
    assert drawn(seen(backwards)).document["labels"] == drawn(seen(BY_MONTH)).document["labels"]


def test_shares_of_a_whole_make_a_doughnut(seen: See) -> None:
    shares = deals(groups=(STAGE,), measures=(out("Total", total()), out("Share", Window(fn="share", of=total()))))
    chart = drawn(seen(shares))
    assert chart.document["type"] == "doughnut"
    assert len(chart.document["datasets"]) == 1  # type: ignore[arg-type]


def test_parts_of_a_whole_that_was_cut_are_no_doughnut(seen: See) -> None:
    shares = deals(groups=(STAGE,), measures=(out("Share", Window(fn="share", of=total())),), limit=3)
    assert drawn(seen(shares)).document["type"] == "bar"


def test_time_and_names_make_a_line_each(seen: See) -> None:
    quarter = out("quarter", Period(grain="quarter", of=col("create_date")))
    document = drawn(seen(deals(joins=(OWNERS,), groups=(quarter, out("region", col("region", "owners")))))).document
    assert document["type"] == "line"
    assert [dataset["label"] for dataset in document["datasets"]] == ["West", "North", "East"] or len(
        document["datasets"]
    ) == 3  # type: ignore[index, arg-type]
    assert document["labels"][0] == "Q1 2023"  # type: ignore[index]


def test_two_kinds_of_names_are_stacked_where_they_add_up(seen: See) -> None:
    by_two = deals(joins=(OWNERS,), groups=(out("region", col("region", "owners")), STAGE))
    options = drawn(seen(by_two)).document["options"]
    assert options["scales"] == {"x": {"stacked": True}, "y": {"stacked": True}}  # type: ignore[index]
    means = by_two.model_copy(update={"measures": (out("Mean", average()),)})
    assert drawn(seen(means)).document["options"]["scales"]["x"] == {"stacked": False}  # type: ignore[index]


def test_two_listed_figures_make_a_scatter(seen: See) -> None:
    listed = deals(columns=(out("amount", col("amount")), out("seats", col("seats"))), measures=())
    chart = drawn(seen(listed))
    assert chart.document["type"] == "scatter"
    assert set(chart.document["datasets"][0]["data"][0]) == {"x", "y"}  # type: ignore[index]
    assert (chart.encoding.x, chart.encoding.y) == ("amount", "seats")


def test_a_correlation_shows_its_points(seen: See) -> None:
    listed = Query(source="deals", columns=(out("amount", col("amount")), out("seats", col("seats"))))
    chart = drawn(seen(Statistic(name="correlation", query=listed)))
    assert chart.document["type"] == "scatter"
    assert len(chart.document["datasets"][0]["data"]) == 225  # type: ignore[index]


def test_several_alike_figures_over_few_groups_make_profiles(seen: See) -> None:
    figures = tuple(out(fn, Aggregate(fn=fn, of=col("amount"))) for fn in ("avg", "median", "max"))  # type: ignore[arg-type]
    document = drawn(seen(deals(groups=(STAGE,), measures=figures))).document
    assert document["type"] == "radar"
    assert document["labels"] == ["Average amount", "Median amount", "Highest amount"]
    assert len(document["datasets"]) == 5  # type: ignore[arg-type]


def test_figures_of_other_units_do_not_share_an_axis(seen: See) -> None:
    both = deals(groups=(STAGE,), measures=(out("Total", total()), out("n", rows())))
    assert [dataset["unit"] for dataset in drawn(seen(both)).document["datasets"]] == ["USD"]  # type: ignore[index, union-attr]


def test_a_comparison_stands_side_by_side(seen: See) -> None:
    plan = Comparison(
        query=BY_STAGE, current=in_year(2024), baseline=in_year(2023), current_label="2024", baseline_label="2023"
    )
    assert [dataset["label"] for dataset in drawn(seen(plan)).document["datasets"]] == ["2024", "2023"]  # type: ignore[index, union-attr]


def test_one_figure_needs_no_chart(seen: See) -> None:
    assert draw(seen(deals())) is None


def test_bins_are_written_with_both_edges(seen: See) -> None:
    bins = deals(groups=(out("amount", Bin(of=col("amount"), width=5000)),), measures=(out("n", rows()),))
    chart = drawn(seen(bins))
    assert chart.document["labels"][0] == "$0–$5,000"  # type: ignore[index]
    assert chart.encoding.x_bin


@pytest.mark.parametrize("mark", ["pie", "doughnut", "polarArea", "bar", "line", "radar"])
def test_a_chart_that_was_asked_for_is_drawn(seen: See, mark: ChartType) -> None:
    assert drawn(seen(BY_STAGE), ChartWish(mark=mark, explicit=True)).document["type"] == mark


def test_negative_parts_are_bars_whatever_was_asked_for(seen: See) -> None:
    change = out("Change", Window(fn="change", of=total()))
    plan = deals(groups=(MONTH,), measures=(change,))
    assert drawn(seen(plan), ChartWish(mark="pie", explicit=True)).document["type"] == "bar"


@pytest.mark.parametrize("mark", ["pie", "doughnut", "polarArea"])
@pytest.mark.parametrize(
    "figure",
    [average(), Aggregate(fn="max", of=col("amount")), Arithmetic(op="/", left=total(), right=rows())],
    ids=["average", "highest", "rate"],
)
def test_figures_that_make_no_whole_are_bars_whatever_was_asked_for(seen: See, figure: Expr, mark: ChartType) -> None:
    plan = deals(groups=(STAGE,), measures=(out("Figure", figure),))
    assert drawn(seen(plan), ChartWish(mark=mark, explicit=True)).document["type"] == "bar"


def test_a_chart_of_averages_says_that_no_slices_suit_it(seen: See) -> None:
    averages = drawn(seen(deals(groups=(STAGE,), measures=(out("Average", average()),)))).document
    assert averages["options"]["slices"] is False  # type: ignore[index]
    assert "slices" not in drawn(seen(BY_STAGE)).document["options"]  # type: ignore[operator]


def test_shares_of_a_whole_are_slices_where_they_are_asked_for(seen: See) -> None:
    plan = deals(groups=(STAGE,), measures=(out("Share", Window(fn="share", of=total())),))
    assert drawn(seen(plan), ChartWish(mark="pie", explicit=True)).document["type"] == "pie"


def test_a_wish_says_which_column_is_the_colour(seen: See) -> None:
    by_two = deals(joins=(OWNERS,), groups=(out("region", col("region", "owners")), STAGE))
    chart = drawn(seen(by_two), ChartWish(mark="bar", explicit=True, x="stage", color="region"))
    assert (chart.encoding.x, chart.encoding.color) == ("stage", "region")


def test_long_rankings_show_the_first_and_say_so(seen: See) -> None:
    many = deals(groups=(out("deal_name", col("deal_name")),), where=None)
    document = drawn(seen(many)).document
    assert len(document["labels"]) == 30  # type: ignore[arg-type]
    assert str(document["title"]).endswith("(first 30 of 240)")


def test_missing_names_get_one(seen: See) -> None:
    document = drawn(
        seen(deals(groups=(out("lead_source", col("lead_source")),), measures=(out("n", rows()),)))
    ).document
    assert "No value" in document["labels"]  # type: ignore[operator]


def test_months_that_come_round_again_are_bars_in_the_years_order(seen: See) -> None:
    months = deals(groups=(out("m", Part(part="month_name", of=col("create_date"))),))
    assert drawn(seen(months)).document["labels"][:2] == ["January", "February"]  # type: ignore[index]


def test_the_encoding_names_source_columns_and_the_aggregate(seen: See) -> None:
    shown = drawn(seen(BY_STAGE)).encoding
    assert (shown.mark, shown.x, shown.y, shown.aggregate) == ("bar", "stage", "amount", "sum")
    counted = drawn(seen(deals(groups=(STAGE,), measures=(out("n", rows()),)))).encoding
    assert (counted.y, counted.aggregate) == (None, "count")


def test_the_title_says_what_was_left_out(seen: See) -> None:
    chart = drawn(seen(deals(groups=(MONTH,), where=is_("stage", "Closed won"))))
    assert chart.document["title"] == "Total amount by month with stage Closed won"
    assert chart.file_name == "total-amount-by-month-with-stage-closed-won.json"


def test_two_listed_figures_are_both_drawn_where_bars_are_asked_for(seen: See) -> None:
    listed = Query(
        source="deals",
        columns=(out("deal", col("deal_name")), out("amount", col("amount")), out("seats", col("seats"))),
    )
    document = drawn(seen(listed), ChartWish(mark="bar", explicit=True)).document
    assert document["type"] == "bar"
    assert len(document["datasets"]) == 2  # type: ignore[arg-type]
