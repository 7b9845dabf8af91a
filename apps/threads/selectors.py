"""Reads of threads, messages and runs. `RunSnapshot` is the one shape that poll, load and push share.

Everything starts from the member: threads are private to whoever began them, within the organization.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict
from uuid import UUID

from apps.core.errors import NotFound
from apps.threads import copy, reads
from apps.threads.models import UNFINISHED, Message, OutputFile, Role, Run, RunKind, RunState, Thread
from apps.threads.updates import RefreshedFile, data_update, refreshed_since

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.accounts.models import Organization, User


class ThreadRow(TypedDict):
    """A line of the history. `updated_at` in seconds since the epoch."""

    thread_id: str
    summary: str
    updated_at: float
    archived: bool


class FileSnapshot(TypedDict):
    """A file of an answer, with its content as text (`plain`) or base64."""

    filename: str
    mime_type: str
    encoding: str
    content: str


class MessageSnapshot(TypedDict):
    """A message with the replies to it (SPEC section 3)."""

    message_id: str
    run_id: str
    parent_message_id: str | None
    role: str
    content: str
    type: str
    message_type: str | None
    model: str | None
    created_at: float
    image_data: str | None
    since_refreshed_files: list[RefreshedFile]
    metadata: dict[str, Any]
    output_files: list[FileSnapshot]
    user_specified_files: list[str]
    answer: dict[str, Any] | None
    run_status: str | None
    run_error: str | None
    children: list[Any]


class RunSnapshot(TypedDict):
    """A run as every client sees it. `messages` is the thread's whole tree, once the run has ended."""

    thread_id: str
    run_id: str
    user_message_id: str
    kind: str
    validates: str | None
    status: str
    step_description: str
    steps: list[dict[str, str]]
    text_so_far: str
    data_sources_being_accessed: list[str] | None
    created_at: float
    started_at: float | None
    finished_at: float | None
    error: str | None
    messages: list[MessageSnapshot] | None


class ThreadSnapshot(TypedDict):
    """A thread as it is opened, with the unfinished run of its last question and the unfinished check of an answer."""

    thread_id: str
    status: str
    messages: list[MessageSnapshot]
    since_refreshed_files: list[RefreshedFile]
    run: RunSnapshot | None
    validation: RunSnapshot | None


def organization_of(member: User) -> Organization:
    """The organization that all reads on behalf of the member start from."""
    assert member.organization is not None, "only members reach the selectors"
    return member.organization


def threads_of(member: User) -> QuerySet[Thread]:
    """The member's own threads in the present organization, without deleted ones."""
    return Thread.objects.of(organization_of(member)).filter(owner=member, deleted_at=None)


def thread_list(member: User) -> list[ThreadRow]:
    """The member's history, newest first."""
    rows = reads.HISTORY.rows(owner=member.pk, organization=organization_of(member).pk)
    return [
        {"thread_id": str(id_), "summary": summary, "updated_at": _seconds(updated_at), "archived": archived}
        for id_, summary, updated_at, archived in rows
    ]


def thread_get(member: User, thread_id: UUID) -> Thread:
    """The member's thread of that id; NotFound for absent and foreign ones alike."""
    try:
        return threads_of(member).get(pk=thread_id)
    except Thread.DoesNotExist:
        raise NotFound(copy.THREAD_NOT_FOUND) from None


def last_shown(thread: Thread) -> Message | None:
    """The newest message of a thread, answers that are not selected aside: what is said next follows it."""
    shown = Message.objects.filter(thread=thread).exclude(role=Role.ASSISTANT, is_selected_assistant=False)
    return shown.order_by("-created_at", "-id").first()


def run_get(member: User, run_id: UUID, thread_id: UUID | None = None) -> Run:
    """The member's run of that id (in that thread); NotFound otherwise."""
    organization = organization_of(member)
    if thread_id is None:
        run = Run.objects.of(organization).filter(thread__owner=member, pk=run_id).first()
    else:
        run = reads.RUN_OF_THREAD.first(run=run_id, thread=thread_id, owner=member.pk, organization=organization.pk)
    if run is None:
        raise NotFound(copy.RUN_NOT_FOUND)
    return run


def message_get(member: User, message_id: UUID, thread_id: UUID) -> Message:
    """The member's message of that id in that thread; NotFound otherwise."""
    messages = Message.objects.of(organization_of(member)).filter(thread__owner=member)
    try:
        return messages.get(pk=message_id, thread_id=thread_id)
    except Message.DoesNotExist:
        raise NotFound(copy.MESSAGE_NOT_FOUND) from None


