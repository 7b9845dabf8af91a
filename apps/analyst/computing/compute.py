"""A plan's figures: the plan is settled, compiled, run in the warehouse, and the result comes with what it stands on.

Numbers are only ever made here and in the warehouse; whoever writes texts or draws charts quotes the `Computed`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from apps.analyst.computing.compile import Compiled, compile_plan, readable
from apps.analyst.computing.describe import described
from apps.analyst.computing.drivers import Decomposition, as_result, cut_comparison, decomposed
from apps.analyst.computing.frames import frame_of
from apps.analyst.computing.metrics.cases import count_of_cases
from apps.analyst.computing.metrics.mixed import mixed_in
from apps.analyst.computing.metrics.running import in_rhythm
from apps.analyst.computing.metrics.used import count_of_rows, count_of_used, meets_several
from apps.analyst.computing.statistics.result import StatisticResult
from apps.analyst.errors import AnalystError, PlanRejected, QueryFailed
from apps.analyst.plan import (
    Arithmetic,
    Clarify,
    ColumnRef,
    Combine,
    Comparison,
    Describe,
    Drivers,
    Expr,
    NamedQuery,
    Output,
    Plan,
    Query,
    SetOperation,
    Statistic,
)
from apps.analyst.plan.settle import settled
from apps.analyst.plan.spelling import merge_notes
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Result, Scalar

P = TypeVar("P", bound=Plan)

MOST_ROWS = 10_000
"""Rows of a result that are held; its true number of rows is always known."""
MOST_STATISTIC_ROWS = 2_000_000
"""Rows a statistic may stand on."""
UNCOUNTED = -1
_DIGITS = 13
"""Significant digits kept of floating-point figures: what lies beyond depends on the order of summing."""


@dataclass(frozen=True, slots=True)
class Computed:
    """A result with what it stands on. `plan` is the settled plan; `query` the SQL to be read by people."""

    plan: Plan
    result: Result
    row_count: int = 0
    query: str = ""
    notes: tuple[str, ...] = ()
    statistic: StatisticResult | None = None
    listed: Result | None = None
    """The rows a statistic stands on."""
    used: int | None = None
    """How many of those rows enter the figures, where not all do."""
    among: int | None = None
    """How many rows there are with those that a rate leaves out, where the plan does not even read these."""
    mixed: tuple[str, ...] = ()
    """What stands together in the figures that people would keep apart, in words that are told with any of them."""
    level: Result | None = None
    """The groups that a cut leaves out although they come to the same as the last one that is shown."""
    drivers: Decomposition | None = None
    """What a change is made of, all cuts included."""
    is_whole: bool = False
    """Whether all that the result stands on is told (`evidenced`), not the figures alone."""


def compute(plan: Plan, catalog: Catalog, warehouse: Warehouse, *, max_rows: int = MOST_ROWS) -> Computed:
    """The plan's result with what it stands on. Raises PlanRejected where the plan does not fit the catalog,
    QueryFailed where it cannot be run."""
    return evidenced(figures(plan, catalog, warehouse, max_rows=max_rows), catalog, warehouse)


def figures(plan: Plan, catalog: Catalog, warehouse: Warehouse, *, max_rows: int = MOST_ROWS) -> Computed:
    """The plan's result, and of what it stands on no more than comes with it: for readings that are weighed, most of
    which nobody sees. Raises as `compute`."""
    if isinstance(plan, Clarify):
        raise PlanRejected("A question back has no result of its own.")
    if isinstance(plan, Describe):
        result, rows = described(plan, catalog)
        return Computed(plan, result, row_count=rows, is_whole=True)
    if isinstance(plan, Drivers):
        return _drivers(plan, catalog, warehouse)
    plan = settled(plan, catalog, warehouse)
    if isinstance(plan, Statistic):
        return _statistic(plan, catalog, warehouse)
    bounded = _bounded(plan, catalog, max_rows)
    compiled = compile_plan(bounded, catalog, count=_counts_itself(plan, catalog))
    result, counted = _run(compiled, warehouse, max_rows)
    if bounded is not plan and isinstance(plan, Query) and result.total_rows == max_rows:
        result = replace(result, total_rows=_counted_rows([_innermost(plan)], catalog, warehouse))
    if isinstance(plan, Query):
        result = in_rhythm(plan, result, catalog)
    return Computed(plan, result, row_count=UNCOUNTED if counted is None else counted, notes=compiled.notes)


def evidenced(computed: Computed, catalog: Catalog, warehouse: Warehouse) -> Computed:
    """A result with all that it stands on: its rows, those that enter the figures, the query. Raises QueryFailed."""
    if computed.is_whole:
        return computed
    plan, rows = computed.plan, computed.row_count
    if rows == UNCOUNTED:
        rows = _source_rows(plan, computed.result, catalog, warehouse)
    merges = merge_notes(o.expr for query in _queries(plan) for o in (*query.columns, *query.groups, *query.measures))
    notes = tuple(dict.fromkeys((*computed.notes, *merges)))
    used, among = (
        _counted_rows([query], catalog, warehouse) if rows and query is not None else None
        for query in (count_of_used(plan, catalog), count_of_cases(plan, catalog))
    )
    sql, level = readable(plan, catalog), _level(plan, computed.result, catalog, warehouse)
    found = replace(computed, row_count=rows, query=sql, notes=notes, used=used, among=among)
    return replace(found, mixed=_mixed(plan, catalog, warehouse), level=level, is_whole=True)


def _mixed(plan: Plan, catalog: Catalog, warehouse: Warehouse) -> tuple[str, ...]:
    """What the plan's figures hold in several currencies, or of what was never invoiced."""
    asked = mixed_in(plan, catalog)
    told = [one.said(_run(compile_plan(one.query, catalog), warehouse, MOST_ROWS)[0].rows) for one in asked]
    return tuple(dict.fromkeys(note for note in told if note))


