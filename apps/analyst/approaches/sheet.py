"""The recount: a plan worked off by hand on one flat sheet, row by row in plain Python, as a spreadsheet user would.

It differs from the engine where people with a spreadsheet differ, on purpose, and says each time that it did: tables
are joined into one sheet first and then added up, so a row that a join repeats counts each time; where both sides have
a key several times, only the first match is looked up; a blank counts as
nought in an average and as "none of these" in an exclusion. Where a figure hangs on none of this, the recount comes to
the same one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from apps.analyst.approaches.sheet_cells import Cells, Row, comparable, key_of
from apps.analyst.approaches.sheet_notes import Notes
from apps.analyst.approaches.sheet_totals import Totals, by_keys
from apps.analyst.computing.compile.before import with_before
from apps.analyst.computing.compile.comparisons import (
    additive,
    compared_labels,
    comparison_columns,
    comparison_keys,
    side_of,
)
from apps.analyst.computing.compile.outputs import completed, output_shapes, result_columns
from apps.analyst.computing.compile.scope import NESTED
from apps.analyst.computing.compile.statement import Statement
from apps.analyst.computing.drivers import as_result, decomposed
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import ROW_NUMBER, Combine, Comparison, Drivers, Plan, Query, SetOperation
from apps.analyst.plan.parting import Parting
from apps.analyst.ports import Catalog
from apps.analyst.types import Result, ResultColumn, Scalar

MOST_ROWS = 400_000
"""Rows of a sheet: more would take longer than somebody waits for a check."""

Tables = Mapping[str, Sequence[Mapping[str, Any]]]
"""The stored rows by table name, each row by column name."""


def recount(plan: Plan, catalog: Catalog, tables: Tables) -> tuple[Result, tuple[Parting, ...]]:
    """The plan's result by hand, and where the hand went its own way. Raises PlanRejected for what it cannot do."""
    sheet = _Sheet(catalog, tables)
    return sheet.result(plan), sheet.notes.partings()


