"""The engine's view of one organization's tables, kept in this process until something of it changes."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import UUID

from apps.core.errors import Gone
from apps.datasources import files
from apps.datasources.described import tables_described
from apps.datasources.models import CatalogState, DataTable, SourceState
from apps.datasources.naming import name_key
from apps.datasources.teachings import taught_by_table
from apps.datasources.ways import joins_for, joins_said
from apps.preferences.selectors import context_version, file_contexts, private_columns

if TYPE_CHECKING:
    from apps.accounts.models import Organization
    from apps.analyst.types import JoinPath, Table

logger = logging.getLogger("apps.datasources.catalog")

MAX_CACHED = 64
"""Catalogs kept in one process; the least used goes first."""
WIDE_COLUMNS = 5_000
"""A catalog of so many columns holds twenty megabytes and more, and is kept only while it is used."""
WIDE_KEPT_SECONDS = 45.0

_cache: OrderedDict[UUID, _Kept] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class OrganizationCatalog:
    """A fixed set of tables and joins; another version is another catalog (apps.analyst.ports.Catalog)."""

    version: str
    held_tables: tuple[Table, ...]
    held_joins: tuple[JoinPath, ...]

    def tables(self) -> Sequence[Table]:
        """All tables, by name."""
        return self.held_tables

    def joins(self) -> Sequence[JoinPath]:
        """The ways to join them."""
        return self.held_joins


@dataclass(slots=True)
class _Kept:
    """A catalog with the time when it was last asked for."""

    catalog: OrganizationCatalog
    used: float

    @property
    def is_wide(self) -> bool:
        return sum(len(table.columns) for table in self.catalog.held_tables) >= WIDE_COLUMNS


def catalog_of(organization: Organization) -> OrganizationCatalog:
    """The organization's catalog: two small queries where nothing changed since it was last read here."""
    state = CatalogState.objects.of(organization).defer("joins").first()
    version = f"{organization.pk.hex}.{_number(state)}.{context_version(organization)}"
    with _lock:
        kept = _cache.get(organization.pk)
        if kept is not None and kept.catalog.version == version:
            kept.used = time.monotonic()
            _cache.move_to_end(organization.pk)
            return kept.catalog
    catalog = _read(organization, version)
    with _lock:
        _cache[organization.pk] = _Kept(catalog, time.monotonic())
        while len(_cache) > MAX_CACHED:
            _cache.popitem(last=False)
    return catalog


def wide_forget(unused_for: float = WIDE_KEPT_SECONDS) -> int:
    """Lets go of very wide catalogs that nobody asked for lately: their memory is free again. Returns how many."""
    until = time.monotonic() - unused_for
    with _lock:
        old = [organization for organization, kept in _cache.items() if kept.used <= until and kept.is_wide]
        for organization in old:
            del _cache[organization]
    return len(old)


def stored_tables(organization_id: UUID, descriptions: dict[str, str] | None = None) -> list[Table]:
    """The organization's tables as the engine describes them, with their places on this machine's disk. A table whose
    bytes are gone or damaged is left out: the others answer without it."""
    told = DataTable.objects.filter(organization_id=organization_id).exclude(source__state=SourceState.FAILED)
    rows = told.select_related("source__stored").order_by("name")
    stored = list(rows.defer("profile", "sample", "histograms"))
    found = tables_described(row.pk for row in stored)
    tables = []
    for row in stored:
        path = _place(row.key)
        if path is None:
            logger.error("the bytes of table %s are gone from the storage, or damaged", row.pk)
        if path is None or row.pk not in found:
            continue
        tables.append(
            replace(
                found[row.pk],
                name=row.name,
                file_name=row.source.file_name,
                path=path,
                values_path=_place(row.values_key) if row.values_key else None,
                refreshed_at=row.source.refreshed_at,
                example=row.source.stored.example,
                description=(descriptions or {}).get(row.source.file_name, ""),
            )
        )
    return tables


def _place(key: str) -> Path | None:
    """Where the bytes are on this machine; None where they are gone or damaged."""
    try:
        return files.table_path(key)
    except Gone:
        return None


def described(table: Table) -> dict[str, object]:
    """A table's profile to keep in the database: everything but its places on disk."""
    from apps.analyst.tables.codec import table_to_json

    return dict(table_to_json(replace(table, path=Path(), values_path=None)))


def _read(organization: Organization, version: str) -> OrganizationCatalog:
    taught, private = taught_by_table(organization), private_columns(organization)
    tables = [
        replace(table, taught=taught.get(name_key(table.name), ()), private=private.get(name_key(table.name), ()))
        for table in stored_tables(organization.pk, file_contexts(organization))
    ]
    state = CatalogState.objects.of(organization).first()
    held = joins_for(tables, state.joins if state else [], joins_said(organization))
    return OrganizationCatalog(version=version, held_tables=tuple(tables), held_joins=tuple(held))


def _number(state: CatalogState | None) -> str:
    return f"{state.version}-{state.joins_version}-{state.taught_version}" if state else "0"
