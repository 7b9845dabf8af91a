"""Results as files, where the question asks for one: "as an Excel file", "export to CSV".

What a cell holds stays data: text that a spreadsheet would take for a formula is neutralised in either format.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Literal

from apps.analyst import formats
from apps.analyst.charts import slug
from apps.analyst.formats import is_money
from apps.analyst.ports import Catalog
from apps.analyst.tables.neutral import csv_line, neutral
from apps.analyst.types import Answer, OutputFile, Result, ResultColumn, Scalar

Format = Literal["csv", "xlsx"]

MIME: dict[Format, str] = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}
_KIND = r"(?P<kind>excel|xlsx|csv|spreadsheet|work ?book)(?: files?| sheets?| tables?| exports?| formats?| documents?)?"
_POLITE = r"(?:please )?(?:can|could|would) (?:you|i) (?:please )?"
_VERB = (
    r"(?:export|download|save|write|put|turn|convert|send(?: me)?|give(?: me)?|get(?: me)?|have|make|create|produce)"
)
_ALONE = r"(?:it|this|that|these|them|(?:the|this|that) (?:result|table|answer|data|list|rows)s?)"
_AT_END = re.compile(
    rf"[,;]? *(?:and )?(?:please )?(?:(?:export|download|save|put|write|send)(?: it| this| that| them| me)? )?"
    rf"(?:as|to|into|in|using)(?: an?| the| my)? \.?{_KIND}(?: please)?[.?! ]*$",
    re.IGNORECASE,
)
_AT_START = re.compile(
    rf"^(?:{_POLITE})?(?:please )?(?:{_VERB} )?(?:me )?(?:an?|the) \.?{_KIND} (?:of|with|for|containing|listing) "
    r"(?:the )?",
    re.IGNORECASE,
)
_VERB_ONLY = re.compile(rf"^(?:{_POLITE})?(?:please )?(?:export|download|save)(?: me)? (?:the )?", re.IGNORECASE)
_NOTHING_ELSE = re.compile(
    rf"(?:{_POLITE})?(?:please )?(?:(?:now |then )*(?:show|export|download|save|{_VERB})(?: me| us)?)?(?: ?{_ALONE})?"
    rf"(?: please)?[.?! ]*",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Wish:
    """The file that a question asks for, and the question without that. `text` is "" where nothing else was asked."""

    kind: Format
    text: str


def file_wish(text: str, catalog: Catalog) -> Wish | None:
    """The wish for a file in a question, or None. Data about file types are asked about, not wished for."""
    stripped = text.strip()
    start, end = _AT_START.search(stripped), _AT_END.search(stripped)
    verb = _VERB_ONLY.match(stripped)
    found = start or end
    if found is None and verb is None:
        return None
    kind = (found["kind"] if found is not None else "xlsx").casefold()
    if found is not None and verb is None and start is None and _is_data(kind, catalog):
        return None
    if start is not None:
        rest = stripped[start.end() :]
    else:
        rest = stripped[: end.start()] if end is not None else stripped
        if verb is not None and not _NOTHING_ELSE.fullmatch(rest):
            rest = f"show {rest[verb.end() :]}" if len(rest) > verb.end() else ""
    rest = "" if _NOTHING_ELSE.fullmatch(rest) else rest.strip(" ,;")
    if rest and rest[-1] not in "?.!" and stripped.endswith("?"):
        rest += "?"
    return Wish("csv" if kind == "csv" else "xlsx", rest)


def _is_data(kind: str, catalog: Catalog) -> bool:
    """True where a stored value is called so ("format: CSV")."""
    word = re.compile(rf"\b{re.escape(kind)}\b", re.IGNORECASE)
    columns = (column for table in catalog.tables() for column in table.columns)
    return any(word.search(found.value) for column in columns for found in column.values)


def result_file(kind: Format, answer: Answer, asked: str) -> OutputFile | None:
    """The answer's table as a file, named after the question; None where there is no table."""
    if answer.result is None or not answer.result.columns:
        return None
    content = _csv(answer.result) if kind == "csv" else _xlsx(answer, asked)
    name = slug(re.sub(r"^(?:show|list|give me)(?: me)? ", "", asked, flags=re.IGNORECASE))
    return OutputFile(f"{name}.{kind}", MIME[kind], content)


def file_words(file: OutputFile, result: Result) -> str:
    """The sentence that says what is in the file."""
    held, total = len(result.rows), result.total_rows
    rows = f"{held:,} {'row' if held == 1 else 'rows'}"
    if total > held:
        rows = f"the first {held:,} of {total:,} rows"
    return f"The table is attached as {file.file_name} ({rows})."


def head(column: ResultColumn) -> str:
    """A column's head with its unit, unless the head says it already."""
    unit = column.unit
    return column.name if not unit or unit.casefold() in column.name.casefold() else f"{column.name} ({unit})"


