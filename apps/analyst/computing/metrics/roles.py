"""Which table holds the deals, which column says that one was won: the parts of a CRM found by names, types and values.

A CRM's usual labels are known, none is required: a table of deals is one whose rows end as won or lost, whatever it is
called. Columns are judged by their words first, then by their type; what is not there is simply absent.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime

from apps.analyst.computing.metrics.names import (
    CHURNED_VALUE,
    CLOSED_VALUE,
    DROPPED_VALUE,
    HELD_VALUE,
    LOST_VALUE,
    NEEDED,
    OUTGOING_VALUE,
    ROLES,
    TABLE_WORDS,
    WON_VALUE,
)
from apps.analyst.kept import Kept
from apps.analyst.language.names import split
from apps.analyst.plan import Grain
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, Table

_NUMERIC = ("integer", "decimal", "float")
_DATES = ("date", "datetime")
MOST_STATES = 40


@dataclass(frozen=True, slots=True)
class Part:
    """A column that plays a part, with its table."""

    table: str
    column: Column

    @property
    def name(self) -> str:
        """The column's name, to the letter."""
        return self.column.name


@dataclass(frozen=True, slots=True)
class States:
    """A column whose values say how something ended."""

    part: Part
    won: tuple[str, ...] = ()
    lost: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A table with its parts by role name ("amount", "owner", "closed", ...)."""

    kind: str
    table: Table
    parts: dict[str, Part] = field(default_factory=dict)
    states: States | None = None
    """Deals: won and lost. Tickets: `won` holds the closed values. Meetings: the held ones. Emails: the outgoing ones.
    Companies: `lost` holds the churned values."""
    grain: Grain = "quarter"
    """Targets: how long a target's period is."""

    def part(self, role: str) -> Part | None:
        """The column that plays a role, or None."""
        return self.parts.get(role)


@dataclass(frozen=True, slots=True)
class Crm:
    """A sales organization's tables by kind: deals, companies, contacts, tickets, emails, meetings, targets, owners."""

    entities: dict[str, Entity]

    def get(self, kind: str) -> Entity | None:
        """The table of a kind, or None."""
        return self.entities.get(kind)


_kept: Kept[str, Crm | None] = Kept(8)


def find(catalog: Catalog) -> Crm | None:
    """The CRM that a catalog holds, or None where no table holds deals that are won and lost. Cached by its version."""
    return _kept.get(catalog.version, lambda: _find(catalog.tables()))


def _find(tables: Iterable[Table]) -> Crm | None:
    tables = list(tables)
    deals = max((e for e in map(_deals, tables) if e is not None), key=_deal_rank, default=None)
    if deals is None:
        return None
    entities = {"deals": deals}
    rest = [table for table in tables if table.name != deals.table.name]
    for kind in ("targets", "owners", "meetings", "emails", "tickets", "contacts", "companies"):
        made = [
            _entity(kind, table)
            for table in rest
            if re.search(rf"\b({TABLE_WORDS[kind]})\b", " ".join(split(table.name)))
        ]
        good = [entity for entity in made if all(entity.part(role) for role in NEEDED[kind])]
        if good:
            entities[kind] = max(good, key=lambda entity: len(entity.parts))
            rest = [table for table in rest if table.name != entities[kind].table.name]
    return Crm(entities)


def _deal_rank(entity: Entity) -> tuple[bool, int, int]:
    named = re.search(rf"\b({TABLE_WORDS['deals']})\b", " ".join(split(entity.table.name))) is not None
    return named, len(entity.parts), entity.table.rows


def _deals(table: Table) -> Entity | None:
    """A table of deals: rows end as won or lost, and there is money or a date besides."""
    ended = [states for column in table.columns if (states := _ends(table, column)) is not None]
    if not ended:
        return None
    entity = _entity("deals", table)
    if entity.part("amount") is None or not (entity.part("closed") or entity.part("created")):
        return None
    named = re.search(rf"\b({TABLE_WORDS['deals']})\b", " ".join(split(table.name))) is not None
    if not named and not any(entity.part(role) for role in ("owner", "company", "pipeline", "probability")):
        return None
    staged = next((s for s in ended if entity.part("stage") and s.part.name == entity.parts["stage"].name), None)
    best = staged or max(ended, key=lambda states: states.part.column.distinct)
    entity.parts["stage"] = best.part
    return Entity("deals", table, entity.parts, best)


def _ends(table: Table, column: Column) -> States | None:
    if column.type != "text" or column.distinct > MOST_STATES:
        return None
    values = [count.value for count in column.values]
    won, lost = ([value for value in values if pattern.search(value)] for pattern in (WON_VALUE, LOST_VALUE))
    if not won or not lost or set(won) & set(lost):
        return None
    dropped = tuple(value for value in values if DROPPED_VALUE.search(value) and value not in lost)
    return States(Part(table.name, column), tuple(won), tuple(lost), dropped)


def _entity(kind: str, table: Table) -> Entity:
    parts: dict[str, Part] = {}
    taken: set[str] = set()
    for role, (sort, patterns) in ROLES[kind].items():
        column = _best(table, sort, patterns, taken)
        if column is not None:
            parts[role] = Part(table.name, column)
            taken.add(column.name)
    return Entity(kind, table, parts, _states(kind, table, parts), _target_grain(parts.get("start")))


def _best(table: Table, sort: str, patterns: tuple[str, ...], taken: set[str]) -> Column | None:
    for pattern in patterns:
        for column in table.columns:
            if column.name in taken or not _fits(column, sort):
                continue
            words = " ".join(split(column.name))
            bare = re.sub(r"\b(in )?(usd|eur|gbp|company currency|local currency)\b", "", words).strip()
            if re.fullmatch(pattern, words) or re.fullmatch(pattern, bare):
                return column
    return None


def _fits(column: Column, sort: str) -> bool:
    if sort == "date":
        return column.type in _DATES
    if sort == "number":
        return column.type in _NUMERIC and column.role != "id"
    return column.type == "text" and column.role != "id"


_STATE_ROLE = {"companies": "stage", "tickets": "status", "meetings": "outcome", "emails": "direction"}


def _states(kind: str, table: Table, parts: dict[str, Part]) -> States | None:
    part = parts.get(_STATE_ROLE.get(kind, ""))
    if part is None:
        return None
    values = [count.value for count in part.column.values]
    if kind == "companies":
        return States(
            part,
            won=_of(r"\bcustomer\b", values, but=CHURNED_VALUE),
            lost=tuple(v for v in values if CHURNED_VALUE.search(v)),
        )
    pattern = {"tickets": CLOSED_VALUE, "meetings": HELD_VALUE, "emails": OUTGOING_VALUE}[kind]
    return States(part, won=tuple(value for value in values if pattern.search(value)))


def _of(pattern: str, values: list[str], *, but: re.Pattern[str]) -> tuple[str, ...]:
    return tuple(value for value in values if re.search(pattern, value, re.IGNORECASE) and not but.search(value))


def _target_grain(start: Part | None) -> Grain:
    """How long a target holds, by the least distance between two period starts."""
    if start is None or not start.column.values:
        return "quarter"
    days = sorted({day for count in start.column.values if (day := _as_day(count.value)) is not None})
    gaps = [(later - earlier).days for earlier, later in itertools.pairwise(days)]
    least = min(gaps, default=91)
    return "week" if least < 20 else "month" if least < 45 else "quarter" if least < 200 else "year"


def _as_day(text: str) -> date | None:
    try:
        return datetime.fromisoformat(text).date()
    except ValueError:
        return None
