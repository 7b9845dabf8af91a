"""An engine's answer as it is kept and shown: Markdown with its table, the parts as JSON, the trace, the files.

Pure: values in, values out; no database.
"""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from apps.analyst.approaches.names import name_of
from apps.analyst.telling import formats
from apps.analyst.types import (
    Answer,
    Chart,
    Choice,
    Evidence,
    Headline,
    OutputFile,
    Proven,
    ReadAs,
    Result,
    ResultColumn,
    Rival,
    Scalar,
    Step,
)
from apps.threads import limits
from apps.threads.drafts import AnswerDraft, FileDraft

if TYPE_CHECKING:
    from apps.analyst.plan.parting import Parting

CHART_MIME = "application/vnd.chart+json"
_MARKDOWN_MARKS = str.maketrans({mark: "\\" + mark for mark in "\\`*_[]<>|!~#$"} | {"\n": " ", "\r": " ", "\t": " "})


def draft_of(
    answer: Answer, *, steps: Sequence[Mapping[str, str]], seconds: float, parting: Parting | None = None
) -> AnswerDraft:
    """Everything that is stored of an answer. `steps` are those that were shown, `seconds` what it took."""
    shown = list(steps) or [_step(step) for step in answer.steps]
    return AnswerDraft(
        content=_content(answer),
        model=answer.approach,
        parts=answer_parts(answer, steps=shown, seconds=seconds, parting=parting),
        plan=answer.plan.model_dump(mode="json") if answer.plan is not None else None,
        rivals=[_rival(rival) for rival in answer.rivals],
        trace=_trace(answer, shown),
        data_sources=[source.name for source in answer.evidence.sources],
        files=tuple(
            [_chart_file(answer.chart)] if answer.chart else [],
        )
        + tuple(_file(file) for file in answer.files),
    )


def answer_parts(answer: Answer, *, steps: list[Any], seconds: float, parting: Parting | None = None) -> dict[str, Any]:
    """The structured answer that the page draws (AnswerParts of the API)."""
    return {
        "status": answer.status,
        "text": answer.text,
        "headline": _headline(answer.headline) if answer.headline else None,
        "table": _table(answer.result) if answer.result else None,
        "assumptions": list(answer.assumptions),
        "choices": [_choice(choice) for choice in answer.choices],
        "follow_ups": list(answer.follow_ups),
        "evidence": _evidence(answer.evidence),
        "steps": steps,
        "seconds": round(seconds, 3),
        "approach": answer.approach,
        "approach_name": name_of(answer.approach),
        "memory": _memory(answer.memory) if answer.memory else None,
        "read_as": _read_as(answer.read_as) if answer.read_as else None,
        "parting": {"step": parting.step, "text": parting.text} if parting else None,
        "check": None,
        "held": _held(answer) if answer.held else None,
        "told_to": list(answer.told_to),
        "instead": answer.instead,
    }


def _rival(rival: Rival) -> dict[str, Any]:
    plan = {"plan": rival.plan.model_dump(mode="json"), "chance": rival.chance}
    return {**plan, "chip": rival.chip, "label": rival.label} if rival.chip else plan


def _held(answer: Answer) -> dict[str, Any]:
    opens = answer.held == "other" and bool(answer.rivals)
    return {"state": answer.held, "text": answer.held_text, "opens": opens}


def markdown_table(result: Result, *, rows: int) -> str:
    """The first `rows` rows as a Markdown table; cells are data and cannot become markup."""
    lines = [
        "| " + " | ".join(escaped(column.name) for column in result.columns) + " |",
        "| " + " | ".join("---:" if _is_number(column.type) else "---" for column in result.columns) + " |",
    ]
    for row in result.rows[:rows]:
        cells = [escaped(_as_said(value, column)) for value, column in zip(row, result.columns, strict=True)]
        lines.append(f"| {' | '.join(cells)} |")
    if result.total_rows > min(rows, len(result.rows)):
        lines += ["", f"{min(rows, len(result.rows)):,} of {result.total_rows:,} rows."]
    return "\n".join(lines)


def escaped(text: str) -> str:
    """A text that others wrote (a cell, a file's name) which cannot become markup."""
    return text.translate(_MARKDOWN_MARKS)


def _as_said(value: Scalar, column: ResultColumn) -> str:
    """A cell as people write it: "1,238,485", "41.9 %", "Q3 2026"; nothing where nothing is known."""
    unknown = value is None or (isinstance(value, float | Decimal) and not math.isfinite(value))
    return "" if unknown else formats.cell(value, column, exact=True)


def json_value(value: Scalar) -> str | int | float | bool | None:
    """A cell for JSON: numbers stay numbers, dates become ISO text, what JSON cannot say becomes null."""
    if isinstance(value, Decimal):
        value = int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, datetime | date):
        return value.isoformat()
    return value


def _content(answer: Answer) -> str:
    parts = [answer.text]
    if answer.result is not None and answer.result.rows and _needs_table(answer):
        parts.append(markdown_table(answer.result, rows=limits.ROWS_IN_TEXT))
    if answer.choices:
        parts.append("\n".join(f"- {choice_line(_choice(choice))}" for choice in answer.choices))
    return "\n\n".join(part for part in parts if part)


def _needs_table(answer: Answer) -> bool:
    """A single figure is said by the text alone."""
    assert answer.result is not None
    return len(answer.result.rows) > 1 or len(answer.result.columns) > 1


