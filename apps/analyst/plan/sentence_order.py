"""Words for the order of a query's rows, and for which of them are kept."""

from __future__ import annotations

import re

from apps.analyst.computing.compile.outputs import inline_labels, outputs_of
from apps.analyst.plan.sentence_groups import Say
from apps.analyst.plan.tree import Aggregate, Arithmetic, ColumnRef, Expr, Order, Period, Query, Window
from apps.analyst.telling.formats import listed, spoken


def order_words(query: Query, say: Say) -> str:
    """How rows are sorted and which of them are kept: ", sorted by month, earliest first"; "" where nothing is said."""
    if not query.order and query.limit is None:
        return ""
    per = f" of each {listed([spoken(label) for label in query.limit_per])}" if query.limit_per else ""
    ties = ", ties included" if query.ties else ""
    if told := _best_words(query, say):
        return f", {told}{per}{ties}"
    keys = [_sorted_words(order, query, say) for order in query.order]
    text = f", sorted by {', then by '.join(keys)}" if keys else ""
    return f"{text}, {_places_words(query)}{per}{ties}" if _is_cut(query) else text


def _best_words(query: Query, say: Say) -> str:
    """ "only the highest", "the 3 with the most recent close date": the first rows of one order; "" for others."""
    if len(query.order) != 1 or query.limit is None or query.offset:
        return ""
    order = query.order[0]
    end, key = _END_WORDS.get((_order_kind(order, query), order.descending), ""), key_words(order, query, say)
    if not end:
        return ""
    of_shown = len(query.measures) == 1 and order.by == query.measures[0].label
    which = end if of_shown else f"with the {end} {key.removeprefix(f'{end} ')}"
    if query.limit > 1:
        return f"the {query.limit} {which}"
    return f"only the {which}" if of_shown else f"only the one {which}"


_END_WORDS = {
    ("figure", True): "highest", ("figure", False): "lowest", ("time", True): "latest", ("time", False): "earliest",
}  # fmt: skip
_TIME_WORDS = re.compile(r"\b(?:date|day|time|month|quarter|week|year)\b")


def _order_kind(order: Order, query: Query) -> str:
    """What rows are sorted by: a figure, time, or a name."""
    outputs = {output.label: output.expr for output in outputs_of(query)}
    expr = outputs.get(order.by) if isinstance(order.by, str) else order.by
    if isinstance(expr, Period) or (isinstance(expr, ColumnRef) and _TIME_WORDS.search(spoken(expr.column))):
        return "time"
    measured = isinstance(order.by, str) and any(output.label == order.by for output in query.measures)
    measured = measured or (order.descending and isinstance(expr, ColumnRef))  # few sort names from the last one
    return "figure" if measured or isinstance(expr, Aggregate | Window | Arithmetic) else "name"


def _sorted_words(order: Order, query: Query, say: Say) -> str:
    end = _END_WORDS.get((_order_kind(order, query), order.descending), "")
    words = key_words(order, query, say)
    return f"{words}, {end} first" if end else f"{words} in descending order" if order.descending else words


def _is_cut(query: Query) -> bool:
    return query.limit is not None or query.offset > 0


def key_words(order: Order, query: Query, say: Say) -> str:
    """What rows are sorted by in the first place. A label that names more than its figure is left for the figure: it
    may tell conditions that have been changed since."""
    by, figure = order.by, next((o.expr for o in query.measures if o.label == order.by and _is_plain(o.expr)), None)
    if figure is not None and str(by).casefold().startswith(f"{say.expr(figure).casefold()} of "):
        by = figure
    return spoken(by) if isinstance(by, str) else say.expr(inline_labels(by, query, own_first=True))


def _is_plain(figure: Expr) -> bool:
    return isinstance(figure, Aggregate) and figure.where is None and figure.of is not None and not figure.distinct


def _places_words(query: Query) -> str:
    """Which rows of an order are taken: "the first 3", "only row 2", "rows 4 to 6"."""
    first = query.offset + 1
    if query.limit is None:
        return f"from row {first}"
    if query.limit == 1:
        return f"only row {first}" if query.offset else "only the first"
    return f"rows {first} to {query.offset + query.limit}" if query.offset else f"the first {query.limit}"
