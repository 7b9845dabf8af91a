"""From what was read to what people see: sources, their tables and the catalog's new version, in one transaction."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.analyst.errors import ReadFailed
from apps.datasources import files, naming
from apps.datasources.catalog import described
from apps.datasources.cells import cell_to_json
from apps.datasources.events import source_changed, source_removed
from apps.datasources.models import DataTable, Source, SourceState, StoredFile
from apps.datasources.selectors import columns_kept
from apps.datasources.services.catalogs import catalog_changed, catalog_lock
from apps.datasources.services.leases import Lease, lease_done, lease_failed, shown_sources
from apps.datasources.services.missing import loss_of
from apps.datasources.services.removal import source_drop

if TYPE_CHECKING:
    from apps.analyst.tables import IngestedTable


@dataclass(frozen=True, slots=True)
class KeptTable:
    """A table that was read, under the name its source gets, with the keys of its bytes."""

    file_name: str
    ingested: IngestedTable
    key: str
    values_key: str


def tables_publish(lease: Lease, tables: Sequence[IngestedTable]) -> None:
    """Makes the tables those of the file's sources. Raises LeaseLost (nothing is kept), ReadFailed, OSError."""
    kept: list[KeptTable] = []
    try:
        names = naming.sheet_file_names(lease.stored.name, _sheet_labels(lease.stored, tables))
        for name, table in zip(names, tables, strict=True):
            kept.append(_keep(name, table))
        with transaction.atomic():
            lease.renew()
            catalog_lock(lease.stored.organization)
            _check_columns(lease.stored, tables)
            _replace_tables(lease.stored, kept)
            catalog_changed(lease.stored.organization)
    except BaseException:
        files.discard(key for table in kept for key in (table.key, table.values_key))
        raise


def ingestion_finish(lease: Lease) -> None:
    """Says that the file's sources are ready. Raises LeaseLost."""
    with transaction.atomic():
        lease_done(lease)
        replaced = lease.stored.replaces
        for source in shown_sources(lease.stored):
            source.state, source.step, source.error = SourceState.READY, "", ""
            source.save(update_fields=["state", "step", "error"])
            source_changed(source)
        if replaced is not None:
            transaction.on_commit(partial(files.discard, [replaced.key]))
            replaced.delete()


def ingestion_fail(lease: Lease, message: str, *, retryable: bool) -> None:
    """Says why the file cannot be read, and whether another try may help; an earlier version of it stays as it was.
    Raises LeaseLost."""
    with transaction.atomic():
        lease_failed(lease)
        replaced = lease.stored.replaces
        for source in shown_sources(lease.stored):
            if _answers(source):
                source.state = SourceState.READY
                source.error = f"The latest reading failed: {message} The earlier version is kept."
            else:
                source.state, source.error = SourceState.FAILED, message
            source.step, source.retryable = "", retryable
            source.save(update_fields=["state", "step", "error", "retryable"])
            source_changed(source)
        if replaced is not None:
            transaction.on_commit(partial(files.discard, [lease.stored.key]))
            lease.stored.delete()


def _answers(source: Source) -> bool:
    """Whether an earlier version of the source can still be asked about."""
    tables = list(source.tables.all())
    return bool(tables) and all(loss_of(table) is None for table in tables)


def _check_columns(stored: StoredFile, tables: Sequence[IngestedTable]) -> None:
    """Raises ReadFailed where the tables take the organization's columns past what it may have; a file that gets no
    wider may always be read again, whatever the bound has become."""
    mine = shown_sources(stored)
    former, wanted = sum(source.columns for source in mine), sum(len(table.table.columns) for table in tables)
    others = columns_kept(stored.organization, besides=mine)
    most = settings.ORGANIZATION_MAX_COLUMNS
    if wanted > former and others + wanted > most:
        raise ReadFailed(
            f"{stored.original_name} has {wanted:,} columns, and your organization's other files have {others:,}: "
            f"together at most {most:,} are possible. Please delete files you no longer need, or upload fewer columns."
        )


