"""Figures that count each row once although a join repeats it, in a way that holds at any size.

The compiler gathers such rows into a list for each group. A list of 10^7 rows would have to fit one machine, so here
the joined rows are numbered within each of them, and the figure is taken over the first ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlglot
from sqlglot import exp

ROWS = "_once"


@dataclass(frozen=True, slots=True)
class _Repeated:
    """One such figure: the node that computes it, the row's keys, its value, the rows it sees, and the aggregate."""

    node: Any
    keys: tuple[Any, ...]
    value: Any
    where: Any
    function: str
    share: str | None = None


def count_once(tree: Any) -> None:
    """Rewrites every SELECT of `tree` that has such figures, innermost first."""
    for select in reversed(list(tree.find_all(exp.Select))):
        found = [figure for node in _own(select) if (figure := _repeated(node)) is not None]
        if found:
            _rewrite(select, found)


def _own(select: Any) -> Iterator[Any]:
    """The nodes of a SELECT, those of inner ones left out."""
    waiting = [part for name in ("expressions", "having", "order") for part in _listed(select.args.get(name))]
    while waiting:
        node = waiting.pop()
        yield node
        waiting.extend(child for child in node.iter_expressions() if not isinstance(child, exp.Select))


def _listed(part: Any) -> list[Any]:
    return [] if part is None else list(part) if isinstance(part, list) else [part]


def _repeated(node: Any) -> _Repeated | None:
    if isinstance(node, exp.Anonymous) and node.name.lower() == "list_aggregate":
        values, function, *share = node.expressions
        return _read(node, values, function.name, share[0].sql("duckdb") if share else None)
    counted = isinstance(node, exp.Coalesce) and isinstance(node.this, exp.Length)
    if counted and isinstance(node.this.this, exp.ArrayFilter):
        return _read(node, node.this.this, "count", None)
    return None


def _read(node: Any, values: Any, function: str, share: str | None) -> _Repeated:
    rows = values.this.this
    where = None
    if isinstance(rows, exp.Filter):
        rows, where = rows.this, rows.expression.this
    fields = rows.this.expressions[0].expressions
    *keys, value = (field.expression for field in fields)
    return _Repeated(node, tuple(keys), value, where, function, share)


def _rewrite(select: Any, figures: list[_Repeated]) -> None:
    """Numbers the rows below `select` and takes the figures over the first ones."""
    groups = _groups(select)
    inner = exp.Select()
    for name in ("from_", "joins", "where"):
        inner.set(name, select.args.get(name))
    marks: dict[Any, str] = {}
    for figure in figures:
        first = marks.setdefault(_mark(figure, groups), f"first{len(marks)}")
        seen: exp.Condition = exp.column(first, ROWS, quoted=True).eq(1)
        if figure.where is not None:
            seen = exp.and_(seen, figure.where.copy())
        value = exp.Case(ifs=[exp.If(this=seen, true=figure.value.copy())])
        figure.node.replace(_aggregate(figure, value))
    for name in ("from_", "joins", "where"):
        select.set(name, None)
    names: dict[tuple[str, str], str] = {}
    _rename(select, _sources(inner), names)
    for mark, name in marks.items():
        inner.append("expressions", exp.alias_(mark, name, quoted=True))
    for (table, column), name in names.items():
        inner.append("expressions", exp.alias_(exp.column(column, table, quoted=True), name, quoted=True))
    select.set("from_", exp.From(this=inner.subquery(ROWS)))


def _groups(select: Any) -> list[Any]:
    group = select.args.get("group")
    places = [int(item.name) for item in group.expressions] if group is not None else []
    return [select.expressions[place - 1].unalias().copy() for place in places]


def _mark(figure: _Repeated, groups: list[Any]) -> Any:
    by = [*groups, *(key.copy() for key in figure.keys)]
    if figure.where is not None:
        by.append(exp.Coalesce(this=exp.paren(figure.where.copy()), expressions=[exp.false()]))
    order = exp.Order(expressions=[exp.Ordered(this=exp.Literal.number(1))])
    return exp.Window(this=exp.RowNumber(), partition_by=by, order=order)


def _aggregate(figure: _Repeated, value: Any) -> Any:
    made = sqlglot.parse_one(f"{figure.function}(v{', ' + figure.share if figure.share else ''})", read="duckdb")
    next(iter(made.find_all(exp.Column))).replace(value)
    return made


def _sources(select: Any) -> frozenset[str]:
    joined = [join.this for join in select.args.get("joins") or ()]
    return frozenset(source.alias_or_name for source in (select.args["from_"].this, *joined))


def _rename(node: Any, sources: frozenset[str], names: dict[tuple[str, str], str]) -> None:
    """Columns of `sources` by their names in the numbered rows; inner queries with such a source mean their own."""
    for child in list(node.iter_expressions()):
        if isinstance(child, exp.Select):
            own = _sources(child) if child.args.get("from_") else frozenset()
            _rename(child, sources - own, names)
        elif isinstance(child, exp.Column) and child.table in sources:
            name = names.setdefault((child.table, child.name), f"r{len(names)}")
            child.replace(exp.column(name, ROWS, quoted=True))
        else:
            _rename(child, sources, names)