def output_file(member: User, thread_id: UUID, message_id: UUID, filename: str) -> FileSnapshot:
    """A file of one of the member's answers; NotFound otherwise."""
    found = OutputFile.objects.of(organization_of(member)).filter(
        message__thread__owner=member, message__thread_id=thread_id, message_id=message_id, filename=filename
    )
    file = None if "\x00" in filename else found.first()  # PostgreSQL takes no such text
    if file is None:
        raise NotFound
    return _file(file)


def oldest_waiting() -> datetime | None:
    """Since when the oldest question of all organizations waits for a worker: a figure for those who operate."""
    return _oldest([RunState.QUEUED])


def oldest_unfinished() -> datetime | None:
    """When the oldest question or check under way was asked."""
    return _oldest(UNFINISHED)


def _oldest(states: Sequence[str]) -> datetime | None:
    return Run.objects.filter(state__in=states).order_by("created_at").values_list("created_at", flat=True).first()


def run_snapshot(run: Run) -> RunSnapshot:
    """The run as poll, load and push tell it. Reads messages only where the run has ended."""
    return {
        "thread_id": str(run.thread_id),
        "run_id": str(run.pk),
        "user_message_id": str(run.question_id),
        "kind": run.kind,
        "validates": str(run.validates_id) if run.validates_id else None,
        "status": run.state,
        "step_description": run.step_description,
        "steps": run.steps,
        "text_so_far": run.text_so_far,
        "data_sources_being_accessed": run.data_sources,
        "created_at": _seconds(run.created_at),
        "started_at": _seconds(run.started_at) if run.started_at else None,
        "finished_at": _seconds(run.finished_at) if run.finished_at else None,
        "error": run.error or None,
        "messages": None if run.state in UNFINISHED else message_tree(run.thread_id),
    }


def thread_snapshot(thread: Thread) -> ThreadSnapshot:
    """The whole thread, with what is at work in it. Its status is that of its newest run, of either kind."""
    newest = Run.objects.filter(thread=thread).order_by("-created_at").first()
    working = {run.kind: run for run in Run.objects.filter(thread=thread, state__in=UNFINISHED).order_by("created_at")}
    asked, checked = working.get(RunKind.QUESTION), working.get(RunKind.VALIDATION)
    return {
        "thread_id": str(thread.pk),
        "status": newest.state if newest else "completed",
        "messages": message_tree(thread.pk),
        "since_refreshed_files": refreshed_since(thread),
        "run": run_snapshot(asked) if asked else None,
        "validation": run_snapshot(checked) if checked else None,
    }


def message_tree(thread_id: UUID) -> list[MessageSnapshot]:
    """The roots of a thread's messages, oldest first, each with its replies; last what happened to its sources since.

    Six queries whatever its size. The caller has made sure that the thread is the member's.
    """
    files: defaultdict[UUID, list[FileSnapshot]] = defaultdict(list)
    for file in reads.FILES.rows(thread=thread_id):
        files[file.message_id].append(_file(file))
    outcomes = {question: (state, error) for question, state, error in reads.OUTCOMES.rows(thread=thread_id)}
    messages = reads.MESSAGES.rows(thread=thread_id)
    shown = {message.pk: _message(message, files[message.pk], outcomes.get(message.pk)) for message in messages}
    roots: list[MessageSnapshot] = []
    for message in messages:
        parent = shown.get(message.parent_id) if message.parent_id else None
        (roots if parent is None else parent["children"]).append(shown[message.pk])
    if not any(state in UNFINISHED for state, _ in outcomes.values()):
        roots += [_message(update, [], None) for update in data_update(thread_id, messages)]
    return roots


def _message(message: Message, files: list[FileSnapshot], outcome: tuple[str, str] | None) -> MessageSnapshot:
    state, error = outcome or (None, None)
    return {
        "message_id": str(message.pk),
        "run_id": str(message.run_id),
        "parent_message_id": str(message.parent_id) if message.parent_id else None,
        "role": message.role,
        "content": message.content,
        "type": message.type,
        "message_type": message.message_type or None,
        "model": message.model or None,
        "created_at": _seconds(message.created_at),
        "image_data": message.image_data,
        "since_refreshed_files": message.since_refreshed_files,
        "metadata": {
            "is_thumbs_up": message.is_thumbs_up,
            "is_selected_assistant": message.is_selected_assistant,
            "is_best_answer": message.is_best_answer,
            "consensus_group": message.consensus_group,
            "reasoning_trace": message.reasoning_trace or None,
        },
        "output_files": files,
        "user_specified_files": message.user_specified_files,
        "answer": message.answer,
        "run_status": state,
        "run_error": error or None,
        "children": [],
    }


def _file(file: OutputFile) -> FileSnapshot:
    return {
        "filename": file.filename,
        "mime_type": file.mime_type,
        "encoding": file.encoding,
        "content": file.content,
    }


def _seconds(moment: datetime) -> float:
    return round(moment.timestamp(), 3)
