"""A query split into what one SELECT can do and what has to wait for its rows. Plans in, plans out; no SQL here.

`base` columns are computed by scanning and grouping. `framed` columns look across all rows of the base (shares, ranks,
changes) and are written over the base's column names; where there are any, `having` waits for them as `after`, so that
a share is one of the whole and a change one against the period before, whatever is shown of them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, get_args

from apps.analyst.computing.compile.guard import Guard
from apps.analyst.computing.compile.order import SortKey, stated_keys
from apps.analyst.computing.compile.outputs import figures_scope, inline_labels, outputs_of
from apps.analyst.computing.compile.scope import NESTED, Scope, Shape
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.walk import inner_queries, rewrite, windowed, within
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, Constant, Expr, Node, Predicate, Query, Window

N = TypeVar("N", bound=Node)
EXPRESSIONS: tuple[type[Node], ...] = get_args(get_args(Expr)[0])


@dataclass(slots=True)
class Layers:
    """The split query. `shown` are the visible columns in order; all other columns are hidden helpers."""

    query: Query
    scope: Scope
    shapes: dict[str, Shape]
    base: dict[str, Expr] = field(default_factory=dict)
    framed: dict[str, Expr] = field(default_factory=dict)
    known: dict[str, Shape] = field(default_factory=dict)
    """The shapes of the base's and framed columns, hidden ones included."""
    having: Predicate | None = None
    after: Predicate | None = None
    keys: list[SortKey] = field(default_factory=list)
    single: bool = True
    """True where one SELECT does it all."""
    by_group: bool = False
    """True where distinct rows are sorted by something that is not shown, which only grouping can do."""
    prefix: str = "_h"

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(self.shapes)

    def base_scope(self) -> Scope:
        """The names that framed columns and `after` may use."""
        return figures_scope(self.scope.catalog, self.known)


def split(query: Query, scope: Scope, shapes: dict[str, Shape], guard: Guard | None = None) -> Layers:
    """The layers of a completed query."""
    layers = Layers(query, scope, shapes)
    while any(label.casefold().startswith(layers.prefix) for label in shapes):
        layers.prefix = "_" + layers.prefix
    outputs = [(output.label, inline_labels(output.expr, query)) for output in outputs_of(query)]
    for label, expr in outputs:
        if not windowed(expr):
            layers.base[label] = expr
            layers.known[label] = shapes[label]
    for label, expr in outputs:
        if windowed(expr):
            layers.framed[label] = _lowered(expr, layers)
            layers.known[label] = shapes[label]
    _split_having(layers, guard)
    keys = stated_keys(query, shapes)
    cut_by_rows = query.limit is not None and (bool(query.limit_per) or query.ties)
    looks_across = any(key.expr is not None and windowed(key.expr) for key in keys)
    layers.single = not (layers.framed or layers.after is not None or cut_by_rows or looks_across)
    layers.by_group = query.distinct and bool(query.columns) and any(key.expr is not None for key in keys)
    loses_order = not layers.single or _asks(query)
    if loses_order and not keys and as_listed(query) and isinstance(query.source, str):
        # Windows and inner queries lose the order rows have in their file; listed rows keep it by their numbers.
        keys = [SortKey(None, ColumnRef(table=query.source, column=ROW_NUMBER), descending=False)]
    layers.keys = keys if layers.single else [_named(key, layers) for key in keys]
    return layers


def as_listed(query: Query) -> bool:
    """True where rows stand as their file lists them, unless an order says otherwise."""
    return not (query.groups or query.measures or query.joins or query.distinct)


def _asks(query: Query) -> bool:
    """True where listed rows are held against an inner query: DuckDB may join the two either way around."""
    parts: list[Node] = [column.expr for column in query.columns]
    return any(True for part in (*parts, query.where) if part is not None for _ in inner_queries(part))


def _split_having(layers: Layers, guard: Guard | None) -> None:
    if layers.query.having is None:
        return
    having = inline_labels(layers.query.having, layers.query, own_first=True)
    if not layers.framed and not windowed(having) and not _ranked_across(layers) and not _counts_once(having, guard):
        layers.having = having
        return

    def change(part: Node) -> Node | None:
        return _frame(part, layers) if isinstance(part, Window) else None

    layers.after = rewrite(_lowered(having, layers), change)


def _ranked_across(layers: Layers) -> bool:
    """True where rows are sorted by a figure that looks across them and is not shown."""
    return any(not isinstance(order.by, str) and windowed(order.by) for order in layers.query.order)


def _counts_once(having: Predicate, guard: Guard | None) -> bool:
    """True where a figure is held against something that takes each repeated row once: it is written with lambdas,
    whose parameters DuckDB takes for columns behind HAVING."""
    figures = (part for part in within(having) if isinstance(part, Aggregate) and not part.distinct)
    return guard is not None and any(guard.repeated(figure) for figure in figures)


def _lowered(node: N, layers: Layers) -> N:
    """`node` over the base's columns: what needs no window becomes a column of the base."""

    def change(part: Node) -> Node | None:
        if isinstance(part, Window):
            return part.model_copy(update={"of": _hidden(part.of, layers)})
        if isinstance(part, Constant):
            return part
        if isinstance(part, EXPRESSIONS) and not windowed(part):
            return _hidden(part, layers)  # type: ignore[arg-type]
        return None

    return rewrite(node, change)


def _hidden(expr: Expr, layers: Layers) -> ColumnRef:
    """The base column that holds `expr`; a hidden one is added where there is none."""
    for name, held in layers.base.items():
        if held == expr:
            return ColumnRef(table=NESTED, column=name)
    name = f"{layers.prefix}{len(layers.known)}"
    layers.base[name] = expr
    layers.known[name] = shape_of(expr, layers.scope)
    return ColumnRef(table=NESTED, column=name)


def _frame(expr: Expr, layers: Layers) -> ColumnRef:
    """The framed column that holds `expr`, which is already written over the base."""
    for name, held in layers.framed.items():
        if held == expr:
            return ColumnRef(table=NESTED, column=name)
    name = f"{layers.prefix}{len(layers.known)}"
    layers.known[name] = shape_of(expr, layers.base_scope())
    layers.framed[name] = expr
    return ColumnRef(table=NESTED, column=name)


def _named(key: SortKey, layers: Layers) -> SortKey:
    """The key by a column's name: hidden expressions get a hidden column."""
    if key.expr is None:
        return key
    if windowed(key.expr):
        lowered = _lowered(key.expr, layers)
        column = _frame(lowered, layers).column
    else:
        column = _hidden(key.expr, layers).column
    return SortKey(column, None, key.descending, key.calendar, key.computed and layers.known[column].type == "float")
