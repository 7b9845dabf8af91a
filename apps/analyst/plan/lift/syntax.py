"""SQL as a tree: parsing, and questions about trees that need no catalog. Nothing of the plan algebra stands here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from apps.analyst.plan.lift.clauses import only_known
from apps.analyst.plan.lift.reasons import NotLifted

MOST_TEXT = 20_000
_SUBQUERIES = (exp.Subquery, exp.Select, exp.SetOperation)
_AGGREGATES = (exp.AggFunc, exp.WithinGroup, exp.Filter)
_WINDOWS_ALONE = (exp.Lag, exp.Lead, exp.FirstValue, exp.LastValue, exp.NthValue, exp.RowNumber, exp.Ntile)
_NUMBER_TYPES = frozenset({
    "INT", "BIGINT", "SMALLINT", "TINYINT", "UINT", "UBIGINT", "DOUBLE", "FLOAT", "DECIMAL", "INT128", "UDOUBLE",
})  # fmt: skip
WHOLE_TYPES = frozenset({"INT", "BIGINT", "SMALLINT", "TINYINT", "UINT", "UBIGINT", "INT128"})


def parsed(sql: str) -> exp.Expr:
    """The one query in `sql`."""
    if len(sql) > MOST_TEXT:
        raise NotLifted("too long")
    try:
        trees = [tree for tree in sqlglot.parse(sql, read="duckdb") if tree is not None]
    except (SqlglotError, RecursionError) as error:
        raise NotLifted("cannot be parsed") from error
    if len(trees) != 1 or not isinstance(trees[0], exp.Select | exp.SetOperation | exp.Subquery):
        raise NotLifted("not one SELECT")
    only_known(trees[0])
    return trees[0]


def bare(e: exp.Expr) -> exp.Expr:
    """The expression without brackets and alias."""
    while isinstance(e, exp.Paren | exp.Alias):
        e = e.this
    return e


def uncast(e: exp.Expr) -> exp.Expr:
    """The expression without brackets, aliases and casts."""
    while isinstance(e, exp.Paren | exp.Alias | exp.Cast | exp.TryCast):
        e = e.this
    return e


def named(e: exp.Expr) -> str:
    """The name under which an item of a SELECT is known, "" where it has none."""
    return e.alias_or_name if isinstance(e, exp.Alias | exp.Column) else ""


def conjuncts(e: exp.Expr) -> list[exp.Expr]:
    """The conditions that all have to hold."""
    return _flat(e, exp.And)


def alternatives(e: exp.Expr) -> list[exp.Expr]:
    """The conditions of which one has to hold."""
    return _flat(e, exp.Or)


def _flat(e: exp.Expr, kind: type[exp.Connector]) -> list[exp.Expr]:
    e = bare(e)
    return [*_flat(e.left, kind), *_flat(e.right, kind)] if isinstance(e, kind) else [e]


def together(parts: list[exp.Expr]) -> exp.Expr | None:
    """All conditions as one."""
    return reduce(lambda a, b: exp.And(this=a, expression=b), parts) if parts else None


def here(e: exp.Expr) -> Iterator[exp.Expr]:
    """The expression and all below it, save for what stands in subqueries."""
    yield e
    for child in e.iter_expressions():
        if not isinstance(child, _SUBQUERIES):
            yield from here(child)


def is_aggregate(e: exp.Expr) -> bool:
    """Whether the node itself is a figure over a group."""
    return isinstance(e, _AGGREGATES) and not isinstance(e, _WINDOWS_ALONE)


def has_aggregate(e: exp.Expr) -> bool:
    """Whether a figure over a group stands in the expression: the argument of a window may hold one, is none."""
    if isinstance(e, exp.Window):
        inside = _without_function(e.this)
        parts = [*inside, *(e.args.get("partition_by") or []), *_order_of(e)]
        return any(has_aggregate(part) for part in parts)
    if isinstance(e, _SUBQUERIES):
        return False
    return is_aggregate(e) or any(has_aggregate(child) for child in e.iter_expressions())


def _without_function(e: exp.Expr) -> list[exp.Expr]:
    e = e.this if isinstance(e, exp.Filter | exp.IgnoreNulls | exp.RespectNulls) else e
    return list(e.iter_expressions())


def _order_of(e: exp.Window) -> list[exp.Expr]:
    order = e.args.get("order")
    return list(order.expressions) if order is not None else []


def has_window(e: exp.Expr) -> bool:
    """Whether the expression looks across rows."""
    return any(isinstance(part, exp.Window) for part in here(e))


def number_of(e: exp.Expr | None) -> int | float | None:
    """The number that is written there, if it is one."""
    if e is None:
        return None
    e = uncast(e)
    if isinstance(e, exp.Literal) and not e.is_string:
        text = str(e.this)
        return int(text) if text.isdigit() else float(text)
    if isinstance(e, exp.Neg):
        inner = number_of(e.this)
        return None if inner is None else -inner
    return None


def text_of(e: exp.Expr | None) -> str | None:
    """The text that is written there, if it is one."""
    e = bare(e) if e is not None else None
    return str(e.this) if isinstance(e, exp.Literal) and e.is_string else None


def whole_of(e: exp.Expr | None, what: str) -> int:
    """The whole number that is written there."""
    number = number_of(e)
    if number is None or number != int(number):
        raise NotLifted(f"{what} that is no number")
    return int(number)


def cast_to(e: exp.Expr) -> str:
    """The kind of a cast: "number", "whole", "text", "date", "datetime", "boolean", or what it is called."""
    name = str(e.args["to"].this.name) if isinstance(e.args["to"].this, exp.DataType.Type) else "?"
    if name in _NUMBER_TYPES:
        return "whole" if name in WHOLE_TYPES else "number"
    if name in ("DATE", "DATE32"):
        return "date"
    if name.startswith(("TIMESTAMP", "DATETIME")):
        return "datetime"
    return {"BOOLEAN": "boolean", "VARCHAR": "text", "TEXT": "text", "CHAR": "text"}.get(name, name.lower())


def is_condition(e: exp.Expr) -> bool:
    """Whether the expression is true or false by its form."""
    e = bare(e)
    kinds = exp.Predicate | exp.Connector | exp.Not | exp.Exists | exp.Contains | exp.StartsWith | exp.RegexpLike
    return isinstance(e, kinds) and not isinstance(e, exp.Subquery)
