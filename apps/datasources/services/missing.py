"""Tables and originals that are gone from the storage, and tables that are damaged there: told where people look, and
left out where all are read.

One lost file is the fault of nobody else's: an upload, a rebuild and the joins go on over the others.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from uuid import UUID

from django.db import transaction

from apps.analyst.errors import AnalystError, TookTooLong
from apps.analyst.tables.wholeness import decodes
from apps.core.errors import Damaged, Gone
from apps.core.jobs.sending import actor_named, send_after_commit
from apps.core.readiness import Finding
from apps.datasources import files
from apps.datasources.events import source_changed
from apps.datasources.models import DataTable, IngestionState, Source, SourceState, StoredFile
from apps.datasources.services.catalogs import catalog_changed

logger = logging.getLogger("apps.datasources.missing")

_NAMED = 3


class Loss(StrEnum):
    """What became of a table's bytes."""

    GONE = "gone from the storage"
    DAMAGED = "damaged"


TABLE_GONE = f"The table of this file is {Loss.GONE}. Please have it read again."
TABLE_DAMAGED = files.DAMAGED
ALL_GONE = "This file and its table are gone from the storage. Please upload it again."
ORIGINAL_GONE = "The table of this file is damaged, and the file is gone from the storage. Please upload it again."


@dataclass(frozen=True, slots=True)
class Lost:
    """The sources whose table is gone, those whose table is damaged, and the uploads whose original is gone."""

    tables: tuple[str, ...]
    damaged: tuple[str, ...]
    originals: tuple[str, ...]


def missing_tell(organization_id: UUID, *, thoroughly: bool = False) -> int:
    """Says on each source of the organization whose table is lost that it is, and offers another reading of it. Returns
    how many there are.

    Args:
        thoroughly: Whether every table is read through; otherwise damage between a table's ends is not seen.
    """
    tables = DataTable.objects.filter(organization_id=organization_id, source__state=SourceState.READY)
    lost = ((table, loss_of(table, thoroughly=thoroughly)) for table in tables.select_related("source__stored"))
    return sum(_tell(table, loss) for table, loss in lost if loss is not None)


def tables_look() -> None:
    """`missing_tell` over all organizations: what went while nobody uploaded is told, too."""
    for organization_id in DataTable.objects.order_by().values_list("organization_id", flat=True).distinct():
        missing_tell(organization_id)


@contextmanager
def table_opened(table: DataTable) -> Iterator[Path]:
    """Where the table is on this machine, for a block that reads it. Raises Gone or Damaged where it is lost, also
    where the block fails over it, and says so on its source."""
    try:
        path = files.table_path(table.key)
    except Gone as error:
        raise _met(table, Loss.DAMAGED if isinstance(error, Damaged) else Loss.GONE) from error
    try:
        yield path
    except TookTooLong:
        raise
    except (AnalystError, OSError, ValueError) as error:
        if loss_of(table, thoroughly=True) is None:
            raise
        raise _met(table, Loss.DAMAGED) from error


def loss_of(table: DataTable, *, thoroughly: bool = False) -> Loss | None:
    """What became of the table's rows, or of the list of its texts, which questions look values up in; None where both
    are well."""
    keys = [key for key in (table.key, table.values_key) if key]
    if not all(files.is_there(key) for key in keys):
        return Loss.GONE
    if not all(files.looks_whole(key) for key in keys):
        return Loss.DAMAGED
    if not thoroughly:
        return None
    try:
        whole = all(decodes(files.table_path(key), table.rows if key == table.key else None) for key in keys)
    except (Gone, FileNotFoundError):
        return Loss.GONE
    return None if whole else Loss.DAMAGED


def lost_in_storage() -> Lost:
    """What rows name and the storage does not hold as it was written, over all organizations: reads every table."""
    found: dict[Loss, list[str]] = {Loss.GONE: [], Loss.DAMAGED: []}
    for table in DataTable.objects.select_related("source").order_by("source__file_name").iterator(chunk_size=500):
        loss = loss_of(table, thoroughly=True)
        if loss is not None:
            found[loss].append(table.source.file_name)
    stored = StoredFile.objects.order_by("name").iterator(chunk_size=500)
    originals = tuple(row.name for row in stored if not files.is_there(row.key))
    return Lost(tuple(found[Loss.GONE]), tuple(found[Loss.DAMAGED]), originals)


def finding() -> Finding:
    """What the doctor sees of it."""
    lost = lost_in_storage()
    if not lost.tables and not lost.originals and not lost.damaged:
        return Finding("files", True, "Every table and every upload is in the storage, and every table can be read.")
    seen = []
    if lost.tables or lost.originals:
        names = _named((*lost.tables, *lost.originals))
        seen.append(f"{len(lost.tables)} tables and {len(lost.originals)} uploads are gone: {names}.")
    if lost.damaged:
        seen.append(f"{len(lost.damaged)} tables are damaged: {_named(lost.damaged)}.")
    remedy = "Bring the files back from a backup, or run `python manage.py rebuild_tables`, which makes tables of the "
    return Finding(
        "files", False, " ".join(seen), f"{remedy}uploads that are there; the others must be uploaded again."
    )


def _named(every: tuple[str, ...]) -> str:
    names = list(dict.fromkeys(every))
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return f"{', '.join(names[:_NAMED])}{more}"


def _met(table: DataTable, loss: Loss) -> Gone:
    """What to say to whoever wanted to read the table."""
    _tell(table, loss)
    kind = Damaged if loss is Loss.DAMAGED else Gone
    return kind(f"The table of {table.source.file_name} is {loss}. Please have it read again.")


def _tell(table: DataTable, loss: Loss) -> bool:
    """Says it on the table's source, whose members can retry it where its original is there. False where the source has
    another table by now, or is being read."""
    source: Source = table.source
    again = files.is_there(source.stored.key)
    with transaction.atomic():
        mine = Source.objects.filter(pk=source.pk, state=SourceState.READY, tables__pk=table.pk)
        source.state, source.error, source.retryable = SourceState.FAILED, _words(loss, again=again), again
        if not mine.update(state=source.state, error=source.error, retryable=again):
            return False
        StoredFile.objects.filter(pk=source.stored_id, state=IngestionState.DONE).update(state=IngestionState.FAILED)
        catalog_changed(source.organization)
        source_changed(source)
        send_after_commit(actor_named("datasources.find_connections"), source.organization_id)
    logger.error("the table of source %s is %s", source.pk, loss)
    return True


def _words(loss: Loss, *, again: bool) -> str:
    if loss is Loss.DAMAGED:
        return TABLE_DAMAGED if again else ORIGINAL_GONE
    return TABLE_GONE if again else ALL_GONE
