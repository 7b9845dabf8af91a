"""Tables and originals whose bytes are gone from the storage: told where people look, and left out where all are read.

One missing file is the fault of nobody else's: an upload, a rebuild and the joins go on over the others.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from apps.core.readiness import Finding
from apps.datasources import files
from apps.datasources.events import source_changed
from apps.datasources.models import DataTable, IngestionState, Source, SourceState, StoredFile

logger = logging.getLogger("apps.datasources.missing")

TABLE_GONE = "The table of this file is gone from the storage. Please have it read again."
ALL_GONE = "This file and its table are gone from the storage. Please upload it again."
_NAMED = 3


@dataclass(frozen=True, slots=True)
class Gone:
    """The sources whose table is gone, and the uploads whose original is."""

    tables: tuple[str, ...]
    originals: tuple[str, ...]


def missing_tell(organization_id: UUID) -> None:
    """Says on each source of the organization whose table is gone that it is, and offers another reading of it."""
    tables = DataTable.objects.filter(organization_id=organization_id, source__state=SourceState.READY)
    for table in tables.select_related("source__stored"):
        if not _is_whole(table):
            _tell(table.source)


def tables_look() -> None:
    """`missing_tell` over all organizations: what went while nobody uploaded is told, too."""
    for organization_id in DataTable.objects.order_by().values_list("organization_id", flat=True).distinct():
        missing_tell(organization_id)


def missing_in_storage() -> Gone:
    """What rows name and the storage does not hold, over all organizations."""
    tables = DataTable.objects.select_related("source").order_by("source__file_name").iterator(chunk_size=500)
    stored = StoredFile.objects.order_by("name").iterator(chunk_size=500)
    return Gone(
        tuple(table.source.file_name for table in tables if not _is_whole(table)),
        tuple(row.name for row in stored if not files.is_there(row.key)),
    )


def finding() -> Finding:
    """What the doctor sees of it."""
    gone = missing_in_storage()
    if not gone.tables and not gone.originals:
        return Finding("files", True, "Every table and every upload is in the storage.")
    names = list(dict.fromkeys((*gone.tables, *gone.originals)))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    seen = f"{len(gone.tables)} tables and {len(gone.originals)} uploads are gone: {', '.join(names[:_NAMED])}{more}."
    remedy = "Bring the files back from a backup, or run `python manage.py rebuild_tables`, which makes tables of the "
    return Finding("files", False, seen, f"{remedy}uploads that are there; the others must be uploaded again.")


def _is_whole(table: DataTable) -> bool:
    """Whether its rows are in the storage, and the list of its texts, which questions look values up in."""
    return all(files.is_there(key) for key in (table.key, table.values_key) if key)


def _tell(source: Source) -> None:
    """Whoever may remove the source can retry it, where its original is there."""
    again = files.is_there(source.stored.key)
    logger.error("the table of source %s is gone from the storage", source.pk)
    with transaction.atomic():
        done = StoredFile.objects.filter(pk=source.stored_id, state=IngestionState.DONE)
        done.update(state=IngestionState.FAILED)
        source.state, source.error, source.retryable = SourceState.FAILED, TABLE_GONE if again else ALL_GONE, again
        source.save(update_fields=["state", "error", "retryable"])
        source_changed(source)
