"""The ways from a source to the organization's other tables: as they were found out, and as people settled them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from apps.accounts.policy import Action, allowed
from apps.datasources import naming
from apps.datasources.catalog import catalog_of
from apps.datasources.models import CatalogState, JoinTeaching, Source
from apps.datasources.ways import End, JoinJson, Way, joins_said, way_of, way_said

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.types import Table

FOUND = "found"
"""The standing of a way that nobody spoke of."""


def source_joins(source: Source, *, viewer: User) -> dict[str, Any]:
    """`{file_name, may_edit, tables, others}` as GET /files/dictionary/joins says it."""
    tables = {table.name: table for table in catalog_of(source.organization).tables()}
    state = CatalogState.objects.of(source.organization).first()
    ways = list(_ways(state.joins if state else [], joins_said(source.organization), tables))
    mine = [table for table in tables.values() if table.file_name == source.file_name]
    return {
        "file_name": source.file_name,
        "may_edit": allowed(viewer, Action.EDIT_DICTIONARY),
        "tables": [
            {**_columns(table), "joins": [_seen_from(table.name, w, tables) for w in ways if w.touches(table.name)]}
            for table in mine
        ],
        "others": [
            {"display_name": naming.display_name(table.file_name), **_columns(table)}
            for table in tables.values()
            if table.file_name != source.file_name or len(mine) > 1
        ],
    }


def _columns(table: Table) -> dict[str, Any]:
    return {"table": table.name, "columns": [{"name": c.name, "type": c.type} for c in table.columns]}


@dataclass(frozen=True, slots=True)
class _Told:
    """A way between two tables, with the change that holds of it."""

    one: End
    other: End
    join: JoinJson | None
    """None where the present data join it no more."""
    row: JoinTeaching | None

    def touches(self, table: str) -> bool:
        return table in (self.one.table, self.other.table)


def _ways(found: Iterable[JoinJson], said: Iterable[JoinTeaching], tables: Mapping[str, Table]) -> Iterable[_Told]:
    """What was found out in its order, so that nothing changes places when it is settled; then what people drew."""
    rows = {row.pair: row for row in said}
    for join in found:
        way = way_of(join)
        yield _told(way, join, rows.pop(way.pair, None), tables)
    for row in rows.values():
        yield _told(way_of(row.path) if row.path else way_said(row), row.path, row, tables)


def _told(way: Way, join: JoinJson | None, row: JoinTeaching | None, tables: Mapping[str, Table]) -> _Told:
    there = all(
        end.table in tables and all(tables[end.table].column(name) for name in end.columns)
        for end in (way.one, way.other)
    )
    return _Told(way.one, way.other, join if there else None, row)


def _seen_from(table: str, told: _Told, tables: Mapping[str, Table]) -> dict[str, Any]:
    """A way as the table at one of its ends sees it. One that joins nothing any more has no direction and no rate."""
    refers = told.one.table == table
    mine, theirs = (told.one, told.other) if refers else (told.other, told.one)
    join, row = told.join, told.row
    sides = _sides(join, tables) if join else ()
    return {
        "columns": list(mine.columns),
        "table": theirs.table,
        "table_columns": list(theirs.columns),
        "refers": refers,
        "direction": "_to_".join(sides if refers else sides[::-1]) or None,
        "match_rate": join["match_rate"] if join else None,
        "loose": bool(join and (join["fold"] or join.get("embedded"))),
        "standing": row.after if row else FOUND,
        "by": row.by.get_full_name() if row and row.by else "",
        "at": row.created_at.isoformat() if row else None,
    }


def _sides(join: JoinJson, tables: Mapping[str, Table]) -> tuple[str, str]:
    """Whether a value stands in one row or in many, on the left and on the right."""
    column = tables[join["left_table"]].column(join["left_columns"][0])
    alone = len(join["left_columns"]) == 1 and not join.get("embedded")
    once = alone and column is not None and column.unique
    return ("one" if once else "many", "one" if join["right_unique"] or join.get("versions") else "many")
