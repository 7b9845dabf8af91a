"""What a member does with threads of the history: names them, archives and deletes them, and takes that back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils import timezone

from apps.core.errors import Invalid, NotFound
from apps.threads import copy, limits
from apps.threads.models import UNFINISHED, ModelTranscript, Run, Thread
from apps.threads.selectors import organization_of, thread_get
from apps.threads.services.runs import run_cancel

if TYPE_CHECKING:
    from uuid import UUID

    from apps.accounts.models import User


def thread_change(*, by: User, pk: UUID, summary: str | None = None, archived: bool | None = None) -> None:
    """Gives the member's thread another name, or puts it into or out of the archive; None leaves as it is.

    Its place in the history stays. Raises NotFound, and Invalid for no name.
    """
    thread = thread_get(by, pk)
    if summary == "":
        raise Invalid(copy.THREAD_NAMELESS, code="nameless")
    said = {"summary": summary, "archived": archived}
    changed = {field: value for field, value in said.items() if value is not None}
    if changed:
        Thread.objects.filter(pk=thread.pk).update(**changed)


@transaction.atomic
def thread_delete(*, by: User, pk: UUID) -> None:
    """Takes the member's thread away; work on it ends. It can be restored until it is purged. Raises NotFound."""
    thread = thread_get(by, pk)
    Thread.objects.filter(pk=thread.pk).update(deleted_at=timezone.now())
    for run in Run.objects.filter(thread=thread, state__in=UNFINISHED):
        run_cancel(run=run)


def thread_restore(*, by: User, pk: UUID) -> None:
    """Brings a deleted thread back as it was. Raises NotFound where there is none, or none any more."""
    mine = Thread.objects.of(organization_of(by)).filter(owner=by, pk=pk, deleted_at__isnull=False)
    if not mine.update(deleted_at=None):
        raise NotFound(copy.THREAD_GONE)


def threads_purge() -> int:
    """Removes deleted threads for good, once nobody can want them back. Returns how many."""
    over = Thread.objects.filter(deleted_at__lt=timezone.now() - limits.DELETED_KEPT)
    purged = 0
    for thread in over[: limits.PURGED_AT_ONCE]:
        with transaction.atomic():
            # What models took stays counted, without what they were told.
            ModelTranscript.objects.filter(usage__run__thread=thread).delete()
            thread.delete()
        purged += 1
    return purged
