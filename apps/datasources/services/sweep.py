"""Finding what was lost: files whose worker died or whose message never came, and bytes that belong to nothing.

Every change is conditional, so sweeps of several processes may meet. Messages sent twice are refused at the claim.
"""

from __future__ import annotations

import logging

from django.core.cache import cache
from django.db.models import F, Q
from django.utils import timezone

from apps.core.scratch import scratch_clear
from apps.datasources import files, limits, tasks
from apps.datasources.catalog import wide_forget
from apps.datasources.described import described_forget
from apps.datasources.models import CatalogState, DataTable, IngestionState, StoredFile
from apps.datasources.services.ingestion import NOT_READABLE
from apps.datasources.services.leases import Lease
from apps.datasources.services.missing import tables_look
from apps.datasources.services.publishing import ingestion_fail

logger = logging.getLogger("apps.datasources.sweep")


def take_over() -> None:
    """What the only process does at its start: unfinished files go on, bytes of nothing go away."""
    scratch_clear()
    orphans_requeue()
    stray_bytes_discard()
    missing_look()
    old = CatalogState.objects.at_work().exclude(joins_version=F("version"))
    for organization_id in old.values_list("organization_id", flat=True):
        tasks.find_connections.send(str(organization_id))


def orphans_requeue() -> int:
    """At the start of the only process every file not yet read is an orphan: back to the queue. Returns how many."""
    unfinished = StoredFile.objects.at_work().filter(state__in=[IngestionState.QUEUED, IngestionState.RUNNING])
    return sum(_send_again(stored) for stored in unfinished.order_by("created_at"))


def files_sweep() -> int:
    """Sends files again whose worker is silent or whose message was lost. Returns how many. Lets go of what nobody
    asks for."""
    wide_forget()
    described_forget()
    if cache.add("missing-tables-looked-for", 1, limits.MISSING_EVERY.total_seconds()):
        missing_look()
    now = timezone.now()
    silent = Q(state=IngestionState.RUNNING, lease_until__lt=now)
    unheard = Q(state=IngestionState.QUEUED, updated_at__lt=now - limits.RESEND_AFTER)
    lost = StoredFile.objects.at_work().filter(silent | unheard)
    return sum(_send_again(stored) for stored in lost.order_by("created_at"))


def missing_look() -> None:
    """Tells of tables whose bytes are gone; a storage that is away for a moment stops no sweep."""
    try:
        tables_look()
    except Exception:  # each kind of storage has errors of its own
        logger.warning("the storage could not be asked for its tables", exc_info=True)


def stray_bytes_discard() -> int:
    """Removes stored bytes that belong to no row: a process ended between storing and committing. Returns how many."""
    known = set(StoredFile.objects.values_list("key", flat=True))
    for key, values_key in DataTable.objects.values_list("key", "values_key"):
        known |= {key, values_key}
    stray = [key for key in files.stored_before(timezone.now() - limits.STRAY_AGE) if key not in known]
    files.discard(stray)
    return len(stray)


def _send_again(stored: StoredFile) -> bool:
    """Gives the file back to the queue, or up after too many tries."""
    seen = StoredFile.objects.filter(pk=stored.pk, state=stored.state, worker=stored.worker)
    if stored.attempt >= limits.MAX_ATTEMPTS:
        if seen.update(state=IngestionState.RUNNING, worker="given up"):
            ingestion_fail(Lease(stored=stored, token="given up"), NOT_READABLE, retryable=True)  # noqa: S106 - names who
            logger.error("stored file %s was given up in attempt %s", stored.pk, stored.attempt)
        return False
    if not seen.update(state=IngestionState.QUEUED, lease_until=None, updated_at=timezone.now()):
        return False
    tasks.ingest_file.send(str(stored.pk))
    return True
