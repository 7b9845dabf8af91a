"""Results as files, where the question asks for one: "as an Excel file", "export to CSV", "as a PDF".

What a cell holds stays data: text that a spreadsheet would take for a formula is neutralised in either format.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Literal

from apps.analyst.ports import Catalog
from apps.analyst.tables.neutral import csv_line, neutral
from apps.analyst.tables.paper import Paper, paper_text, paper_word
from apps.analyst.tables.paper_pdf import LettersMissing, paper_pdf
from apps.analyst.telling import formats
from apps.analyst.telling.answer_books import about, answer_book, head, named_period
from apps.analyst.telling.charts import slug
from apps.analyst.types import Answer, OutputFile, Result, ResultColumn, Scalar

Format = Literal["csv", "xlsx", "txt", "pdf", "docx"]

MIME: dict[Format, str] = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "txt": "text/plain",
    "pdf": "application/pdf",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
}
_KIND = (
    r"(?P<kind>excel|xlsx|csv|spreadsheet|work ?book|pdf|txt|docx|(?:text|word)(?= (?:files?|documents?)))"
    r"(?: files?| sheets?| tables?| exports?| formats?| documents?)?"
)
_CALLED: dict[str, Format] = {"csv": "csv", "pdf": "pdf", "txt": "txt", "text": "txt", "docx": "docx", "word": "docx"}
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
    return Wish(_CALLED.get(kind, "xlsx"), rest)


def _is_data(kind: str, catalog: Catalog) -> bool:
    """True where a stored value is called so ("format: CSV")."""
    word = re.compile(rf"\b{re.escape(kind)}\b", re.IGNORECASE)
    columns = (column for table in catalog.tables() for column in table.columns)
    return any(word.search(found.value) for column in columns for found in column.values)


def result_file(kind: Format, answer: Answer, asked: str, today: date) -> OutputFile | None:
    """The answer as a file, named after the question; None where there is no table. A PDF cannot hold all letters:
    where it lacks some, the file is a Word document."""
    if answer.result is None or not answer.result.columns:
        return None
    if kind == "csv":
        content = _csv(answer.result)
    elif kind == "xlsx":
        chart = answer.chart.document if answer.chart else None
        content = answer_book(answer, asked, today, chart=chart)
    else:
        kind, content = _on_paper(kind, _paper(answer, answer.result, asked, today))
    name = slug(re.sub(r"^(?:show|list|give me)(?: me)? ", "", asked, flags=re.IGNORECASE))
    return OutputFile(f"{name}.{kind}", MIME[kind], content)


def file_words(file: OutputFile, result: Result) -> str:
    """The sentence that says what is in the file."""
    held, total = len(result.rows), result.total_rows
    rows = f"{held:,} {'row' if held == 1 else 'rows'}"
    if total > held:
        rows = f"the first {held:,} of {total:,} rows"
    return f"The table is attached as {file.file_name} ({rows})."


# ---------------------------------------------------------------- paper
def _on_paper(kind: Format, paper: Paper) -> tuple[Format, bytes]:
    if kind == "txt":
        return kind, paper_text(paper)
    if kind == "pdf":
        try:
            return kind, paper_pdf(paper)
        except LettersMissing:
            pass
    return "docx", paper_word(paper)


def _paper(answer: Answer, result: Result, asked: str, today: date) -> Paper:
    columns = result.columns
    rows = [[formats.cell(value, column) for value, column in zip(row, columns, strict=True)] for row in result.rows]
    notes = [
        (name, said) for name, said in about(answer, asked, today, place="file") if name not in ("Question", "Answer")
    ]
    return Paper(
        title=asked,
        sentences=[line for line in answer.text.replace("**", "").splitlines() if line.strip()],
        head=[head(column) for column in columns],
        rows=rows,
        right=[column.kind != "dimension" for column in columns],
        notes=notes,
    )


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
        return formats.period(value, column.grain or "") if named_period(column) else value.isoformat()
    return neutral(value)
