"""A computed result seen the way a narrator and a chart look at it: its dimensions, its figures, its shape."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from apps.analyst.computing.compile.expressions import COUNTS_ONCE
from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import references, within
from apps.analyst.computing.compute import Computed
from apps.analyst.computing.drivers import cut_comparison
from apps.analyst.plan import (
    Aggregate,
    ColumnRef,
    Comparison,
    Describe,
    Drivers,
    Expr,
    Output,
    Plan,
    Query,
    SetOperation,
    Statistic,
)
from apps.analyst.plan.firsts import without_firsts
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.telling import formats
from apps.analyst.telling.formats import is_number
from apps.analyst.telling.labelling import Labels, groups_of, rows_of, things_of, wholes_of
from apps.analyst.types import Column, ResultColumn, Scalar, Table

Shape = Literal[
    "empty", "single", "record", "ranking", "series", "grid", "list", "compared", "drivers", "statistic", "description"
]
ADDITIVE = ("sum", "count")
_NEARLY = 0.95


@dataclass(frozen=True)
class View:
    """One computed plan with its catalog."""

    computed: Computed
    catalog: Catalog

    @cached_property
    def plan(self) -> Plan:
        """The plan as it is put into words."""
        return without_firsts(self.computed.plan, self.catalog)

    @property
    def rows(self) -> Sequence[tuple[Scalar, ...]]:
        return self.computed.result.rows

    @property
    def columns(self) -> tuple[ResultColumn, ...]:
        return self.computed.result.columns

    @property
    def total_rows(self) -> int:
        return self.computed.result.total_rows

    @cached_property
    def dimensions(self) -> list[int]:
        """Places of the columns that tell rows apart."""
        return [i for i, column in enumerate(self.columns) if column.kind == "dimension"]

    @cached_property
    def figures(self) -> list[int]:
        """Places of the columns of numbers."""
        return [
            i for i, c in enumerate(self.columns) if c.kind == "measure" and c.type in ("integer", "decimal", "float")
        ]

    @cached_property
    def query(self) -> Query | None:
        """The query the result's labels come from."""
        match self.plan:
            case Query():
                return self.plan
            case Comparison() | Statistic():
                return self.plan.query
            case Drivers():
                return cut_comparison(self.plan, self.plan.cuts[0]).query
            case SetOperation():
                return self.plan.left
            case _:
                return None

    @cached_property
    def scan(self) -> Query | None:
        """The innermost query: what is read from the files."""
        query = self.query
        while query is not None and isinstance(query.source, Query):
            query = query.source
        return query

    @property
    def source(self) -> str | None:
        """The table that is read first."""
        return self.scan.source if self.scan is not None and isinstance(self.scan.source, str) else None

    @cached_property
    def _marks(self) -> re.Pattern[str] | None:
        """The marks that exports put before every column of a table ("sls_sales", "sls_price"); they say nothing."""
        scan = self.scan
        names = {scan.source, *(join.table for join in scan.joins)} if scan is not None else set()
        found = [mark for t in self.catalog.tables() if t.name in names and (mark := _mark_of(t)) is not None]
        return re.compile(rf"\b(?:{'|'.join(map(re.escape, found))}) (?=\w)") if found else None

    def said(self, words: str) -> str:
        """Words of a plan with readable names of columns, without the marks that all columns of a table have."""
        told = self._labels.text(words)
        return self._labels.text(self._marks.sub("", told)) if self._marks is not None else told

    @cached_property
    def _labels(self) -> Labels:
        return Labels([self.plan], self.catalog)

    def thing(self, name: str, table: str | None = None) -> str:
        """What a column or label tells of its table's rows: "pier" for `pier_nm`."""
        return formats.thing(self.said(formats.spoken(name)), self.source or "" if table is None else table)

    def noun(self, count: int | None = None) -> str:
        """What the rows are called: the plan's own word ("won deals"), else the table's; the singular for one."""
        if self.query is not None and self.query.noun:
            return formats.singular(self.query.noun) if count == 1 else self.query.noun
        return self._things(count) or self.told_once(count) or rows_of(self.source or "", self.catalog, count)

    def told_once(self, count: int | None = None) -> str:
        """What the figures are of, where all of them read what is told once for several lines: "orders"; else ""."""
        figures = [part for part in self._aggregates if part.of is not None]
        read = [ref for part in figures if part.of is not None for ref in references(part.of)]
        once = all(map(self._is_told_once, figures))
        return wholes_of(read[0].table, self.catalog, count) if read and once else ""

    def _is_told_once(self, figure: Aggregate) -> bool:
        stored = [self.stored(ref) for ref in references(figure.of)] if figure.of is not None else []
        if all(found is not None and found[1].per_key == "once" for found in stored):
            return True
        alike = (part for part in every(self.computed.plan) if isinstance(part, Aggregate) and part.of == figure.of)
        return any(part != figure and without_firsts(part, self.catalog) == figure for part in alike)

    def _things(self, count: int | None) -> str:
        """The whole things that the figures count, where they count nothing else."""
        told = {things_of(part, self.catalog, count) for part in self._aggregates}
        return told.pop() if len(told) == 1 else ""

    @cached_property
    def _aggregates(self) -> list[Aggregate]:
        outputs = self.scan.measures if self.scan is not None else ()
        return [part for output in outputs for part in within(output.expr) if isinstance(part, Aggregate)]

    def counted(self, count: int | None = None) -> str:
        """What the query counts where it counts rows: the groups of the query that it reads ("customers"), else what
        rows are called; the singular for one."""
        keys = self.query.source.groups if self.query is not None and isinstance(self.query.source, Query) else ()
        told = groups_of(keys[0].expr, self.catalog) if len(keys) == 1 else None
        if told is None:
            return self.noun(count)
        return self.said(formats.singular(told) if count == 1 else told)

    @cached_property
    def one_entity(self) -> bool:
        """True where several columns name one thing, as first name, last name and number do: one of them is unique."""
        if len(self.dimensions) < 2 or any(self.columns[i].grain for i in self.dimensions):
            return False
        return any(self._identifies(place) for place in self.dimensions)

    def _identifies(self, place: int) -> bool:
        expr = self.expr(place)
        stored = self.stored(expr) if isinstance(expr, ColumnRef) else None
        if stored is None or not (stored[1].unique or stored[1].role == "id"):
            return False
        return len({row[place] for row in self.rows}) == len(self.rows)

    @cached_property
    def names(self) -> list[int]:
        """Places of the columns that people call a row by: without the numbers that only identify it."""
        if not self.one_entity:
            return self.dimensions
        named = [i for i in self.dimensions if self.columns[i].type == "text" and not self._is_code(i)]
        return named or self.dimensions

    def _is_code(self, place: int) -> bool:
        expr = self.expr(place)
        stored = self.stored(expr) if isinstance(expr, ColumnRef) else None
        return stored is not None and stored[1].role == "id"

    def expr(self, place: int) -> Expr | None:
        """What the column at `place` stands for, labels resolved."""
        output = self.output(place)
        return inline_labels(output.expr, self.query) if output is not None and self.query is not None else None

    def output(self, place: int) -> Output | None:
        """The plan's output behind the column at `place`."""
        if self.query is None:
            return None
        outputs = (*self.query.columns, *self.query.groups, *self.query.measures)
        return next((output for output in outputs if output.label == self.columns[place].name), None)

    def stored(self, ref: ColumnRef) -> tuple[Table, Column] | None:
        """The stored column behind a reference."""
        scan = self.scan
        names = {join.alias or join.table: join.table for join in scan.joins} if scan is not None else {}
        table = next((t for t in self.catalog.tables() if t.name == names.get(ref.table, ref.table)), None)
        column = table.column(ref.column) if table is not None else None
        return (table, column) if table is not None and column is not None else None

    def additive(self, place: int) -> bool:
        """True where the column's figures may be added up: totals and counts of distinct groups of rows."""
        expr = self.expr(place)
        if self.dimensions and expr is not None and self._may_count_twice(expr):
            return False
        return isinstance(expr, Aggregate) and expr.fn in ADDITIVE and not expr.distinct

    def _may_count_twice(self, figure: Expr) -> bool:
        """True where a row of what is measured may stand in several groups: its cell lists several entries, or it is
        joined to several rows, and not only to a few that were entered twice."""
        if self.scan is None:
            return False
        if self.scan.each:
            return True
        if not any(COUNTS_ONCE in note for note in self.computed.notes):
            return False
        if {ref.table for ref in references(figure)} != {self.source}:
            return True
        for join in self.scan.joins:
            ends = [end for key in join.on for end in (key.left, key.right) if end.table == (join.alias or join.table)]
            stored = self.stored(ends[0]) if len(ends) == 1 else None
            if stored is not None and stored[1].distinct < _NEARLY * (stored[0].rows - stored[1].missing):
                return True
        return False

    @property
    def complete(self) -> bool:
        """True where the result shows all groups, none cut off by a limit or a condition."""
        query = self.query
        cut = query is not None and (query.limit is not None or query.having is not None or query.offset > 0)
        return not self.computed.result.truncated and not cut

    @cached_property
    def shape(self) -> Shape:
        """What kind of answer this is."""
        if self.computed.statistic is not None:
            return "statistic"
        if isinstance(self.plan, Describe):
            return "description"
        if isinstance(self.plan, Drivers):
            return "drivers"
        if not self.rows:
            return "empty"
        if isinstance(self.plan, Comparison):
            return "compared"
        grouped = self.query is not None and bool(self.query.groups) and bool(self.query.measures)
        if len(self.rows) == 1 and not grouped:
            return "single" if len(self.columns) == 1 else "record"
        if not self.figures or not (grouped or self.dimensions):
            return "list"
        if not grouped:
            return "list"
        if len(self.dimensions) == 1 or self.one_entity:
            return "series" if self.runs_on(self.dimensions[0]) and len(self.rows) > 1 else "ranking"
        return "grid"

    def is_time(self, place: int) -> bool:
        """True for a column of periods, dates or years, in which rows follow each other."""
        column = self.columns[place]
        if column.grain is not None or column.type in ("date", "datetime"):
            return True
        expr = self.expr(place)
        stored = self.stored(expr) if isinstance(expr, ColumnRef) else None
        return stored is not None and stored[1].role == "time" and column.type == "integer"

    def runs_on(self, place: int) -> bool:
        """True for time that runs on (periods, dates, years), not for parts of it that come round again."""
        column = self.columns[place]
        lasting = column.type in ("date", "datetime") or column.grain in (None, "year", "decade")
        return lasting and self.is_time(place)

    def numbers(self) -> list[int]:
        """Places of all columns of numbers, also of those that tell rows apart."""
        return [i for i, c in enumerate(self.columns) if c.type in ("integer", "decimal", "float")]

    def values(self, place: int) -> list[float]:
        """The numbers of a column, missing ones left out."""
        return [float(v) for row in self.rows if is_number(v := row[place])]


def _mark_of(table: Table) -> str | None:
    """The short word that begins nearly all of a table's column names."""
    firsts = Counter(formats.spoken(column.name).split(" ")[0] for column in table.columns)
    word, count = firsts.most_common(1)[0] if firsts else ("", 0)
    return word if count >= 3 and count >= 0.75 * len(table.columns) and len(word) <= 4 else None
