"""Groups, figures, order and limits of one query over its flat sheet, worked off by hand."""

from __future__ import annotations

import math
import statistics
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from apps.analyst.approaches.sheet_cells import Cells, Row, comparable
from apps.analyst.approaches.sheet_notes import Notes
from apps.analyst.computing.compile.layers import as_listed
from apps.analyst.computing.compile.order import CALENDAR, SortKey, stated_keys, tie_breaks, window_keys
from apps.analyst.computing.compile.outputs import inline_labels, output_shapes, outputs_of
from apps.analyst.computing.compile.scope import NESTED, Shape
from apps.analyst.computing.compile.walk import references, rewrite, windowed
from apps.analyst.computing.executor.windows import window
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, Expr, Node, Predicate, Query, Window
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import spoken


@dataclass
class Totals:
    """Groups, figures, order and limits of one query over its filtered sheet."""

    catalog: Catalog
    notes: Notes
    query: Query
    cells: Cells
    flat: list[Row]

    def rows(self) -> list[dict[str, Any]]:
        query = self.query
        shapes = output_shapes(query, self.catalog)
        parts = self._parts()
        made = [
            {
                o.label: self._figure(inline_labels(o.expr, query), part)
                for o in outputs_of(query)
                if not windowed(inline_labels(o.expr, query))
            }
            for part in parts
        ]
        for output in outputs_of(query):
            expr = inline_labels(output.expr, query)
            if windowed(expr):
                for row, value in zip(made, self._window_column(expr, parts, made, shapes), strict=True):
                    row[output.label] = value
        keys = stated_keys(query, shapes)
        for place, key in enumerate(keys):
            if key.expr is not None:
                for row, part in zip(made, parts, strict=True):
                    row[f"\x1fsort{place}"] = self._figure(key.expr, part)
        if query.having is not None:
            test = inline_labels(query.having, query, own_first=True)
            pairs = [(row, part) for row, part in zip(made, parts, strict=True) if self._passes(test, part)]
            made = [row for row, _ in pairs]
        sorting = [
            SortKey(k.label or f"\x1fsort{i}", None, k.descending, k.calendar, k.computed) for i, k in enumerate(keys)
        ]
        kept = self._limited(made, sorting, shapes)
        return [{o.label: row[o.label] for o in outputs_of(query)} for row in kept]

    def _parts(self) -> list[list[Row]]:
        """The rows of each group; without groups each row alone, or all rows together."""
        query = self.query
        listed = bool(query.columns)
        if listed and not query.distinct:
            return [[row] for row in self.flat]
        keys = [inline_labels(o.expr, query) for o in (query.columns if listed else query.groups)]
        if not keys:
            return [self.flat]
        found: dict[tuple[str, ...], list[Row]] = {}
        for row in self.flat:
            mark = tuple(repr(comparable(self.cells.value(key, row))) for key in keys)
            found.setdefault(mark, []).append(row)
        return list(found.values())

    def _figure(self, expr: Expr, part: Sequence[Row]) -> Any:
        """An expression over one group: its aggregates first, the rest as a cell of its first row."""
        made: dict[tuple[str, str], Any] = {}

        def change(node: Node) -> Node | None:
            if isinstance(node, Aggregate):
                name = f"\x1ffigure{len(made)}"
                made[NESTED, name] = self._aggregate(node, part)
                return ColumnRef(table=NESTED, column=name)
            return None

        lowered = rewrite(expr, change)
        first: Row = part[0] if part else {}
        return self.cells.value(lowered, {**first, **made} if made else first)

    def _passes(self, test: Predicate, part: Sequence[Row]) -> bool:
        made: dict[tuple[str, str], Any] = {}

        def change(node: Node) -> Node | None:
            if isinstance(node, Aggregate):
                name = f"\x1ffigure{len(made)}"
                made[NESTED, name] = self._aggregate(node, part)
                return ColumnRef(table=NESTED, column=name)
            if isinstance(node, Window):
                raise PlanRejected("A condition on a figure that looks across rows is not worked off by hand.")
            return None

        lowered = rewrite(test, change)
        return self.cells.holds(lowered, {**(part[0] if part else {}), **made})

    # ------------------------------------------------------------ figures
    def _aggregate(self, expr: Aggregate, part: Sequence[Row]) -> Any:
        rows = part if expr.where is None else [row for row in part if self.cells.holds(expr.where, row)]
        if expr.of is None:
            return len(rows)
        values = [self.cells.value(expr.of, row) for row in rows]
        if expr.fn in ("first", "last"):
            table = next(ref.table for ref in references(expr.of))
            places = [
                (row[table, ROW_NUMBER], value) for row, value in zip(rows, values, strict=True) if value is not None
            ]
            return (min if expr.fn == "first" else max)(places, key=lambda pair: pair[0])[1] if places else None
        self._note_repetition(expr, rows)
        known = [value for value in values if value is not None]
        if expr.distinct:
            known = list({repr(comparable(value)): value for value in known}.values())
        blanks = len(values) - sum(value is not None for value in values)
        if blanks and expr.fn == "avg" and not expr.distinct and known:
            self.notes.blank_averages[_name_of(expr.of)] += blanks
            return math.fsum(map(float, known)) / len(values)
        return _FIGURES[expr.fn](known, expr)

    def _note_repetition(self, expr: Aggregate, rows: Sequence[Row]) -> None:
        """Remembers tables whose rows stand in the sheet more than once under a figure of theirs."""
        if not self.query.joins or expr.distinct or expr.of is None or expr.fn in ("min", "max", "mode"):
            return
        for table in {ref.table for ref in references(expr.of)}:
            places = [place for row in rows if (place := row.get((table, ROW_NUMBER))) is not None]
            if len(set(places)) < len(places):
                met, times = self.notes.repeated.get(table, (set(), 0))
                self.notes.repeated[table] = (met | set(places), times + len(places))

    def _window_column(
        self, expr: Expr, parts: Sequence[Sequence[Row]], made: list[dict[str, Any]], shapes: dict[str, Shape]
    ) -> list[Any]:
        if not isinstance(expr, Window):
            raise PlanRejected("Computing with a figure that looks across rows is not done by hand.")
        keys = window_keys(expr, self.query, shapes)
        columns = {label: [row[label] for row in made] for label in (made[0] if made else {})}
        return window(expr, [self._figure(expr.of, part) for part in parts], columns, keys, len(made))

    # ------------------------------------------------------------ order and limits
    def _limited(
        self, made: list[dict[str, Any]], keys: list[SortKey], shapes: dict[str, Shape]
    ) -> list[dict[str, Any]]:
        query = self.query
        order = made if as_listed(query) and not keys else by_keys(made, [*keys, *tie_breaks(query, shapes, keys)])
        if query.limit is None:
            return order[query.offset :]
        if not query.limit_per and not query.ties:
            return order[query.offset : query.offset + query.limit]
        seen: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
        kept: list[dict[str, Any]] = []
        for row in order:
            group = seen.setdefault(tuple(repr(row[label]) for label in query.limit_per), [])
            mark = tuple(repr(_sort_value(row[k.label or ""], k)) for k in keys)
            place = group.index(mark) + 1 if query.ties and mark in group else len(group) + 1
            group.append(mark)
            if query.offset < place <= query.offset + query.limit:
                kept.append(row)
        return kept


