"""The guard against double counting: which rows do a query's joins repeat?

A join repeats the rows of one side where the other side's key is not unique. A figure of the repeated side, summed
after the join, would be too high, so it is computed over each of its rows once.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.computing.compile.scope import NESTED, Scope
from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import Aggregate, Join, Query
from apps.analyst.ports import Catalog

_UNHARMED = {"min", "max", "mode", "first", "last"}


@dataclass(frozen=True, slots=True)
class Guard:
    """The joins of one query as a graph: `meets_many[(a, b)]` where one row of `a` may meet several of `b`."""

    edges: dict[str, dict[str, bool]]

    def repeated(self, aggregate: Aggregate) -> tuple[str, ...]:
        """The aliases whose rows the aggregate must count once each, or nothing where no join repeats them."""
        if len(self.edges) < 2 or aggregate.of is None or aggregate.fn in _UNHARMED:
            return ()
        owners = {ref.table for ref in references(aggregate.of)}
        if any(not self._repeats(alias) for alias in owners):
            return ()
        return tuple(sorted(owners))

    def _repeats(self, alias: str) -> bool:
        """True where walking from `alias` over the joins meets a side with several rows for one of ours."""
        seen, waiting = {alias}, [alias]
        while waiting:
            here = waiting.pop()
            for there, many in self.edges.get(here, {}).items():
                if there in seen:
                    continue
                if many:
                    return True
                seen.add(there)
                waiting.append(there)
        return False


def guard_of(query: Query, scope: Scope) -> Guard:
    """The guard for a query's joins."""
    start = NESTED if isinstance(query.source, Query) else query.source
    edges: dict[str, dict[str, bool]] = {start: {}}
    for join in query.joins:
        alias = join.alias or join.table
        edges.setdefault(alias, {})
        for other, here, there in _sides(join, alias):
            edges[alias][other] = not unique_in(other, there, query, scope)
            edges[other][alias] = not unique_in(alias, here, query, scope)
    return Guard(edges)


def _sides(join: Join, alias: str) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """For each table the join ties `alias` to: that table, the key columns here, the key columns there."""
    found: dict[str, tuple[list[str], list[str]]] = {}
    for key in join.on:
        here, there = (key.right, key.left) if key.right.table == alias else (key.left, key.right)
        mine, theirs = found.setdefault(there.table, ([], []))
        mine.append(here.column)
        theirs.append(there.column)
    return [(other, tuple(mine), tuple(theirs)) for other, (mine, theirs) in found.items()]


def unique_in(alias: str, columns: tuple[str, ...], query: Query, scope: Scope) -> bool:
    """True where at most one row of `alias` has any given values of `columns`."""
    if alias == NESTED:
        inner = query.source
        keys = {output.label for output in inner.groups} if isinstance(inner, Query) else set()
        return bool(keys) and keys <= set(columns)
    on = [key for join in query.joins for key in join.on if alias in (key.left.table, key.right.table)]
    folds = any(key.fold or key.part is not None for key in on)
    longer = any(key.part is not None and getattr(key, key.part.side).table == alias for key in on)
    return unique_key(scope.catalog, scope.names[alias], columns, fold=folds, longer=longer)


def unique_key(
    catalog: Catalog, table_name: str, columns: tuple[str, ...], *, fold: bool = False, longer: bool = False
) -> bool:
    """True where the data has shown `columns` to be unique in the table; `longer`: by a part of them alone."""
    table = next((t for t in catalog.tables() if t.name == table_name), None)
    if table is None:
        return False
    if not fold and any((column := table.column(name)) is not None and column.unique for name in columns):
        return True
    for path in catalog.joins():
        whole = path.embedded is None or path.embedded.side == "left"
        unique = path.right_unique and set(path.right_columns) <= set(columns)
        if path.right_table == table_name and unique and whole != longer:
            return True
    return False
