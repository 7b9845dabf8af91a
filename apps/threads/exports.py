"""An answer's table as a file for other programs: all of its rows, also those that the page is not sent."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.accounts.audit import AuditAction, record
from apps.analyst.errors import AnalystError, ExportFailed
from apps.analyst.types import Answer, Chip, Evidence, ReadAs, Result, ResultColumn, SourceUse
from apps.core.errors import Conflict, Invalid, NotFound, TooLarge
from apps.datasources.downloads import export_count
from apps.threads import copy, engine
from apps.threads.answers import CHART_MIME, json_value
from apps.threads.models import Message
from apps.threads.plans import plan_of
from apps.threads.table_order import TableOrder, in_order

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.tables.exporting import ExportFormat
    from apps.analyst.types import Scalar

MAX_ROWS = 200_000
"""Rows of an answer that are computed anew for its export."""
CHANGED = (
    "The data was refreshed since this answer. It kept its first {kept:,} of {total:,} rows; "
    "please ask again to take all of them home."
)


def answer_table(
    *, by: User, message: Message, kind: ExportFormat, order: TableOrder | None = None
) -> tuple[str, bytes]:
    """Name and bytes of the table's file, in the order that is on the screen.

    Raises NotFound without a table, Invalid for a column it does not have, Conflict where rows are gone, TooLarge,
    TooOften.
    """
    export_count(by)
    parts: dict[str, Any] = message.answer or {}
    table: dict[str, Any] | None = parts.get("table")
    if not table or not table.get("columns"):
        raise NotFound(copy.MESSAGE_NOT_FOUND)
    if order is not None and order.column >= len(table["columns"]):
        raise Invalid(copy.NO_SUCH_COLUMN, code="sort")
    columns = tuple(
        ResultColumn(c["name"], c["type"], c["kind"], c.get("unit"), c.get("grain")) for c in table["columns"]
    )
    rows = tuple(tuple(row) for row in in_order(_rows(message, table), order))
    result = Result(columns, rows, len(rows))
    content = _csv(result) if kind == "csv" else _book(message, replace(_told(parts), result=result))
    name = _file_name(message)
    record(AuditAction.EXPORTED, organization=message.thread.organization, actor=by, target=name, type=kind)
    return f"{name}.{kind}", content


def _csv(result: Result) -> bytes:
    from apps.analyst.tables.exporting import ExportColumn, rows_as_csv

    return rows_as_csv([ExportColumn(c.name, c.type, c.unit) for c in result.columns], result.rows)


def _book(message: Message, answer: Answer) -> bytes:
    from apps.analyst.tables.exporting import refuse_large_sheet
    from apps.analyst.telling.answer_books import answer_book

    assert answer.result is not None
    try:
        refuse_large_sheet(len(answer.result.columns), len(answer.result.rows))
    except ExportFailed as error:
        raise TooLarge(error.message, code="export_failed") from error
    drawn = message.output_files.filter(mime_type=CHART_MIME).order_by("pk").first()
    chart = json.loads(drawn.content) if drawn else None
    return answer_book(answer, _asked(message), message.created_at.astimezone(UTC), chart=chart)


def _told(parts: Mapping[str, Any]) -> Answer:
    """How the answer came about, from what is kept of it."""
    said, read_as = parts.get("evidence") or {}, parts.get("read_as") or {}
    evidence = Evidence(
        sources=tuple(
            SourceUse(source["name"], source["file_name"], source["rows"], _moment(source.get("refreshed_at")))
            for source in said.get("sources", ())
        ),
        plan_sentence=said.get("plan_sentence", ""),
        filters=tuple(said.get("filters", ())),
        definitions=tuple(said.get("definitions", ())),
        joins=tuple(said.get("joins", ())),
        query=said.get("query", ""),
        notes=tuple(said.get("notes", ())),
    )
    chips = tuple(Chip(chip["key"], chip["part"], chip["label"]) for chip in read_as.get("chips", ()))
    text, assumptions = parts.get("text", ""), tuple(parts.get("assumptions", ()))
    return Answer("answered", text, evidence=evidence, assumptions=assumptions, read_as=ReadAs(chips))


def _moment(said: str | None) -> datetime | None:
    return datetime.fromisoformat(said).astimezone(UTC) if said else None


def _rows(message: Message, table: dict[str, Any]) -> Sequence[Sequence[Scalar]]:
    kept = [
        [_typed(value, column["type"]) for value, column in zip(row, table["columns"], strict=True)]
        for row in table["rows"]
    ]
    if table["total_rows"] <= len(kept):
        return kept
    rows = _computed_again(message, table)
    if rows is None:
        raise Conflict(CHANGED.format(kept=len(kept), total=table["total_rows"]), code="refreshed")
    return rows


def _computed_again(message: Message, table: dict[str, Any]) -> Sequence[Sequence[Scalar]] | None:
    """All rows by the answer's own plan; None where they no longer begin as the answer's do."""
    from apps.analyst.computing.compute import compute

    analyst, plan = engine.current(), plan_of(message.plan)
    if plan is None:
        return None
    try:
        catalog = analyst.catalog_of(message.thread.organization)
        result = compute(plan, catalog, analyst.over(catalog).warehouse, max_rows=MAX_ROWS).result
    except AnalystError:
        return None
    first = [[json_value(value) for value in row] for row in result.rows[: len(table["rows"])]]
    same = result.total_rows == table["total_rows"] == len(result.rows) and first == table["rows"]
    return result.rows if same else None


def _typed(value: Any, kind: str) -> Scalar:
    """A cell as the engine had it, from JSON."""
    try:
        if isinstance(value, str) and kind == "date":
            return date.fromisoformat(value[:10])
        if isinstance(value, str) and kind == "datetime":
            return datetime.fromisoformat(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and kind == "decimal":
            return Decimal(repr(value))
    except ValueError:
        pass
    result: Scalar = value
    return result


def _asked(message: Message) -> str:
    return message.parent.content if message.parent else ""


def _file_name(message: Message) -> str:
    """After the question that was asked."""
    words = re.sub(r"[^\w .:-]+", " ", _asked(message))
    return " ".join(words.split())[:80].strip(" .") or "Answer"
