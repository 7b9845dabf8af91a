"""A query as one SELECT, or as three nested ones where figures look across the rows of the result.

Inside out: the base scans, joins, filters and groups; the next adds windows; the outermost filters on them, limits per
group or with ties, sorts, and shows the visible columns.
"""

# ruff: noqa: S608 - writing SQL is what this module does; names are quoted by `names`, values are bound.

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from apps.analyst.computing.compile.before import with_before
from apps.analyst.computing.compile.expressions import (
    BLANK,
    COUNTS_ONCE_AN_ENTRY,
    NESTED_ALIAS,
    Writer,
    folded_key,
)
from apps.analyst.computing.compile.guard import guard_of
from apps.analyst.computing.compile.layers import Layers, as_listed, split
from apps.analyst.computing.compile.names import identifier
from apps.analyst.computing.compile.order import SortKey, key_sql, tie_breaks
from apps.analyst.computing.compile.outputs import completed, output_shapes, scope_of
from apps.analyst.computing.compile.scope import NESTED, table_named
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.statement import Statement
from apps.analyst.computing.compile.windows import framed_writer
from apps.analyst.plan import ROW_NUMBER, ColumnRef, Entries, JoinKey, Predicate, Query
from apps.analyst.tables.folding import key_part_sql
from apps.analyst.types import Table


@dataclass(frozen=True, slots=True)
class QuerySql:
    """A written query. `counted` names a hidden last column with the number of source rows, where there is one."""

    sql: str
    labels: tuple[str, ...]
    counted: str | None = None


def query_sql(query: Query, statement: Statement, *, inner: bool = False, count: bool = False) -> QuerySql:
    """`query` as SQL. `inner` ones are sorted only where a limit makes it matter; `count` adds the source rows."""
    query = completed(query, statement.catalog)
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": completed(query.source, statement.catalog)})
    before = with_before(query, statement.catalog)
    if before is not None:
        query = before.query
        statement.note(before.note)
    scope = scope_of(query, statement.catalog)
    guard = guard_of(query, scope)
    layers = split(query, scope, output_shapes(query, statement.catalog, scope), guard)
    writer = Writer(statement, scope, subquery_of(statement), guard)
    return _Rendering(layers, writer, inner, before.told if before is not None else None).render(count)


def subquery_of(statement: Statement) -> Callable[[Query], str]:
    """Writes inner queries into the statement."""
    return lambda query: query_sql(query, statement, inner=True).sql


