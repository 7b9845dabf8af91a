"""A whole plan as one statement with its result columns: queries, sets, comparisons, combined figures."""

# ruff: noqa: S608 - writing SQL is what this module does; names are quoted by `names`, values are bound.

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from apps.analyst.computing.compile.comparisons import combine_sql, comparison_sql
from apps.analyst.computing.compile.names import identifier
from apps.analyst.computing.compile.outputs import result_columns
from apps.analyst.computing.compile.queries import query_sql
from apps.analyst.computing.compile.statement import Statement
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Combine, Comparison, Plan, Query, SetOperation, Statistic
from apps.analyst.ports import Catalog
from apps.analyst.types import ResultColumn, Scalar


@dataclass(frozen=True, slots=True)
class Compiled:
    """One statement. `columns` describe the visible result; with `counted` a last column holds the source rows."""

    sql: str
    parameters: tuple[Scalar, ...]
    columns: tuple[ResultColumn, ...]
    tables: Mapping[str, Path]
    counted: bool = False
    notes: tuple[str, ...] = ()

    @property
    def all_columns(self) -> tuple[ResultColumn, ...]:
        """The columns as the query engine returns them, the hidden count included."""
        return (*self.columns, ResultColumn("source rows", "integer", "measure")) if self.counted else self.columns


def compile_plan(plan: Plan, catalog: Catalog, *, count: bool = True, steady: bool = True) -> Compiled:
    """The statement for `plan`. Statistics compile to the rows they need. Raises PlanRejected.

    `count` adds the number of source rows, `steady` makes ties of floating-point figures the same on every run.
    """
    try:
        return _compiled(plan, catalog, count=count, steady=steady)
    except RecursionError as error:
        raise PlanRejected("The plan is nested too deep.") from error


def _compiled(plan: Plan, catalog: Catalog, *, count: bool, steady: bool) -> Compiled:
    statement = Statement(catalog, steady=steady)
    counted: str | None = None
    match plan:
        case Query():
            written = query_sql(plan, statement, count=count)
            sql, counted, columns = written.sql, written.counted, result_columns(plan, catalog)
        case Statistic():
            written = query_sql(plan.query, statement)
            sql, columns = written.sql, result_columns(plan.query, catalog)
        case SetOperation():
            sql, columns = _set_sql(plan, statement), result_columns(plan.left, catalog)
        case Comparison():
            sql, columns, counted = comparison_sql(plan, statement, count=count)
        case Combine():
            sql, columns = combine_sql(plan, statement)
        case _:
            raise PlanRejected("This plan is answered from the catalog, not by a query.")
    return Compiled(
        sql=sql,
        parameters=tuple(statement.parameters),
        columns=columns,
        tables=dict(statement.tables),
        counted=counted is not None,
        notes=tuple(statement.notes),
    )


def _set_sql(plan: SetOperation, statement: Statement) -> str:
    left, right = query_sql(plan.left, statement, inner=True), query_sql(plan.right, statement, inner=True)
    order = ", ".join(f"{identifier(label)} ASC NULLS LAST" for label in left.labels)
    names = ", ".join(identifier(label) for label in left.labels)
    combined = f"SELECT * FROM ({left.sql}) AS _left {plan.op.upper()} SELECT * FROM ({right.sql}) AS _right"
    return f"SELECT * FROM ({combined}) AS _both ({names}) ORDER BY {order}"


def readable(plan: Plan, catalog: Catalog) -> str:
    """The statement of a plan as people read it: without helpers, its parameters written in. Never to be run."""
    compiled = compile_plan(plan, catalog, count=False, steady=False)

    def literal(match: re.Match[str]) -> str:
        value = compiled.parameters[int(match.group(1)) - 1]
        if value is None:
            return "NULL"
        if isinstance(value, bool):
            return "TRUE" if value else "FALSE"
        if isinstance(value, datetime | date):
            return f"'{value.isoformat()}'"
        if isinstance(value, str):
            return "'" + value.replace("'", "''") + "'"
        return str(value)

    # Quoted names are stepped over, so that a dollar sign in a column's name stays as it is.
    return re.sub(
        r'"(?:[^"]|"")*"|\'[^\']*\'|\$(\d+)', lambda m: literal(m) if m.group(1) else m.group(0), compiled.sql
    )
