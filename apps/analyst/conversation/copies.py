"""Whether two files alike hold the same things, as an export and its corrected copy: added up, they count twice."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from apps.analyst.computing.compute import computed_of
from apps.analyst.plan import Aggregate, AllOf, ColumnRef, Compare, InQuery, Join, JoinKey, Output, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import JoinPath, Table

HELD_TWICE = 0.5
"""The share of the smaller file's rows that the other says the same of where they are the same things."""
MOST_COMPARED = 2
"""Columns in which rows of one number are compared."""
MOST_LOOKED_UP = 3
"""Columns in which the rows of one file are looked for in another."""
COUNT = Output(label="same", expr=Aggregate(fn="count"))


def holds_twice(names: Collection[str], catalog: Catalog, warehouse: Warehouse) -> bool:
    """Whether two of the tables number the same things alike: not where their numbers are the same by chance, and the
    rest of the rows is not."""
    tables = {table.name: table for table in catalog.tables() if table.name in names}
    pairs = {frozenset(pair) for pair in combinations(tables, 2)}
    paths = [path for path in catalog.joins() if {path.left_table, path.right_table} in pairs]
    return any(_are_copies(path, tables, catalog, warehouse) for path in paths)


def _are_copies(path: JoinPath, tables: dict[str, Table], catalog: Catalog, warehouse: Warehouse) -> bool:
    left, right = tables[path.left_table], tables[path.right_table]
    others = {column.name for column in right.columns}
    rest = [c for c in left.columns if c.name in others and c.name not in path.left_columns]
    rest.sort(key=lambda column: -column.distinct)
    if not rest or path.embedded is not None:
        return False
    keys = tuple(
        JoinKey(left=ColumnRef(table=left.name, column=a), right=ColumnRef(table=right.name, column=b), fold=path.fold)
        for a, b in zip(path.left_columns, path.right_columns, strict=True)
    )
    same = tuple(
        Compare(
            op="=",
            left=ColumnRef(table=left.name, column=column.name),
            right=ColumnRef(table=right.name, column=column.name),
        )
        for column in rest[:MOST_COMPARED]
    )
    where = AllOf(of=same) if len(same) > 1 else same[0]
    plan = Query(source=left.name, joins=(Join(table=right.name, on=keys),), where=where, measures=(COUNT,))
    return _count(plan, catalog, warehouse) >= HELD_TWICE * min(left.rows, right.rows)


def is_copy(name: str, of: str, catalog: Catalog, warehouse: Warehouse) -> bool:
    """Whether most rows of one table stand in another: what tells them apart most, each by itself, is found there. The
    months of a year hold as many orders by chance, but no order twice."""
    tables = {table.name: table for table in catalog.tables()}
    table, other = tables[name], tables[of]
    known = {column.name for column in other.columns}
    shared = sorted((c for c in table.columns if c.name in known and not c.missing), key=lambda c: -c.distinct)
    if not shared:
        return False
    found = tuple(_stands_in(column.name, name, of) for column in shared[:MOST_LOOKED_UP])
    where = AllOf(of=found) if len(found) > 1 else found[0]
    return _count(Query(source=name, where=where, measures=(COUNT,)), catalog, warehouse) >= HELD_TWICE * table.rows


def _stands_in(column: str, table: str, other: str) -> InQuery:
    values = Query(source=other, columns=(Output(label=column, expr=ColumnRef(table=other, column=column)),))
    return InQuery(of=ColumnRef(table=table, column=column), query=values)


def _count(plan: Query, catalog: Catalog, warehouse: Warehouse) -> int:
    """How many rows a plan counts; none where it does not hold."""
    computed = computed_of(plan, catalog, warehouse)
    rows = computed.result.rows if computed is not None else ()
    return int(str(rows[0][0] or 0)) if rows else 0
