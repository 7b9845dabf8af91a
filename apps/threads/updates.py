"""What happened to the sources of a thread's answers since it was last used: its notice line, and the message of type
`data_update` at its end (SPEC sections 2 and 3).

The message is made when the thread is read, not stored: it says what is so now. The next question keeps the notice at
its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, TypedDict
from uuid import UUID, uuid5

from apps.datasources.naming import display_name
from apps.datasources.selectors import changes_since
from apps.threads import copy, reads
from apps.threads.models import Message, Role, Thread

if TYPE_CHECKING:
    from apps.accounts.models import Organization

DATA_UPDATE = "data_update"


class RefreshedFile(TypedDict):
    """A source that was refreshed, replaced or removed, and when (ISO text)."""

    file_name: str
    time_of_update: str
    change: str


def refreshed_since(thread: Thread) -> list[RefreshedFile]:
    """The sources of the thread's answers that are not what they were when the thread was last used."""
    answers = Message.objects.filter(thread=thread, role=Role.ASSISTANT)
    used = _names(answers.values_list("answer__evidence__sources", flat=True))
    return _changes(thread.organization, used, thread.updated_at)


def data_update(thread_id: UUID, messages: Sequence[Message]) -> list[Message]:
    """The message, not stored, that says so behind the thread's messages; none where there is nothing to say."""
    used = _names(_evidence(message).get("sources") for message in messages if message.role == Role.ASSISTANT)
    if not used:
        return []
    thread = reads.WITH_ORGANIZATION.first(thread=thread_id)
    changes = _changes(thread.organization, used, thread.updated_at) if thread else []
    if not changes:
        return []
    latest = max(change["time_of_update"] for change in changes)
    told = Message(
        pk=uuid5(thread_id, repr(changes)),
        thread=thread,
        run_id=messages[-1].run_id,
        role=Role.ASSISTANT,
        type=DATA_UPDATE,
        content=_sentence(changes),
        since_refreshed_files=changes,
        created_at=datetime.fromisoformat(latest),
    )
    return [told]


def _evidence(message: Message) -> dict[str, list[dict[str, str]]]:
    return (message.answer or {}).get("evidence") or {}


def _names(evidence: Iterable[list[dict[str, str]] | None]) -> set[str]:
    return {source["file_name"] for sources in evidence for source in sources or []}


def _changes(organization: Organization, used: set[str], moment: datetime) -> list[RefreshedFile]:
    if not used:
        return []
    return [
        {"file_name": name, "time_of_update": at.isoformat(), "change": change}
        for name, at, change in changes_since(organization, used, moment)
    ]


def _sentence(changes: Sequence[RefreshedFile]) -> str:
    said = []
    for change, words in copy.DATA_CHANGED.items():
        if names := [display_name(file["file_name"]) for file in changes if file["change"] == change]:
            said.append(words.format(names=", ".join(names)))
    return " ".join(said)
