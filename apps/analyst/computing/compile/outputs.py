"""What a query's result looks like: its labels in order, with shapes, before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal, TypeVar

from apps.analyst.computing.compile.functions import require
from apps.analyst.computing.compile.kinds import change_unit
from apps.analyst.computing.compile.scope import NESTED, Scope, Shape, base_scope, table_named
from apps.analyst.computing.compile.shapes import shape_of
from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Aggregate, ColumnRef, Expr, Node, Order, Output, Query, Window
from apps.analyst.ports import Catalog
from apps.analyst.types import POINTS, ResultColumn

N = TypeVar("N", bound=Node)


def completed(query: Query, catalog: Catalog) -> Query:
    """`query` with every choice it leaves open written down: a bare scan lists all columns of its source."""
    if query.columns or query.groups or query.measures:
        return query
    if isinstance(query.source, str):
        table = table_named(catalog, query.source)
        columns = tuple(Output(label=c.name, expr=ColumnRef(table=table.name, column=c.name)) for c in table.columns)
    else:
        inner = outputs_of(completed(query.source, catalog))
        columns = tuple(Output(label=o.label, expr=ColumnRef(table="", column=o.label)) for o in inner)
    return query.model_copy(update={"columns": columns})


def outputs_of(query: Query) -> tuple[Output, ...]:
    """The outputs in the order of the result's columns."""
    return query.columns or (*query.groups, *query.measures)


def group_columns(query: Query) -> tuple[Query, Query]:
    """The groups of a query of one group and one figure, and its figures in the same order, as one column each."""
    group, figure = query.groups[0].label, query.measures[0].label
    order = (Order(by=ColumnRef(table="", column=group)),)

    def column(label: str) -> Query:
        return Query(source=query, columns=(Output(label=label, expr=ColumnRef(table="", column=label)),), order=order)

    return column(group), column(figure)


def scope_of(query: Query, catalog: Catalog) -> Scope:
    """The names that `query`'s expressions may use, output labels not yet among them."""
    nested: Mapping[str, Shape] | None = None
    if isinstance(query.source, Query):
        nested = output_shapes(query.source, catalog)
    return base_scope(query, catalog, Queries(catalog), nested)


def output_shapes(query: Query, catalog: Catalog, scope: Scope | None = None) -> dict[str, Shape]:
    """Label to shape, in order. Units given in the plan win over inferred ones."""
    query = completed(query, catalog)
    scope = scope or scope_of(query, catalog)
    shapes: dict[str, Shape] = {}
    for output in outputs_of(query):
        expr = inline_labels(output.expr, query)
        shape = shape_of(expr, scope)
        shapes[output.label] = replace(shape, unit=unit_of(output, expr, shape))
    return shapes


def unit_of(output: Output, expr: Expr, shape: Shape) -> str | None:
    """The unit that the plan gives, else the inferred one. A change takes over the unit of what changes, and that of a
    rate is no rate."""
    changes = shape.unit == POINTS or (isinstance(expr, Window) and expr.fn == "change")
    return change_unit(output.unit) if changes and output.unit else output.unit or shape.unit


def inner_labels(query: Query) -> frozenset[str]:
    """The columns that the query's inner query gives it; none where it scans a stored table."""
    if isinstance(query.source, str):
        return frozenset()
    return frozenset(output.label for output in outputs_of(query.source))


def inline_labels(node: N, query: Query, *, own_first: bool = False, seen: frozenset[str] = frozenset()) -> N:
    """`node` with each reference to one of the query's own labels replaced by what the label stands for.

    Over a nested query a name may mean that query's column or an output here: outputs read the inner column; `having`
    and `order` (`own_first`) mean the output, except inside an aggregate, which always reads what was scanned.
    """
    own = {output.label: output.expr for output in outputs_of(query)}
    inner = inner_labels(query)

    def change(part: Node) -> Node | None:
        if isinstance(part, Aggregate) and own_first:
            return inline_labels(part, query, seen=seen)
        if not isinstance(part, ColumnRef) or part.table != NESTED or part.column not in own:
            return None
        if part.column in inner and not own_first:
            return None
        if part.column in seen:
            raise PlanRejected(f"The result column {part.column!r} is made from itself.")
        return inline_labels(own[part.column], query, seen=seen | {part.column})

    return rewrite(node, change)


def figures_scope(catalog: Catalog, columns: Mapping[str, Shape]) -> Scope:
    """A scope in which only already computed columns have names."""
    return Scope(catalog=catalog, queries=Queries(catalog), tables={NESTED: columns})


@dataclass(frozen=True, slots=True)
class Queries:
    """The shapes of inner queries over a catalog (scope.InnerQueries)."""

    catalog: Catalog

    def of_set(self, query: Query) -> Shape:
        """The shape of a one-column query's column."""
        shapes = list(output_shapes(query, self.catalog).values())
        require(len(shapes) == 1, f"A set of values needs a query of one column; this one has {len(shapes)}.")
        return shapes[0]

    def of_groups(self, query: Query) -> tuple[Shape, Shape]:
        """The shapes of a query's only group and its only figure."""
        single = len(query.groups) == len(query.measures) == 1
        require(single, "The figure of a row's own group needs a query of one group and one figure.")
        group, figure = output_shapes(query, self.catalog).values()
        return group, figure

    def of_value(self, query: Query) -> Shape:
        """The shape of a query used as one value."""
        shape = self.of_set(query)
        one_row = (query.measures and not query.groups) or (query.limit == 1 and not query.limit_per and not query.ties)
        require(bool(one_row), "A query used as a value must give one row: a total, or the first of an order.")
        return shape


def result_columns(query: Query, catalog: Catalog) -> tuple[ResultColumn, ...]:
    """The columns of the query's result: groups tell rows apart, measures are figures, listed numbers by their role."""
    query = completed(query, catalog)
    groups = {output.label for output in query.groups}
    measures = {output.label for output in query.measures}
    columns: list[ResultColumn] = []
    for label, shape in output_shapes(query, catalog).items():
        figure = label in measures or (label not in groups and shape.numeric and shape.role == "measure")
        columns.append(result_column(label, shape, figure=figure))
    return tuple(columns)


def result_column(label: str, shape: Shape, *, figure: bool) -> ResultColumn:
    """A result column of that shape."""
    kind: Literal["dimension", "measure"] = "measure" if figure else "dimension"
    return ResultColumn(name=label, type=shape.type or "text", kind=kind, unit=shape.unit, grain=shape.grain)
