"""Holds a plan against the catalog. Nothing is computed here and nothing of the plan is changed.

A plan that passes names only what is there, keeps the type rules, and can be compiled. What fails is a PlanRejected
whose message names the reason and what would be valid, fit for a person and for a model that tries again.
"""

from __future__ import annotations

from apps.analyst.computing.compile.functions import require
from apps.analyst.computing.compile.kinds import comparable
from apps.analyst.computing.compile.outputs import (
    completed,
    figures_scope,
    inline_labels,
    output_shapes,
    outputs_of,
    result_columns,
    scope_of,
)
from apps.analyst.computing.compile.scope import Scope, Shape, listing, table_named
from apps.analyst.computing.compile.shapes import check_predicate, shape_of
from apps.analyst.computing.compile.walk import aggregated, children, inner_queries, windowed, within
from apps.analyst.computing.drivers import cut_comparison, refusal
from apps.analyst.errors import AnalystError, PlanRejected
from apps.analyst.plan import (
    Aggregate,
    AllOf,
    Clarify,
    ColumnRef,
    Combine,
    Comparison,
    Describe,
    Drivers,
    Expr,
    Node,
    Output,
    Plan,
    Predicate,
    Query,
    SetOperation,
    Statistic,
    Window,
)
from apps.analyst.plan.wholes import split_whole
from apps.analyst.ports import Catalog

MOST_DEPTH = 6
MOST_OUTPUTS = 400


def validate(plan: Plan, catalog: Catalog) -> None:
    """Raises PlanRejected where `plan` cannot be computed over `catalog`."""
    match plan:
        case Query():
            _query(plan, catalog, depth=0)
        case SetOperation():
            _set_operation(plan, catalog)
        case Comparison():
            _comparison(plan, catalog)
        case Combine():
            _combine(plan, catalog)
        case Drivers():
            _drivers(plan, catalog)
        case Statistic():
            _query(plan.query, catalog, depth=0)
        case Describe():
            _describe(plan, catalog)
        case Clarify():
            require(len(plan.options) >= 2, "A question back needs at least two options.")
            for option in plan.options:
                validate(option.plan, catalog)
            return
    split = split_whole(plan, catalog)
    require(split is None, f"{split} tells amounts once for several rows; what each row tells does not split them.")


def holds(plan: Plan, catalog: Catalog) -> bool:
    """Whether the plan fits the catalog."""
    try:
        validate(plan, catalog)
    except AnalystError:
        return False
    return True


def _query(query: Query, catalog: Catalog, depth: int) -> None:
    require(depth < MOST_DEPTH, "The plan is nested too deep.")
    if isinstance(query.source, Query):
        _query(query.source, catalog, depth + 1)
        query = query.model_copy(update={"source": completed(query.source, catalog)})
    query = completed(query, catalog)
    require(not query.columns or not (query.groups or query.measures), "A query lists rows or groups them, not both.")
    outputs = outputs_of(query)
    _labels(outputs)
    scope = scope_of(query, catalog)
    _joins(query, scope)
    if query.where is not None:
        require(not aggregated(query.where) and not windowed(query.where), "Totals are filtered by `having`.")
        check_predicate(query.where, scope)
    for output in (*query.columns, *query.groups):
        require(not aggregated(output.expr), f"{output.label!r} is not a total, so it cannot hold one.")
    for output in query.groups:
        require(not windowed(output.expr), f"Rows cannot be grouped by {output.label!r}, which looks across rows.")
    for output in query.measures:
        _measure(output, query)
    shapes = output_shapes(query, catalog, scope)
    labelled = scope.with_labels(shapes)
    _windows(query, shapes)
    if query.distinct and query.columns:
        refused = any(windowed(inline_labels(column.expr, query)) for column in query.columns)
        require(not refused, "Different rows cannot hold a figure that looks across rows.")
    if query.having is not None:
        check_predicate(inline_labels(query.having, query, own_first=True), scope)
    _order(query, labelled)
    for part in _nodes(query):
        for inner in inner_queries(part):
            _query(inner, catalog, depth + 1)


def _labels(outputs: tuple[Output, ...]) -> None:
    require(bool(outputs), "The plan asks for no column and no figure.")
    require(len(outputs) <= MOST_OUTPUTS, f"A result has at most {MOST_OUTPUTS} columns.")
    seen: set[str] = set()
    for output in outputs:
        require(output.label.strip() != "", "A result column has no name.")
        require(output.label.casefold() not in seen, f"Two result columns are called {output.label!r}.")
        seen.add(output.label.casefold())


def _joins(query: Query, scope: Scope) -> None:
    known = {"" if isinstance(query.source, Query) else query.source}
    for join in query.joins:
        alias = join.alias or join.table
        require(bool(join.on), f"The join of {join.table!r} has no keys.")
        for key in join.on:
            sides = {key.left.table, key.right.table}
            require(alias in sides, f"A key of the join of {alias!r} does not name it.")
            require(bool((sides - {alias}) & known), f"{alias!r} is joined to a table that is not read yet.")
            left, right = scope.shape(key.left), scope.shape(key.right)
            if key.part is not None:
                require(left.type == right.type == "text", f"Only texts hold parts of keys, not {left.type}.")
            elif not key.fold:
                same = comparable(left, right)
                require(same, f"{key.left.column!r} ({left.type}) and {key.right.column!r} ({right.type}) never match.")
        known.add(alias)


