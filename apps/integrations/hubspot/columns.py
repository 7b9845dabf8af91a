"""From records to the columns people read: labels as names, stages, pipelines and owners by name, links by id and name.

Pure: rows in, texts out.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from apps.integrations.hubspot import wire
from apps.integrations.hubspot.wire import Category

Definition = Mapping[str, Any]
"""A property as HubSpot describes it."""
NAME_PROPERTIES: dict[Category, tuple[str, ...]] = {
    "companies": ("name",),
    "contacts": ("firstname", "lastname"),
    "deals": ("dealname",),
    "tickets": ("subject",),
    "emails": ("hs_email_subject",),
}
"""What a record is called where another one names it; always read, chosen or not."""
NAME_COLUMNS: dict[Category, str] = {"companies": "Company name", "contacts": "Contact name", "deals": "Deal Name"}


@dataclass(slots=True)
class Names:
    """What ids stand for: owners, and records of other kinds."""

    owners: Mapping[str, str] = field(default_factory=dict)
    records: Mapping[Category, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a file: its name and what a record has there."""

    name: str
    cell: Callable[[str, Mapping[str, Any], Mapping[str, Sequence[str]]], str]
    """record id, properties, links -> text"""


def labels(definitions: Sequence[Definition]) -> dict[str, str]:
    """Every property's name -> what people call it; where two share a label the name is told as well."""
    shown = [definition for definition in definitions if not definition.get("hidden")]
    wanted = [str(definition.get("label") or definition["name"]).strip() for definition in shown]
    keys = [label.casefold() for label in wanted]
    return {
        str(definition["name"]): label if keys.count(label.casefold()) == 1 else f"{label} ({definition['name']})"
        for definition, label in zip(shown, wanted, strict=True)
    }


def read_properties(category: Category, selected: Sequence[str], known: Sequence[str]) -> list[str]:
    """What must be asked for: the chosen properties, the record's name, its owner, its company, its currency and what
    says whether a deal is decided."""
    besides = [
        *NAME_PROPERTIES[category],
        wire.OWNER_PROPERTY,
        *([COMPANY_OF_CONTACT] if category == "contacts" else []),
        *([CURRENCY_OF_DEAL, PROBABILITY_OF_DEAL] if category == "deals" else []),
    ]
    return [name for name in dict.fromkeys([*selected, *besides]) if name in set(known)]


COMPANY_OF_CONTACT = "associatedcompanyid"
"""Contacts carry their company as a property, so that a changed contact needs no second call for its links."""


CURRENCY_OF_DEAL = "deal_currency_code"
"""What a deal's amounts are in; known only to accounts with several currencies."""


PROBABILITY_OF_DEAL = "hs_deal_stage_probability"
"""How likely a deal in its stage is won: 1 in stages that mean won and 0 in those that mean lost, whatever an account
calls them and in each of its pipelines; HubSpot lets no open stage have either."""
DEAL_STATUS = "Deal Status"


def record_name(category: Category, properties: Mapping[str, Any]) -> str:
    """What a record is called."""
    parts = (properties.get(name) for name in NAME_PROPERTIES[category])
    return " ".join(str(part) for part in parts if part)


def columns(
    category: Category, definitions: Sequence[Definition], selected: Sequence[str], names: Names
) -> list[Column]:
    """The file's columns: the record's id, the chosen properties, a deal's status, the owner's id, then what it hangs
    on."""
    known = wire.OBJECTS[category]
    called = labels(definitions)
    described = {str(definition["name"]): definition for definition in definitions}
    found = [Column(f"{known.singular} ID", lambda number, _, __: number)]
    found += [
        Column(called[name], _property_cell(described[name], names))
        for name in selected
        if name in called
    ]  # fmt: skip
    if category == "deals" and PROBABILITY_OF_DEAL in described:
        found.append(Column(DEAL_STATUS, _deal_status))
    if wire.OWNER_PROPERTY in described:
        found.append(Column("Owner ID", lambda _, properties, __: str(properties.get(wire.OWNER_PROPERTY) or "")))
    for other in known.links:
        found.append(Column(f"{wire.OBJECTS[other].singular} ID", _link_cell(other)))
        found.append(Column(NAME_COLUMNS[other], _link_name_cell(other, names)))
    return _distinct(found)


def _deal_status(_: str, properties: Mapping[str, Any], __: Mapping[str, Sequence[str]]) -> str:
    try:
        chance = float(properties.get(PROBABILITY_OF_DEAL) or "")
    except ValueError:
        return ""
    return "Won" if chance >= 1 else "Lost" if chance <= 0 else "Open"


def _distinct(found: Sequence[Column]) -> list[Column]:
    """A name that is taken already (a chosen property may be called like a link) is not given again."""
    taken: set[str] = set()
    kept = []
    for column in found:
        if column.name.casefold() not in taken:
            taken.add(column.name.casefold())
            kept.append(column)
    return kept


def value_text(definition: Definition, value: Any, names: Names) -> str:
    """A property's value as people read it."""
    if value is None or value == "":
        return ""
    text = str(value)
    if definition["name"] == wire.OWNER_PROPERTY or definition.get("referencedObjectType") == "OWNER":
        return names.owners.get(text, text)
    if options := _options(definition):
        # Several choices are kept with semicolons between.
        return "; ".join(options.get(part, part) for part in text.split(";"))
    if definition.get("type") == "datetime":
        return _moment(text)
    return text


def _property_cell(
    definition: Definition, names: Names
) -> Callable[[str, Mapping[str, Any], Mapping[str, Sequence[str]]], str]:
    name, options = str(definition["name"]), _options(definition)
    if options and name != wire.OWNER_PROPERTY:
        # Looked up once for the whole file.
        return lambda _, properties, __: "; ".join(
            options.get(part, part) for part in str(properties.get(name) or "").split(";")
        )
    return lambda _, properties, __: value_text(definition, properties.get(name), names)


def _link_cell(other: Category) -> Callable[[str, Mapping[str, Any], Mapping[str, Sequence[str]]], str]:
    return lambda _, __, links: next(iter(links.get(other, ())), "")


def _link_name_cell(
    other: Category, names: Names
) -> Callable[[str, Mapping[str, Any], Mapping[str, Sequence[str]]], str]:
    known = names.records.get(other, {})
    return lambda _, __, links: known.get(next(iter(links.get(other, ())), ""), "")


def _options(definition: Definition) -> dict[str, str]:
    rows = definition.get("options") or []
    return {str(row["value"]): str(row["label"]) for row in rows if row.get("label")}


def _moment(text: str) -> str:
    """A time as tables hold it: 2026-11-20 14:30:00 in UTC; epoch milliseconds occur too."""
    try:
        moment = datetime.fromtimestamp(int(text) / 1_000, UTC) if text.isdigit() else datetime.fromisoformat(text)
    except (ValueError, OverflowError, OSError):
        return text
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")
