"""Which properties of which kinds are read: what the account has, what is chosen, and changing the choice."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.db import transaction

from apps.accounts.policy import Action, demand
from apps.core.errors import Invalid
from apps.integrations.connector import ConnectorError
from apps.integrations.hubspot import wire
from apps.integrations.hubspot.client import HubSpotClient
from apps.integrations.hubspot.columns import labels, read_properties
from apps.integrations.hubspot.wire import Category
from apps.integrations.models import Connection, HubSpotCategory
from apps.integrations.selectors import connected

if TYPE_CHECKING:
    from apps.accounts.models import User

UPDATED = "Successfully updated fields"
"""What a changed choice is answered with (SPEC section 7)."""


def categories_describe(client: HubSpotClient, connection: Connection) -> list[HubSpotCategory]:
    """Asks what each kind has now; a kind that may not be read says why. Raises ConnectorError for anything else."""
    return [_describe(client, connection, known) for known in wire.OBJECTS.values()]


def categories_of(connection: Connection) -> list[HubSpotCategory]:
    """The kinds as they were last described, in the order they are shown."""
    order = list(wire.OBJECTS)
    rows = HubSpotCategory.objects.filter(connection=connection)
    return sorted(rows, key=lambda row: order.index(row.category))  # type: ignore[arg-type]


def fields(user: User) -> dict[str, dict[str, bool]]:
    """Kind -> property as people call it -> whether it is chosen (SPEC section 7). Raises Conflict, ConnectorError."""
    connection = connected(user, "hubspot")
    rows = categories_of(connection)
    if not rows:
        rows = categories_describe(HubSpotClient(connection.pk), connection)
    return {
        row.category: {label: name in set(row.selected) for name, label in labels(row.definitions).items()}
        for row in rows
        if not row.problem
    }


def fields_update(*, by: User, chosen: Mapping[str, Mapping[str, bool]]) -> Connection:
    """Changes the choice: only what is sent changes. Raises Refused, Conflict, Invalid."""
    demand(by, Action.MANAGE_CONNECTIONS)
    connection = connected(by, "hubspot")
    with transaction.atomic():
        rows = {row.category: row for row in HubSpotCategory.objects.select_for_update().filter(connection=connection)}
        for category, flags in chosen.items():
            if category not in rows:
                raise Invalid(f"There is no category {category[:40]}.", code="unknown_category")
            _choose(rows[category], flags)
    return connection


def choice_digest(row: HubSpotCategory) -> str:
    """What the kept records were read with: another choice reads everything anew."""
    return hashlib.sha256(json.dumps(properties_of(row)).encode()).hexdigest()


def properties_of(row: HubSpotCategory) -> list[str]:
    """The properties that must be asked for."""
    known = [str(definition["name"]) for definition in row.definitions]
    return read_properties(category_of(row), row.selected, known)


def category_of(row: HubSpotCategory) -> Category:
    """The kind of a row."""
    return wire.OBJECTS[row.category].category  # type: ignore[index]


def _choose(row: HubSpotCategory, flags: Mapping[str, bool]) -> None:
    names = {label: name for name, label in labels(row.definitions).items()}
    known = set(names.values())
    selected = dict.fromkeys(row.selected)
    for label, wanted in flags.items():
        name = names.get(label) or (label if label in known else None)
        if name is None:
            raise Invalid(f"{row.category} has no property {label[:80]}.", code="unknown_property")
        if wanted:
            selected.setdefault(name)
        else:
            selected.pop(name, None)
    row.selected = list(selected)
    row.save(update_fields=["selected", "updated_at"])


def _describe(client: HubSpotClient, connection: Connection, known: wire.ObjectType) -> HubSpotCategory:
    problem = ""
    try:
        definitions = client.properties(known.category)
    except ConnectorError as error:
        if error.code != "missing_scope":
            raise
        definitions, problem = [], error.message
    kept = ("name", "label", "type", "options", "hidden", "referencedObjectType", "showCurrencySymbol")
    names = {str(definition["name"]) for definition in definitions}
    # A refresh and an open panel may describe at once, and a member may choose meanwhile: the row is read and written
    # in one go, once HubSpot has answered.
    with transaction.atomic():
        HubSpotCategory.objects.get_or_create(connection=connection, category=known.category)
        row = HubSpotCategory.objects.select_for_update().get(connection=connection, category=known.category)
        chosen = row.selected if row.definitions else known.primary
        row.selected = [name for name in chosen if name in names]
        row.definitions = [{key: definition[key] for key in kept if key in definition} for definition in definitions]
        row.problem = problem
        row.save(update_fields=["selected", "definitions", "problem", "updated_at"])
    return row