@dataclass(slots=True)
class _Rendering:
    layers: Layers
    writer: Writer
    inner: bool
    told: Predicate | None = None
    """What the rows fulfil that count as source rows; None where all do."""

    def render(self, count: bool) -> QuerySql:
        """The SQL text of the layers."""
        layers, query = self.layers, self.layers.query
        columns = {name: self.writer.sql(expr) for name, expr in layers.base.items()}
        counted = None
        if count and (query.groups or query.measures):
            counted = f"{layers.prefix}n"
            only = f" FILTER (WHERE {self.writer.predicate(self.told)})" if self.told is not None else ""
            columns[counted] = f"sum(count(*){only}) OVER ()" if query.groups else "count(*)"
        text = self._base(columns) if layers.single else self._framed(columns, counted)
        return QuerySql(text, layers.shown, counted)

    # ------------------------------------------------------------ one SELECT
    def _base(self, columns: dict[str, str]) -> str:
        layers, query = self.layers, self.layers.query
        where = f" WHERE {self.writer.predicate(query.where)}" if query.where is not None else ""
        having = f" HAVING {self.writer.predicate(layers.having)}" if layers.having is not None else ""
        order = self._direct_order(columns) if layers.single else ""
        distinct = "DISTINCT " if query.distinct and query.columns and not layers.by_group else ""
        grouped = len(layers.shown) if layers.by_group else len(query.groups)
        group = " GROUP BY " + ", ".join(str(i + 1) for i in range(grouped)) if grouped else ""
        items = ", ".join(f"{sql} AS {identifier(name)}" for name, sql in columns.items())
        limit = self._limit() if layers.single else ""
        # The scan is written last: only now is it known whose row numbers are needed.
        return f"SELECT {distinct}{items} FROM {self._scans()}{where}{group}{having}{order}{limit}"

    def _direct_order(self, columns: dict[str, str]) -> str:
        query, keys = self.layers.query, self.layers.keys
        if self._order_is_idle():
            return ""
        places, steady = list(columns), self.writer.statement.steady
        terms: list[str] = []
        numbered = any(isinstance(key.expr, ColumnRef) and key.expr.column == ROW_NUMBER for key in keys)
        for key in keys + ([] if numbered else tie_breaks(query, self.layers.shapes, keys)):
            if key.expr is not None:
                real = steady and key.computed and shape_of(key.expr, self.layers.scope).type == "float"
                terms.append(key_sql(key, self.writer.sql(key.expr), real=real))
            elif key.calendar or (key.computed and steady):
                terms.append(key_sql(key, columns[key.label or ""]))
            else:
                terms.append(key_sql(key, str(places.index(key.label or "") + 1), real=False))
        return " ORDER BY " + ", ".join(terms) if terms else ""

    def _order_is_idle(self) -> bool:
        """True where sorting changes nothing anyone sees: one row, an inner set, rows listed as the file has them."""
        query = self.layers.query
        if self.inner and query.limit is None and not query.offset:
            return True
        if query.measures and not query.groups:
            return True
        return as_listed(query) and not self.layers.keys

    # ------------------------------------------------------------ three SELECTs
    def _framed(self, columns: dict[str, str], counted: str | None) -> str:
        layers, query = self.layers, self.layers.query
        writer = framed_writer(self.writer, layers)
        frames = "".join(f", {writer.sql(expr)} AS {identifier(name)}" for name, expr in layers.framed.items())
        shown = ", ".join(identifier(name) for name in (*layers.shown, *((counted,) if counted else ())))
        after = f" WHERE {writer.predicate(layers.after)}" if layers.after is not None else ""
        text = f"SELECT *{frames} FROM ({self._base(columns)}) AS {identifier(NESTED_ALIAS)}"
        total = layers.keys + tie_breaks(query, layers.shapes, layers.keys)
        text = f"SELECT {shown} FROM ({text}) AS {identifier(NESTED_ALIAS)}{after}"
        steady = writer.statement.steady
        order = "" if self._order_is_idle() else _order_by(total, steady)
        if query.limit is not None and (query.limit_per or query.ties):
            return text + self._qualify(total) + order
        return text + order + self._limit()

    def _qualify(self, total: list[SortKey]) -> str:
        query = self.layers.query
        per = ", ".join(identifier(label) for label in query.limit_per)
        function, keys = ("rank", self.layers.keys) if query.ties else ("row_number", total)
        over = " ".join(
            part
            for part in (f"PARTITION BY {per}" if per else "", _order_by(keys, self.writer.statement.steady).strip())
            if part
        )
        place = f"{function}() OVER ({over})"
        lower = f" AND {place} > {int(query.offset)}" if query.offset else ""
        return f" QUALIFY {place} <= {int(query.offset) + int(query.limit or 0)}{lower}"

    def _limit(self) -> str:
        query = self.layers.query
        limit = f" LIMIT {int(query.limit)}" if query.limit is not None else ""
        return limit + (f" OFFSET {int(query.offset)}" if query.offset else "")

    # ------------------------------------------------------------ scans
    def _scans(self) -> str:
        query = self.layers.query
        conditions = [" AND ".join(self._key(key) for key in join.on) for join in query.joins]
        text = self._nested(query.source) if isinstance(query.source, Query) else self._table(query.source, None)
        for join, condition in zip(query.joins, conditions, strict=True):
            how = "LEFT JOIN" if join.how == "left" else "JOIN"
            text += f" {how} {self._table(join.table, join.alias)} ON {condition}"
        return text

    def _key(self, key: JoinKey) -> str:
        a, b = self.writer.sql(key.left), self.writer.sql(key.right)
        if key.part is not None:
            stretch = str(key.part.start), str(key.part.length or 0)
            left, right = (stretch, ("0", "0")) if key.part.side == "left" else (("0", "0"), stretch)
            return f"{key_part_sql(a, *left)} = {key_part_sql(b, *right)}"
        return f"{folded_key(a)} = {folded_key(b)}" if key.fold else f"{a} = {b}"

    def _nested(self, query: Query) -> str:
        text = f"({query_sql(query, self.writer.statement, inner=True).sql})"
        if NESTED in self.writer.row_numbers:
            text = f"(SELECT *, row_number() OVER () AS {identifier(ROW_NUMBER)} FROM {text} AS _rows)"
        return f"{text} AS {identifier(NESTED_ALIAS)}"

    def _table(self, name: str, alias: str | None) -> str:
        table = table_named(self.writer.statement.catalog, name)
        self.writer.statement.tables[table.name] = table.path
        known = alias or name
        source = identifier(name)
        if known in self.writer.row_numbers:
            source = f"(SELECT *, row_number() OVER () AS {identifier(ROW_NUMBER)} FROM {source})"
        for part in self.layers.query.each:
            if part.of.table == known:
                source = f"({self._entries(table, part, source, known)})"
        return source if source == identifier(known) else f"{source} AS {identifier(known)}"

    def _entries(self, table: Table, part: Entries, source: str, known: str) -> str:
        """The table's rows, each once for each entry of the column; those of an empty cell once without any."""
        statement, listed, mark = self.writer.statement, identifier(part.of.column), part.separator
        around = rf"[\s\p{{Z}}{mark}]"
        ends, between = statement.bind(f"^{around}+|{around}+$"), statement.bind(rf"{BLANK}*[{mark}]{around}*")
        text = f"regexp_replace({listed}, {ends}, '', 'g')"
        entries = f"list_distinct(string_split_regex({text}, {between}))"
        numbered = [identifier(ROW_NUMBER)] if known in self.writer.row_numbers else []
        others = [identifier(column.name) for column in table.columns if column.name != part.of.column]
        each = f"unnest(CASE WHEN {text} <> '' THEN {entries} ELSE [NULL] END) AS {listed}"
        statement.note(f"A row of {known} {COUNTS_ONCE_AN_ENTRY} of {part.of.column}.")
        return f"SELECT {', '.join((*numbered, *others, each))} FROM {source} AS {identifier(known)}"


def _order_by(keys: list[SortKey], steady: bool) -> str:
    terms = [key_sql(key, identifier(key.label or ""), real=steady) for key in keys]
    return " ORDER BY " + ", ".join(terms) if terms else ""
