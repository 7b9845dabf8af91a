"""The built-in analyst behind the API: files that were asked for, keywords and the fiscal year of the organization."""

from __future__ import annotations

import base64
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer, suggest
from apps.analyst.tables.catalog import catalog_from_files
from apps.preferences.services.contexts import keywords_replace, organization_context_update
from apps.threads import engine
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member

pytestmark = pytest.mark.django_db(transaction=True)

DEALS = """deal_id,region,stage,amount,close_date
1,North,Closed won,$100,2024-02-10
2,North,Closed lost,$50,2024-05-10
3,South,Closed won,$300,2024-06-10
4,South,Proposal,$70,2024-08-10
5,=cmd,Closed won,$10,2024-09-10
"""


@pytest.fixture
def analyst(ana: Member, tmp_path: Path) -> Iterator[Member]:
    """Ana, asking the real engine about five deals."""
    path = tmp_path / "deals.csv"
    path.write_text(DEALS, encoding="utf-8")
    catalog, warehouse = catalog_from_files([path], tmp_path / "tables"), LocalWarehouse()
    engine.use(engine.Engine(answer, lambda _: catalog, warehouse, suggest, warehouse.close))
    yield ana
    warehouse.close()


def replied(poll: dict[str, Any]) -> dict[str, Any]:
    return dict(poll["messages"][0]["children"][0])


def test_a_workbook_that_was_asked_for_comes_with_the_answer(analyst: Member) -> None:
    done = analyst.ask("Total amount by region as an Excel file")
    assert done["status"] == "completed", done
    said = replied(done)
    (file,) = [file for file in said["output_files"] if file["filename"].endswith(".xlsx")]
    assert (file["filename"], file["encoding"]) == ("total-amount-by-region.xlsx", "base64")
    assert file["mime_type"] == "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    sheet = openpyxl.load_workbook(io.BytesIO(base64.b64decode(file["content"])))["Result"]
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows == [["Region", "Total amount (USD)"], ["South", 370], ["North", 150], ["=cmd", 10]]
    assert sheet["A4"].data_type == "s"
    assert "The table is attached as total-amount-by-region.xlsx (3 rows)." in said["content"]
    query = {"thread_id": done["thread_id"], "message_id": said["message_id"], "filename": file["filename"]}
    assert analyst.client.get("/api/v3/files", query).json() == file


def test_a_csv_is_text_whose_cells_cannot_compute(analyst: Member) -> None:
    said = replied(analyst.ask("Total amount by region as CSV"))
    (file,) = [file for file in said["output_files"] if file["filename"].endswith(".csv")]
    assert (file["filename"], file["mime_type"], file["encoding"]) == (
        "total-amount-by-region.csv",
        "text/csv",
        "plain",
    )
    assert file["content"].splitlines()[-1] == "'=cmd,10.00"


def test_who_calls_the_product_by_its_name_is_answered_whatever_it_is_called(analyst: Member, settings: Any) -> None:
    settings.PRODUCT_NAME = "Ada"
    plain = replied(analyst.ask("Total amount by region"))
    assert "**South**" in plain["content"]
    for asked in ("Hey Ada, total amount by region?", "Ada, total amount by region"):
        said = replied(analyst.ask(asked))
        assert said["content"] == plain["content"]
        assert said["answer"]["read_as"] == plain["answer"]["read_as"], "and no word is unread"


def test_a_file_can_be_asked_for_afterwards(analyst: Member) -> None:
    first = analyst.ask("Total amount by region")
    more = analyst.ask("Export that to Excel", thread_id=first["thread_id"])
    said = more["messages"][0]["children"][0]["children"][0]["children"][0]
    assert [file["filename"] for file in said["output_files"] if file["filename"].endswith("xlsx")] == [
        "total-amount-by-region.xlsx"
    ]


def test_the_organizations_keywords_and_context_shape_the_answer(analyst: Member, cast: Cast) -> None:
    keywords_replace(by=cast.ana, keywords={"Win rate": "won / (won + lost)", "Warm": "region is South"})
    organization_context_update(by=cast.ana, text="Our fiscal year starts in February.")
    said = replied(analyst.ask("What is our win rate in Warm?"))["answer"]
    assert said["table"]["rows"] == [[100]]
    assert "Win rate (as your organization defines it): won / (won + lost)" in said["evidence"]["definitions"]
    fiscal = replied(analyst.ask("total amount in Q2 FY2025"))["answer"]
    assert fiscal["table"]["rows"] == [[350]]
    assert "Q2 FY2025 is May 2024 to Jul 2024" in fiscal["assumptions"]


def test_a_thread_keeps_its_subject_across_small_talk_and_refusals(analyst: Member) -> None:
    first = analyst.ask("Total amount by region")
    thread = first["thread_id"]
    for text, words in (("thanks!", "You're welcome"), ("what will it be next year?", "I do not make forecasts")):
        assert words in str(analyst.ask(text, thread_id=thread)["messages"])
    told = str(analyst.ask("only South", thread_id=thread)["messages"])
    assert "370" in told
