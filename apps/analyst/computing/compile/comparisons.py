"""Comparisons (two row sets side by side) and combined figures as SQL over the queries they are made of."""

# ruff: noqa: S608 - writing SQL is what this module does; names are quoted by `names`, values are bound.

from __future__ import annotations

from dataclasses import dataclass, replace

from apps.analyst.computing.compile.expressions import Writer
from apps.analyst.computing.compile.kinds import change_unit
from apps.analyst.computing.compile.names import identifier
from apps.analyst.computing.compile.order import SortKey, key_sql, label_key
from apps.analyst.computing.compile.outputs import figures_scope, output_shapes, result_column, unit_of
from apps.analyst.computing.compile.queries import query_sql, subquery_of
from apps.analyst.computing.compile.scope import NUMERIC, TEMPORAL, Shape
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.statement import Statement
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import (
    CHANGE,
    CHANGE_PCT,
    Aggregate,
    AllOf,
    Combine,
    Comparison,
    Output,
    Predicate,
    Query,
)
from apps.analyst.types import ResultColumn


@dataclass(frozen=True, slots=True)
class Compared:
    """The labels under which one measure's four figures stand in a comparison's result."""

    measure: str
    current: str
    baseline: str
    change: str
    change_pct: str


def compared_labels(plan: Comparison) -> tuple[Compared, ...]:
    """The result labels per measure of the comparison."""
    several = len(plan.query.measures) > 1

    def named(measure: str, label: str) -> str:
        return f"{measure}: {label}" if several else label

    return tuple(
        Compared(
            m.label,
            named(m.label, plan.current_label),
            named(m.label, plan.baseline_label),
            named(m.label, CHANGE),
            named(m.label, CHANGE_PCT),
        )
        for m in plan.query.measures
    )


def side_of(plan: Comparison, side: Predicate) -> Query:
    """The query of one side: its rows only, and neither order nor limit, which hold for the compared rows."""
    where = side if plan.query.where is None else AllOf(of=(plan.query.where, side))
    return plan.query.model_copy(
        update={"where": where, "order": (), "limit": None, "offset": 0, "limit_per": (), "ties": False}
    )


def additive(output: Output) -> bool:
    """True for totals and counts, which are nought where a group has no rows on one side."""
    return isinstance(output.expr, Aggregate) and output.expr.fn in ("sum", "count")


def comparison_columns(plan: Comparison, statement: Statement) -> tuple[ResultColumn, ...]:
    """The columns of the comparison's result."""
    shapes = output_shapes(plan.query, statement.catalog)
    columns = [result_column(group.label, shapes[group.label], figure=False) for group in plan.query.groups]
    for names in compared_labels(plan):
        shape = shapes[names.measure]
        moved = replace(shape, unit=change_unit(shape.unit))
        figures = (names.current, shape), (names.baseline, shape), (names.change, moved)
        columns += [result_column(label, of, figure=True) for label, of in figures]
        columns.append(result_column(names.change_pct, Shape("float", unit="%"), figure=True))
    return tuple(columns)


def comparison_sql(
    plan: Comparison, statement: Statement, *, count: bool
) -> tuple[str, tuple[ResultColumn, ...], str | None]:
    """The statement's text, its visible columns, and the hidden column of source rows."""
    now = query_sql(side_of(plan, plan.current), statement, inner=True, count=count)
    then = query_sql(side_of(plan, plan.baseline), statement, inner=True, count=count)
    groups = [group.label for group in plan.query.groups]
    items = [f"coalesce(_c.{identifier(g)}, _b.{identifier(g)}) AS {identifier(g)}" for g in groups]
    for names, measure in zip(compared_labels(plan), plan.query.measures, strict=True):
        items += _figures(names, measure)
    counted = None
    if now.counted and then.counted:
        counted = now.counted
        one, other = (f"coalesce({side}.{identifier(counted)}, 0)" for side in ("_c", "_b"))
        rows = f"max({one}) OVER () + max({other}) OVER ()" if groups else f"{one} + {other}"
        items.append(f"{rows} AS {identifier(counted)}")
    keys = " AND ".join(f"_c.{identifier(g)} IS NOT DISTINCT FROM _b.{identifier(g)}" for g in groups)
    join = f"FULL JOIN ({then.sql}) AS _b ON {keys}" if groups else f"CROSS JOIN ({then.sql}) AS _b"
    text = f"SELECT {', '.join(items)} FROM ({now.sql}) AS _c {join}"
    return _sorted(plan, text, statement), comparison_columns(plan, statement), counted


