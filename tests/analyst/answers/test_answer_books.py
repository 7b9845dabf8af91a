"""An answer as a workbook: typed cells, a header that stays, the chart that was shown, and how it came about."""

from __future__ import annotations

import io
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any

import openpyxl
import pytest

from apps.analyst.telling.answer_books import answer_book
from apps.analyst.types import Answer, Chip, Evidence, ReadAs, Result, ResultColumn, SourceUse

WHEN = datetime(2025, 1, 10, 9, 30, tzinfo=UTC)
COLUMNS = (
    ResultColumn("Region", "text", "dimension"),
    ResultColumn("Quarter", "date", "dimension", grain="quarter"),
    ResultColumn("Closed", "date", "dimension"),
    ResultColumn("Amount", "decimal", "measure", "EUR"),
    ResultColumn("Share", "float", "measure", "%"),
    ResultColumn("Deals", "integer", "measure"),
)
ROWS = (
    ("West", date(2024, 1, 1), date(2024, 2, 29), Decimal("1234.5"), 12.34, 3),
    ("=1+1", date(2024, 4, 1), None, None, float("nan"), None),
)
EVIDENCE = Evidence(
    sources=(SourceUse("deals", "deals.csv", 240, datetime(2025, 1, 9, 8, 0, tzinfo=UTC)),),
    plan_sentence="Total amount of deals by region.",
    filters=("stage is Won",),
    query="SELECT region, sum(amount) FROM deals",
)
ANSWER = Answer(
    "answered", "It is **1,234.50 EUR**.", result=Result(COLUMNS, ROWS, 2), evidence=EVIDENCE,
    assumptions=("Amount is the deal's amount.",), read_as=ReadAs((Chip("figure", "figure", "total amount"),)),
)  # fmt: skip


def opened(answer: Answer = ANSWER, asked: str = "Amount by region?", **more: Any) -> openpyxl.Workbook:
    return openpyxl.load_workbook(io.BytesIO(answer_book(answer, asked, WHEN, **more)))


def test_cells_have_their_types_and_formats() -> None:
    sheet = opened()["Result"]
    assert [cell.value for cell in sheet[1]] == ["Region", "Quarter", "Closed", "Amount (EUR)", "Share (%)", "Deals"]
    assert [cell.value for cell in sheet[2]] == ["West", "Q1 2024", datetime(2024, 2, 29), 1234.5, 12.34, 3]
    assert [cell.number_format for cell in sheet[2]][2:] == ["yyyy-mm-dd", "[$EUR] #,##0.00", "0.0", "#,##0"]
    assert (sheet["A3"].value, sheet["A3"].data_type) == ("=1+1", "s")
    assert [cell.value for cell in sheet[3]][2:] == [None] * 4


def test_the_header_stays_in_sight_and_filters() -> None:
    sheet = opened()["Result"]
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:F3"
    assert all(cell.font.bold for cell in sheet[1])
    assert sheet.column_dimensions["D"].width >= len("Amount (EUR)")


def test_a_sheet_says_question_answer_reading_sources_query_and_time() -> None:
    told = [(name, said) for name, said in opened()["About"].iter_rows(values_only=True)]
    assert told == [
        ("Question", "Amount by region?"),
        ("Answer", "It is 1,234.50 EUR."),
        ("Time", "10 Jan 2025, 09:30 UTC"),
        ("Reading", "Total amount of deals by region."),
        ("Read as", "total amount"),
        ("Filter", "stage is Won"),
        ("Assumption", "Amount is the deal's amount."),
        ("Source", "deals (240 rows, refreshed 9 Jan 2025, 08:00 UTC)"),
        ("Query", "SELECT region, sum(amount) FROM deals"),
    ]


def test_rows_that_are_left_out_are_said() -> None:
    part = Answer("answered", "text", result=Result(COLUMNS, ROWS, 5_000))
    assert ("Rows", "The first 2 of 5,000 rows are in this workbook.") in list(
        opened(part)["About"].iter_rows(values_only=True)
    )


