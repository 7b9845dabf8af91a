"""Puts what a keyword means into a finished plan: rows that it restricts, a figure that it replaces.

Each function gives the new plan, or None where the plan has no place for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import rewrite, within
from apps.analyst.language.scan import join_of
from apps.analyst.language.schema import Schema
from apps.analyst.plan import (
    Aggregate,
    AnyOf,
    Arithmetic,
    Between,
    ColumnRef,
    Combine,
    Comparison,
    Conditional,
    Constant,
    Drivers,
    Expr,
    Join,
    Node,
    Order,
    Output,
    Part,
    Period,
    Plan,
    Predicate,
    Query,
    SetOperation,
    Statistic,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.reading.keywords.filters import Rows
from apps.analyst.reading.keywords.formulas import Formula, only

Change = Callable[[Query], Query | None]


def changed(plan: Plan, change: Change) -> Plan | None:
    """The plan with each of its outermost queries changed; None where one cannot be."""
    match plan:
        case Query():
            return change(plan)
        case Comparison() | Statistic():
            query = change(plan.query)
            return None if query is None else plan.model_copy(update={"query": query})
        case Drivers():
            compared = changed(plan.comparison, change)
            return None if compared is None else plan.model_copy(update={"comparison": compared})
        case SetOperation():
            left, right = change(plan.left), change(plan.right)
            return None if left is None or right is None else plan.model_copy(update={"left": left, "right": right})
        case Combine():
            queries = [change(part.query) for part in plan.parts]
            if any(query is None for query in queries):
                return None
            parts = zip(plan.parts, queries, strict=True)
            return plan.model_copy(
                update={"parts": tuple(part.model_copy(update={"query": query}) for part, query in parts)}
            )
        case _:
            return None


def both(*predicates: Predicate | None) -> Predicate | None:
    """The condition that all hold, each part once."""
    parts = [part for predicate in predicates for part in conjuncts(predicate)]
    unique = [part for i, part in enumerate(parts) if part not in parts[:i]]
    return together(unique)


# ---------------------------------------------------------------- rows
def restricted(query: Query, rows: Rows, said: str, schema: Schema) -> Query | None:
    """The query over those rows only. `said` follows its noun where the query words its conditions itself."""
    if isinstance(query.source, Query):
        inner = restricted(query.source, rows, said, schema)
        return None if inner is None else query.model_copy(update={"source": inner, "scope": _scope(query, said)})
    joins = reaching(query, rows.table, schema)
    if joins is None:
        return None
    update = {"where": both(query.where, rows.predicate), "joins": joins, "scope": _scope(query, said)}
    return query.model_copy(update=update)


def _scope(query: Query, said: str) -> str:
    return f"{said}{query.scope}" if query.noun else query.scope


def reaching(query: Query, table: str, schema: Schema) -> tuple[Join, ...] | None:
    """The query's joins with those that reach a table of which each row meets at most one; None where none does."""
    present = {query.source, *(join.table for join in query.joins if join.alias in (None, join.table))}
    if table in present:
        return query.joins
    if not isinstance(query.source, str) or query.source not in schema.tables:
        return None
    path = schema.path(query.source, table, one=True)
    if path is None:
        return None
    more = [join_of(edge, "left") for edge in path if edge.target not in present]
    return (*query.joins, *more)


def told_apart(query: Query, label: str, kinds: Sequence[tuple[str, Rows]], schema: Schema) -> Query | None:
    """The query by several keywords' rows, side by side ("EMEA and APAC")."""
    joins = reaching(query, kinds[0][1].table, schema)
    if joins is None or not query.measures or isinstance(query.source, Query):
        return None
    group: Expr | None = None
    for term, rows in reversed(kinds):
        group = Conditional(when=rows.predicate, then=Constant(value=term), otherwise=group)
    assert group is not None
    where = both(query.where, AnyOf(of=tuple(rows.predicate for _, rows in kinds)))
    groups = (*query.groups, Output(label=label, expr=group))
    return query.model_copy(update={"groups": groups, "joins": joins, "where": where})


# ---------------------------------------------------------------- figures
def substituted(query: Query, formula: Formula, place: int) -> Query | None:
    """The query with the figure that stood for the formula replaced by it."""
    base = formula.figures[place].query
    figure = inline_labels(base.measures[0].expr, base)
    holding = [m for m in query.measures if any(_is_of(part, figure) for part in within(inline_labels(m.expr, query)))]
    own, mine = conjuncts(query.where), conjuncts(base.where)
    if not holding or query.source != formula.source or any(part not in own for part in mine):
        return None
    rest = [part for part in own if part not in mine]
    known = {join.alias or join.table: join for join in query.joins}
    found = next((m for m in holding if inline_labels(m.expr, query) == figure), None)
    output = Output(label=formula.label, expr=formula.expr, unit=formula.unit)

    def meant(part: Node) -> Node | None:
        if isinstance(part, Aggregate | Arithmetic) and _is_of(part, figure):
            return only(formula.expr, part.where if isinstance(part, Aggregate) else None)
        if found is not None and isinstance(part, ColumnRef) and (part.table, part.column) == ("", found.label):
            return part.model_copy(update={"column": formula.label})
        return None

    def made_of(measure: Output) -> Output:
        """A figure made of the one that stood there ("share of total quantity"), of the formula instead."""
        if measure is found:
            return output
        said = (found or base.measures[0]).label
        label = re.sub(re.escape(said), formula.label, measure.label, flags=re.IGNORECASE)
        return measure.model_copy(update={"expr": rewrite(measure.expr, meant), "label": label})

    # A metric's figures come with what they are made of; of those only the formula is left.
    bare = bool(query.noun) and found is not None
    measures = (output,) if bare else tuple(made_of(m) if m in holding else m for m in query.measures)
    return query.model_copy(
        update={
            "where": both(*rest),
            "joins": (*query.joins, *(j for j in formula.joins if (j.alias or j.table) not in known)),
            "measures": measures,
            "having": None if query.having is None else rewrite(query.having, meant),
            "order": tuple(_reordered(one, found, output) for one in query.order) if found is not None else query.order,
            "noun": "",
            "scope": "",
        }
    )


def _is_of(part: Node, figure: Expr) -> bool:
    """Whether a part is the figure, of all rows or of some."""
    if part == figure:
        return True
    of_some = isinstance(part, Aggregate) and isinstance(figure, Aggregate) and figure.where is None
    return of_some and part.model_copy(update={"where": None}) == figure


def _reordered(order: Order, found: Output, new: Output) -> Order:
    if order.by in (found.label, found.expr):
        return order.model_copy(update={"by": new.label})
    return order


# ---------------------------------------------------------------- dates
def dates_of(plan: Plan) -> frozenset[str]:
    """The columns by whose dates a plan restricts or tells apart."""
    queries: list[Query] = []

    def collect(query: Query) -> Query:
        queries.append(query)
        if isinstance(query.source, Query):
            collect(query.source)
        return query

    changed(plan, collect)
    nodes: list[Node] = [output.expr for query in queries for output in query.groups]
    nodes += [query.where for query in queries if query.where is not None]
    return frozenset(name for node in nodes for part in within(node) if (name := _dated(part)))


def _dated(part: Node) -> str:
    """The column whose date a part tests or tells apart, "" for other parts."""
    if not isinstance(part, Period | Part | Between) or not isinstance(part.of, ColumnRef):
        return ""
    return part.of.column if not isinstance(part, Between) or _is_date(part) else ""


def _is_date(part: Between) -> bool:
    return isinstance(part.low, Constant) and part.low.type in ("date", "datetime")
