"""From kept records to the files that people ask about: hubspot_<category>.csv, one row a record, in the order of ids.

Written row by row to a scratch file; a file whose bytes did not change is not read anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db.models import BigIntegerField
from django.db.models.functions import Cast

from apps.analyst.tables.neutral import csv_line
from apps.core.scratch import scratch_folder
from apps.datasources.naming import CRM_PREFIX
from apps.datasources.selectors import sources_of
from apps.datasources.services.exports import ExportRefused, export_keep
from apps.datasources.services.removal import examples_discard, source_discard
from apps.integrations.connector import ConnectorError
from apps.integrations.hubspot import choosing, wire
from apps.integrations.hubspot.columns import Names, columns, record_name
from apps.integrations.hubspot.records import present
from apps.integrations.hubspot.wire import Category
from apps.integrations.models import Connection, HubSpotCategory

ROWS_A_READ = 2_000
BEAT_EVERY = 10_000
NAMED: tuple[Category, ...] = ("companies", "contacts", "deals")
"""Kinds whose names stand in the files of others."""


def file_name(category: str) -> str:
    """The file of a kind: hubspot_deals.csv."""
    return f"{CRM_PREFIX}{category}.csv"


def files_publish(connection: Connection, owners: Sequence[Mapping[str, Any]], *, beat: Callable[[], None]) -> None:
    """Writes every kind that is read, and the owners; a kind that nobody chose any more loses its file.

    Raises ConnectorError, with all others written, where somebody else's file has the name of one.
    """
    # Before the first file of the account is there: no question may find some of its kinds beside the examples' others.
    examples_discard(organization=connection.organization)
    names = names_of(connection, owners, beat)
    refused: list[str] = []
    with scratch_folder() as folder:
        refused += _keep(connection, folder / file_name("owners"), _owner_rows(owners))
        for row in choosing.categories_of(connection):
            if row.selected and not row.problem:
                refused += _keep(connection, folder / file_name(row.category), _rows(row, names, beat))
            elif not row.problem:
                _drop(connection, file_name(row.category))
            beat()
    if refused:
        raise ConnectorError(" ".join(refused), permanent=True, code="name_taken")


def names_of(connection: Connection, owners: Iterable[Mapping[str, Any]], beat: Callable[[], None]) -> Names:
    """What ids stand for: owners, and the records that others hang on."""
    records: dict[Category, dict[str, str]] = {}
    for category in NAMED:
        rows = present(connection.pk, category).values_list("record_id", "properties")
        records[category] = {
            record_id: record_name(category, properties)
            for record_id, properties in rows.iterator(chunk_size=ROWS_A_READ)
        }
        beat()
    return Names({str(owner["id"]): owner_name(owner) for owner in owners}, records)


def owner_name(owner: Mapping[str, Any]) -> str:
    """What an owner is called: the name, else the e-mail."""
    name = " ".join(part for part in (owner.get("firstName"), owner.get("lastName")) if part)
    return name or str(owner.get("email") or owner["id"])


def _owner_rows(owners: Iterable[Mapping[str, Any]]) -> Iterable[Sequence[str]]:
    yield "Owner ID", "Owner name", "Email", "Team"
    for owner in owners:
        teams = owner.get("teams") or []
        primary = next((team for team in teams if team.get("primary")), teams[0] if teams else {})
        yield str(owner["id"]), owner_name(owner), str(owner.get("email") or ""), str(primary.get("name") or "")


def _rows(row: HubSpotCategory, names: Names, beat: Callable[[], None]) -> Iterable[Sequence[str]]:
    category = choosing.category_of(row)
    shown = columns(category, row.definitions, row.selected, names)
    yield [column.name for column in shown]
    kept = present(row.connection_id, category).annotate(number=Cast("record_id", BigIntegerField()))
    records = kept.order_by("number", "record_id").values_list("record_id", "properties", "links")
    for count, (record_id, properties, links) in enumerate(records.iterator(chunk_size=ROWS_A_READ), start=1):
        yield [column.cell(record_id, properties, links) for column in shown]
        if count % BEAT_EVERY == 0:
            beat()


def _keep(connection: Connection, path: Path, rows: Iterable[Sequence[str]]) -> list[str]:
    """Keeps one file; the reason where it may not be."""
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(csv_line(row, "\n") for row in rows)
    try:
        export_keep(organization=connection.organization, owner=None, file_name=path.name, content=path)
    except ExportRefused as error:
        return [error.message]
    return []


def _drop(connection: Connection, name: str) -> None:
    for source in sources_of(connection.organization).filter(group="crm", file_name=name):
        source_discard(source=source)


assert set(NAMED) >= {other for known in wire.OBJECTS.values() for other in known.links}