def _level(plan: Plan, result: Result, catalog: Catalog, warehouse: Warehouse) -> Result | None:
    """What comes to the same as the last group that a cut shows; of groups in an order of their own nothing does."""
    if not isinstance(plan, Query) or not plan.groups or plan.limit is None or plan.ties:
        return None
    groups = {by for output in plan.groups for by in (output.label, output.expr)}
    if plan.limit_per or plan.offset or len(result.rows) < plan.limit or all(o.by in groups for o in plan.order):
        return None
    tied = figures(plan.model_copy(update={"ties": True}), catalog, warehouse).result
    others = tuple(row for row in tied.rows if row not in result.rows)
    return replace(tied, rows=others, total_rows=len(others)) if others else None


def computed_of(
    plan: Plan, catalog: Catalog, warehouse: Warehouse, *, max_rows: int = MOST_ROWS, checked: bool = False
) -> Computed | None:
    """The figures of a plan; None where it does not hold. With `checked` it was held against the catalog before.
    Raises QueryFailed where trying again may help."""
    try:
        if not checked:
            validate(plan, catalog)
        return figures(plan, catalog, warehouse, max_rows=max_rows)
    except QueryFailed as error:
        if error.retryable:
            raise
        return None
    except AnalystError:
        return None


def _run(compiled: Compiled, warehouse: Warehouse, max_rows: int) -> tuple[Result, int | None]:
    """The visible result and the number of source rows, where the statement counts them."""
    result = warehouse.query(
        compiled.sql,
        compiled.parameters,
        tables=dict(compiled.tables),
        columns=compiled.all_columns,
        max_rows=max_rows,
    )
    counted: int | None = None
    rows = result.rows
    if compiled.counted:
        counted = int(str(rows[0][-1] or 0)) if rows else 0
        rows = tuple(row[:-1] for row in rows)
    columns = tuple(
        replace(column, type=found.type if any(row[i] is not None for row in rows) else column.type)
        for i, (column, found) in enumerate(zip(compiled.columns, result.columns, strict=False))
    )
    return Result(columns, tuple(tuple(map(_steady, row)) for row in rows), result.total_rows), counted


def _steady(value: Scalar) -> Scalar:
    """A figure without the last digits that differ from run to run."""
    if isinstance(value, float):
        return float(f"{value:.{_DIGITS}g}") + 0.0
    return value