# ---------------------------------------------------------------- CSV
def _csv(result: Result) -> bytes:
    lines = [csv_line(neutral(head(column)) for column in result.columns)]
    for row in result.rows:
        lines.append(csv_line(_plain(value, column) for value, column in zip(row, result.columns, strict=True)))
    # The mark at the start is what makes spreadsheets read UTF-8.
    return "".join(lines).encode("utf-8-sig")


def _plain(value: Scalar, column: ResultColumn) -> str | int | float | Decimal:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float | Decimal):
        return value
    if isinstance(value, date):
        return formats.period(value, column.grain or "") if _named_period(column) else value.isoformat()
    return neutral(value)


def _named_period(column: ResultColumn) -> bool:
    return column.grain is not None and column.grain not in ("day", "hour")


# ---------------------------------------------------------------- XLSX
def _xlsx(answer: Answer, asked: str) -> bytes:
    # Imported here: only answers with a workbook need it.
    import xlsxwriter

    assert answer.result is not None
    buffer = io.BytesIO()
    options = {
        "in_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
        "remove_timezone": True,
        "nan_inf_to_errors": True,
    }
    with xlsxwriter.Workbook(buffer, options) as book:
        book.set_properties({"created": datetime(2000, 1, 1, tzinfo=UTC)})
        bold = book.add_format({"bold": True, "bottom": 1})
        text = book.add_format({"quote_prefix": True})
        sheet = book.add_worksheet("Result")
        for place, column in enumerate(answer.result.columns):
            shown = book.add_format({"num_format": number_format(column)})
            sheet.write_string(0, place, head(column), bold)
            width = len(head(column))
            for row, values in enumerate(answer.result.rows, start=1):
                width = max(width, _write(sheet, row, place, values[place], column, shown, text))
            sheet.set_column(place, place, min(60, width + 2))
        sheet.freeze_panes(1, 0)
        if answer.result.rows:
            sheet.autofilter(0, 0, len(answer.result.rows), len(answer.result.columns) - 1)
        about = book.add_worksheet("About")
        about.set_column(0, 0, 14)
        about.set_column(1, 1, 100)
        for row, (name, said) in enumerate(_about(answer, asked)):
            about.write_string(row, 0, name, bold)
            about.write_string(row, 1, said, text)
    return buffer.getvalue()


def _write(
    sheet: object, row: int, place: int, value: Scalar, column: ResultColumn, shown: object, text: object
) -> int:
    """Writes a cell as what it is; returns its width in characters."""
    write = sheet.write_string, sheet.write_number, sheet.write_datetime, sheet.write_boolean  # type: ignore[attr-defined]
    if value is None:
        return 0
    if isinstance(value, bool):
        write[3](row, place, value)
        return 5
    if isinstance(value, int | float | Decimal):
        whole = isinstance(value, int) and abs(value) >= 10**15
        if whole:  # A spreadsheet keeps 15 digits; longer ids stay text.
            write[0](row, place, str(value), text)
        else:
            write[1](row, place, value, shown)
        return len(f"{value:,}") if not isinstance(value, float) else 12
    if isinstance(value, date) and not _named_period(column):
        write[2](row, place, value, shown)
        return 16 if isinstance(value, datetime) else 10
    said = formats.period(value, column.grain or "") if isinstance(value, date) else value
    write[0](row, place, said[:32_767], text)
    return len(said)


def number_format(column: ResultColumn) -> str:
    """A column's format in the terms of spreadsheets."""
    if column.type == "date":
        return "yyyy-mm-dd"
    if column.type == "datetime":
        return "yyyy-mm-dd hh:mm"
    if column.unit == "%":
        return "0.0"
    if is_money(column.unit):
        return "#,##0.00"
    if column.kind == "dimension":
        return "General"
    return "#,##0" if column.type == "integer" else "#,##0.00"


def _about(answer: Answer, asked: str) -> list[tuple[str, str]]:
    """How the table came about, for whoever gets the file without the chat."""
    evidence = answer.evidence
    lines = [("Question", asked), ("Answer", answer.text.replace("**", ""))]
    lines += [("Computed", evidence.plan_sentence)] if evidence.plan_sentence else []
    for name, items in (
        ("Filter", evidence.filters),
        ("Definition", evidence.definitions),
        ("Assumption", answer.assumptions),
        ("Join", evidence.joins),
        ("Note", evidence.notes),
    ):
        lines += [(name, item) for item in items]
    for source in evidence.sources:
        when = f", refreshed {formats.day(source.refreshed_at)}" if source.refreshed_at else ""
        lines.append(("Source", f"{source.name} ({source.rows:,} rows{when})"))
    return lines
