"""Settles what a plan leaves to the data: how wide a bin is when only their number is asked for, which spellings of a
name are one, what the entries of cells are that list several, and what a rate comes to over several rows.

A settled plan means the same to every executor, and its bins have edges a person would choose.
"""

from __future__ import annotations

import math
from decimal import Decimal

from apps.analyst.computing.compile import compile_plan
from apps.analyst.computing.compile.walk import rewrite, with_queries, within
from apps.analyst.plan import (
    Aggregate,
    Bin,
    ColumnRef,
    Expr,
    Node,
    Output,
    Plan,
    Query,
)
from apps.analyst.plan.entries import by_entry
from apps.analyst.plan.spelling import merged
from apps.analyst.plan.stretches import plain_periods
from apps.analyst.plan.weighted import with_weights
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Column, Scalar

DEFAULT_BINS = 10


def settled(plan: Plan, catalog: Catalog, warehouse: Warehouse) -> Plan:
    """`plan` with its lists read by entry, its names in one spelling, its rates weighted, and a width for every bin."""
    return with_queries(by_entry(plan, catalog), lambda query: _query(query, catalog, warehouse))


def _query(query: Query, catalog: Catalog, warehouse: Warehouse) -> Query:
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": _query(query.source, catalog, warehouse)})
    query = with_weights(_spellings(plain_periods(query), catalog), catalog, warehouse)
    if not any(isinstance(part, Bin) for part in within(query)):
        return query
    return _bins(query, query, catalog, warehouse)


def _spellings(query: Query, catalog: Catalog) -> Query:
    """The query with what it groups by, and what it counts once each, in one spelling."""
    columns = tuple(_one_spelling(o, query, catalog) for o in query.columns) if query.distinct else query.columns
    groups = tuple(_one_spelling(output, query, catalog) for output in query.groups)
    measures = tuple(_counted_once(output, query, catalog) for output in query.measures)
    if (columns, groups, measures) == (query.columns, query.groups, query.measures):
        return query
    return query.model_copy(update={"columns": columns, "groups": groups, "measures": measures})


def _one_spelling(output: Output, query: Query, catalog: Catalog) -> Output:
    if not isinstance(output.expr, ColumnRef):
        return output
    expr = _merged(output.expr, query, catalog)
    return output if expr is output.expr else output.model_copy(update={"expr": expr})


def _counted_once(output: Output, query: Query, catalog: Catalog) -> Output:
    def change(part: Node) -> Node | None:
        if isinstance(part, Aggregate) and part.distinct and isinstance(part.of, ColumnRef):
            expr = _merged(part.of, query, catalog)
            return None if expr is part.of else part.model_copy(update={"of": expr})
        return None

    expr = rewrite(output.expr, change)
    return output if expr is output.expr else output.model_copy(update={"expr": expr})


def _merged(ref: ColumnRef, query: Query, catalog: Catalog) -> Expr:
    column = _stored(ref, query, catalog)
    by_entry = any(part.of == ref for part in query.each)
    return merged(ref, column) if column is not None and not by_entry else ref


def _stored(ref: ColumnRef, query: Query, catalog: Catalog) -> Column | None:
    name = next((j.table for j in query.joins if (j.alias or j.table) == ref.table), ref.table)
    table = next((t for t in catalog.tables() if t.name == name), None)
    return table.column(ref.column) if table is not None else None


def _bins(node: Query, query: Query, catalog: Catalog, warehouse: Warehouse) -> Query:
    def change(part: Node) -> Node | None:
        if isinstance(part, Bin) and not part.width:
            return part.model_copy(update={"width": _width(part, query, catalog, warehouse)})
        return None

    return rewrite(node, change)


def _width(part: Bin, query: Query, catalog: Catalog, warehouse: Warehouse) -> float:
    low, high = _range(part.of, query, catalog, warehouse)
    return nice_width(low, high, part.count or DEFAULT_BINS)


def _range(expr: Expr, query: Query, catalog: Catalog, warehouse: Warehouse) -> tuple[float, float]:
    """The least and the greatest value: from the profile for a stored column, else asked of the data."""
    if isinstance(expr, ColumnRef) and expr.table:
        column = _stored(expr, query, catalog)
        if column is not None and _number(column.minimum) and _number(column.maximum):
            return float(str(column.minimum)), float(str(column.maximum))
    ends = Query(
        source=query.source,
        joins=query.joins,
        each=query.each,
        where=query.where,
        measures=(
            Output(label="low", expr=Aggregate(fn="min", of=expr)),
            Output(label="high", expr=Aggregate(fn="max", of=expr)),
        ),
    )
    compiled = compile_plan(ends, catalog, count=False)
    found = warehouse.query(compiled.sql, compiled.parameters, tables=dict(compiled.tables), columns=compiled.columns)
    low, high = found.rows[0] if found.rows else (None, None)
    return (float(str(low)), float(str(high))) if _number(low) and _number(high) else (0.0, 1.0)


def _number(value: Scalar) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def nice_width(low: float, high: float, count: int) -> float:
    """A width of 1, 2, 2.5 or 5 times a power of ten that covers low to high in about `count` bins."""
    span = high - low
    if span <= 0 or not math.isfinite(span):
        return 1.0
    rough = span / max(count, 1)
    power = 10.0 ** math.floor(math.log10(rough))
    width = next((step * power for step in (1, 2, 2.5, 5, 10) if step * power >= rough * 0.999), 10 * power)
    return float(f"{width:.6g}")
