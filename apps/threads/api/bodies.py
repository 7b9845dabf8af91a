"""The bodies of the routes beside /ask, parsed once. Pure: no database, no request."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from apps.core.api.parameters import json_object
from apps.core.errors import Invalid
from apps.threads import limits
from apps.threads.api.commands import text_of, texts_of, uuid_of


@dataclass(frozen=True, slots=True)
class ThreadChange:
    """PUT /threads {thread_id, summary, archived}: what becomes of a thread; None leaves as it is."""

    thread_id: UUID
    summary: str | None
    archived: bool | None


@dataclass(frozen=True, slots=True)
class Typed:
    """POST /question-previews {text, before, thread_id, user_specified_files}: a text that is being typed."""

    text: str
    """As it stands: a blank at its end says that its last word is over."""
    before: str
    thread_id: UUID | None
    files: tuple[str, ...]


def parse_thread_change(data: object) -> ThreadChange:
    """Raises Invalid naming the field."""
    body = json_object(data)
    summary, archived = body.get("summary"), body.get("archived")
    if archived is not None and not isinstance(archived, bool):
        raise Invalid("archived must be true or false.", code="not_boolean")
    return ThreadChange(
        thread_id=uuid_of(body, "thread_id"),
        summary=None if summary is None else text_of(summary, "summary", limits.SUMMARY_LENGTH),
        archived=archived,
    )


def parse_typed(data: object) -> Typed:
    """Raises Invalid naming the field."""
    body = json_object(data)
    for field in ("text", "before"):
        text_of(body.get(field), field, limits.MAX_PROMPT)
    files = body.get("user_specified_files") or []
    return Typed(
        text=body["text"],
        before=body["before"],
        thread_id=uuid_of(body, "thread_id") if body.get("thread_id") is not None else None,
        files=texts_of(files, "user_specified_files", count=limits.MAX_CHOSEN_FILES, length=300),
    )


def choice_of(data: object) -> int:
    """PUT /readings {choice}: a place among the choices of an answer. Raises Invalid."""
    choice = json_object(data).get("choice")
    if isinstance(choice, bool) or not isinstance(choice, int):
        raise Invalid("choice must be a place in the answer's choices.", code="invalid_choice")
    return choice