def _measure(output: Output, query: Query) -> None:
    expr = inline_labels(output.expr, query)
    require(aggregated(expr), f"{output.label!r} is neither a total nor a group.")
    _only_groups(expr, output.label, [inline_labels(group.expr, query) for group in query.groups])
    for part in within(expr):
        if isinstance(part, Aggregate):
            inside = [part.of, part.where]
            nested = any(aggregated(item) or windowed(item) for item in inside if item is not None)
            require(not nested, f"{output.label!r} takes a total of a total; nest a query instead.")


def _only_groups(node: Node, label: str, groups: list[Expr]) -> None:
    """Outside its totals a figure may only use what rows are grouped by."""
    if isinstance(node, Aggregate) or node in groups:
        return
    require(not isinstance(node, ColumnRef), f"{label!r} uses a column outside a total that is no group.")
    for child in children(node):
        _only_groups(child, label, groups)


def _windows(query: Query, shapes: dict[str, Shape]) -> None:
    for output in outputs_of(query):
        for part in within(inline_labels(output.expr, query)):
            if not isinstance(part, Window):
                continue
            require(not windowed(part.of), f"{output.label!r} looks across rows of something that already does.")
            for label in (*part.partition, *((part.order,) if part.order else ())):
                require(label in shapes, f"There is no result column {label!r}. {listing('Result columns', shapes)}")
                target = next(o for o in outputs_of(query) if o.label == label)
                require(not windowed(target.expr), f"{label!r} itself looks across rows.")


def _order(query: Query, scope: Scope) -> None:
    for order in query.order:
        if isinstance(order.by, str):
            known = order.by in scope.labels
            require(known, f"There is no result column {order.by!r}. {listing('Result columns', scope.labels)}")
        else:
            expr = inline_labels(order.by, query, own_first=True)
            if query.columns:
                require(not aggregated(expr), "Listed rows cannot be sorted by a total.")
            shape_of(expr, scope)
    require(query.limit is None or query.limit >= 1, "A limit is at least 1.")
    require(query.offset >= 0, "An offset is not negative.")
    require(not query.limit_per or query.limit is not None, "A limit per group needs the limit.")
    for label in query.limit_per:
        known = label in scope.labels
        require(known, f"There is no result column {label!r}. {listing('Result columns', scope.labels)}")


def _nodes(query: Query) -> list[Node]:
    parts: list[Node] = [output.expr for output in outputs_of(query)]
    parts += [part for part in (query.where, query.having) if part is not None]
    parts += [order.by for order in query.order if not isinstance(order.by, str)]
    return parts


def _set_operation(plan: SetOperation, catalog: Catalog) -> None:
    for side in (plan.left, plan.right):
        _query(side, catalog, depth=0)
    left, right = (list(output_shapes(side, catalog).values()) for side in (plan.left, plan.right))
    require(len(left) == len(right), "Both sides of a set need the same number of columns.")
    for one, other in zip(left, right, strict=True):
        require(comparable(one, other), f"A set cannot hold {one.type} and {other.type} in one column.")


def _comparison(plan: Comparison, catalog: Catalog) -> None:
    query = plan.query
    require(bool(query.measures), "A comparison needs a figure to compare.")
    require(plan.current_label != plan.baseline_label, "Both sides of the comparison are called the same.")
    bare = query.model_copy(update={"order": (), "limit": None, "limit_per": (), "offset": 0, "ties": False})
    for side in (plan.current, plan.baseline):
        _query(bare.model_copy(update={"where": both(query.where, side)}), catalog, depth=0)
    require(not query.limit_per, "A comparison has one order, not one per group.")
    for column in result_columns(bare, catalog):
        numeric = column.kind == "dimension" or column.type in ("integer", "decimal", "float")
        require(numeric, f"{column.name!r} is no number, so its change cannot be computed.")


def _drivers(plan: Drivers, catalog: Catalog) -> None:
    query = plan.comparison.query
    require(len(query.measures) == 1 and not query.groups, "One figure's change can be explained at a time.")
    require(bool(plan.cuts), "There is nothing to split the change by.")
    reason = refusal(query.measures[0], query)
    require(not reason, reason)
    for cut in plan.cuts:
        _comparison(cut_comparison(plan, cut), catalog)


def both(one: Predicate | None, other: Predicate) -> Predicate:
    """The condition that both hold."""
    return other if one is None else AllOf(of=(one, other))


def _combine(plan: Combine, catalog: Catalog) -> None:
    require(bool(plan.parts), "Nothing is combined.")
    shapes: dict[str, Shape] = {}
    for part in plan.parts:
        _query(part.query, catalog, depth=0)
        found = list(output_shapes(part.query, catalog).values())
        require(len(found) == 1, f"{part.label!r} must be one figure; it has {len(found)} columns.")
        require(part.label not in shapes, f"Two figures are called {part.label!r}.")
        shapes[part.label] = found[0]
    _labels(plan.outputs)
    scope = figures_scope(catalog, shapes)
    for output in plan.outputs:
        refused = aggregated(output.expr) or windowed(output.expr)
        require(not refused, f"{output.label!r} may only compute with the figures combined.")
        shape_of(output.expr, scope)


def _describe(plan: Describe, catalog: Catalog) -> None:
    if plan.table is None:
        require(plan.column is None, "A column is described with its table.")
        return
    table = table_named(catalog, plan.table)
    if plan.column is not None and table.column(plan.column) is None:
        raise PlanRejected(f"There is no column {plan.column!r}. {listing('It has', (c.name for c in table.columns))}")
