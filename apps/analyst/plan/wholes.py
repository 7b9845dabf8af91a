"""Whether a plan splits whole things over their lines, in tables that tell of a thing on its first line only
(`tables/per_key`).

An order's total has no part for one of its products: by product it would fall to the first line's, and a condition on
products would keep or drop it by the first line alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from apps.analyst.computing.compile.walk import references, within
from apps.analyst.plan import Aggregate, Comparison, Node, Plan, Query
from apps.analyst.plan.nodes import every
from apps.analyst.plan.tree import ColumnRef
from apps.analyst.ports import Catalog
from apps.analyst.types import Table


def split_whole(plan: Plan, catalog: Catalog) -> str | None:
    """The table of which a plan takes what is told once for a whole thing together with what its lines tell, row by
    row; None for all other plans."""
    nodes = list(every(plan))
    queries = [node for node in nodes if isinstance(node, Query)]
    names = {name for query in queries for name in (query.source, *(join.table for join in query.joins))}
    named = [table for table in catalog.tables() if table.name in names]
    lined = [table for table in named if any(column.per_key == "once" for column in table.columns)]
    beside = [side for node in nodes if isinstance(node, Comparison) for side in (node.current, node.baseline)]
    split = (table.name for table in lined for query in queries if _is_split(query, beside, table))
    return next(split, None)


def _is_split(query: Query, beside: Sequence[Node], table: Table) -> bool:
    if table.name not in (query.source, *(join.table for join in query.joins)):
        return False
    beyond = _beyond(query, table)

    def levels(nodes: Iterable[Node | None]) -> set[str]:
        """Whether nodes read what is told once for a whole ("once"), what its lines tell ("line"), or both."""
        return {level for node in nodes if node is not None for ref in references(node) for level in _level(ref)}

    def _level(ref: ColumnRef) -> Iterator[str]:
        column = table.column(ref.column) if ref.table == table.name else None
        if ref.table in beyond or (column is not None and not column.per_key):
            yield "line"
        elif column is not None and column.per_key == "once":
            yield "once"

    kept = levels([query.where, *beside])
    shown = levels(output.expr for output in query.columns)
    groups = levels(output.expr for output in query.groups)
    if len(kept) > 1 or ("once" in shown and "line" in kept):
        return True
    outputs = (*query.measures, *query.order, query.having)
    figures = {part for node in outputs if node is not None for part in within(node) if isinstance(part, Aggregate)}
    return any(
        len(read) > 1 or (read and len(read | kept | groups | levels([figure.where])) > 1)
        for figure in figures
        for read in [levels([figure.of])]
    )


def _beyond(query: Query, table: Table) -> set[str]:
    """The joined tables that a line of the table leads to, and not what it is a line of."""
    found: set[str] = set()
    for join in query.joins:
        for key in join.on:
            near, far = (
                (key.left, key.right) if key.right.table == (join.alias or join.table) else (key.right, key.left)
            )
            column = table.column(near.column) if near.table == table.name else None
            if near.table in found or (column is not None and not column.per_key):
                found.add(far.table)
            other = table.column(far.column) if far.table == table.name else None
            if other is not None and not other.per_key:
                found.add(near.table)
    return found
