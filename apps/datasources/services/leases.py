"""Who reads a stored file, and the only writers of where that stands: claim, progress, done, failed, given back.

Every change is one conditional UPDATE: a worker that changes no row has lost the file (deleted, taken over) and stops.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from apps.datasources import limits
from apps.datasources.events import source_changed
from apps.datasources.models import IngestionState, Source, SourceState, StoredFile

STEP_WORDS = {
    "reading": "Reading the file",
    "typing": "Finding types",
    "profiling": "Profiling the columns",
    "ready": "Almost done",
}
COUNTED = ("reading", "typing", "profiling")
"""The steps that go through the rows; a count beside the others would say nothing."""


class LeaseLost(Exception):
    """The file is no longer this worker's: it was deleted, taken over, or its organization deactivated."""


@dataclass(slots=True)
class Lease:
    """The right to read a stored file, until it ends without a sign of life."""

    stored: StoredFile
    token: str
    _step: str = ""
    _said_at: float = field(default=0.0)

    def progress(self, *, step: str, rows: int = 0, table: str = "") -> None:
        """Tells people how far the reading is, and renews the lease. Raises LeaseLost."""
        now = time.monotonic()
        if step == self._step and now - self._said_at < limits.PROGRESS_EVERY:
            return
        self._step, self._said_at = step, now
        with transaction.atomic():
            self.renew()
            for source in shown_sources(self.stored):
                source.state = SourceState.READING
                source.step = STEP_WORDS.get(step, step)
                source.rows_so_far = rows if step in COUNTED else 0
                source.save(update_fields=["state", "step", "rows_so_far"])
                source_changed(source)

    def renew(self) -> None:
        """Holds the file for another while. Raises LeaseLost."""
        if not self.mine().update(lease_until=timezone.now() + limits.LEASE):
            raise LeaseLost

    def mine(self) -> QuerySet[StoredFile]:
        """The file's row, as long as this worker holds it."""
        return StoredFile.objects.at_work().filter(pk=self.stored.pk, state=IngestionState.RUNNING, worker=self.token)


def lease_claim(stored_id: UUID) -> Lease | None:
    """Takes a queued file, or one whose worker has been silent for too long. None where there is nothing to do."""
    now = timezone.now()
    token = uuid4().hex
    free = Q(state=IngestionState.QUEUED) | Q(state=IngestionState.RUNNING, lease_until__lt=now)
    claimed = (
        StoredFile.objects.at_work()
        .filter(free, pk=stored_id, attempt__lt=limits.MAX_ATTEMPTS)
        .update(state=IngestionState.RUNNING, attempt=F("attempt") + 1, worker=token, lease_until=now + limits.LEASE)
    )
    if not claimed:
        return None
    stored = StoredFile.objects.select_related("organization", "owner").filter(pk=stored_id, worker=token).first()
    return Lease(stored=stored, token=token) if stored else None


def lease_done(lease: Lease) -> None:
    """The file is read. Raises LeaseLost. Call it in the transaction that shows the result."""
    now = timezone.now()
    done = lease.mine().update(state=IngestionState.DONE, lease_until=None, ingested_at=now, attempt=0)
    if not done:
        raise LeaseLost


def lease_failed(lease: Lease) -> None:
    """The file cannot be read. Raises LeaseLost. Call it in the transaction that says so."""
    if not lease.mine().update(state=IngestionState.FAILED, lease_until=None):
        raise LeaseLost


def lease_give_back(lease: Lease, step: str = "") -> bool:
    """Something unforeseen ended the reading: the file waits again, which people see as `step`. False after the last
    try, or where it was lost."""
    if lease.stored.attempt >= limits.MAX_ATTEMPTS:
        return False
    with transaction.atomic():
        if not lease.mine().update(state=IngestionState.QUEUED, lease_until=None):
            return False
        for source in shown_sources(lease.stored):
            source.state, source.step, source.rows_so_far = SourceState.RECEIVED, step, 0
            source.save(update_fields=["state", "step", "rows_so_far"])
            source_changed(source)
    return True


def shown_sources(stored: StoredFile) -> list[Source]:
    """The sources that show how the reading goes: the file's own, or those it is to replace."""
    sources = Source.objects.select_related("stored", "owner", "organization").order_by("file_name")
    own = list(sources.filter(stored=stored))
    return own or list(sources.filter(stored=stored.replaces_id) if stored.replaces_id else [])
