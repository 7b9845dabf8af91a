"""Which tables a sketch reads and how they are joined."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Literal

from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.plan import ColumnRef, Join, JoinKey
from apps.analyst.reading.labels import Namer
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.tables.composite_keys import gives_way
from apps.analyst.types import Column, JoinPath, Table

_ALONE = ("member", "nonmember", "whole", "beside")
"""What stands in a query of its own."""


class Unfit(Exception):
    """The sketch has no sound plan over this catalog."""


class Apart(Unfit):
    """The tables of the sketch do not meet row by row."""


@dataclass
class Schema:
    """A catalog as the composer needs it: tables by name and the joins from each table."""

    tables: Mapping[str, Table]
    joins: Mapping[str, list[JoinPath]]
    names: Namer
    today: date
    known: Mapping[str, TableMeaning] = field(default_factory=dict)
    """What the tables and their columns mean."""

    def column(self, node: Sketch) -> Column:
        """The column that a ("C", table, column) node names."""
        table = self.tables.get(node[1])
        found = table.column(node[2]) if table is not None else None
        if found is None:
            raise Unfit(f"no column {node[1:]}")
        return found


def schema_of(
    tables: Mapping[str, Table],
    joins: list[JoinPath],
    names: Namer,
    today: date,
    known: Mapping[str, TableMeaning] | None = None,
) -> Schema:
    """The schema of some tables; of several joins between two tables the first, which is the best, is taken, and none
    by a part of a key (but for what people said)."""
    by_left: dict[str, list[JoinPath]] = {}
    seen: set[tuple[str, str]] = set()
    whole = [join for join in joins if len(join.left_columns) > 1]
    for join in joins:
        if not join.said and any(gives_way(join, other) for other in whole):
            continue
        pair = (join.left_table, join.right_table)
        if pair in seen or join.left_table not in tables or join.right_table not in tables:
            continue
        seen.add(pair)
        by_left.setdefault(join.left_table, []).append(join)
    return Schema(tables, by_left, names, today, known or {})


@dataclass(frozen=True)
class Scan:
    """The table that is read, the joins to all others, and whether one of them may repeat rows of the table."""

    source: str
    joins: tuple[Join, ...]
    repeats: bool = False


def scan(schema: Schema, *nodes: Sketch) -> Scan:
    """The table that is read and the joins to all others that the nodes name.

    The table at the many side is read, so that its rows are counted once each. Figures of several tables at once (the
    spend of the customers and their number) read the one above them all, so that what has nothing below it counts, too.
    """
    wanted = list(dict.fromkeys(name for node in nodes for name in tables_in(node)))
    if not wanted:
        raise Unfit("no table")
    if any(
        _looks_up_by_part_of_key(schema, nodes, part)
        for node in nodes
        for part in walk(node, ("sub", "whole", "beside"))
    ):
        raise Unfit("a part of a key tells no rows apart")
    above = _above_all(schema, nodes)
    if above is not None:
        edges = _reach(schema, above, wanted, unique=False, whole=True)
        if edges is not None:
            return Scan(above, edges, repeats=True)
    counted = list(dict.fromkeys(name for node in nodes for name in _counted(node)))
    measured = list(dict.fromkeys(name for node in nodes for name in _measured(node)))
    first = [*counted, *[n for n in measured if n not in counted], *wanted, *schema.tables]
    for base in dict.fromkeys(first):
        edges = _reach(schema, base, wanted, unique=True)
        if edges is not None:
            return Scan(base, edges)
    for base in dict.fromkeys([*counted, *measured, *wanted]):
        edges = _reach(schema, base, wanted, unique=False)
        if edges is not None:
            return Scan(base, edges, repeats=True)
    raise Apart("tables that do not meet")


def _looks_up_by_part_of_key(schema: Schema, nodes: tuple[Sketch, ...], part: Sketch) -> bool:
    """Whether a condition asks of one column whether it stands in a table that rows belong to by several: the orders of
    lines without a receipt are not the orders without one. Where that column is what is counted or listed it may."""
    if part[0] not in ("member", "nonmember") or any(_tells_apart(node, part[1]) for node in nodes):
        return False
    mine, theirs = part[1], part[2][1]
    others = set(tables_in(part[2]))
    told = {table for node in nodes for table in _told_of(node)}
    return any(
        (mine in here and there[0][1] in others) or (theirs in there and here[0][1] in told)
        for here, there in _keys_of_several(schema)
    )


def _keys_of_several(schema: Schema) -> Iterator[tuple[list[Sketch], list[Sketch]]]:
    """The columns on both sides of each join by several of them, seen from either side."""
    for path in [path for paths in schema.joins.values() for path in paths if len(path.left_columns) > 1]:
        left: list[Sketch] = [("C", path.left_table, name) for name in path.left_columns]
        right: list[Sketch] = [("C", path.right_table, name) for name in path.right_columns]
        yield left, right
        yield right, left


def _told_of(node: Sketch) -> Iterator[str]:
    """Tables whose rows are listed, or make figures."""
    for part in walk(node, _ALONE):
        if part[0] in ("count", "rate", "countd", "sum", "avg", "median", "min", "max"):
            yield from tables_in(part[1])
        elif part[0][0] == "v" and part[0][1:].isdigit():
            yield from tables_in(part)


def _tells_apart(node: Sketch, column: Sketch) -> bool:
    """Whether a column alone is listed, counted each once, or what groups go by."""
    alone = ("countd", "v1", "k1")
    return node == column or any(part[0] in alone and part[1] == column for part in walk(node, _ALONE))


def _above_all(schema: Schema, nodes: tuple[Sketch, ...]) -> str | None:
    """The table that all tables with figures lead up to, where there are several and groups are told apart above it;
    None for all else."""
    grains = {table for node in nodes for table in _grains(schema, node)}
    if len(grains) < 2:
        return None
    up = {table: _upward(schema, table) for table in grains}
    common = set.intersection(*({table, *up[table]} for table in grains))
    inside = [table for table in common if table in grains]
    lowest = inside or [table for table in common if not any(table in _upward(schema, other) for other in common)]
    if len(lowest) != 1:
        return None
    keys = {name for node in nodes if node[0][0] == "k" and node[0][1:].isdigit() for name in tables_in(node)}
    return lowest[0] if keys <= {lowest[0], *_upward(schema, lowest[0])} else None


def leads_to(schema: Schema, table: str) -> set[str]:
    """A table, and those of which each of its rows has no more than one."""
    return {table, *_upward(schema, table)}


def _upward(schema: Schema, table: str) -> set[str]:
    """The tables of which each row of this one has no more than one."""
    seen: set[str] = set()
    waiting = [table]
    while waiting:
        for path in schema.joins.get(waiting.pop(), ()):
            if path.right_unique and path.right_table not in seen | {table}:
                seen.add(path.right_table)
                waiting.append(path.right_table)
    return seen


def _grains(schema: Schema, node: Sketch) -> Iterator[str]:
    """The table whose rows each figure is made of."""
    for part in walk(node, _ALONE):
        if part[0] in ("count", "rate"):
            yield part[1][1]
        elif part[0] in ("sum", "avg", "median"):
            tables = set(tables_in(part))
            yield from [table for table in tables if tables <= {table, *_upward(schema, table)}]


def _reach(
    schema: Schema, base: str, wanted: Sequence[str], *, unique: bool, whole: bool = False
) -> tuple[Join, ...] | None:
    """Joins from `base` to all of `wanted` by the shortest ways, in their order; only to sides of one row where
    `unique`. Rows of `base` that meet none stay where `whole`."""
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
    if not seen.issuperset(wanted):
        return None
    needed: list[str] = []
    for name in wanted:
        chain = []
        while name != base and name not in needed:
            chain.append(name)
            name = came[name][0]
        needed += reversed(chain)
    how: Literal["left", "inner"] = "left" if whole else "inner"
    return tuple(_join(came[name][1], came[name][2], how) for name in needed)


def _ways(schema: Schema, table: str) -> Iterator[tuple[JoinPath, bool]]:
    for path in schema.joins.get(table, ()):
        yield path, True
    for paths in schema.joins.values():
        for path in paths:
            if path.right_table == table:
                yield path, False


def _join(path: JoinPath, forward: bool, how: Literal["left", "inner"]) -> Join:
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
    return Join(table=path.right_table if forward else path.left_table, on=keys, how=how)


def tables_in(node: Sketch) -> Iterator[str]:
    """Tables of the scan itself: what stands in a query of its own is left out."""
    if node[0] in ("C", "W", "T"):
        yield node[1]
        return
    if node[0] in ("member", "nonmember"):
        yield from tables_in(node[1])
        return
    if node[0] in ("whole", "beside"):
        return
    for child in node[1:]:
        if isinstance(child, tuple):
            yield from tables_in(child)


def _counted(node: Sketch) -> Iterator[str]:
    """Tables whose rows are counted."""
    for part in walk(node, _ALONE):
        if part[0] in ("count", "rate"):
            yield part[1][1]


def _measured(node: Sketch) -> Iterator[str]:
    """Tables whose figures are added up or averaged."""
    for part in walk(node, _ALONE):
        if part[0] in ("sum", "avg", "median"):
            yield from tables_in(part)
