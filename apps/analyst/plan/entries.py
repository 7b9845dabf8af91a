"""Columns whose cells list several entries are read by entry: a condition on one finds it among others, groups are the
entries. What a person sees as a tag is no name of a combination of tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    ColumnRef,
    Compare,
    Constant,
    Entries,
    InQuery,
    Node,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)
from apps.analyst.ports import Catalog
from apps.analyst.tables.entries import separator_of

Mark = Callable[[Node | None], str | None]
"""What separates the entries of a stored column's cells; None for all else."""


def by_entry(query: Query, catalog: Catalog) -> Query:
    """The query with its conditions on lists as tests of their entries, and with its rows once for each entry of what
    it groups by or counts once each."""
    mark = _marks(query, catalog)

    def change(node: Node) -> Node | None:
        if isinstance(node, InQuery | ScalarQuery):
            return node.model_copy(update={"query": by_entry(node.query, catalog)})
        return _test(node, mark)

    made = rewrite(query, change)
    each = tuple(dict.fromkeys(_each(made, mark)))
    return made if each == made.each else made.model_copy(update={"each": each})


def _marks(query: Query, catalog: Catalog) -> Mark:
    names = {join.alias or join.table: join.table for join in query.joins}
    if isinstance(query.source, str):
        names[query.source] = query.source
    tables = {table.name: table for table in catalog.tables()}

    def mark(node: Node | None) -> str | None:
        table = tables.get(names.get(node.table, "")) if isinstance(node, ColumnRef) else None
        column = table.column(node.column) if table is not None and isinstance(node, ColumnRef) else None
        return separator_of(column) if column is not None else None

    return mark


def _test(node: Node, mark: Mark) -> Predicate | None:
    """A condition on the values of a list as a test of its entries; None where it is none, or names a whole cell."""
    match node:
        case Compare(op="=" | "!=", right=Constant(value=str(value))) if _is_entry(value, mark(node.left)):
            return TextMatch(op="entry", of=node.left, value=value, negated=node.op == "!=")
        case Among() if all(_is_entry(value.value, mark(node.of)) for value in node.values):
            tests = (TextMatch(op="entry", of=node.of, value=str(v.value), negated=node.negated) for v in node.values)
            return AllOf(of=tuple(tests)) if node.negated else AnyOf(of=tuple(tests))
    return None


def _is_entry(value: object, mark: str | None) -> bool:
    return mark is not None and isinstance(value, str) and value.strip() != "" and mark not in value


def _each(query: Query, mark: Mark) -> Iterator[Entries]:
    keys: list[Node] = [output.expr for output in query.groups]
    if query.distinct and len(query.columns) == 1:
        keys += [query.columns[0].expr]
    counted = [output.expr for output in query.measures]
    if counted and all(isinstance(of, Aggregate) and of.fn == "count" and of.distinct for of in counted):
        # Other figures would count a row once for each entry.
        keys += [of.of for of in counted if isinstance(of, Aggregate) and of.of is not None]
    for key in keys:
        found = mark(key)
        if found is not None and isinstance(key, ColumnRef):
            yield Entries(of=key, separator=found)
