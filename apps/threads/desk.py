"""Questions that come from elsewhere (Slack), put and answered like any other: the desk of apps.integrations.slack."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from apps.analyst.telling import formats
from apps.analyst.types import ResultColumn, Scalar
from apps.core.errors import NotFound
from apps.integrations.slack.desk import Answered, Asked, ShownTable
from apps.threads import copy
from apps.threads.answers import CHART_MIME, choice_line
from apps.threads.models import UNFINISHED, Message, Role, Run, RunState
from apps.threads.selectors import run_get
from apps.threads.services.questions import question_ask

if TYPE_CHECKING:
    from apps.accounts.models import User

ROWS_SHOWN = 50
_NUMBERS = {"integer", "decimal", "float"}


class ThreadsDesk:
    """apps.integrations.slack.desk.Desk over the member's threads."""

    def ask(self, *, member: User, prompt: str, thread_id: UUID | None) -> Asked:
        """A thread that is gone or full by now is no hindrance: the question begins a new one."""
        try:
            run = question_ask(member=member, prompt=prompt, thread_id=thread_id)
        except NotFound:
            run = question_ask(member=member, prompt=prompt)
        return Asked(thread_id=run.thread_id, run_id=run.pk)

    def answered(self, *, member: User, run_id: UUID) -> Answered | None:
        run = run_get(member, run_id)
        if run.state in UNFINISHED:
            return None
        return _answer(run) if run.state == RunState.COMPLETED else Answered(run.error or copy.PROCESSING_FAILED)


def _answer(run: Run) -> Answered:
    found = Message.objects.filter(run=run, role=Role.ASSISTANT, is_selected_assistant=True).first()
    if found is None:
        return Answered(copy.PROCESSING_FAILED)
    parts: Mapping[str, Any] = found.answer or {}
    charts = found.output_files.filter(mime_type=CHART_MIME, encoding="plain").values_list("content", flat=True)
    choices = "\n".join(f"- {choice_line(choice)}" for choice in parts.get("choices") or [])
    text = parts.get("text") or found.content
    return Answered(
        text=f"{text}\n{choices}" if choices else text,
        table=_table(parts.get("table")),
        charts=tuple(charts),
    )


def _table(table: Mapping[str, Any] | None) -> ShownTable | None:
    """The table as people read it; none where a single figure says all."""
    if not table or not table["rows"] or (len(table["rows"]) == 1 and len(table["columns"]) == 1):
        return None
    columns = [ResultColumn(**column) for column in table["columns"]]
    return ShownTable(
        names=[column.name for column in columns],
        right=[column.type in _NUMBERS for column in columns],
        rows=[
            [_said(value, column) for value, column in zip(row, columns, strict=True)]
            for row in table["rows"][:ROWS_SHOWN]
        ],
        total_rows=int(table["total_rows"]),
    )


def _said(value: Any, column: ResultColumn) -> str:
    return "" if value is None else formats.cell(_typed(value, column), column, exact=True)


def _typed(value: Scalar, column: ResultColumn) -> Scalar:
    """A stored cell as the engine had it: dates were kept as ISO text."""
    if isinstance(value, str) and column.type in ("date", "datetime"):
        return datetime.fromisoformat(value) if column.type == "datetime" else date.fromisoformat(value[:10])
    return value
