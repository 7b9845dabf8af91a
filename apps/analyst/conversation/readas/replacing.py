"""A plan with another query, or another output, in the place of its own."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.plan import ColumnRef, Comparison, Drivers, Node, Order, Output, Plan, Query, Statistic

Swap = tuple[str, Plan]
"""What a part would be called, and the plan with it so."""


def with_core(plan: Plan, query: Query) -> Plan:
    """The plan with another query in the place of its own."""
    match plan:
        case Comparison() | Statistic():
            return plan.model_copy(update={"query": query})
        case Drivers():
            return plan.model_copy(update={"comparison": plan.comparison.model_copy(update={"query": query})})
    return query


def with_output(query: Query, old: Output, new: Output) -> Query | None:
    """The query with one output for another, wherever its label stands; None where the new label is taken."""
    outputs = (*query.columns, *query.groups, *query.measures)
    if any(output.label == new.label for output in outputs if output != old):
        return None

    def relabelled(part: Node) -> Node | None:
        if isinstance(part, ColumnRef) and part.table == "" and part.column == old.label:
            return part.model_copy(update={"column": new.label})
        return None

    def output_of(output: Output) -> Output:
        return new if output == old else rewrite(output, relabelled)

    def order_of(order: Order) -> Order:
        return order.model_copy(update={"by": new.label}) if order.by == old.label else rewrite(order, relabelled)

    return query.model_copy(
        update={
            "columns": tuple(map(output_of, query.columns)),
            "groups": tuple(map(output_of, query.groups)),
            "measures": tuple(map(output_of, query.measures)),
            "having": rewrite(query.having, relabelled) if query.having is not None else None,
            "order": tuple(map(order_of, query.order)),
            "limit_per": tuple(new.label if label == old.label else label for label in query.limit_per),
            "noun": "",
            "scope": "",
        }
    )
