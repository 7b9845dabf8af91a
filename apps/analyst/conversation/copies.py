"""Whether two files alike hold the same things, as an export and its corrected copy: added up, they count twice."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations

from apps.analyst.computing.compute import computed_of
from apps.analyst.plan import Aggregate, AllOf, ColumnRef, Compare, Join, JoinKey, Output, Query
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import JoinPath, Table

HELD_TWICE = 0.5
"""The share of the smaller file's rows that the other says the same of where they are the same things."""
MOST_COMPARED = 2
"""Columns in which rows of one number are compared."""


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
    count = Output(label="same", expr=Aggregate(fn="count"))
    where = AllOf(of=same) if len(same) > 1 else same[0]
    plan = Query(source=left.name, joins=(Join(table=right.name, on=keys),), where=where, measures=(count,))
    computed = computed_of(plan, catalog, warehouse)
    rows = computed.result.rows if computed is not None else ()
    return bool(rows) and int(str(rows[0][0] or 0)) >= HELD_TWICE * min(left.rows, right.rows)
