"""Short ways to write plans in tests, over the sales organization."""

from __future__ import annotations

from apps.analyst.plan import Aggregate, ColumnRef, Compare, Constant, Expr, Join, JoinKey, Output, Part


def col(column: str, table: str = "deals") -> ColumnRef:
    return ColumnRef(table=table, column=column)


def label(name: str) -> ColumnRef:
    return ColumnRef(table="", column=name)


def out(name: str, expr: Expr, unit: str | None = None) -> Output:
    return Output(label=name, expr=expr, unit=unit)


def total(column: str = "amount", table: str = "deals") -> Aggregate:
    return Aggregate(fn="sum", of=col(column, table))


def average(column: str = "amount", table: str = "deals") -> Aggregate:
    return Aggregate(fn="avg", of=col(column, table))


def rows() -> Aggregate:
    return Aggregate(fn="count")


def number(value: float) -> Constant:
    return Constant(value=value, type="number")


def text(value: str) -> Constant:
    return Constant(value=value)


def is_(column: str, value: str, table: str = "deals") -> Compare:
    return Compare(op="=", left=col(column, table), right=text(value))


def in_year(year: int) -> Compare:
    return Compare(op="=", left=Part(part="year", of=col("create_date")), right=number(year))


def join(table: str, column: str, left: str = "deals", fold: bool = False) -> Join:
    return Join(table=table, on=(JoinKey(left=col(column, left), right=col(column, table), fold=fold),))


OWNERS = join("owners", "owner_id")
ACTIVITIES = join("activities", "deal_id")