BY_REGION = {
    "title": "Total amount by region",
    "labels": ["West", "=2+2", "East"],
    "datasets": [{"label": "@Won", "data": [5, None, 2.5], "unit": "USD"}, {"label": "Lost", "data": [1, 2, 3]}],
    "options": {"xAxisTitle": "Region", "yAxisTitle": "Amount (USD)", "legend": {"display": True}},
}


@pytest.mark.parametrize(
    ("kind", "drawn"),
    [("line", "LineChart"), ("bar", "BarChart"), ("pie", "PieChart"), ("doughnut", "DoughnutChart"),
     ("radar", "RadarChart"), ("polarArea", "BarChart")],
)  # fmt: skip
def test_the_chart_is_a_chart_of_spreadsheets_over_its_own_figures(kind: str, drawn: str) -> None:
    sheet = opened(chart={**BY_REGION, "type": kind})["Chart"]
    assert list(sheet.iter_rows(values_only=True)) == [
        ("Region", "@Won", "Lost"), ("West", 5, 1), ("=2+2", None, 2), ("East", 2.5, 3),
    ]  # fmt: skip
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    (chart,) = sheet._charts
    assert type(chart).__name__ == drawn
    assert [series.val.numRef.f for series in chart.series] == ["'Chart'!$B$2:$B$4", "'Chart'!$C$2:$C$4"]
    assert chart.series[0].cat.strRef.f == "'Chart'!$A$2:$A$4"
    assert chart.title.tx.rich.p[0].r[0].t == "Total amount by region"


def test_bars_that_lie_and_stack_do_so_in_the_workbook_too() -> None:
    options = {"indexAxis": "y", "xAxisTitle": "Amount", "yAxisTitle": "Region", "scales": {"x": {"stacked": True}}}
    sheet = opened(chart={**BY_REGION, "type": "bar", "options": options})["Chart"]
    (chart,) = sheet._charts
    assert (chart.type, chart.grouping, chart.legend) == ("bar", "stacked", None)
    assert sheet["A1"].value == "Region"


def test_points_keep_their_places_in_two_columns_a_series() -> None:
    points = [{"x": "2024-01-01", "y": 1}, {"x": "2024-01-02", "y": 4}]
    document = {
        "type": "scatter",
        "title": "T",
        "datasets": [{"label": "A", "data": points}, {"label": "B", "data": points[:1]}],
    }
    sheet = opened(chart=document)["Chart"]
    assert list(sheet.iter_rows(values_only=True))[1:] == [
        (datetime(2024, 1, 1), 1, datetime(2024, 1, 1), 1), (datetime(2024, 1, 2), 4, None, None),
    ]  # fmt: skip
    (chart,) = sheet._charts
    assert [series.xVal.numRef.f for series in chart.series] == ["'Chart'!$A$2:$A$3", "'Chart'!$C$2:$C$3"]


@pytest.mark.parametrize(
    "document",
    [
        {"type": "scatter", "datasets": [{"label": "A", "data": [{"x": "north", "y": 1}]}]},
        {"type": "bar", "labels": ["a"], "datasets": [{"label": "A", "data": [[1, 2]]}]},
        {"type": "bar", "labels": [], "datasets": []},
    ],
)
def test_what_spreadsheets_cannot_draw_leaves_the_workbook_without_a_chart(document: dict[str, Any]) -> None:
    assert opened(chart=document).sheetnames == ["Result", "About"]


def test_what_is_asked_and_drawn_never_becomes_a_formula_or_breaks_the_file() -> None:
    nasty = '=HYPERLINK("http://x")\x00\x1f\ud800_x0041_'
    chart = {**BY_REGION, "type": "bar", "title": nasty, "labels": [nasty] * 3,
             "options": {"xAxisTitle": nasty, "yAxisTitle": nasty}}  # fmt: skip
    answer = Answer("answered", nasty, result=Result((ResultColumn(nasty, "text", "dimension"),), ((nasty,),), 1))
    book = opened(answer, asked=nasty, chart=chart)
    assert {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row} <= {"s", "n"}


def test_a_text_too_long_for_a_cell_is_cut_and_does_not_cost_the_answer() -> None:
    answer = Answer("answered", "t", result=Result(COLUMNS[:1], (("x" * 40_000,),), 1))
    assert len(opened(answer)["Result"]["A2"].value) == 32_767
