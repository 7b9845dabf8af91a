"""The story of one stored file: claim it, read it in a child process, show its tables, find their joins, be ready.

No transaction is open while a file is read. A worker may die at any line: the next one starts over, and what it finds
half done it does again with the same outcome.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from uuid import UUID

from django.conf import settings
from dramatiq.errors import Retry

from apps.accounts.holdings import hooks
from apps.analyst.errors import NO_ROOM_CODES, ReadFailed
from apps.core.scratch import scratch_folder
from apps.datasources import files, limits
from apps.datasources.models import IngestionState, StoredFile
from apps.datasources.services.catalogs import joins_refresh
from apps.datasources.services.leases import Lease, LeaseLost, lease_claim, lease_give_back
from apps.datasources.services.missing import missing_tell
from apps.datasources.services.publishing import ingestion_fail, ingestion_finish, tables_publish

if TYPE_CHECKING:
    from apps.analyst.tables import IngestedTable, IngestProgress, Progress

Reader: TypeAlias = "Callable[[Path, str, Path, Progress], list[IngestedTable]]"
"""Reads a file of that original name and writes its tables into a folder (apps.analyst.tables.ingest)."""

logger = logging.getLogger("apps.datasources.ingestion")

JOINING = "Finding connections to other files"
NOT_READABLE = "This file could not be read. Please check it and upload it again."
WAITING_FOR_ROOM = "Waiting for room on the disk"
ORIGINAL_GONE = "The file is gone from the storage. Please upload it again."
NO_ROOM = "There is no room left to keep this file. Please tell an admin."
_slots = threading.BoundedSemaphore(max(1, settings.WORKER_THREADS // 2))
"""Half of the workers may read files, so that questions always find one."""


def ingest_file(stored_id: UUID, *, read: Reader | None = None) -> None:
    """Makes the tables of a stored file, if nobody does so yet. Raises Retry while all reading slots are taken."""
    if not _slots.acquire(blocking=False):
        raise Retry("All reading slots are taken.", delay=limits.BUSY_DELAY)
    try:
        lease = lease_claim(stored_id)
        if lease is not None:
            _work(lease, read or read_in_child)
    finally:
        _slots.release()


def try_again(retries: int, error: BaseException) -> bool:
    """Whether the actor runs again: always while it waits for a slot, a few times after anything unforeseen."""
    return isinstance(error, Retry) or retries < limits.MAX_ATTEMPTS


def read_in_child(path: Path, original_name: str, out_dir: Path, progress: Progress) -> list[IngestedTable]:
    """The engine's reader in a killable process with limits. Raises ReadFailed."""
    from apps.analyst.tables import IngestLimits, run_in_child

    return run_in_child(path, original_name, out_dir, progress, limits=IngestLimits(columns=settings.MAX_COLUMNS))


def _work(lease: Lease, read: Reader) -> None:
    try:
        rows = _make_tables(lease, read)
        if not others_unfinished(lease.stored):
            lease.progress(step=JOINING, rows=rows)
            _tell_of_tables(lease)
            find_connections(lease.stored.organization_id)
            _tell_of_tables(lease)
        ingestion_finish(lease)
        if not others_unfinished(lease.stored):
            find_connections(lease.stored.organization_id)
    except LeaseLost:
        logger.info("stored file %s is no longer this worker's", lease.stored.pk)
    except ReadFailed as error:
        _fail(lease, error.message, retryable=error.retryable)
    except Exception as error:
        if isinstance(error, OSError) and error.errno in NO_ROOM_CODES:
            logger.exception("stored file %s found no room", lease.stored.pk)
            _wait_for_room(lease)
            return
        if not lease_give_back(lease):
            _fail(lease, NOT_READABLE)
        raise


def _tell_of_tables(lease: Lease) -> None:
    """Tells other apps that the organization's tables, or what is known of them, are new; it may fail for them. What
    is read again comes by the clock, and nobody waits to ask about it."""
    if lease.stored.replaces is not None or lease.stored.ingested_at is not None:
        return
    for tell in hooks("tables_came"):
        try:
            tell(lease.stored.organization_id)
        except Exception:
            logger.exception("the tables of organization %s were not told of", lease.stored.organization_id)


def _make_tables(lease: Lease, read: Reader) -> int:
    """Reads the file and shows its tables; returns their rows. What was written on the way is gone when this ends, and
    so before anything is told."""
    with scratch_folder() as folder:
        tables = _read(lease, read, folder)
        tables_publish(lease, tables)
    return sum(table.table.rows for table in tables)


def _wait_for_room(lease: Lease) -> None:
    """The disk may be full for a moment only (an upload that is about to be refused): the file is read again later.
    Raises Retry; after the last try the reason is said, and the original stays."""
    tries = lease.stored.attempt
    if lease_give_back(lease, WAITING_FOR_ROOM):
        raise Retry("The disk is full.", delay=limits.ROOM_DELAYS[min(tries, len(limits.ROOM_DELAYS)) - 1])
    _fail(lease, NO_ROOM)


def _read(lease: Lease, read: Reader, folder: Path) -> list[IngestedTable]:
    def tell(progress: IngestProgress) -> None:
        lease.progress(step=progress.step, rows=progress.rows, table=progress.table)

    lease.progress(step="reading")
    if not files.is_there(lease.stored.key):
        raise ReadFailed(ORIGINAL_GONE)
    tables = read(files.local_path(lease.stored.key), lease.stored.original_name, folder, tell)
    for table in tables:
        if len(table.table.columns) > settings.MAX_COLUMNS:
            raise ReadFailed(
                f"{lease.stored.original_name} has {len(table.table.columns):,} columns; "
                f"at most {settings.MAX_COLUMNS:,} are possible."
            )
    return tables


def others_unfinished(stored: StoredFile) -> bool:
    """Whether more files of the organization are on their way: the last of them finds the joins for all."""
    unfinished = StoredFile.objects.filter(state__in=[IngestionState.QUEUED, IngestionState.RUNNING])
    return unfinished.filter(organization_id=stored.organization_id).exclude(pk=stored.pk).exists()


def find_connections(organization_id: UUID) -> None:
    """Brings the joins up to date, over the tables that can be read. Without them every table still answers on its
    own."""
    try:
        missing_tell(organization_id)
        try:
            joins_refresh(organization_id)
        except Exception:
            if not missing_tell(organization_id, thoroughly=True):
                raise
            joins_refresh(organization_id)
    except Exception:  # whatever another file's table is, this file is well
        logger.exception("no joins were found for organization %s", organization_id)


def _fail(lease: Lease, message: str, *, retryable: bool = True) -> None:
    try:
        ingestion_fail(lease, message, retryable=retryable)
    except LeaseLost:
        logger.info("stored file %s is no longer this worker's", lease.stored.pk)
