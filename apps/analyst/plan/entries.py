"""Columns whose cells list several entries are read by entry: a condition on one finds it among others, groups are the
entries. What a person sees as a tag is no name of a combination of tags."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from apps.analyst.computing.compile.walk import rewrite, with_queries
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Among,
    AnyOf,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Drivers,
    Entries,
    Expr,
    InQuery,
    Node,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)
from apps.analyst.ports import Catalog
from apps.analyst.tables.entries import separator_of

N = TypeVar("N", bound=Node)
Mark = Callable[[Node | None], str | None]
"""What separates the entries of a stored column's cells; None for all else."""


def by_entry(plan: N, catalog: Catalog) -> N:
    """The plan with its conditions on lists as tests of their entries, and with the rows of its queries once for each
    entry of what they group by or count once each."""
    changed = with_queries(plan, lambda query: _query(query, catalog))
    if isinstance(changed, Drivers):
        return changed.model_copy(update={"comparison": by_entry(changed.comparison, catalog)})
    if not isinstance(changed, Comparison):
        return changed
    mark = _whole(changed.query.each, _marks(changed.query, catalog))
    sides = {
        name: rewrite(side, lambda node: entry_test(node, mark))
        for name, side in (("current", changed.current), ("baseline", changed.baseline))
    }
    return changed.model_copy(update=sides)


def _query(query: Query, catalog: Catalog) -> Query:
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": _query(query.source, catalog)})
    mark = _marks(query, catalog)
    each = tuple(dict.fromkeys(_each(query, mark)))
    of_cells = _whole(each, mark)

    def change(node: Node) -> Node | None:
        if isinstance(node, InQuery | ScalarQuery):
            return node.model_copy(update={"query": _query(node.query, catalog)})
        return entry_test(node, of_cells)

    made = rewrite(query, change)
    return made if each == made.each else made.model_copy(update={"each": each})


def _whole(each: Sequence[Entries], mark: Mark) -> Mark:
    """The mark of columns whose cells are looked at whole: not where each row has one of their entries already."""
    apart = {part.of for part in each}
    return lambda node: None if node in apart else mark(node)


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


def entry_test(node: Node, mark: Mark) -> Predicate | None:
    """A condition on the values of a list as a test of its entries; None where it is none, or names a whole cell."""
    match node:
        case Compare(op="=" | "!=", right=Constant(value=str(value))):
            return _entry(node.left, value, mark(node.left), negated=node.op == "!=")
        case Among():
            separator = mark(node.of)
            tests = [_entry(node.of, value.value, separator, negated=node.negated) for value in node.values]
            found = tuple(test for test in tests if test is not None)
            if len(found) == len(tests):
                return AllOf(of=found) if node.negated else AnyOf(of=found)
    return None


def with_all_entries(plan: N, catalog: Catalog) -> N:
    """The plan for rows that list all of several entries, where it would take any of them."""
    return with_queries(plan, lambda query: _with_all(query, catalog))


def _with_all(query: Query, catalog: Catalog) -> Query:
    mark = _marks(query, catalog)
    of_cells = _whole(tuple(_each(query, mark)), mark)

    def change(node: Node) -> Node | None:
        tests = entry_test(node, of_cells) if isinstance(node, Among) else node
        if not isinstance(tests, AnyOf):
            return None
        found = [test if isinstance(test, TextMatch) else entry_test(test, of_cells) for test in tests.of]
        lists = {test.of if isinstance(test, TextMatch) else None for test in found}
        return AllOf(of=tests.of) if len(lists) == 1 and None not in lists else None

    where = rewrite(query.where, change) if query.where is not None else None
    return query if where is query.where else query.model_copy(update={"where": where})


def _entry(of: Expr, value: object, mark: str | None, *, negated: bool) -> TextMatch | None:
    if mark is None or not isinstance(value, str) or not value.strip() or mark in value:
        return None
    return TextMatch(op="entry", of=of, value=value, negated=negated, separator=mark)


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
