"""How the present data join the ways that people spoke of. Reads files: never inside a transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from uuid import UUID

from apps.analyst.errors import JoinRefused
from apps.datasources.models import JoinTeaching
from apps.datasources.naming import name_key
from apps.datasources.ways import JoinJson, Way, way_of, way_said

if TYPE_CHECKING:
    from apps.analyst.types import Table


def join_measured(way: Way, tables: Mapping[str, Table]) -> JoinJson:
    """The join of the way's columns; `tables` are by the keys of their names. Raises JoinRefused."""
    # Imported here: they need the query engine, and most requests need none of it.
    from apps.analyst.tables.codec import join_to_json
    from apps.analyst.tables.drawn_joins import drawn_join

    one, other = tables.get(name_key(way.one.table)), tables.get(name_key(way.other.table))
    if one is None or other is None:
        raise JoinRefused("There is nothing to measure.")
    return dict(join_to_json(drawn_join(one, way.one.columns, other, way.other.columns)))


def paths_anew(organization_id: UUID, tables: Sequence[Table], found: Sequence[JoinJson]) -> dict[str, JoinJson | None]:
    """The joins of all ways that people spoke of, by pair: as they were found out, or as they are measured; None where
    tables or columns are not there any more or have nothing in common."""
    by_pair = {way_of(join).pair: join for join in found}
    by_key = {name_key(table.name): table for table in tables}
    rows = JoinTeaching.objects.filter(organization_id=organization_id, current=True)
    return {row.pair: by_pair.get(row.pair) or _if_any(way_said(row), by_key) for row in rows}


def paths_keep(organization_id: UUID, paths: Mapping[str, JoinJson | None]) -> None:
    """Keeps them with every change of their ways, so that one that holds again by an undo joins as well."""
    for pair, path in paths.items():
        JoinTeaching.objects.filter(organization_id=organization_id, pair=pair).update(path=path)


def _if_any(way: Way, tables: Mapping[str, Table]) -> JoinJson | None:
    try:
        return join_measured(way, tables)
    except JoinRefused:
        return None
