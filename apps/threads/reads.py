"""The reads of a poll and of a thread's tree, prepared: they are made every few seconds by everybody who waits."""

from __future__ import annotations

from django.db.models import UUIDField

from apps.core.prepared import Prepared
from apps.threads.models import Message, OutputFile, Run, RunKind, Thread

ID = UUIDField()

HISTORY = Prepared(
    lambda owner, organization: (
        Thread.objects.of(organization)
        .filter(owner=owner, deleted_at=None)
        .order_by("-updated_at")
        .values_list("id", "summary", "updated_at", "archived")
    ),
    owner=ID,
    organization=ID,
)
RUN_OF_THREAD = Prepared(
    lambda run, thread, owner, organization: Run.objects.of(organization).filter(
        thread__owner=owner, thread_id=thread, pk=run
    ),
    run=ID,
    thread=ID,
    owner=ID,
    organization=ID,
)
FILES = Prepared(
    lambda thread: OutputFile.objects.filter(message__thread_id=thread).order_by("filename"),
    thread=ID,
)
OUTCOMES = Prepared(
    lambda thread: (
        Run.objects.filter(thread_id=thread, kind=RunKind.QUESTION)
        .order_by("created_at")
        .values_list("question_id", "state", "error")
    ),
    thread=ID,
)
MESSAGES = Prepared(
    lambda thread: Message.objects.filter(thread_id=thread).order_by("created_at", "id"),
    thread=ID,
)
WITH_ORGANIZATION = Prepared(
    lambda thread: Thread.objects.select_related("organization").filter(pk=thread),
    thread=ID,
)
