"""Records by version: a page of rows goes in, and what differs from the present version begins a new one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from apps.integrations.hubspot import wire
from apps.integrations.hubspot.columns import COMPANY_OF_CONTACT
from apps.integrations.hubspot.wire import Category
from apps.integrations.models import HubSpotRecord

_CHUNK = 500


@dataclass(frozen=True, slots=True)
class Seen:
    """A record as HubSpot just sent it. `links` is None where the answer could not tell them."""

    record_id: str
    properties: dict[str, str]
    links: dict[str, list[str]] | None


def seen(category: Category, row: Mapping[str, Any], wanted: Sequence[str], *, linked: bool) -> Seen:
    """A row of an answer with the wanted properties, empty ones left out."""
    sent = row.get("properties") or {}
    properties = {name: str(sent[name]) for name in wanted if sent.get(name) not in (None, "")}
    links = _links(category, row.get("associations") or {}) if linked else None
    if category == "contacts" and (company := properties.get(COMPANY_OF_CONTACT)):
        others = [number for number in (links or {}).get("companies", []) if number != company]
        links = {**(links or {}), "companies": [company, *others][:1]}
    return Seen(str(row["id"]), properties, links)


def present(connection_id: UUID, category: Category) -> QuerySet[HubSpotRecord]:
    """The records of a kind as they are now."""
    return HubSpotRecord.objects.filter(connection_id=connection_id, category=category, seen_to=None)


def differing(connection_id: UUID, category: Category, rows: Iterable[Seen]) -> list[Seen]:
    """Those of the rows whose properties are not the present ones."""
    found = {row.record_id: row for row in rows}
    for kept in present(connection_id, category).filter(record_id__in=list(found)):
        if kept.properties == found[kept.record_id].properties:
            del found[kept.record_id]
    return list(found.values())


def records_store(
    *, connection_id: UUID, category: Category, rows: Iterable[Seen], sync_id: UUID, moment: datetime
) -> int:
    """Keeps the rows, inside the caller's transaction; returns how many are new or changed."""
    by_id = {row.record_id: row for row in rows}
    kept = {old.record_id: old for old in present(connection_id, category).filter(record_id__in=list(by_id))}
    begun, ended, same = [], [], []
    for record_id, row in by_id.items():
        old = kept.get(record_id)
        links = row.links if row.links is not None else (old.links if old else {})
        digest = _digest(row.properties, links)
        if old is not None and old.hash == digest:
            same.append(old.pk)
            continue
        if old is not None:
            ended.append(old.pk)
        begun.append(HubSpotRecord(
            connection_id=connection_id, category=category, record_id=record_id, hash=digest,
            properties=row.properties, links=links, seen_from=moment, sync=sync_id,
        ))  # fmt: skip
    HubSpotRecord.objects.filter(pk__in=same).exclude(sync=sync_id).update(sync=sync_id)
    HubSpotRecord.objects.filter(pk__in=ended).update(seen_to=moment)
    HubSpotRecord.objects.bulk_create(begun, batch_size=_CHUNK)
    return len(begun)


def records_end(*, connection_id: UUID, category: Category, record_ids: Sequence[str], moment: datetime) -> int:
    """These records are gone at HubSpot; returns how many were still here."""
    return present(connection_id, category).filter(record_id__in=record_ids).update(seen_to=moment)


def records_end_unseen(*, connection_id: UUID, category: Category, sync_id: UUID, moment: datetime) -> int:
    """After a whole list: what it did not hold is gone."""
    return present(connection_id, category).exclude(sync=sync_id).update(seen_to=moment)


def _links(category: Category, associations: Mapping[str, Any]) -> dict[str, list[str]]:
    """Ids by kind, each once, the primary one first: columns show the first."""
    links: dict[str, list[str]] = {}
    for other in wire.OBJECTS[category].links:
        rows = (associations.get(other) or {}).get("results") or []
        ordered = sorted(rows, key=lambda row: "primary" not in str(row.get("type", "")))
        ids = list(dict.fromkeys(str(row["id"]) for row in ordered))
        if ids:
            links[other] = ids
    return links


def _digest(properties: Mapping[str, str], links: Mapping[str, Sequence[str]]) -> str:
    words = json.dumps([properties, links], sort_keys=True, separators=(",", ":"))
    return hashlib.blake2b(words.encode(), digest_size=16).hexdigest()