@dataclass
class _Sheet:
    catalog: Catalog
    tables: Tables
    notes: Notes = field(default_factory=Notes)
    held: dict[Query, list[Any]] = field(default_factory=dict)

    # ------------------------------------------------------------ whole plans
    def result(self, plan: Plan) -> Result:
        match plan:
            case Query():
                columns = result_columns(plan, self.catalog)
                return _result(self.rows(plan), columns)
            case Comparison():
                return self._comparison(plan)
            case Combine():
                return self._combine(plan)
            case SetOperation():
                return self._set(plan)
            case Drivers():
                return as_result(*decomposed(plan, self.result))
            case _:
                raise PlanRejected("This kind of plan is not worked off by hand.")

    def _combine(self, plan: Combine) -> Result:
        row = {(NESTED, part.label): (self.values(part.query) or [None])[0] for part in plan.parts}
        cells = Cells(self.values)
        columns = tuple(ResultColumn(o.label, "float", "measure", o.unit) for o in plan.outputs)
        return _result([{o.label: cells.value(o.expr, row) for o in plan.outputs}], columns)

    def _set(self, plan: SetOperation) -> Result:
        columns = result_columns(plan.left, self.catalog)
        left = [tuple(row.values()) for row in self.rows(plan.left)]
        right = [tuple(row.values()) for row in self.rows(plan.right)]
        if plan.op == "union":
            kept = list(dict.fromkeys([*left, *right]))
        else:
            kept = [row for row in dict.fromkeys(left) if (row in set(right)) == (plan.op == "intersect")]
        names = [column.name for column in columns]
        return _result([dict(zip(names, row, strict=True)) for row in kept], columns)

    def _comparison(self, plan: Comparison) -> Result:
        groups = [group.label for group in plan.query.groups]
        sides = [self.rows(side_of(plan, side)) for side in (plan.current, plan.baseline)]
        now, then = ({tuple(repr(row[g]) for g in groups): row for row in side} for side in sides)
        columns = comparison_columns(plan, Statement(self.catalog))
        made: list[dict[str, Any]] = []
        for mark in dict.fromkeys([*now, *then]):
            one, other = now.get(mark, {}), then.get(mark, {})
            row = {label: (one or other)[label] for label in groups}
            for measure, names in zip(plan.query.measures, compared_labels(plan), strict=True):
                nothing = 0 if additive(measure) else None
                a, b = (side.get(measure.label) for side in (one, other))
                a, b = nothing if a is None else a, nothing if b is None else b
                change = None if a is None or b is None else float(a) - float(b)
                row[names.current], row[names.baseline], row[names.change] = a, b, change
                row[names.change_pct] = None if change is None or not b else 100 * change / abs(float(b))
            made.append(row)
        if groups:
            made = by_keys(made, comparison_keys(plan, output_shapes(plan.query, self.catalog)))
            made = made[plan.query.offset :][: plan.query.limit]
        return _result(made, columns)

    def values(self, query: Query) -> list[Any]:
        """The only column of an inner query, worked off once however many rows ask for it."""
        if query not in self.held:
            self.held[query] = [next(iter(row.values())) for row in self.rows(query)]
        return self.held[query]

    # ------------------------------------------------------------ one query
    def rows(self, query: Query) -> list[dict[str, Any]]:
        """The rows of a query by output label, in its order."""
        query = completed(query, self.catalog)
        if isinstance(query.source, Query):
            query = query.model_copy(update={"source": completed(query.source, self.catalog)})
        before = with_before(query, self.catalog)
        query = before.query if before is not None else query
        cells = Cells(self.values)
        flat = self._flat(query)
        if query.where is not None:
            where = query.where
            flat = [row for row in flat if cells.holds(where, row)]
        made = Totals(self.catalog, self.notes, query, cells, flat).rows()
        self.notes.blanks_kept += cells.blanks_kept
        return made

    def _flat(self, query: Query) -> list[Row]:
        """Source and joins as one sheet."""
        if isinstance(query.source, Query):
            inner = self.rows(query.source)
            work: list[Row] = [
                {**{(NESTED, label): cell for label, cell in row.items()}, (NESTED, ROW_NUMBER): place}
                for place, row in enumerate(inner, 1)
            ]
        else:
            work = self._stored(query.source, query)
        for join in query.joins:
            alias = join.alias or join.table
            there = self._stored(join.table, query, alias)
            pairs = [
                (on.left, "left", on.right, "right", on)
                if on.right.table == alias
                else (on.right, "right", on.left, "left", on)
                for on in join.on
            ]
            index: dict[tuple[Any, ...], list[Row]] = {}
            for row in there:
                key = tuple(key_of(row.get((b.table, b.column)), on, side) for _, _, b, side, on in pairs)
                if None not in key:
                    index.setdefault(key, []).append(row)
            mine = [tuple(key_of(row.get((a.table, a.column)), on, side) for a, side, *_, on in pairs) for row in work]
            several = {key for key, count in Counter(mine).items() if count > 1} & {
                key for key, rows in index.items() if len(rows) > 1
            }
            if several and len(there) <= len(work):
                self.notes.looked_up[join.table] = len(several)
                index = {key: rows[:1] for key, rows in index.items()}
            joined: list[Row] = []
            for row, key in zip(work, mine, strict=True):
                met = index.get(key, []) if None not in key else []
                joined += [{**row, **other} for other in met]
                if not met and join.how == "left":
                    joined.append(row)
                if len(joined) > MOST_ROWS:
                    raise PlanRejected(f"More than {MOST_ROWS:,} rows are too many to work off by hand.")
            work = joined
        return work

    def _stored(self, table: str, query: Query, alias: str | None = None) -> list[Row]:
        rows = self.tables[table]
        if len(rows) > MOST_ROWS:
            raise PlanRejected(f"More than {MOST_ROWS:,} rows are too many to work off by hand.")
        known = alias or table
        made: list[Row] = [
            {**{(known, name): cell for name, cell in row.items()}, (known, ROW_NUMBER): place}
            for place, row in enumerate(rows, 1)
        ]
        for part in query.each:
            if part.of.table == known:
                cell = (known, part.of.column)
                made = [{**row, cell: entry} for row in made for entry in _entries(row.get(cell), part.separator)]
        return made


def _entries(cell: Any, separator: str) -> list[str | None]:
    found = [entry.strip() for entry in str(cell or "").split(separator)]
    return list(dict.fromkeys(entry for entry in found if entry)) or [None]


# ---------------------------------------------------------------- results
def _result(rows: Sequence[Mapping[str, Any]], columns: Sequence[ResultColumn]) -> Result:
    cells = tuple(tuple(_scalar(row[column.name], column) for column in columns) for row in rows)
    return Result(tuple(columns), cells, len(cells))


def _scalar(value: Any, column: ResultColumn) -> Scalar:
    if value is None or isinstance(value, str):
        return value
    match column.type:
        case "integer":
            return int(value) if float(value).is_integer() else float(value)
        case "decimal" | "float":
            return float(f"{float(value):.13g}") if math.isfinite(float(value)) else None
        case "date":
            day: date = value.date() if isinstance(value, datetime) else value
            return day
        case "datetime":
            moment: datetime = comparable(value)
            return moment
        case _:
            kept: Scalar = value if isinstance(value, bool | int | float | Decimal | date) else str(value)
            return kept
