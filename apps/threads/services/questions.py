"""Asking: one transaction writes the thread, the question and its queued run; the worker is told after the commit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.core import rates
from apps.core.errors import Conflict, Invalid, NotFound
from apps.core.jobs.sending import send_after_commit
from apps.core.logs import working_on
from apps.datasources.likely import likely_sources
from apps.datasources.naming import name_key
from apps.datasources.selectors import file_names
from apps.threads import copy, limits, tasks
from apps.threads.models import Message, Role, Run, Thread
from apps.threads.selectors import last_shown, organization_of, thread_get
from apps.threads.updates import RefreshedFile, refreshed_since

if TYPE_CHECKING:
    from apps.accounts.models import User


def question_ask(
    *,
    member: User,
    prompt: str,
    thread_id: UUID | None = None,
    parent_message_id: UUID | None = None,
    models: Sequence[str] = (),
    temperature: float = limits.DEFAULT_TEMPERATURE,
    files: Sequence[str] | None = None,
) -> Run:
    """The queued run of a new question, in a new thread where `thread_id` is None.

    `files` are names of sources; without a parent the question follows the thread's last message, answers that are not
    selected aside; a parent that is not selected gives way to the answer that is. Raises NotFound for foreign or absent
    threads and parents, Invalid for files the organization does not have, Conflict for a full thread, TooOften.
    """
    # Before the database is held for writing: where tables have changed it reads what they are called.
    likely = [] if files else likely_sources(organization_of(member), prompt)
    return _question_write(member, prompt, thread_id, parent_message_id, models, temperature, files, likely)


@transaction.atomic
def _question_write(
    member: User,
    prompt: str,
    thread_id: UUID | None,
    parent_message_id: UUID | None,
    models: Sequence[str],
    temperature: float,
    files: Sequence[str] | None,
    likely: Sequence[str],
) -> Run:
    rate = settings.QUESTIONS_PER_MINUTE
    rates.count("questions", member.pk, most=rate, seconds=60, words=f"{rate:,} questions a minute")
    now = timezone.now()
    chosen = _chosen(member, files) if files else []
    refreshed: list[RefreshedFile] = []
    if thread_id is None:
        thread = Thread(organization=organization_of(member), owner=member, summary=summary_of(prompt), updated_at=now)
        thread.save(force_insert=True)
        parent = None
        if parent_message_id is not None:
            raise NotFound(copy.MESSAGE_NOT_FOUND)
    else:
        thread = thread_get(member, thread_id)
        parent = _parent(thread, parent_message_id)
        refreshed = refreshed_since(thread)
        Thread.objects.filter(pk=thread.pk).update(updated_at=now, archived=False)
    run = Run(
        thread=thread,
        chosen_models=list(models),
        temperature=temperature,
        data_sources=chosen or list(likely) or _answered_from(parent) or None,
        deadline_at=now + limits.DEADLINE,
        lease_until=now + limits.REQUEUE_AFTER,
        created_at=now,
    )
    question = Message(
        thread=thread,
        run=run,
        parent=parent,
        role=Role.USER,
        content=prompt,
        user_specified_files=chosen,
        since_refreshed_files=refreshed,
        created_at=now,
    )
    run.question = question
    run.save(force_insert=True)  # the foreign keys are checked at the commit
    question.save(force_insert=True)
    send_after_commit(tasks.answer_run, run.pk)
    working_on(run.pk)
    return run


def summary_of(prompt: str) -> str:
    """A thread's name: its first question on one line, cut at a word."""
    line = " ".join(prompt.split())
    if len(line) <= limits.SUMMARY_LENGTH:
        return line
    return line[: limits.SUMMARY_LENGTH - 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def _answered_from(parent: Message | None) -> list[str]:
    """What the answer before was computed from: a question that names nothing goes on from there."""
    evidence = ((parent.answer if parent else None) or {}).get("evidence") or {}
    return [source["file_name"] for source in evidence.get("sources") or []]


def _chosen(member: User, files: Sequence[str]) -> list[str]:
    """The stored names of the files asked for, whatever case they were written in."""
    known = {name_key(name): name for name in file_names(organization_of(member))}
    unknown = [name for name in files if name_key(name) not in known]
    if unknown:
        raise Invalid(copy.UNKNOWN_FILES.format(names=", ".join(unknown[:5])), code="unknown_files")
    return [known[name_key(name)] for name in files]


def _parent(thread: Thread, parent_message_id: UUID | None) -> Message | None:
    messages = Message.objects.filter(thread=thread)
    if messages.filter(role=Role.USER).count() >= limits.MAX_QUESTIONS_PER_THREAD:
        raise Conflict(copy.LONG_THREAD.format(limit=limits.MAX_QUESTIONS_PER_THREAD), code="thread_full")
    if parent_message_id is None:
        return last_shown(thread)
    parent = messages.filter(pk=parent_message_id).first()
    if parent is None:
        raise NotFound(copy.MESSAGE_NOT_FOUND)
    return _shown_instead(parent) or parent


def _shown_instead(answer: Message) -> Message | None:
    """The answer shown in place of this one. Another may have been selected while the question was on its way: what was
    asked below the former one would be out of sight."""
    if answer.role != Role.ASSISTANT or answer.is_selected_assistant:
        return None
    beside = Message.objects.filter(parent_id=answer.parent_id, role=Role.ASSISTANT, is_selected_assistant=True)
    return beside.first()