def _name_of(expr: Expr) -> str:
    return " and ".join(dict.fromkeys(spoken(ref.column) for ref in references(expr))) or "the figure"


def by_keys(rows: list[dict[str, Any]], keys: Sequence[SortKey]) -> list[dict[str, Any]]:
    """By the keys, the first weighing most; blanks last, equal rows as they were."""
    order = list(rows)
    for key in reversed(keys):
        label = key.label or ""
        blank = [row for row in order if row[label] is None]
        known = [(_sort_value(row[label], key), row) for row in order if row[label] is not None]
        known.sort(key=lambda pair: pair[0], reverse=key.descending)
        order = [row for _, row in known] + blank
    return order


def _sort_value(value: Any, key: SortKey) -> Any:
    if value is None:
        return None
    if key.calendar:
        return CALENDAR[key.calendar].index(str(value))
    value = comparable(value)
    return float(f"{value:.12e}") if isinstance(value, float) else value


# ---------------------------------------------------------------- figures over known values
def _mode(values: list[Any], _: Aggregate) -> Any:
    if not values:
        return None
    counts = Counter(values)
    most = max(counts.values())
    return min((value for value, count in counts.items() if count == most), key=comparable)


def _floats(function: Callable[[list[float]], float], least: int = 1) -> Callable[[list[Any], Aggregate], float | None]:
    def figure(values: list[Any], _: Aggregate) -> float | None:
        return function([float(value) for value in values]) if len(values) >= least else None

    return figure


def _quantile(values: list[Any], expr: Aggregate) -> float | None:
    if not values:
        return None
    ordered = sorted(float(value) for value in values)
    place = (expr.quantile or 0.0) * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


_FIGURES: dict[str, Callable[[list[Any], Aggregate], Any]] = {
    "count": lambda values, _: len(values),
    "sum": _floats(math.fsum),
    "avg": _floats(lambda values: math.fsum(values) / len(values)),
    "min": lambda values, _: min(values, key=comparable, default=None),
    "max": lambda values, _: max(values, key=comparable, default=None),
    "median": _floats(statistics.median),
    "stddev": _floats(statistics.stdev, 2),
    "stddev_pop": _floats(statistics.pstdev),
    "variance": _floats(statistics.variance, 2),
    "variance_pop": _floats(statistics.pvariance),
    "quantile": _quantile,
    "mode": _mode,
}
