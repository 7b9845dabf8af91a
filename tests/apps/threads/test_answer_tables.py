"""Taking an answer's table home: all of its rows, as they were answered."""

from __future__ import annotations

import io
import json
from decimal import Decimal

import openpyxl
import pytest

from apps.analyst.plan import ColumnRef, Output, Query
from apps.analyst.telling import formats
from apps.analyst.types import Answer, Result, ResultColumn
from apps.threads import engine, limits
from apps.threads.answers import CHART_MIME, draft_of
from apps.threads.models import Message, OutputFile, Run, Thread
from tests.cast import client_of

TABLE = "/api/v3/answers/table"
COLUMNS = (ResultColumn("=name", "text", "dimension"), ResultColumn("amount", "decimal", "measure", unit="USD"))


def kept(cast, rows, *, total=None, plan=None, question="Deals by name?") -> Message:
    """An answer with this table, as it is stored."""
    from datetime import timedelta

    from django.utils import timezone

    answer = Answer("answered", "So it is.", plan=plan, result=Result(COLUMNS, tuple(rows), total or len(rows)))
    draft = draft_of(answer, steps=[], seconds=0.1)
    thread = Thread.objects.create(organization=cast.acme, owner=cast.ana, summary="x")
    run = Run(thread=thread, deadline_at=timezone.now() + timedelta(minutes=2))
    asked = Message(thread=thread, run=run, role="user", content=question)
    run.question = asked
    run.save()
    asked.save()
    return Message.objects.create(
        thread=thread, run=run, parent=asked, role="assistant", content="x", answer=draft.parts, plan=draft.plan,
        is_selected_assistant=True,
    )  # fmt: skip


def ask(user, message, **more):
    return client_of(user).get(TABLE, {"thread_id": message.thread_id, "message_id": message.pk, **more})


def test_a_table_leaves_as_csv_named_after_its_question_and_without_formulas(cast):
    message = kept(cast, [("@Acme", Decimal("10.50")), ("-Globex", Decimal(-3)), (None, None)])
    answer = ask(cast.ana, message, type="csv")
    assert answer.content.decode("utf-8-sig") == "'=name,amount\n'@Acme,10.5\n'-Globex,-3\n,\n"
    assert answer["Content-Disposition"] == 'attachment; filename="Deals by name.csv"'
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_table_leaves_as_a_workbook_with_figures_and_their_currency(cast):
    message = kept(cast, [("@Acme", Decimal("10.50"))])
    sheet = openpyxl.load_workbook(io.BytesIO(ask(cast.ana, message, type="xlsx").content)).active
    assert [(cell.value, cell.data_type) for cell in sheet[2]] == [("@Acme", "s"), (10.5, "n")]
    assert sheet["B2"].number_format == "[$USD] #,##0.00"


def test_the_workbook_says_how_it_came_about_and_draws_the_chart_that_was_shown(cast):
    message = kept(cast, [("West", Decimal(5)), ("=East", Decimal(3))])
    message.answer["evidence"] |= {
        "plan_sentence": "Total amount by name.",
        "query": "SELECT 1",
        "sources": [{"name": "deals", "file_name": "deals.csv", "rows": 9, "refreshed_at": "2026-01-02T03:04:00Z"}],
    }
    message.save()
    document = {"type": "bar", "labels": ["West", "=East"], "datasets": [{"label": "Amount", "data": [5, 3]}]}
    OutputFile.objects.create(message=message, filename="c.json", mime_type=CHART_MIME, content=json.dumps(document))
    book = openpyxl.load_workbook(io.BytesIO(ask(cast.ana, message, type="xlsx").content))
    assert book.sheetnames == ["Result", "Chart", "About"]
    (chart,) = book["Chart"]._charts
    assert chart.series[0].val.numRef.f == "'Chart'!$B$2:$B$3"
    assert list(book["About"].iter_rows(values_only=True)) == [
        ("Question", "Deals by name?"),
        ("Answer", "So it is."),
        ("Time", f"{formats.day(message.created_at)}, {message.created_at:%H:%M} UTC"),
        ("Reading", "Total amount by name."),
        ("Source", "deals (9 rows, refreshed 2 Jan 2026, 03:04 UTC)"),
        ("Query", "SELECT 1"),
    ]
    assert {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row} <= {"s", "n"}


