"""Ways between tables: how one is named, and which hold after what people said (`services.joining` writes it).

A way is told by the columns at its two ends, by name and in no order, so that tables that are read anew or replaced by
a newer file keep what was said of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from apps.datasources.models import JoinTeaching, JoinVerdict
from apps.datasources.naming import name_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet

    from apps.accounts.models import Organization
    from apps.analyst.types import JoinPath, Table

STOOD_FOR = (JoinVerdict.CONFIRMED, JoinVerdict.DRAWN)
"""Verdicts by which a way is there, whether it is found out or not."""

VERDICTS: tuple[str, ...] = tuple(JoinVerdict.values)
"""What may be said of a way."""

JoinJson = Mapping[str, Any]
"""A join as `codec.join_to_json` writes it."""


@dataclass(frozen=True, slots=True)
class End:
    """A table and the columns by which it is joined."""

    table: str
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Way:
    """Two tables with the columns by which they are joined, as somebody names it."""

    one: End
    other: End

    @property
    def pair(self) -> str:
        """The same for both orders of the ends, and for no other way."""
        keys = (name_key(self.one.table), name_key(self.other.table))
        columns = sorted(zip(self.one.columns, self.other.columns, strict=True))
        if keys[0] > keys[1]:
            keys, columns = keys[::-1], sorted(pair[::-1] for pair in columns)
        return hashlib.sha256(json.dumps([keys, columns]).encode()).hexdigest()

    def ends(self) -> tuple[End, End]:
        """Both ends, as they were named."""
        return self.one, self.other

    def as_json(self) -> list[dict[str, Any]]:
        """The ends as they are stored."""
        return [{"table": end.table, "columns": list(end.columns)} for end in self.ends()]


def way_of(join: JoinJson) -> Way:
    """The way of a join."""
    return Way(
        End(join["left_table"], tuple(join["left_columns"])), End(join["right_table"], tuple(join["right_columns"]))
    )


def way_said(row: JoinTeaching) -> Way:
    """The way that a change is about."""
    one, other = (End(end["table"], tuple(end["columns"])) for end in row.ends)
    return Way(one, other)


def joins_said(organization: Organization) -> QuerySet[JoinTeaching]:
    """The changes that hold, the oldest first."""
    rows = JoinTeaching.objects.of(organization).filter(current=True).select_related("by")
    return rows.order_by("created_at", "pair")


def joins_that_hold(found: Sequence[JoinJson], said: Iterable[JoinTeaching]) -> list[JoinJson]:
    """What people confirmed and drew first, as the present data join; then what was found out and nobody spoke of."""
    verdicts = list(said)
    spoken_of = {row.pair for row in verdicts}
    kept: list[JoinJson] = [row.path for row in verdicts if row.after in STOOD_FOR and row.path]
    return kept + [join for join in found if way_of(join).pair not in spoken_of]


def joins_for(tables: Collection[Table], found: Sequence[JoinJson], said: Iterable[JoinTeaching]) -> list[JoinPath]:
    """The joins that hold, as the engine takes them: of tables and columns that are there."""
    from apps.analyst.tables.codec import join_from_json

    rows = list(said)
    stood_for = {row.pair for row in rows if row.after in STOOD_FOR}
    columns = {table.name: {column.name for column in table.columns} for table in tables}
    return [
        replace(join_from_json(join), said=way_of(join).pair in stood_for)
        for join in joins_that_hold(found, rows)
        if all(set(end.columns) <= columns.get(end.table, set()) for end in way_of(join).ends())
    ]
