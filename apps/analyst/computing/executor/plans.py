"""Whole plans over frames: queries, sets, comparisons, combined figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

from apps.analyst.computing.compile.comparisons import (
    additive,
    compared_labels,
    comparison_columns,
    comparison_keys,
    side_of,
)
from apps.analyst.computing.compile.outputs import figures_scope, output_shapes, result_columns, unit_of
from apps.analyst.computing.compile.scope import NESTED, Shape
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.statement import Statement
from apps.analyst.computing.drivers import as_result, decomposed
from apps.analyst.computing.executor.queries import only_column, run_query
from apps.analyst.computing.executor.scans import Frames, key, typed
from apps.analyst.computing.executor.values import Evaluator
from apps.analyst.computing.executor.windows import ordered
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Combine, Comparison, Drivers, Output, Plan, Query, SetOperation
from apps.analyst.ports import Catalog
from apps.analyst.types import Result, ResultColumn, Scalar


def execute(plan: Plan, catalog: Catalog, frames: Frames) -> Result:
    """The result of a settled plan. Raises PlanRejected for plans that are not computed over rows."""
    match plan:
        case Query():
            return _result(run_query(plan, catalog, frames), result_columns(plan, catalog))
        case SetOperation():
            return _set(plan, catalog, frames)
        case Comparison():
            return _comparison(plan, catalog, frames)
        case Combine():
            return _combine(plan, catalog, frames)
        case Drivers():
            found, ordered = decomposed(plan, lambda comparison: execute(comparison, catalog, frames))
            return as_result(found, ordered)
        case _:
            raise PlanRejected("This plan is not computed over frames.")


def _result(table: pd.DataFrame, columns: Sequence[ResultColumn]) -> Result:
    cells = [[scalar(value, column) for value in table[column.name]] for column in columns]
    rows = tuple(zip(*cells, strict=True)) if cells else ()
    return Result(tuple(columns), rows, len(rows))


def scalar(value: Any, column: ResultColumn) -> Scalar:
    """A frame's value as the engine's."""
    if value is None or bool(pd.isna(value)):
        return None
    match column.type:
        case "integer":
            return int(value)
        case "decimal" | "float":
            number = float(value)
            return number if math.isfinite(number) else None
        case "boolean":
            return bool(value)
        case "date":
            return pd.Timestamp(value).date()
        case "datetime":
            return pd.Timestamp(value).to_pydatetime()
        case _:
            return str(value)


def _set(plan: SetOperation, catalog: Catalog, frames: Frames) -> Result:
    columns = result_columns(plan.left, catalog)
    left, right = (execute(side, catalog, frames).rows for side in (plan.left, plan.right))
    left_rows, right_rows = dict.fromkeys(map(_as_is, left)), dict.fromkeys(map(_as_is, right))
    if plan.op == "union":
        rows = list({**left_rows, **right_rows})
    elif plan.op == "intersect":
        rows = [row for row in left_rows if row in right_rows]
    else:
        rows = [row for row in left_rows if row not in right_rows]
    rows.sort(key=lambda row: tuple((value is None, value) if value is not None else (True, 0) for value in row))
    return Result(columns, tuple(rows), len(rows))


def _as_is(row: Sequence[Scalar]) -> tuple[Any, ...]:
    return tuple(float(value) if isinstance(value, Decimal) else value for value in row)


def _comparison(plan: Comparison, catalog: Catalog, frames: Frames) -> Result:
    now, then = (run_query(side_of(plan, side), catalog, frames) for side in (plan.current, plan.baseline))
    groups = [group.label for group in plan.query.groups]
    current, baseline = ({_key(row, groups): row for row in side.to_dict("records")} for side in (now, then))
    columns = comparison_columns(plan, Statement(catalog))
    table: dict[str, list[Any]] = {column.name: [] for column in columns}
    for mark in dict.fromkeys([*current, *baseline]):
        one, other = current.get(mark, {}), baseline.get(mark, {})
        for label in groups:
            table[label].append((one or other)[label])
        for measure, names in zip(plan.query.measures, compared_labels(plan), strict=True):
            a, b = _side(one, measure), _side(other, measure)
            change = None if a is None or b is None else a - b
            relative = None if change is None or not b else 100 * float(change) / abs(float(b))
            for label, value in zip(
                (names.current, names.baseline, names.change, names.change_pct), (a, b, change, relative), strict=True
            ):
                table[label].append(value)
    size = len(next(iter(table.values())))
    order = list(range(size))
    if groups:
        keys = comparison_keys(plan, output_shapes(plan.query, catalog))
        order = ordered([(table[k.label or ""], k) for k in keys], order)
        end = None if plan.query.limit is None else plan.query.offset + plan.query.limit
        order = order[plan.query.offset : end]
    rows = tuple(tuple(scalar(table[c.name][row], c) for c in columns) for row in order)
    return Result(columns, rows, len(rows))


def _key(row: dict[Any, Any], groups: list[str]) -> tuple[str, ...]:
    return tuple("missing" if pd.isna(row[label]) else repr(row[label]) for label in groups)


def _side(row: dict[Any, Any], measure: Output) -> Any:
    value = row.get(measure.label)
    gone = value is None or bool(pd.isna(value))
    return 0 if gone and additive(measure) else None if gone else value


def _combine(plan: Combine, catalog: Catalog, frames: Frames) -> Result:
    work = pd.DataFrame(index=[0])
    shapes: dict[str, Shape] = {}
    for part in plan.parts:
        found = only_column(part.query, catalog, frames)
        shapes[part.label] = next(iter(output_shapes(part.query, catalog).values()))
        cells = pd.Series([found[0] if found else None], dtype="object")
        work[key(NESTED, part.label)] = typed(cells, shapes[part.label].type)
    scope = figures_scope(catalog, shapes)
    evaluator = Evaluator(work, scope, lambda query: only_column(query, catalog, frames))
    columns: list[ResultColumn] = []
    row: list[Scalar] = []
    for output in plan.outputs:
        shape = shape_of(output.expr, scope)
        unit = unit_of(output, output.expr, shape)
        column = ResultColumn(output.label, shape.type or "text", "measure", unit, shape.grain)
        columns.append(column)
        row.append(scalar(evaluator.cells(output.expr).iloc[0], column))
    return Result(tuple(columns), (tuple(row),), 1)
