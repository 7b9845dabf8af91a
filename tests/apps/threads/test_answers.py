"""An engine's answer becomes Markdown, JSON parts and files."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import pytest

from apps.analyst.types import Answer, OutputFile, Result, ResultColumn, Scalar
from apps.threads.answers import draft_of, json_value, markdown_table
from apps.threads.limits import ROWS_IN_ANSWER, ROWS_IN_TEXT
from tests.apps.threads.conftest import revenue_by_region


def table(rows: list[tuple[Scalar, ...]], total: int | None = None) -> Result:
    columns = (ResultColumn("name", "text", "dimension"), ResultColumn("amount", "decimal", "measure"))
    return Result(columns=columns, rows=tuple(rows), total_rows=len(rows) if total is None else total)


def test_the_text_holds_the_table_and_the_choices() -> None:
    content = draft_of(revenue_by_region(), steps=[], seconds=0.1).content
    assert content == (
        "**West** leads with 20.\n\n| region | revenue |\n| --- | ---: |\n"
        "| West | \\$20 |\n| East | \\$10 |\n\n- By owner: Ben, …"
    )


def test_a_single_figure_needs_no_table() -> None:
    one = Result(columns=(ResultColumn("total", "integer", "measure"),), rows=((5,),), total_rows=1)
    assert draft_of(Answer(status="answered", text="It is 5.", result=one), steps=[], seconds=0).content == "It is 5."


def test_a_long_table_is_cut_and_says_so() -> None:
    rows: list[tuple[Scalar, ...]] = [(f"row {i}", i) for i in range(2_000)]
    draft = draft_of(Answer(status="answered", text="Rows.", result=table(rows, 5_000)), steps=[], seconds=0)
    assert draft.content.count("\n| row") == ROWS_IN_TEXT
    assert f"{ROWS_IN_TEXT} of 5,000 rows." in draft.content
    assert len(draft.parts["table"]["rows"]) == ROWS_IN_ANSWER
    assert draft.parts["table"]["total_rows"] == 5_000


def test_cells_are_written_as_people_write_them() -> None:
    columns = (
        ResultColumn("Quarter", "date", "dimension", grain="quarter"),
        ResultColumn("Amount", "integer", "measure"),
        ResultColumn("Win rate", "float", "measure", unit="%"),
    )
    told = markdown_table(Result(columns, ((date(2026, 7, 1), 2948900, 33.18777),), 1), rows=10)
    assert told.splitlines()[-1] == "| Q3 2026 | 2,948,900 | 33.2% |"


def test_a_cell_cannot_become_markup() -> None:
    text = markdown_table(table([("![x](http://evil) | <b>`*\nnext", None)]), rows=10)
    assert text.splitlines()[-1] == r"| \!\[x\](http://evil) \| \<b\>\`\* next |  |"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (Decimal("10.50"), 10.5),
        (Decimal("10.00"), 10),
        (float("nan"), None),
        (float("inf"), None),
        (Decimal("NaN"), None),
        (date(2026, 3, 1), "2026-03-01"),
        (datetime(2026, 3, 1, 9, 30), "2026-03-01T09:30:00"),
        (True, True),
        (None, None),
        ("x", "x"),
    ],
)
def test_cells_are_numbers_texts_or_null(value: Scalar, said: object) -> None:
    assert json_value(value) == said
    assert type(json_value(value)) is type(said)


def test_the_parts_are_json_whatever_the_answer_holds() -> None:
    odd = replace(revenue_by_region(), result=table([("a", Decimal("1.10")), ("b", float("inf"))]))
    draft = draft_of(odd, steps=[{"label": "Computing", "detail": ""}], seconds=1.23456)
    parts = json.loads(json.dumps(draft.parts, allow_nan=False))
    assert parts["table"]["rows"] == [["a", 1.1], ["b", None]]
    assert parts["seconds"] == 1.235
    assert parts["steps"] == [{"label": "Computing", "detail": ""}]
    assert parts["evidence"]["sources"] == [
        {"name": "deals", "file_name": "deals.csv", "rows": 3, "refreshed_at": None}
    ]


def test_a_chart_is_a_file_of_its_own_kind() -> None:
    (chart,) = draft_of(revenue_by_region(), steps=[], seconds=0).files
    assert (chart.filename, chart.mime_type, chart.encoding) == (
        "revenue-by-region.json",
        "application/vnd.chart+json",
        "plain",
    )
    assert json.loads(chart.content)["datasets"][0]["data"] == [20, 10]


def test_bytes_travel_in_base64() -> None:
    answer = Answer(status="answered", text="Here.", files=(OutputFile("a.png", "image/png", b"\x89PNG"),))
    (file,) = draft_of(answer, steps=[], seconds=0).files
    assert (file.encoding, file.content) == ("base64", "iVBORw==")


def test_the_trace_tells_steps_plan_and_query() -> None:
    trace = draft_of(revenue_by_region(), steps=[{"label": "Computing", "detail": "deals"}], seconds=0).trace
    assert trace.startswith("1. Computing: deals\n\nRevenue by region.")
    assert "- by close date" in trace
    assert trace.endswith("```sql\nSELECT 1\n```")
