"""A grouped query over joins as one over the joined rows, listed first: figures then count rows as SQL counts them."""

from __future__ import annotations

from apps.analyst.computing.compile.guard import guard_of
from apps.analyst.computing.compile.outputs import inline_labels, scope_of
from apps.analyst.computing.compile.walk import has, rewrite, within
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import Aggregate, ColumnRef, Expr, Node, Output, Query, ScalarQuery
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.ports import Catalog


def stands_on_repeats(query: Query, catalog: Catalog) -> bool:
    """Whether a join repeats rows that a figure of the query stands on."""
    if not query.joins:
        return False
    try:
        guard = guard_of(query, scope_of(query, catalog))
    except PlanRejected as error:
        raise NotLifted(f"type: {error.message}") from error
    parts: list[Node] = [output.expr for output in query.measures]
    parts += [query.having] if query.having is not None else []
    figures = [
        p for part in parts for p in within(inline_labels(part, query, own_first=True)) if isinstance(p, Aggregate)
    ]
    return any(not figure.distinct and guard.repeated(figure) for figure in figures)


def stands_on_lookups(query: Query) -> bool:
    """Whether something is grouped or added up that is looked up for each row."""
    parts: list[Node] = [output.expr for output in (*query.groups, *query.measures)]
    return any(_is_lookup(part) for expr in parts for part in within(expr))


def _is_lookup(node: Node) -> bool:
    return isinstance(node, ScalarQuery) and node.own is not None


def flattened(query: Query) -> Query:
    """The query over a listing of the rows that it reads."""
    listed: list[Output] = []

    def column(expr: Expr, name: str) -> ColumnRef:
        for output in listed:
            if output.expr == expr:
                return ColumnRef(table="", column=output.label)
        taken = {output.label.casefold() for output in listed}
        label, count = name, 1
        while label.casefold() in taken:
            count += 1
            label = f"{name} ({count})"
        listed.append(Output(label=label, expr=expr))
        return ColumnRef(table="", column=label)

    def change(part: Node) -> Node | None:
        if isinstance(part, ColumnRef):
            return column(part, part.column)
        if isinstance(part, ScalarQuery):
            return column(part, "figure") if part.own is not None else part
        return None

    groups = tuple(_named_alike(output, rewrite(output, change)) for output in query.groups)
    measures = tuple(rewrite(output, change) for output in query.measures)
    having = rewrite(query.having, change) if query.having is not None else None
    if not listed:
        return query
    inner = query.model_copy(update={"groups": (), "measures": (), "having": None, "columns": tuple(listed)})
    return Query(source=inner, groups=groups, measures=measures, having=having)


def _named_alike(before: Output, after: Output) -> Output:
    return after if has(after, ColumnRef) else before
