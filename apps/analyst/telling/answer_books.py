"""An answer as a workbook to take home: its table, its chart, and how it came about, for whoever has not the chat."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from apps.analyst.tables.workbook import Book, SheetColumn
from apps.analyst.tables.workbook import number_format as of_type
from apps.analyst.telling import formats
from apps.analyst.telling.charts.native import chart_sheet
from apps.analyst.telling.formats import is_money
from apps.analyst.types import POINTS, Answer, Result, ResultColumn, Scalar


def answer_book(answer: Answer, asked: str, when: date, *, chart: Mapping[str, object] | None = None) -> bytes:
    """The workbook of an answer that has a table. `when` it was answered (moments are in UTC); `chart` is the content
    of its chart file."""
    assert answer.result is not None, "only answers with a table become a workbook"
    result, out = answer.result, io.BytesIO()
    book = Book(cut=True)
    columns = [SheetColumn(head(column), number_format(column)) for column in result.columns]
    book.table("Result", columns, [_said(row, result) for row in result.rows], filtered=True)
    if chart is not None:
        chart_sheet(book, "Chart", chart)
    book.notes("About", about(answer, asked, when))
    book.save(out)
    return out.getvalue()


def head(column: ResultColumn) -> str:
    """A column's head with its unit, unless the head says it already."""
    unit = column.unit
    return column.name if not unit or unit.casefold() in column.name.casefold() else f"{column.name} ({unit})"


def named_period(column: ResultColumn) -> bool:
    """Whether people call the column's dates by a name ("Q1 2026")."""
    return column.grain is not None and column.grain not in ("day", "hour")


def number_format(column: ResultColumn) -> str:
    """A column's format in the terms of spreadsheets."""
    if column.type in ("date", "datetime") or is_money(column.unit):
        return of_type(column.type, column.unit)
    if column.unit in ("%", POINTS):
        return "0.0"
    if column.kind == "dimension":
        return "General"
    return "#,##0" if column.type == "integer" else "#,##0.00"


def about(answer: Answer, asked: str, when: date, place: str = "workbook") -> list[tuple[str, str]]:
    """How the table came about: question, answer, reading, sources, query and time. `place` is what the rows are in."""
    evidence = answer.evidence
    lines = [("Question", asked), ("Answer", answer.text.replace("**", "")), ("Time", _moment(when))]
    lines += [("Reading", evidence.plan_sentence)] if evidence.plan_sentence else []
    lines += [("Read as", chip.label) for chip in (answer.read_as.chips if answer.read_as else ())]
    for name, items in (
        ("Filter", evidence.filters),
        ("Definition", evidence.definitions),
        ("Assumption", answer.assumptions),
        ("Join", evidence.joins),
        ("Note", evidence.notes),
    ):
        lines += [(name, item) for item in items]
    for source in evidence.sources:
        read = f", refreshed {_moment(source.refreshed_at)}" if source.refreshed_at else ""
        lines.append(("Source", f"{source.name} ({source.rows:,} rows{read})"))
    if evidence.query:
        lines.append(("Query", evidence.query))
    held, total = (len(answer.result.rows), answer.result.total_rows) if answer.result else (0, 0)
    if total > held:
        lines.append(("Rows", f"The first {held:,} of {total:,} rows are in this {place}."))
    return lines


def _said(row: Sequence[Scalar], result: Result) -> list[Scalar]:
    """A row's values; periods by the names that people give them."""
    return [
        formats.period(value, column.grain or "") if isinstance(value, date) and named_period(column) else value
        for value, column in zip(row, result.columns, strict=True)
    ]


def _moment(when: date) -> str:
    return f"{formats.day(when)}, {when:%H:%M} UTC" if isinstance(when, datetime) else formats.day(when)
