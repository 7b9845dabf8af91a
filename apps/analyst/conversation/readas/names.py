"""Expressions and conditions of a plan in words, with the readable names that the dictionary gives the columns."""

from __future__ import annotations

from functools import cached_property
from typing import TypeVar

from apps.analyst.computing.compile.walk import references, rewrite
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, InQuery, Node, Plan, Query, ScalarQuery
from apps.analyst.plan.entries import by_entry, entry_test
from apps.analyst.plan.firsts import without_firsts
from apps.analyst.ports import Catalog
from apps.analyst.reading.candidates import namer_of
from apps.analyst.tables.entries import separator_of
from apps.analyst.telling.evidence import every_query
from apps.analyst.telling.formats import rows_noun, spoken
from apps.analyst.telling.labelling import Labels, by_things, groups_of, labelled
from apps.analyst.types import Column, Table

N = TypeVar("N", bound=Node)


class Names:
    """What the columns and tables of one plan are called."""

    def __init__(self, plan: Plan, catalog: Catalog) -> None:
        self.catalog = catalog
        self._namer = namer_of(catalog)
        self._labels = Labels([plan], catalog)
        self._aliases = {
            join.alias: join.table for query in every_query(plan) for join in query.joins if join.alias is not None
        }
        self._apart = {part.of for query in every_query(by_entry(plan, catalog)) for part in query.each}

    @cached_property
    def tables(self) -> dict[str, Table]:
        """The catalog's tables by name."""
        return {table.name: table for table in self.catalog.tables()}

    def stored(self, ref: ColumnRef) -> Column | None:
        """The stored column that is meant; None for labels of inner queries and places in the file."""
        table = self.table_of(ref)
        return table.column(ref.column) if table is not None else None

    def table_of(self, ref: ColumnRef) -> Table | None:
        """The table that the column is of."""
        return self.tables.get(self._aliases.get(ref.table, ref.table))

    def label(self, ref: ColumnRef) -> str:
        """The column's readable name, as it stands inside a sentence."""
        table = self.table_of(ref)
        if table is None or ref.column == ROW_NUMBER:
            return spoken(ref.column)
        return spoken(self._namer.column(table.name, ref.column))

    def named(self, node: N) -> N:
        """The node as it is computed, with each stored column under its readable name: to be put into words alone."""

        def renamed(part: Node) -> Node | None:
            if isinstance(part, InQuery | ScalarQuery):
                inside: dict[str, Node] = {"query": labelled(part.query, self.catalog)}
                if isinstance(part, InQuery):
                    inside["of"] = rewrite(part.of, renamed)
                return part.model_copy(update=inside)
            counted = by_things(part, self.catalog)
            if counted is not part and isinstance(counted, Aggregate):
                where = rewrite(counted.where, renamed) if counted.where is not None else None
                return counted.model_copy(update={"where": where})
            if isinstance(part, ColumnRef) and not part.table:  # a figure of an inner query, by its label
                return part.model_copy(update={"column": self._labels.text(part.column)})
            if not isinstance(part, ColumnRef) or self.stored(part) is None:
                return None
            return part.model_copy(update={"column": self.label(part)})

        told = without_firsts(node, self.catalog)
        return rewrite(rewrite(told, lambda part: entry_test(part, self._separator)), renamed)

    def _separator(self, node: Node | None) -> str | None:
        column = self.stored(node) if isinstance(node, ColumnRef) and node not in self._apart else None
        return separator_of(column) if column is not None else None

    def rows(self, query: Query) -> str:
        """What the rows of a query are called."""
        source = query.source
        keys = source.groups if isinstance(source, Query) else ()
        if len(keys) == 1 and (told := groups_of(keys[0].expr, self.catalog)) is not None:
            return told
        if query.noun:
            return query.noun
        while isinstance(source, Query):
            source = source.source
        known = dictionary_of(self.catalog).get(source)
        return known.rows if known is not None else rows_noun(source)

    def is_dated(self, node: Node) -> bool:
        """Whether a node reads dates alone."""
        columns = [self.stored(ref) for ref in references(node)]
        return bool(columns) and all(column is not None and column.type in ("date", "datetime") for column in columns)
