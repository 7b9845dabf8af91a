"""What one level of a query reads: its source, joins and conditions, and what names mean there.

`Scan` is the plan's side (tables under the plan's aliases), `Names` the query's (aliases and columns as the SQL calls
them, each with the expression that it stands for). A SELECT that only filters and renames is merged into the one around
it: its names stand beside the others over the same scan.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from sqlglot import exp

from apps.analyst.computing.compile.outputs import figures_scope, scope_of
from apps.analyst.computing.compile.scope import Scope, Shape
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import ColumnRef, Expr, Join, JoinKey, Output, Predicate, Query
from apps.analyst.plan.conditions import all_of
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, Table


@dataclass(frozen=True, slots=True)
class Named:
    """A column as the query calls it, and what it stands for."""

    label: str
    expr: Expr


Columns = dict[str, Named]
"""By folded name, in the order of the columns."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A SELECT that was lifted: its query, and the labels of its columns by the names that SQL gives them."""

    query: Query
    names: tuple[tuple[str, str], ...]

    def columns(self, table: str = "") -> Columns:
        """The columns as they are read by a query around it."""
        return {name.casefold(): Named(label, ColumnRef(table=table, column=label)) for name, label in self.names}


@dataclass(frozen=True, slots=True)
class Desk:
    """What all levels of one statement share."""

    catalog: Catalog
    today: date | None = None

    def table(self, name: str) -> Table:
        """The table of that name, or of a file of that name."""
        wanted = name.casefold()
        tables = self.catalog.tables()
        found = next((t for t in tables if t.name.casefold() == wanted), None)
        found = found or next((t for t in tables if t.file_name.rsplit(".", 1)[0].casefold() == wanted), None)
        if found is None:
            raise NotLifted("no such table")
        return found


@dataclass
class Scan:
    """The part of a query that reads."""

    desk: Desk
    source: str | Query | None = None
    joins: list[Join] = field(default_factory=list)
    where: list[Predicate] = field(default_factory=list)
    pending: dict[str, str] = field(default_factory=dict)
    """Tables by alias that are named and not joined yet."""
    partly: set[str] = field(default_factory=set)
    """Tables by alias of which only some rows meet, in an outer join on a condition: others give missing values."""

    def alias_for(self, table: Table) -> str:
        """A name under which the table can be read once more."""
        taken = {name.casefold() for name in self._aliases()}
        alias, count = table.name, 1
        while alias.casefold() in taken:
            count += 1
            alias = f"{table.name} {count}"
        return alias

    def _aliases(self) -> list[str]:
        start = [self.source] if isinstance(self.source, str) else []
        return [*start, *(join.alias or join.table for join in self.joins), *self.pending]

    def join(self, alias: str, on: tuple[JoinKey, ...], how: str) -> None:
        """Joins a pending table."""
        table = self.pending.pop(alias)
        named = None if alias == table else alias
        self.joins.append(Join(table=table, on=on, how="left" if how == "left" else "inner", alias=named))

    def query(self, where: Predicate | None = None) -> Query:
        """The scan as a query that lists nothing yet."""
        assert self.source is not None
        return Query(source=self.source, joins=tuple(self.joins), where=all_of(*self.where, where))

    def scope(self) -> Scope:
        """What the plan's names mean here."""
        if self.source is None:
            return figures_scope(self.desk.catalog, {})
        waiting = [Join(table=t, on=(), alias=None if alias == t else alias) for alias, t in self.pending.items()]
        query = self.query().model_copy(update={"joins": (*self.joins, *waiting)})
        return scope_of(query, self.desk.catalog)

    def shape(self, expr: Expr) -> Shape:
        """The type and unit of an expression."""
        try:
            return shape_of(expr, self.scope())
        except PlanRejected as error:
            raise NotLifted(f"type: {error.message}") from error

    def stored(self, expr: Expr) -> Column | None:
        """The stored column that the expression is, if it is one."""
        if not isinstance(expr, ColumnRef) or not expr.table:
            return None
        name = next((j.table for j in self.joins if (j.alias or j.table) == expr.table), None)
        name = name or self.pending.get(expr.table) or expr.table
        table = next((t for t in self.desk.catalog.tables() if t.name == name), None)
        return table.column(expr.column) if table is not None else None

    def filled(self, expr: Expr) -> bool:
        """Whether the data has shown that the column never misses, and no join can make it miss."""
        column = self.stored(expr)
        left = {join.alias or join.table for join in self.joins if join.how == "left"}
        return column is not None and not column.missing and isinstance(expr, ColumnRef) and expr.table not in left


@dataclass
class Names:
    """What the columns are called in one SELECT."""

    tables: dict[str, Columns] = field(default_factory=dict)

    def find(self, column: exp.Column) -> Named | None:
        """What a column of the query stands for, None where nothing here is called that."""
        name, table = column.name.casefold(), column.table.casefold()
        if table:
            return self.tables.get(table, {}).get(name)
        return next((columns[name] for columns in self.tables.values() if name in columns), None)

    def all_of(self, table: str = "") -> list[tuple[str, Named]]:
        """Every column with the name SQL calls it by, for a star."""
        if table and table.casefold() not in self.tables:
            raise NotLifted("star of no table")
        chosen = [self.tables[table.casefold()]] if table else list(self.tables.values())
        return [(name, named) for columns in chosen for name, named in columns.items()]


def table_columns(table: Table, alias: str) -> Columns:
    """The columns of a stored table under an alias of the plan."""
    return {c.name.casefold(): Named(c.name, ColumnRef(table=alias, column=c.name)) for c in table.columns}


def outputs(columns: Mapping[str, Named]) -> tuple[Output, ...]:
    """Columns as outputs."""
    return tuple(Output(label=named.label, expr=named.expr) for named in columns.values())