def _sheet_labels(stored: StoredFile, tables: Sequence[IngestedTable]) -> list[str]:
    workbook = f"{naming.stem(stored.original_name)} - "
    return [table.name.removeprefix(workbook) for table in tables]


def _keep(file_name: str, ingested: IngestedTable) -> KeptTable:
    key = files.keep_table(ingested.table.path)
    values = ingested.table.values_path
    return KeptTable(file_name, ingested, key, files.keep_table(values) if values else "")


def _replace_tables(stored: StoredFile, kept: Sequence[KeptTable]) -> None:
    notes: list[str] = []
    pairs = _match(stored, kept, notes)
    if not pairs:
        raise ReadFailed(" ".join(notes) or f"{stored.original_name} holds no table.")
    used = {id(item) for _, item in pairs}
    left_out = [item for item in kept if id(item) not in used]
    transaction.on_commit(partial(files.discard, [key for item in left_out for key in (item.key, item.values_key)]))
    for source, item in pairs:
        _show(source, item, [*item.ingested.report, *notes])
        notes = []


def _match(stored: StoredFile, kept: Sequence[KeptTable], notes: list[str]) -> list[tuple[Source, KeptTable]]:
    """Which source each table belongs to: the one of its name, the upload's own first row, or a new one.

    A rebuild neither brings back what members removed nor takes away what they see. A newer version of a workbook
    takes away the sheets that it no longer has.
    """
    mine = {source.name_key: source for source in shown_sources(stored)}
    rebuild = stored.ingested_at is not None
    others = Source.objects.of(stored.organization).exclude(pk__in=[source.pk for source in mine.values()])
    taken = set(others.values_list("name_key", flat=True))
    found: dict[int, Source] = {
        position: source
        for position, item in enumerate(kept)
        if (source := mine.pop(naming.name_key(item.file_name), None)) is not None
    }
    unread = [source for source in mine.values() if not source.tables.exists()]
    for position, item in enumerate(kept):
        if position in found or rebuild:
            continue
        if naming.name_key(item.file_name) in taken:
            notes.append(f"A sheet was left out: a file with the name {item.file_name} already exists.")
        else:
            found[position] = _renamed(unread.pop(0), item) if unread else _new_source(stored, item)
    if found and not rebuild:
        for source in mine.values():
            if source not in found.values():
                source_drop(source)
    for source in found.values():
        source.stored = stored
    return [(found[position], item) for position, item in enumerate(kept) if position in found]


def _renamed(source: Source, item: KeptTable) -> Source:
    source_removed(organization_id=source.organization_id, file_name=source.file_name)
    source.file_name, source.name_key = item.file_name, naming.name_key(item.file_name)
    return source


def _new_source(stored: StoredFile, item: KeptTable) -> Source:
    return Source(
        organization=stored.organization,
        stored=stored,
        owner=stored.owner,
        file_name=item.file_name,
        name_key=naming.name_key(item.file_name),
        group=naming.group_of(item.file_name),
        state=SourceState.READING,
    )


def _show(source: Source, item: KeptTable, report: list[str]) -> None:
    """The table becomes the source's only one, under the name the earlier one had."""
    table = item.ingested.table
    source.rows = source.rows_so_far = table.rows
    source.columns = len(table.columns)
    source.report = report
    source.refreshed_at = timezone.now()
    source.save()
    earlier = list(source.tables.all())
    old_keys = [key for old in earlier for key in (old.key, old.values_key)]
    transaction.on_commit(partial(files.discard, old_keys))
    source.tables.all().delete()
    taken = set(DataTable.objects.of(source.organization).values_list("name_key", flat=True))
    name = earlier[0].name if earlier else naming.table_name(source.file_name, taken)
    DataTable.objects.create(
        organization=source.organization,
        source=source,
        name=name,
        name_key=naming.name_key(name),
        rows=table.rows,
        profile=described(table),
        sample=[[cell_to_json(cell) for cell in row] for row in item.ingested.sample],
        histograms={column: list(bins) for column, bins in item.ingested.histograms.items()},
        key=item.key,
        values_key=item.values_key,
    )
    source_changed(source)