ROWS = [("deal 10", Decimal(2)), ("Deal 9", None), ("Émile", Decimal(-3)), ("eric", Decimal(2)), (None, Decimal(7))]


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ({"sort": 1, "direction": "descending"}, ["", "deal 10", "eric", "Émile", "Deal 9"]),
        ({"sort": 1, "direction": "ascending"}, ["Émile", "deal 10", "eric", "", "Deal 9"]),
        ({"sort": 0}, ["Deal 9", "deal 10", "Émile", "eric", ""]),
        ({"sort": 0, "direction": "descending"}, ["eric", "Émile", "deal 10", "Deal 9", ""]),
        ({}, ["deal 10", "Deal 9", "Émile", "eric", ""]),
    ],
)
def test_the_files_keep_the_order_that_is_on_the_screen(cast, sort, names):
    message = kept(cast, ROWS)
    lines = ask(cast.ana, message, type="csv", **sort).content.decode("utf-8-sig").splitlines()[1:]
    assert [line.partition(",")[0] for line in lines] == names
    sheet = openpyxl.load_workbook(io.BytesIO(ask(cast.ana, message, type="xlsx", **sort).content)).active
    assert [row[0].value or "" for row in sheet.iter_rows(min_row=2)] == names


@pytest.mark.parametrize("sort", [{"sort": 2}, {"sort": -1}, {"sort": "name"}, {"sort": 0, "direction": "sideways"}])
def test_an_order_that_cannot_be_is_refused(cast, sort):
    answer = ask(cast.ana, kept(cast, ROWS), **sort)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "sort")


def test_only_who_began_the_thread_takes_its_tables_home(cast):
    message = kept(cast, [("Acme", Decimal(1))])
    for other in (cast.ben, cast.ada, cast.gus):
        assert ask(other, message).status_code == 404
    assert ask(cast.ana, message.parent).status_code == 404
    assert ask(cast.ana, message, type="pdf").status_code == 400
    assert client_of(cast.ana).get(TABLE, {"thread_id": "x", "message_id": "y"}).status_code == 404


@pytest.fixture
def deals(cast, tmp_path, monkeypatch):
    """A catalog with 25 deals, of which answers keep ten rows."""
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
    from apps.analyst.tables import ingest
    from apps.threads.engine import Engine

    path = tmp_path / "deals.csv"
    path.write_text("name,amount\n" + "".join(f"deal {n},{n}.25\n" for n in range(25)))
    (made,) = ingest(path, "deals.csv", tmp_path / "out")

    class Catalog:
        version = "1"

        def tables(self):
            return (made.table,)

        def joins(self):
            return ()

    monkeypatch.setattr(limits, "ROWS_IN_ANSWER", 10)
    engine.use(Engine(answer=None, catalog_of=lambda organization: Catalog(), warehouse=LocalWarehouse(),
                      suggest=lambda catalog, count: [], close=lambda: None))  # type: ignore[arg-type]  # fmt: skip
    yield Query(source="deals", columns=tuple(
        Output(label=name, expr=ColumnRef(table="deals", column=name)) for name in ("name", "amount")))  # fmt: skip
    engine.use(None)


def test_rows_that_the_page_is_not_sent_are_computed_again(cast, deals):
    message = kept(cast, [(f"deal {n}", Decimal(f"{n}.25")) for n in range(25)], plan=deals)
    assert len(message.answer["table"]["rows"]) == 10
    lines = ask(cast.ana, message).content.decode("utf-8-sig").splitlines()
    assert (len(lines), lines[-1]) == (26, "deal 24,24.25")


def test_rows_that_are_computed_again_are_sorted_as_a_whole(cast, deals):
    message = kept(cast, [(f"deal {n}", Decimal(f"{n}.25")) for n in range(25)], plan=deals)
    lines = ask(cast.ana, message, sort=1, direction="descending").content.decode("utf-8-sig").splitlines()
    assert lines[1:3] == ["deal 24,24.25", "deal 23,23.25"]


def test_where_the_data_changed_since_nothing_is_mixed_with_the_old_answer(cast, deals):
    message = kept(cast, [(f"deal {n}", Decimal(f"{n}.75")) for n in range(25)], plan=deals)
    answer = ask(cast.ana, message)
    assert answer.status_code == 409
    assert answer.json()["error"]["message"].startswith(
        "The data was refreshed since this answer. It kept its first 10"
    )
