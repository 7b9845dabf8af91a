"""Making tables anew from the uploads as they came, for example after the readers have become better."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING

from apps.datasources import tasks
from apps.datasources.models import IngestionState, StoredFile
from apps.datasources.services.ingestion import Reader, ingest_file

if TYPE_CHECKING:
    from apps.accounts.models import Organization

logger = logging.getLogger("apps.datasources.rebuilding")


@dataclass(frozen=True, slots=True)
class RebuildOutcome:
    """How many uploads were queued or read, and how many of them could not be read."""

    files: int
    failed: int


def tables_rebuild(
    *, organization: Organization | None = None, later: bool = False, read: Reader | None = None
) -> RebuildOutcome:
    """Reads every upload (of one organization) again; with `later` the workers do it."""
    settled = StoredFile.objects.filter(state__in=[IngestionState.DONE, IngestionState.FAILED])
    if organization is not None:
        settled = settled.of(organization)
    files = failed = 0
    for stored_id in list(settled.order_by("created_at").values_list("pk", flat=True)):
        queued = settled.filter(pk=stored_id).update(state=IngestionState.QUEUED, attempt=0)
        if not queued:
            continue
        files += 1
        if later:
            tasks.ingest_file.send(str(stored_id))
            continue
        try:
            ingest_file(stored_id, read=read)
        except Exception:  # the others are read all the same
            logger.exception("stored file %s could not be read anew", stored_id)
            failed += 1
            continue
        failed += StoredFile.objects.filter(pk=stored_id, state=IngestionState.FAILED).exists()
    return RebuildOutcome(files, failed)
