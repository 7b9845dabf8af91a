"""Which tables a sketch reads and how they are joined."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from apps.analyst.plan import ColumnRef, Join, JoinKey
from apps.analyst.reading.labels import Namer
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.types import Column, JoinPath, Table


class Unfit(Exception):
    """The sketch has no sound plan over this catalog."""


@dataclass
class Schema:
    """A catalog as the composer needs it: tables by name and the joins from each table."""

    tables: Mapping[str, Table]
    joins: Mapping[str, list[JoinPath]]
    names: Namer
    today: date

    def column(self, node: Sketch) -> Column:
        """The column that a ("C", table, column) node names."""
        table = self.tables.get(node[1])
        found = table.column(node[2]) if table is not None else None
        if found is None:
            raise Unfit(f"no column {node[1:]}")
        return found


def schema_of(tables: Mapping[str, Table], joins: list[JoinPath], names: Namer, today: date) -> Schema:
    """The schema of some tables; of several joins between two tables the first, which is the best, is taken."""
    by_left: dict[str, list[JoinPath]] = {}
    seen: set[tuple[str, str]] = set()
    for join in joins:
        pair = (join.left_table, join.right_table)
        if pair in seen or join.left_table not in tables or join.right_table not in tables:
            continue
        seen.add(pair)
        by_left.setdefault(join.left_table, []).append(join)
    return Schema(tables, by_left, names, today)


def scan(schema: Schema, *nodes: Sketch) -> tuple[str, tuple[Join, ...]]:
    """The table that is read and the joins to all others that the nodes name.

    The table at the many side is read, so that its rows are counted once each.
    """
    wanted = list(dict.fromkeys(name for node in nodes for name in _tables_in(node)))
    if not wanted:
        raise Unfit("no table")
    counted = list(dict.fromkeys(name for node in nodes for name in _counted(node)))
    measured = list(dict.fromkeys(name for node in nodes for name in _measured(node)))
    first = [*counted, *[n for n in measured if n not in counted], *wanted, *schema.tables]
    for base in dict.fromkeys(first):
        edges = _reach(schema, base, set(wanted), unique=True)
        if edges is not None:
            return base, edges
    for base in dict.fromkeys([*counted, *measured, *wanted]):
        edges = _reach(schema, base, set(wanted), unique=False)
        if edges is not None:
            return base, edges
    raise Unfit("tables that do not meet")


def _reach(schema: Schema, base: str, wanted: set[str], *, unique: bool) -> tuple[Join, ...] | None:
    """Joins from `base` to all of `wanted` by the shortest ways; only to sides of one row where `unique`."""
    came: dict[str, tuple[str, JoinPath, bool]] = {}
    queue, seen = deque([base]), {base}
    while queue:
        here = queue.popleft()
        for path, forward in _ways(schema, here):
            there = path.right_table if forward else path.left_table
            if there in seen or (unique and not (forward and path.right_unique)):
                continue
            seen.add(there)
            came[there] = (here, path, forward)
            queue.append(there)
    if not wanted <= seen:
        return None
    needed: list[str] = []
    for name in wanted - {base}:
        chain = []
        while name != base and name not in needed:
            chain.append(name)
            name = came[name][0]
        needed += reversed(chain)
    return tuple(_join(came[name][1], came[name][2]) for name in needed)


def _ways(schema: Schema, table: str) -> Iterator[tuple[JoinPath, bool]]:
    for path in schema.joins.get(table, ()):
        yield path, True
    for paths in schema.joins.values():
        for path in paths:
            if path.right_table == table:
                yield path, False


def _join(path: JoinPath, forward: bool) -> Join:
    keys = tuple(
        JoinKey(
            left=ColumnRef(table=path.left_table, column=a),
            right=ColumnRef(table=path.right_table, column=b),
            fold=path.fold,
        )
        for a, b in zip(path.left_columns, path.right_columns, strict=True)
    )
    if path.embedded is not None:
        raise Unfit("embedded key")
    return Join(table=path.right_table if forward else path.left_table, on=keys)


def _tables_in(node: Sketch) -> Iterator[str]:
    """Tables of the scan itself: what stands in a query of its own is left out."""
    if node[0] in ("C", "W", "T"):
        yield node[1]
        return
    if node[0] in ("member", "nonmember"):
        yield from _tables_in(node[1])
        return
    if node[0] == "whole":
        return
    for child in node[1:]:
        if isinstance(child, tuple):
            yield from _tables_in(child)


def _counted(node: Sketch) -> Iterator[str]:
    """Tables whose rows are counted."""
    for part in walk(node, ("member", "nonmember", "whole")):
        if part[0] in ("count", "rate"):
            yield part[1][1]


def _measured(node: Sketch) -> Iterator[str]:
    """Tables whose figures are added up or averaged."""
    for part in walk(node, ("member", "nonmember", "whole")):
        if part[0] in ("sum", "avg", "median"):
            yield from _tables_in(part)
