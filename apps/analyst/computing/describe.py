"""What the catalog holds, as a result: all tables, one table's columns, or one column's values. No query is run."""

from __future__ import annotations

from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Describe
from apps.analyst.ports import Catalog
from apps.analyst.types import Column, Result, ResultColumn, Scalar, Table

_TYPES = {
    "text": "text", "integer": "whole number", "decimal": "number", "float": "number", "boolean": "yes or no",
    "date": "date", "datetime": "date and time",
}  # fmt: skip


def described(plan: Describe, catalog: Catalog) -> tuple[Result, int]:
    """The description as a result, and how many rows of data it speaks of. Raises PlanRejected for unknown names."""
    tables = catalog.tables()
    if plan.table is None:
        return _catalog(list(tables)), sum(table.rows for table in tables)
    table = next((t for t in tables if t.name == plan.table), None)
    if table is None:
        raise PlanRejected(f"There is no table {plan.table!r}.")
    if plan.column is None:
        return _table(table), table.rows
    column = table.column(plan.column)
    if column is None:
        raise PlanRejected(f"There is no column {plan.column!r} in {table.name}.")
    return _column(column, table), table.rows


def _dimension(name: str) -> ResultColumn:
    return ResultColumn(name, "text", "dimension")


def _count(name: str) -> ResultColumn:
    return ResultColumn(name, "integer", "measure")


def _catalog(tables: list[Table]) -> Result:
    columns = (_dimension("Table"), _count("Rows"), _count("Columns"), _dimension("What it holds"))
    rows: list[tuple[Scalar, ...]] = []
    for table in tables:
        names = [column.name for column in table.columns]
        told = table.description or ", ".join(names[:6]) + (" …" if len(names) > 6 else "")
        rows.append((table.name, table.rows, len(names), told))
    return Result(columns, tuple(rows), len(rows))


def _table(table: Table) -> Result:
    columns = (
        _dimension("Column"), _dimension("Type"), _count("Distinct values"), _count("Missing"), _dimension("From"),
        _dimension("To"), _dimension("Examples"),
    )  # fmt: skip
    rows: list[tuple[Scalar, ...]] = []
    for column in table.columns:
        examples = ", ".join(value.value for value in column.values[:3]) if column.type == "text" else ""
        low, high = (_text(column.minimum), _text(column.maximum)) if column.type != "text" else (None, None)
        rows.append((column.name, type_words(column), column.distinct, column.missing, low, high, examples or None))
    return Result(columns, tuple(rows), len(rows))


def _column(column: Column, table: Table) -> Result:
    if column.values:
        columns = (_dimension(column.name), _count("Rows"))
        rows = tuple((value.value, value.count) for value in column.values[:50])
        total = column.distinct if column.distinct > len(rows) else len(rows)
        return Result(columns, rows, total)
    columns = (_dimension("Property"), _dimension("Value"))
    facts: list[tuple[Scalar, ...]] = [
        ("Type", type_words(column)), ("Rows", f"{table.rows:,}"), ("Distinct values", f"{column.distinct:,}"),
        ("Missing", f"{column.missing:,}"), ("From", _text(column.minimum)), ("To", _text(column.maximum)),
    ]  # fmt: skip
    return Result(columns, tuple(facts), len(facts))


def type_words(column: Column) -> str:
    """The column's type as people say it, with its unit."""
    words = _TYPES[column.type]
    return f"{words} ({column.unit})" if column.unit else words


def _text(value: Scalar) -> str | None:
    # Formats are the narrator's matter; a description shows values plainly, dates in ISO order.
    if value is None:
        return None
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,}" if isinstance(value, int) else str(value)
