"""Figures of several queries put side by side by the group they share, each computed by itself.

Joined before they are added up, rows of one query would meet many rows of another and count with each of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.plan import (
    Aggregate,
    Call,
    ColumnRef,
    Constant,
    Expr,
    Missing,
    Order,
    Output,
    Period,
    Query,
    ScalarQuery,
)


def side_by_side(queries: Sequence[Query]) -> Query | None:
    """The first figure of each query, of all rows or by the one group that they share; groups that the first query does
    not have are left out. None where they do not go together: other groups, cut rankings, figures of one name."""
    parts = [query.model_copy(update={"measures": query.measures[:1], "order": ()}) for query in queries]
    labels = [output.label for part in parts for output in part.measures]
    if len(labels) < len(parts) or len(set(labels)) < len(labels) or not _go_together(parts):
        return None
    first, others = parts[0], parts[1:]
    figures = tuple(part.measures[0] for part in parts)
    if all(part.model_copy(update={"measures": first.measures, "noun": first.noun}) == first for part in others):
        return first.model_copy(update={"measures": figures, "order": _order(first, labels[0])})
    if not first.groups:
        values = [Output(label=labels[0], expr=ColumnRef(table="", column=labels[0]), unit=figures[0].unit)]
        values += [_beside(part, ScalarQuery(query=part)) for part in others]
        return Query(source=first, columns=tuple(values), noun=first.noun, scope=first.scope)
    group = first.groups[0].label
    own = ColumnRef(table="", column=group)
    fn = "sum" if adds_up(figures[0].expr) else "max"
    told = figures[0].model_copy(update={"expr": Aggregate(fn=fn, of=ColumnRef(table="", column=labels[0]))})
    outputs = [told, *(_beside(part, of_group(part.measures[0], ScalarQuery(query=part, own=own))) for part in others)]
    shown = (Output(label=group, expr=own),)
    said = {"noun": first.noun, "scope": first.scope, "known_until": first.known_until}
    order = _order(first, labels[0])
    return Query(source=first, groups=shown, measures=tuple(outputs), order=order, **said)


def adds_up(figure: Expr) -> bool:
    """True for totals and counts: nought of them where there are no rows."""
    return isinstance(figure, Aggregate) and figure.fn in ("sum", "count")


def known_only(query: Query) -> Query:
    """The query without the rows whose group is not known."""
    return query.model_copy(update={"where": Missing(of=query.groups[0].expr, negated=True)})


def _go_together(parts: Sequence[Query]) -> bool:
    cut = any(part.limit is not None or part.offset or part.having is not None or part.columns for part in parts)
    if cut or len({len(part.groups) for part in parts}) > 1 or len(parts[0].groups) > 1:
        return False
    return len({_kind(group.expr) for part in parts for group in part.groups}) <= 1


def _kind(group: Expr) -> str:
    """What groups must have in common to be the same: the grain of their time, else that they are stored."""
    return f"{group.grain} from {group.first_month}" if isinstance(group, Period) else group.kind


def _order(query: Query, label: str) -> tuple[Order, ...]:
    """In time, else by the first figure."""
    if not query.groups:
        return ()
    in_time = isinstance(query.groups[0].expr, Period) or query.groups[0].expr.kind == "part"
    return (Order(by=query.groups[0].label),) if in_time else (Order(by=label, descending=True),)


def _beside(part: Query, expr: Expr) -> Output:
    return part.measures[0].model_copy(update={"expr": expr})


def of_group(figure: Output, value: ScalarQuery) -> Expr:
    """The one value that a group has of a figure; of what adds up nought where there is none."""
    told = Aggregate(fn="max", of=value)
    nought = Constant(value=0, type="number")
    return Call(name="coalesce", args=(told, nought)) if adds_up(figure.expr) else told
