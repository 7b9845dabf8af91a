"""One query over frames: scan, join, filter, group, windows, order, limit. Values in, values out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import pandas as pd

from apps.analyst.computing.compile.before import with_before
from apps.analyst.computing.compile.guard import Guard, guard_of
from apps.analyst.computing.compile.layers import as_listed
from apps.analyst.computing.compile.order import SortKey, stated_keys, tie_breaks, window_keys
from apps.analyst.computing.compile.outputs import (
    completed,
    figures_scope,
    inline_labels,
    output_shapes,
    outputs_of,
    scope_of,
)
from apps.analyst.computing.compile.scope import NESTED, Scope, Shape
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.walk import references, rewrite, windowed
from apps.analyst.computing.executor.aggregates import aggregate
from apps.analyst.computing.executor.scans import Cells, Frames, by_entry, joined, key, prefixed, typed
from apps.analyst.computing.executor.values import Evaluator
from apps.analyst.computing.executor.windows import mark_of, ordered, window
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, Expr, Node, Output, Query, Window
from apps.analyst.ports import Catalog
from apps.analyst.types import Scalar

N = TypeVar("N", bound=Node)


def run_query(query: Query, catalog: Catalog, frames: Frames) -> pd.DataFrame:
    """The query's result, its labels as columns, rows in the query's order."""
    query = completed(query, catalog)
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": completed(query.source, catalog)})
    before = with_before(query, catalog)
    query = before.query if before is not None else query
    return _Run(query, catalog, frames).result()


def only_column(query: Query, catalog: Catalog, frames: Frames) -> list[Scalar]:
    """The values of a one-column query."""
    found = run_query(query, catalog, frames)
    return [None if pd.isna(value) else value for value in found.iloc[:, 0]]


@dataclass
class _Run:
    query: Query
    catalog: Catalog
    frames: Frames
    scope: Scope = field(init=False)
    shapes: dict[str, Shape] = field(init=False)
    rows: Evaluator = field(init=False)
    guard: Guard = field(init=False)
    ids: Cells = field(init=False)
    size: int = 0
    """Rows of the result before limits: groups, or listed rows."""

    def result(self) -> pd.DataFrame:
        """Runs the query."""
        self.scope = scope_of(self.query, self.catalog)
        self.shapes = output_shapes(self.query, self.catalog, self.scope)
        self.guard = guard_of(self.query, self.scope)
        self.rows = Evaluator(self._scanned(), self.scope, self._inner)
        if self.query.where is not None:
            kept = self.rows.truth(self.query.where).fillna(False).astype(bool)
            self.rows.frame = self.rows.frame[kept].reset_index(drop=True)
        self._group()
        columns = {o.label: list(self._column(o)) for o in outputs_of(self.query)}
        table = pd.DataFrame({label: pd.Series(cells, dtype="object") for label, cells in columns.items()})
        keys = stated_keys(self.query, self.shapes)
        hidden = {f"\x1fsort{i}": self._figures(k.expr) for i, k in enumerate(keys) if k.expr is not None}
        table = table.assign(**hidden)
        sorting = [replace(k, label=k.label or f"\x1fsort{i}", expr=None) for i, k in enumerate(keys)]
        if self.query.having is not None:
            table = table[self._having().fillna(False).astype(bool)].reset_index(drop=True)
        return self._limited(table, sorting)[list(self.shapes)].reset_index(drop=True)

    def _inner(self, query: Query) -> list[Scalar]:
        return only_column(query, self.catalog, self.frames)

    def _scanned(self) -> pd.DataFrame:
        source = self.query.source
        if isinstance(source, Query):
            found = run_query(source, self.catalog, self.frames)
            kinds = {label: shape.type for label, shape in output_shapes(source, self.catalog).items()}
            start = prefixed(pd.DataFrame({label: typed(found[label], kinds[label]) for label in kinds}), NESTED)
        else:
            start = by_entry(prefixed(self.frames[source], source), source, self.query)
        return joined(self.query, start, self.frames)

    # ------------------------------------------------------------ groups
    @property
    def _keys(self) -> tuple[Expr, ...]:
        """What rows are grouped by; listed rows that must differ are groups too."""
        if self.query.distinct and self.query.columns:
            return tuple(inline_labels(output.expr, self.query) for output in self.query.columns)
        return tuple(inline_labels(output.expr, self.query) for output in self.query.groups)

    @property
    def _grouped(self) -> bool:
        return bool(self.query.groups or self.query.measures or self.query.distinct)

    def _group(self) -> None:
        frame = self.rows.frame
        if not self._grouped:
            self.size = len(frame)
            return
        if not self._keys:
            self.ids, self.size = pd.Series(0, index=frame.index), 1
            return
        marks = pd.DataFrame({str(i): [repr(v) for v in self.rows.cells(expr)] for i, expr in enumerate(self._keys)})
        self.ids = (
            marks.groupby(list(marks.columns), sort=False).ngroup() if len(marks) else pd.Series([], dtype="int64")
        )
        self.size = int(self.ids.max()) + 1 if len(marks) else 0

    def _figures(self, expr: Expr | None) -> list[Any]:
        """An expression without windows, or with them, one value a row of the result."""
        assert expr is not None
        return list(self._result_cells(expr))

    def _column(self, output: Output) -> Cells:
        return self._result_cells(inline_labels(output.expr, self.query))

    def _result_cells(self, expr: Expr) -> Cells:
        """The expression, one value a row of the result."""
        if not self._grouped and not windowed(expr):
            return self.rows.cells(expr)
        lowered, evaluator = self._lowered(expr)
        return evaluator.cells(lowered)

    def _lowered(self, node: N) -> tuple[N, Evaluator]:
        """`node` over a frame of the result's rows, with windows, aggregates and keys as columns."""
        work = pd.DataFrame(index=range(self.size))
        known: dict[str, Shape] = {}

        def change(part: Node) -> Node | None:
            made = self._part(part)
            if made is None:
                return None
            name = f"c{len(known)}"
            known[name] = shape_of(part, self.scope)  # type: ignore[arg-type]
            work[key(NESTED, name)] = typed(pd.Series(list(made), dtype="object"), known[name].type)
            return ColumnRef(table=NESTED, column=name)

        lowered = rewrite(node, change)
        return lowered, Evaluator(work, figures_scope(self.catalog, known), self._inner)

    def _part(self, part: Node) -> Cells | list[Any] | None:
        """The values of a window, an aggregate or a group key; None for what is made of them."""
        if isinstance(part, Window):
            return self._window(part)
        if isinstance(part, Aggregate):
            return self._aggregate(part)
        for expr in self._keys:
            if part == expr:
                cells = self.rows.cells(expr)
                first = ~self.ids.duplicated()
                return list(cells[first.to_numpy()].iloc[self.ids[first].argsort()])
        if not self._grouped and isinstance(part, ColumnRef):
            return self.rows.cells(part)
        return None

    def _aggregate(self, expr: Aggregate) -> Cells:
        values = None if expr.of is None else self.rows.cells(expr.of)
        frame = self.rows.frame
        places = None
        if expr.fn in ("first", "last") and expr.of is not None:
            table = next(ref.table for ref in references(expr.of))
            places = frame[key(table, ROW_NUMBER)]
        repeated = () if expr.distinct else self.guard.repeated(expr)
        return aggregate(
            expr,
            values,
            self.ids,
            self.size,
            kept=None if expr.where is None else self.rows.truth(expr.where),
            places=places,
            once=[frame[key(alias, ROW_NUMBER)] for alias in repeated],
            kind=shape_of(expr, self.scope).type,
        )

    def _window(self, expr: Window) -> list[Any]:
        keys = window_keys(expr, self.query, self.shapes)
        labels = {*expr.partition, *(k.label for k in keys if k.label is not None)}
        columns = {o.label: list(self._column(o)) for o in outputs_of(self.query) if o.label in labels}
        return window(expr, list(self._result_cells(expr.of)), columns, keys, self.size)

    def _having(self) -> Cells:
        assert self.query.having is not None
        lowered, evaluator = self._lowered(inline_labels(self.query.having, self.query, own_first=True))
        return evaluator.truth(lowered)

    # ------------------------------------------------------------ order and limits
    def _limited(self, table: pd.DataFrame, keys: list[SortKey]) -> pd.DataFrame:
        query = self.query
        total = keys + tie_breaks(query, self.shapes, keys)
        columns = {str(name): list(table[name]) for name in table.columns}
        by = [] if as_listed(query) and not keys else total
        order = ordered([(columns[k.label or ""], k) for k in by], range(len(table)))
        if query.limit is None:
            return table.iloc[order[query.offset :]]
        if not query.limit_per and not query.ties:
            return table.iloc[order[query.offset : query.offset + query.limit]]
        return table.iloc[self._cut_by_rows(order, columns, keys)]

    def _cut_by_rows(self, order: list[int], columns: dict[str, list[Any]], keys: list[SortKey]) -> list[int]:
        """The rows within the limit of their group; with ties, those that rank within it."""
        query = self.query
        seen: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        kept: list[int] = []
        for row in order:
            part = seen.setdefault(tuple(repr(columns[label][row]) for label in query.limit_per), [])
            mark = tuple(repr(mark_of(columns[k.label or ""][row], k)) for k in keys)
            place = part.index(mark) + 1 if query.ties and mark in part else len(part) + 1
            part.append(mark)
            if query.offset < place <= query.offset + (query.limit or 0):
                kept.append(row)
        return kept
