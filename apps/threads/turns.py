"""The questions of a thread with their answers, as the engine is told them: what a message goes on from."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from apps.analyst.types import Turn
from apps.threads import limits
from apps.threads.models import Message, Role
from apps.threads.plans import plan_of


def turns_above(thread_id: UUID, message_id: UUID | None) -> tuple[Turn, ...]:
    """The questions from this message up with the selected answers that were given, oldest first; none for None. The
    caller has made sure that the thread is the member's."""
    if message_id is None:
        return ()
    rows: dict[UUID | None, dict[str, Any]] = {
        row["id"]: dict(row)
        for row in Message.objects.filter(thread_id=thread_id).values(
            "id", "parent_id", "role", "content", "plan", "answer__text", "answer__evidence__query"
        )
    }
    turns: list[Turn] = []
    above = rows.get(message_id)
    answer: dict[str, Any] | None = None
    while above is not None and len(turns) < limits.TURNS_READ:
        if above["role"] == Role.ASSISTANT:
            answer = above
        else:
            turns.append(_turn(above["content"], answer))
            answer = None
        above = rows.get(above["parent_id"])
    return tuple(reversed(turns))


def _turn(question: str, answer: dict[str, Any] | None) -> Turn:
    if answer is None:
        return Turn(question=question)
    said = answer["answer__text"] or answer["content"]
    query = "" if answer["plan"] else answer["answer__evidence__query"] or ""
    return Turn(question=question, plan=plan_of(answer["plan"]), answer=said, query=query)