def _figures(names: Compared, measure: Output) -> list[str]:
    """The four figures of one measure as select items."""
    now, then = f"_c.{identifier(measure.label)}", f"_b.{identifier(measure.label)}"
    if additive(measure):
        now, then = f"coalesce({now}, 0)", f"coalesce({then}, 0)"
    change = f"({now} - {then})"
    relative = f"100 * CAST({change} AS DOUBLE) / nullif(abs(CAST({then} AS DOUBLE)), 0)"
    cells = (now, names.current), (then, names.baseline), (change, names.change), (relative, names.change_pct)
    return [f"{sql} AS {identifier(label)}" for sql, label in cells]


def comparison_keys(plan: Comparison, shapes: dict[str, Shape]) -> list[SortKey]:
    """The order of the compared rows: as stated, else time upwards, else the current figure, highest first."""
    labels = compared_labels(plan)
    groups = [group.label for group in plan.query.groups]
    figures = [(names.current, names.baseline, names.change, names.change_pct) for names in labels]
    known = {*groups, *(label for row in figures for label in row)}
    keys: list[SortKey] = []
    for order in plan.query.order:
        label = order.by if isinstance(order.by, str) else ""
        label = next((names.current for names in labels if names.measure == label and label not in known), label)
        if label not in known:
            raise PlanRejected(f"A comparison cannot be sorted by {label or 'something not shown'!r}.")
        keys.append(SortKey(label, None, order.descending, computed=label not in groups))
    runs = [g for g in groups if shapes[g].grain or shapes[g].type in NUMERIC | TEMPORAL]
    if not keys and not runs and groups:
        keys.append(SortKey(labels[0].current, None, descending=True, computed=True))
    used = {key.label for key in keys}
    for label in groups:
        if label not in used:
            keys.append(label_key(label, False, shapes, plan.query))
    return keys


def _sorted(plan: Comparison, text: str, statement: Statement) -> str:
    if not plan.query.groups:
        return text
    keys = comparison_keys(plan, output_shapes(plan.query, statement.catalog))
    order = ", ".join(key_sql(key, identifier(key.label or ""), real=statement.steady) for key in keys)
    limit = f" LIMIT {int(plan.query.limit)}" if plan.query.limit is not None else ""
    offset = f" OFFSET {int(plan.query.offset)}" if plan.query.offset else ""
    return f"SELECT * FROM ({text}) AS _compared ORDER BY {order}{limit}{offset}"


def combine_sql(plan: Combine, statement: Statement) -> tuple[str, tuple[ResultColumn, ...]]:
    """One row: each part's figure as a scalar subquery, the outputs computed over them."""
    shapes: dict[str, Shape] = {}
    parts: list[str] = []
    for part in plan.parts:
        written = query_sql(part.query, statement, inner=True)
        shapes[part.label] = next(iter(output_shapes(part.query, statement.catalog).values()))
        parts.append(f"({written.sql}) AS {identifier(part.label)}")
    scope = figures_scope(statement.catalog, shapes)
    writer = Writer(statement, scope, subquery_of(statement))
    items: list[str] = []
    columns: list[ResultColumn] = []
    for output in plan.outputs:
        shape = shape_of(output.expr, scope)
        items.append(f"{writer.sql(output.expr)} AS {identifier(output.label)}")
        unit = unit_of(output, output.expr, shape)
        columns.append(ResultColumn(output.label, shape.type or "text", "measure", unit=unit, grain=shape.grain))
    return f'SELECT {", ".join(items)} FROM (SELECT {", ".join(parts)}) AS "_inner"', tuple(columns)