def _table(result: Result) -> dict[str, Any]:
    return {
        "columns": [
            {"name": c.name, "type": c.type, "kind": c.kind, "unit": c.unit, "grain": c.grain} for c in result.columns
        ],
        "rows": [[json_value(value) for value in row] for row in result.rows[: limits.ROWS_IN_ANSWER]],
        "total_rows": result.total_rows,
    }


def choice_line(choice: Mapping[str, Any]) -> str:
    """A choice of a kept answer as a line of text, with what it comes to; answers of before have no such figure."""
    return f"{choice['label']}: {choice['figure']}" if choice.get("figure") else str(choice["label"])


def _choice(choice: Choice) -> dict[str, Any]:
    kept = choice.keyword
    keyword = {"term": kept.term, "definition": kept.definition} if kept else None
    lesson = choice.lesson
    return {
        "label": choice.label,
        "question": choice.question,
        "keyword": keyword,
        "kind": choice.kind,
        "teaches": lesson.text if lesson else None,
        "lesson": asdict(lesson) if lesson else None,
        "figure": choice.figure,
    }


def _memory(proven: Proven) -> dict[str, str]:
    # Imported here: it brings the language along, which the engine that remembered has loaded already.
    from apps.analyst.conversation.memory import told

    return {"question": proven.question, "text": told(proven)}


def _read_as(read_as: ReadAs) -> dict[str, Any]:
    return {
        "chips": [
            {"key": c.key, "part": c.part, "label": c.label, "opens": c.opens, "guessed": c.guessed}
            for c in read_as.chips
        ],
        "unread": [_span(span) for span in read_as.unread],
        "asked": _span(read_as.asked) if read_as.asked else None,
    }


def _span(span: tuple[int, int]) -> dict[str, int]:
    return {"start": span[0], "end": span[1]}


def result_of(parts: Mapping[str, Any]) -> Result | None:
    """The result that `answer_parts` wrote down, as far as it was kept; None where the answer has none."""
    table = parts.get("table")
    if not table:
        return None
    columns = tuple(ResultColumn(c["name"], c["type"], c["kind"], c["unit"], c["grain"]) for c in table["columns"])
    rows = tuple(
        tuple(_stored_value(cell, column) for cell, column in zip(row, columns, strict=True)) for row in table["rows"]
    )
    return Result(columns, rows, table["total_rows"])


def _stored_value(value: Any, column: ResultColumn) -> Scalar:
    """A cell of `json_value`: ISO text becomes a moment again where the column holds moments."""
    if isinstance(value, str) and column.type in ("date", "datetime"):
        return date.fromisoformat(value) if column.type == "date" else datetime.fromisoformat(value)
    scalar: Scalar = value
    return scalar


def _headline(headline: Headline) -> dict[str, Any]:
    return {
        "value": json_value(headline.value),
        "text": headline.text,
        "label": headline.label,
        "unit": headline.unit,
        "change": json_value(headline.change),
        "change_text": headline.change_text,
        "good_direction": headline.good_direction,
    }


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {
        "sources": [
            {
                "name": source.name,
                "file_name": source.file_name,
                "rows": source.rows,
                "refreshed_at": source.refreshed_at.isoformat() if source.refreshed_at else None,
            }
            for source in evidence.sources
        ],
        "plan_sentence": evidence.plan_sentence,
        "filters": list(evidence.filters),
        "definitions": list(evidence.definitions),
        "joins": list(evidence.joins),
        "query": evidence.query,
        "row_count": evidence.row_count,
        "notes": list(evidence.notes),
    }


def _trace(answer: Answer, steps: Sequence[Mapping[str, str]]) -> str:
    """How the answer came about, as Markdown for the validation panel."""
    lines = [
        f"{n}. {step['label']}{': ' + step['detail'] if step['detail'] else ''}" for n, step in enumerate(steps, 1)
    ]
    evidence = answer.evidence
    if evidence.plan_sentence:
        lines += ["", evidence.plan_sentence]
    for title, items in (
        ("Filters", evidence.filters),
        ("Definitions", evidence.definitions),
        ("Joins", evidence.joins),
    ):
        if items:
            lines += ["", f"**{title}**", *(f"- {item}" for item in items)]
    if answer.assumptions:
        lines += ["", "**Assumptions**", *(f"- {item}" for item in answer.assumptions)]
    if evidence.query:
        lines += ["", "```sql", evidence.query, "```"]
    return "\n".join(lines).strip()


def _step(step: Step) -> dict[str, str]:
    return {"label": step.label, "detail": step.detail}


def _chart_file(chart: Chart) -> FileDraft:
    text = json.dumps(chart.document, ensure_ascii=False, default=_json_default)
    return FileDraft(filename=chart.file_name, mime_type=CHART_MIME, encoding="plain", content=text)


def _file(file: OutputFile) -> FileDraft:
    if file.mime_type.startswith("text/") or file.mime_type.endswith("json"):
        return FileDraft(file.file_name, file.mime_type, "plain", file.content.decode("utf-8"))
    return FileDraft(file.file_name, file.mime_type, "base64", base64.b64encode(file.content).decode("ascii"))


def _json_default(value: object) -> str | int | float | bool | None:
    if isinstance(value, Decimal | date):
        return json_value(value)
    raise TypeError(f"a chart cannot hold {type(value).__name__}")


def _is_number(type_: str) -> bool:
    return type_ in {"integer", "decimal", "float"}
