"""What moved since a moment: each record's version of then held against the present one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from apps.integrations.hubspot.choosing import categories_of, category_of, properties_of
from apps.integrations.hubspot.columns import (
    CURRENCY_OF_DEAL,
    NAME_PROPERTIES,
    Definition,
    Names,
    labels,
    record_name,
    value_text,
)
from apps.integrations.hubspot.publishing import file_name
from apps.integrations.hubspot.wire import OBJECTS, Category
from apps.integrations.models import HubSpotCategory, HubSpotRecord, HubSpotSync
from apps.integrations.selectors import connected

if TYPE_CHECKING:
    from uuid import UUID

    from apps.accounts.models import User

Move = tuple[HubSpotRecord | None, HubSpotRecord | None, datetime]
"""A record then and now, None where it was not there, and when that was last seen to happen."""
MOST = 500
"""Changed records that are told at once."""
FEW = 4
"""So many fields tell what a new or a gone record is."""


def changes_since(user: User, category: Category, *, since: datetime) -> dict[str, Any]:
    """`{known_from, total, records: [{id, name, kind, seen_at, fields: [{field, before, after}]}]}`, newest first.

    `known_from` is when the first refresh was whole: before it nothing can be told. Raises Conflict.
    """
    connection = connected(user, "hubspot")
    row = next((row for row in categories_of(connection) if row.category == category), None)
    first = HubSpotSync.objects.filter(connection=connection, state="done").order_by("finished_at").first()
    known_from = first.finished_at if first else None
    if row is None or known_from is None:
        return {"file": file_name(category), "known_from": None, "total": 0, "records": []}
    owners: dict[str, str] = connection.extra.get("owners", {})
    start = max(since, known_from)
    moved = sorted(_moved(connection.pk, category, start), key=lambda move: move[2], reverse=True)
    compared = _compared(row, start, moved)
    moved = [move for move in moved if not _same(move[0], move[1], compared)]
    return {
        "file": file_name(category),
        "known_from": known_from.isoformat(),
        "total": len(moved),
        "records": [_told(row, Names(owners), move, compared) for move in moved[:MOST]],
    }


def versions_at(connection_id: UUID, category: Category, moment: datetime) -> QuerySet[HubSpotRecord]:
    """The records as they were seen at that moment."""
    there = Q(seen_to__isnull=True) | Q(seen_to__gt=moment)
    return HubSpotRecord.objects.filter(there, connection_id=connection_id, category=category, seen_from__lte=moment)


def _moved(connection_id: UUID, category: Category, since: datetime) -> Iterator[Move]:
    """Then and now of every record that is another, with when that was last seen to happen."""
    mine = HubSpotRecord.objects.filter(connection_id=connection_id, category=category)
    ended = {row.record_id: row for row in mine.filter(seen_from__lte=since, seen_to__gt=since)}
    now = {row.record_id: row for row in mine.filter(seen_from__gt=since, seen_to=None)}
    for record_id in ended.keys() | now.keys():
        then, present = ended.get(record_id), now.get(record_id)
        if present is not None:
            if then is None or then.hash != present.hash:
                yield then, present, present.seen_from
        elif then is not None:
            last = mine.filter(record_id=record_id).order_by("-seen_to").first()
            yield then, None, (last.seen_to if last and last.seen_to else since)


def _compared(row: HubSpotCategory, since: datetime, moved: Sequence[Move]) -> set[str]:
    """The properties that were read then and are now: another choice of them moves no record.

    One that no record had then counts as not read: nothing tells it from one that was empty everywhere.
    """
    read = set(properties_of(row))
    had = {name for then, _, _ in moved if then for name in then.properties}
    kept = versions_at(row.connection_id, category_of(row), since)
    return {name for name in read if name in had or kept.filter(properties__has_key=name).exists()}


def _same(then: HubSpotRecord | None, now: HubSpotRecord | None, compared: set[str]) -> bool:
    if then is None or now is None or then.links != now.links:
        return False
    return all(then.properties.get(name) == now.properties.get(name) for name in compared)


def _told(row: HubSpotCategory, names: Names, move: Move, compared: set[str]) -> dict[str, Any]:
    then, now, at = move
    some = now or then
    assert some is not None
    return {
        "id": some.record_id,
        "name": record_name(category_of(row), some.properties),
        "kind": "changed" if then and now else ("added" if now else "removed"),
        "seen_at": at.isoformat(),
        "fields": _changed(row, names, compared, then, now) if then and now else _main(row, names, compared, some, now),
    }


def _changed(
    row: HubSpotCategory, names: Names, compared: set[str], then: HubSpotRecord, now: HubSpotRecord
) -> list[dict[str, str]]:
    """The fields that are others now."""
    return [
        _field(
            label,
            told_text(definition, before, names, _currency(then)),
            told_text(definition, after, names, _currency(now)),
        )
        for name, (label, definition) in _described(row, compared).items()
        if (before := then.properties.get(name)) != (after := now.properties.get(name))
    ]


def _main(
    row: HubSpotCategory, names: Names, compared: set[str], record: HubSpotRecord, now: HubSpotRecord | None
) -> list[dict[str, str]]:
    """What a record is that was not there then, or is not there any more: the first of what people choose first."""
    category, described = category_of(row), _described(row, compared)
    told = [
        (described[name][0], text)
        for name in OBJECTS[category].primary
        if name in described and name not in NAME_PROPERTIES[category]
        if (text := told_text(described[name][1], record.properties.get(name), names, _currency(record)))
    ]
    return [_field(label, "" if now else text, text if now else "") for label, text in told[:FEW]]


def _field(label: str, before: str, after: str) -> dict[str, str]:
    return {"field": label, "before": before, "after": after}


def _described(row: HubSpotCategory, compared: set[str]) -> dict[str, tuple[str, Definition]]:
    """Name -> label and definition of the properties that can be told, in HubSpot's order."""
    called = labels(row.definitions)
    known = ((str(definition["name"]), definition) for definition in row.definitions)
    return {name: (called[name], definition) for name, definition in known if name in called and name in compared}


def told_text(definition: Definition, value: Any, names: Names, currency: str = "") -> str:
    """A value in a sentence: the file's cell with thousands apart, sums of money with their currency, days in words.

    Times stay in UTC and say so: the file's column and every answer count by the same day.
    """
    text = value_text(definition, value, names)
    kind = definition.get("type")
    if kind == "number":
        money = currency if text and definition.get("showCurrencySymbol") else ""
        return f"{_grouped(text)} {money}".rstrip()
    return _dated(text) if kind in ("date", "datetime") else text


def _currency(record: HubSpotRecord) -> str:
    return str(record.properties.get(CURRENCY_OF_DEAL) or "")


def _grouped(text: str) -> str:
    try:
        number = Decimal(text)
    except InvalidOperation:
        return text
    return f"{number:,f}".replace("-", "\u2212") if number.is_finite() else text


def _dated(text: str) -> str:
    """ "14 Nov 2026", with the time in UTC where it is not midnight."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return text
    day = f"{moment:%-d %b %Y}"
    return day if (moment.hour, moment.minute) == (0, 0) else f"{day}, {moment:%H:%M} UTC"
