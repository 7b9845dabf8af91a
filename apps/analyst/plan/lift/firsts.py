"""The first few of each group: a rank that is only computed to be filtered becomes a limit within groups."""

from __future__ import annotations

from apps.analyst.computing.compile.outputs import outputs_of
from apps.analyst.computing.compile.walk import references, windowed
from apps.analyst.plan import Arithmetic, ColumnRef, Compare, Constant, Expr, Node, Order, Query, Window


def with_limits(query: Query) -> Query:
    """The query with ranks that only filter as limits, inner ones included."""
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": with_limits(query.source)})
        query = _rank_below(query)
    return _rank_here(query)


def _rank_here(query: Query) -> Query:
    """`QUALIFY rank() OVER (...) <= 3`."""
    cut = _cut(query.having)
    if cut is None or query.limit is not None or query.offset or query.distinct:
        return query
    window, most = cut
    key = _order_of(window, query)
    if query.order and not _goes_with(query.order, key, window.partition):
        return query
    update = {
        "having": None,
        "order": query.order or (key,),
        "limit": most,
        "limit_per": window.partition,
        "ties": window.fn == "rank",
    }
    return query.model_copy(update=update)


def _cut(having: Node | None) -> tuple[Window, int] | None:
    """The rank and how many of it are kept, where a condition says just that."""
    if not isinstance(having, Compare) or not isinstance(having.left, Window) or not isinstance(having.right, Constant):
        return None
    window, most = having.left, having.right.value
    if window.fn not in ("rank", "row_number") or isinstance(most, bool) or not isinstance(most, int):
        return None
    most = most - 1 if having.op == "<" else most
    if most < 1 or having.op not in ("<=", "<", "=") or (having.op == "=" and most != 1):
        return None
    return window, most


def _order_of(window: Window, query: Query) -> Order:
    """What the rank goes by."""
    if window.order is not None:
        return Order(by=window.order)
    of, descending = window.of, True
    if isinstance(of, Arithmetic) and of.op == "-" and of.left == Constant(value=0, type="number"):
        of, descending = of.right, False
    label = next((output.label for output in outputs_of(query) if output.expr == of), None)
    return Order(by=label if label is not None else of, descending=descending)


def _goes_with(orders: tuple[Order, ...], key: Order, partition: tuple[str, ...]) -> bool:
    """Whether rows in this order come in the rank's order within each group."""
    rest = [order for order in orders if order.by not in partition]
    return rest == [key]


def _rank_below(query: Query) -> Query:
    """`SELECT ... FROM (SELECT ..., rank() OVER (...) AS place ...) WHERE place <= 3`."""
    inner, where = query.source, query.where
    if not isinstance(inner, Query) or not isinstance(where, Compare) or query.joins or inner.having is not None:
        return query
    place = where.left
    if not isinstance(place, ColumnRef) or place.table or _reads(query, place.column):
        return query
    output = next((output for output in outputs_of(inner) if output.label == place.column), None)
    if output is None or not isinstance(output.expr, Window):
        return query
    rest = {
        "columns": tuple(column for column in inner.columns if column is not output),
        "measures": tuple(measure for measure in inner.measures if measure is not output),
        "having": where.model_copy(update={"left": output.expr}),
    }
    cut = _rank_here(inner.model_copy(update=rest))
    if cut.having is not None or not outputs_of(cut):
        return query
    query = query.model_copy(update={"source": cut, "where": None})
    return _without_frame(query, cut)


def _reads(query: Query, label: str) -> bool:
    """Whether the query uses a column of its inner query beside its condition."""
    parts: list[Node] = [output.expr for output in outputs_of(query)]
    parts += [query.having] if query.having is not None else []
    parts += [order.by for order in query.order if not isinstance(order.by, str)]
    shown = {output.label for output in outputs_of(query)}
    named = any(order.by == label and label not in shown for order in query.order)
    return named or any(ref.table == "" and ref.column == label for part in parts for ref in references(part))


def _without_frame(query: Query, cut: Query) -> Query:
    """The inner query alone, where the outer one only lists what it gives."""
    plain = not (query.having or query.distinct or query.limit or query.offset)
    listed = [_listed(column.expr) for column in query.columns]
    labels = [column.label for column in query.columns]
    if not plain or not listed == labels == [output.label for output in outputs_of(cut)]:
        return query
    orders = tuple(Order(by=_listed_or_self(order.by), descending=order.descending) for order in query.order)
    if orders and not _goes_with(orders, cut.order[0], cut.limit_per):
        return query
    return cut.model_copy(update={"order": orders}) if orders else cut


def _listed_or_self(by: str | Expr) -> str | Expr:
    return by if isinstance(by, str) else _listed(by) or by


def _listed(expr: Expr) -> str | None:
    return expr.column if isinstance(expr, ColumnRef) and not expr.table and not windowed(expr) else None
