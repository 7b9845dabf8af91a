"""Drafts become rows: an answer of a run with its files."""

from __future__ import annotations

from datetime import datetime

from apps.threads.drafts import AnswerDraft
from apps.threads.models import Message, OutputFile, Role, Run


def answer_write(*, run: Run, draft: AnswerDraft, at: datetime, selected: bool, best: bool) -> Message:
    """The draft as an answer to the run's question, told to be from `at`."""
    answer = Message.objects.create(
        thread_id=run.thread_id,
        run=run,
        parent_id=run.question_id,
        role=Role.ASSISTANT,
        content=draft.content,
        model=draft.model,
        answer=draft.parts,
        plan=draft.plan,
        rivals=draft.rivals,
        reasoning_trace=draft.trace,
        is_selected_assistant=selected,
        is_best_answer=best,
        created_at=at,
    )
    files_write(message=answer, draft=draft)
    return answer


def files_write(*, message: Message, draft: AnswerDraft) -> None:
    """The draft's files as files of the message."""
    OutputFile.objects.bulk_create(
        OutputFile(message=message, filename=f.filename, mime_type=f.mime_type, encoding=f.encoding, content=f.content)
        for f in draft.files
    )