def _statistic(plan: Statistic, catalog: Catalog, warehouse: Warehouse) -> Computed:
    # Imported here: scipy takes its time, and most questions never need it.
    from apps.analyst.computing.statistics import registry

    compiled = compile_plan(plan, catalog)
    rows, _ = _run(compiled, warehouse, MOST_STATISTIC_ROWS)
    if rows.truncated:
        raise PlanRejected(f"A statistic can stand on {MOST_STATISTIC_ROWS:,} rows at most; narrow the question down.")
    found = registry.run(plan.name, frame_of(rows), plan.options)
    notes = (*compiled.notes, *found.notes)
    query = readable(plan, catalog)
    return Computed(plan, found.result(), found.rows_used, query, notes, statistic=found, listed=rows, is_whole=True)


def _drivers(plan: Drivers, catalog: Catalog, warehouse: Warehouse) -> Computed:
    """The change in all and by each cut, one comparison at a time."""
    made: list[Computed] = []

    def run(comparison: Comparison) -> Result:
        made.append(compute(comparison, catalog, warehouse))
        return made[-1].result

    found, ordered = decomposed(plan, run)
    notes = tuple(dict.fromkeys(note for computed in made for note in computed.notes))
    query = readable(cut_comparison(ordered, ordered.cuts[0]), catalog)
    rows = made[0].row_count
    return Computed(ordered, as_result(found, ordered), rows, query, notes, drivers=found, is_whole=True)


def _bounded(plan: P, catalog: Catalog, max_rows: int) -> P:
    """A listing of a large table with the limit to what is held: the rest is counted, not fetched."""
    if not isinstance(plan, Query) or not isinstance(plan.source, str) or plan.limit is not None or plan.distinct:
        return plan
    rows = max((t.rows for t in catalog.tables() if t.name == plan.source), default=0)
    if plan.groups or plan.measures or plan.limit_per or plan.offset or (rows <= max_rows and not plan.joins):
        return plan
    return plan.model_copy(update={"limit": max_rows})


# ---------------------------------------------------------------- source rows
def _counts_itself(plan: Plan, catalog: Catalog) -> bool:
    """True where the statement can count the source rows on its way: one scan, grouped, that meets each row once."""
    query = plan.query if isinstance(plan, Comparison) else plan
    return isinstance(query, Query) and isinstance(query.source, str) and not meets_several(query, catalog)


def _source_rows(plan: Plan, result: Result, catalog: Catalog, warehouse: Warehouse) -> int:
    """The rows that the figures stand on, after filters."""
    scans = [_innermost(query) for query in _queries(plan)]
    if (
        len(scans) == 1
        and scans[0] is plan
        and not (scans[0].groups or scans[0].measures or scans[0].each)
        and not scans[0].distinct
        and scans[0].limit is None
        and not scans[0].offset
    ):
        return result.total_rows
    return _counted_rows(scans, catalog, warehouse)


def _counted_rows(scans: Sequence[Query], catalog: Catalog, warehouse: Warehouse) -> int:
    """How many rows the scans read in all; what the catalog knows is not asked again."""
    total = 0
    counts: list[Query] = []
    for scan in scans:
        if scan.where is None and not scan.joins and isinstance(scan.source, str):
            total += next((table.rows for table in catalog.tables() if table.name == scan.source), 0)
        else:
            counts.append(count_of_rows(scan, catalog))
    if not counts:
        return total
    parts = tuple(NamedQuery(label=f"p{i}", query=query) for i, query in enumerate(counts))
    whole: Expr = ColumnRef(table="", column="p0")
    for part in parts[1:]:
        whole = Arithmetic(op="+", left=whole, right=ColumnRef(table="", column=part.label))
    compiled = compile_plan(Combine(parts=parts, outputs=(Output(label="rows", expr=whole),)), catalog)
    found, _ = _run(compiled, warehouse, 1)
    return total + int(str(found.rows[0][0] or 0))


def _queries(plan: Plan) -> Iterator[Query]:
    match plan:
        case Query():
            yield plan
        case SetOperation():
            yield from (plan.left, plan.right)
        case Combine():
            yield from (part.query for part in plan.parts)
        case Comparison() | Statistic():
            yield plan.query
        case Drivers():
            yield plan.comparison.query


def _innermost(query: Query) -> Query:
    while isinstance(query.source, Query):
        query = query.source
    return query
