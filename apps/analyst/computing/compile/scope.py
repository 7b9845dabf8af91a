"""What names mean inside one query: the scanned tables by alias, their columns, and the query's own output labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from apps.analyst.computing.compile.clocks import tell_the_time
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import ROW_NUMBER, ColumnRef, Query
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, ColumnType, Role, Table, ValueCount

NESTED = ""
"""The alias under which the columns of a nested query are known."""

NUMERIC: frozenset[str] = frozenset({"integer", "decimal", "float"})
TEMPORAL: frozenset[str] = frozenset({"date", "datetime"})


@dataclass(frozen=True, slots=True)
class Shape:
    """What is known of an expression without computing it. `type` None is an untyped missing value."""

    type: ColumnType | None
    unit: str | None = None
    grain: str | None = None
    role: Role | None = None
    said: tuple[ValueCount, ...] = field(default=(), compare=False, repr=False)
    """The texts that are known to stand in it."""

    @property
    def clock(self) -> bool:
        """True for texts that are times of day, as far as they are known."""
        return self.type == "text" and tell_the_time(found.value for found in self.said)

    @property
    def numeric(self) -> bool:
        return self.type in NUMERIC

    @property
    def temporal(self) -> bool:
        return self.type in TEMPORAL


class InnerQueries(Protocol):
    """The shapes of queries that stand inside expressions. Expressions hold queries and queries expressions; here the
    circle is closed by who makes the scope."""

    def of_value(self, query: Query) -> Shape:
        """The shape of a query used as one value. Raises PlanRejected where it may give several rows."""

    def of_groups(self, query: Query) -> tuple[Shape, Shape]:
        """The shapes of a query's only group and its only figure. Raises PlanRejected where it has others."""

    def of_set(self, query: Query) -> Shape:
        """The shape of a one-column query's column. Raises PlanRejected where it has more or fewer."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Names that expressions of one query may use."""

    catalog: Catalog
    queries: InnerQueries
    tables: Mapping[str, Mapping[str, Shape]]
    """Alias to column name to shape."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Alias to the catalog's table name; the nested query has none."""
    labels: Mapping[str, Shape] = field(default_factory=dict)
    """This query's output labels, where they may be named (`having`, `order`, windows)."""

    def with_labels(self, labels: Mapping[str, Shape]) -> Scope:
        """The same scope with output labels to refer to."""
        return replace(self, labels=labels)

    def shape(self, ref: ColumnRef) -> Shape:
        """The shape of a column. Raises PlanRejected with the valid names where there is none."""
        if ref.table == NESTED and ref.column in self.labels:
            return self.labels[ref.column]
        columns = self.tables.get(ref.table)
        if columns is None:
            if ref.table == NESTED:
                raise PlanRejected(
                    f"There is no result column {ref.column!r}. {listing('Result columns', self.labels)}"
                )
            raise PlanRejected(f"{ref.table!r} is not among the tables read. {listing('Tables', self.tables)}")
        if ref.column in columns:
            return columns[ref.column]
        if ref.column == ROW_NUMBER:
            return Shape("integer", role="id")
        where = repr(ref.table) if ref.table else "the inner query"
        raise PlanRejected(f"There is no column {ref.column!r} in {where}. {listing('It has', columns)}")


def listing(what: str, names: Iterable[str], most: int = 40) -> str:
    """ "It has: a, b, c." cut to `most` names, for error messages that say what would be valid."""
    shown = list(names)
    if not shown:
        return f"{what}: none."
    more = f" and {len(shown) - most} more" if len(shown) > most else ""
    return f"{what}: {', '.join(shown[:most])}{more}."


def table_named(catalog: Catalog, name: str) -> Table:
    """The catalog's table of that name. Raises PlanRejected with the names there are."""
    tables: Sequence[Table] = catalog.tables()
    for table in tables:
        if table.name == name:
            return table
    raise PlanRejected(f"There is no table {name!r}. {listing('Tables', (t.name for t in tables))}")


def column_shape(column: Column) -> Shape:
    """A stored column's shape."""
    return Shape(column.type, unit=column.unit, role=column.role, said=column.values)


def table_shapes(table: Table) -> dict[str, Shape]:
    """All columns of a stored table."""
    return {column.name: column_shape(column) for column in table.columns}


def base_scope(query: Query, catalog: Catalog, queries: InnerQueries, nested: Mapping[str, Shape] | None) -> Scope:
    """The tables of `query`; `nested` are the output shapes of its inner query, where it has one."""
    tables: dict[str, Mapping[str, Shape]] = {}
    names: dict[str, str] = {}
    if isinstance(query.source, str):
        tables[query.source] = table_shapes(table_named(catalog, query.source))
        names[query.source] = query.source
    else:
        tables[NESTED] = nested or {}
    taken = {alias.casefold() for alias in tables}
    for join in query.joins:
        alias = join.alias or join.table
        if alias.casefold() in taken:
            raise PlanRejected(f"{alias!r} is joined twice under one name; give the second an alias.")
        taken.add(alias.casefold())
        tables[alias] = table_shapes(table_named(catalog, join.table))
        names[alias] = join.table
    return Scope(catalog=catalog, queries=queries, tables=tables, names=names)
