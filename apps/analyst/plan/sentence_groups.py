"""Words for queries over the groups of another query: how many of them there are, what one figure of them is, and what
they are held to.

Structure comes in with two ways to say what is below it (`Say`), because a sentence goes as deep as its plan does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.tree import (
    Aggregate,
    Arithmetic,
    Call,
    ColumnRef,
    Compare,
    Constant,
    Expr,
    Node,
    Output,
    Period,
    Predicate,
    Query,
    ScalarQuery,
)
from apps.analyst.telling import formats
from apps.analyst.telling.formats import listed, spoken

NUMBERS = {">": "more than", ">=": "at least", "=": "exactly", "<": "fewer than", "<=": "at most"}
MEANS = {"avg": "average", "median": "median", "min": "lowest", "max": "highest", "sum": "total"}
_KEYS = ("id", "key")
_ROWS = re.compile(r"\bnumber of rows\b(?! in )")
_DONE_ON = re.compile(r"^first (\w+) (?:on|at) ")
"""The first of a date whose name goes on: "first visited on"."""
_DONE = re.compile(
    r"\w+ed|read|set|left|seen|done|given|taken|written|sold|paid|sent|made|won|lost|held|built|begun|born|met"
)
_HUNDRED, _LEAST_SCALE = 100, 10


@dataclass(frozen=True)
class Say:
    """How an expression and a condition are put into words, and what the rows of a query's table are called."""

    expr: Callable[[Expr], str]
    predicate: Callable[[Predicate], str]
    rows: Callable[[Query], str]


def rows_words(query: Query) -> str:
    """What the rows of a query's table are called; "rows in export_7" where its name does not say."""
    noun = formats.rows_noun(str(query.source))
    return f"rows in {query.source}" if noun == "rows" else noun


def counted_rows(words: str, rows: str) -> str:
    """Words of figures with what the rows that they count are called, where nothing says it yet."""
    return _ROWS.sub(f"number of {rows}", words)


def figures_within(query: Query) -> dict[str, Expr]:
    """The figures that are taken over from an inner query of the same groups, each of one row: what they are made of,
    and not that they are added up once more."""
    source = query.source
    if not isinstance(source, Query) or [o.label for o in source.groups] != [o.label for o in query.groups]:
        return {}
    made = {output.label: inline_labels(output.expr, source) for output in source.measures}
    return {
        output.label: made[output.expr.of.column]
        for output in query.measures
        if isinstance(output.expr, Aggregate)
        and isinstance(output.expr.of, ColumnRef)
        and output.expr.of.column in made
    }


# ---------------------------------------------------------------- what groups are called
def per_words(expr: Expr, say: Say) -> str:
    """One of the groups that a key tells apart: "owner" by "owner id", else the key's own words."""
    words = spoken(expr.column).split(" ") if isinstance(expr, ColumnRef) else []
    return " ".join(words[:-1]) if len(words) > 1 and words[-1].lower() in _KEYS else say.expr(expr)


def group_things(query: Query) -> str:
    """What a query's groups are called: "customers" by their ids, also beside their names; "" where several columns
    tell them apart."""
    keys = [output.expr for output in query.groups]
    if len(keys) == 1 and isinstance(keys[0], Period):
        return f"{keys[0].grain}s"
    ids = [key for key in keys if isinstance(key, ColumnRef) and spoken(key.column).split(" ")[-1].lower() in _KEYS]
    named = keys if len(keys) == 1 else ids
    if len(named) != 1 or not isinstance(named[0], ColumnRef):
        return ""
    return formats.counted_by(formats.thing(named[0].column), named[0].table)


def counts_groups(query: Query) -> Query | None:
    """The query whose groups another one counts, all of them or those that a condition keeps; None for all else."""
    inner = query.source
    if not isinstance(inner, Query) or len(query.measures) != 1 or query.joins or not inner.groups:
        return None
    cut = inner.limit is not None or inner.offset or not isinstance(inner.source, str)
    return inner if query.measures[0].expr == Aggregate(fn="count") and not cut else None


# ---------------------------------------------------------------- what groups are held to
def held_words(inner: Query, kept: Predicate | None, say: Say) -> tuple[str, str]:
    """What groups are held to, in two parts that follow what they are called: " with more than 3 orders" and " (and)
    whose total amount is over 40". `kept` is the condition that the query around them has."""
    having = inline_labels(inner.having, inner, own_first=True) if inner.having is not None else None
    many: list[str] = []
    whose: list[str] = []
    for test in conjuncts(having):
        told = _number_held(test, inner, say)
        (many if told else whose).append(told or _test_words(test, inner, say))
    whose += [_DONE_ON.sub(_first_date, say.predicate(test)) for test in conjuncts(kept)]
    start = " and whose" if many else " whose"
    return (f" with {listed(many)}" if many else ""), (f"{start} {listed(whose)}" if whose else "")


def _first_date(said: re.Match[str]) -> str:
    """ "first date visited", "first class date"."""
    return f"first date {said[1]} " if _DONE.fullmatch(said[1]) else f"first {said[1]} date "


def _number_held(test: Predicate, query: Query, say: Say) -> str:
    """ "more than 3 orders", where a group needs so many rows or different values; else ""."""
    number = test.right.value if isinstance(test, Compare) and isinstance(test.right, Constant) else None
    if not isinstance(test, Compare) or not formats.is_number(number) or test.op not in NUMBERS:
        return ""
    noun = _counted(test.left, query, say)
    if number == 1 and noun:
        head, inside, table = noun.partition(" in ")
        noun = formats.singular(head) + inside + table
    return f"{NUMBERS[test.op]} {formats.figure(number)} {noun}" if noun else ""


def _counted(figure: Expr, query: Query, say: Say) -> str:
    """What a figure counts: "orders" for rows and for their different numbers, "different products"; "" for none."""
    if not isinstance(figure, Aggregate) or figure.fn != "count" or figure.where is not None:
        return ""
    if figure.of is None:
        return say.rows(query)
    if not figure.distinct or not isinstance(figure.of, ColumnRef):
        return ""
    told = say.expr(figure).removeprefix("number of ")
    is_key = spoken(figure.of.column).split(" ")[-1].lower() in _KEYS
    return told.removeprefix("different ") if is_key else told


def _test_words(test: Predicate, query: Query, say: Say) -> str:
    """A condition of groups; what is held against the average of the same groups does not say its figure twice: "total
    amount is over the average per guest"."""
    mean = _mean(test)
    words = say.predicate(test)
    if mean is not None and isinstance(test, Compare) and isinstance(over := mean.query.source, Query):
        made = {output.label: inline_labels(output.expr, over) for output in over.measures}
        alike = over.source == query.source and over.where == query.where and over.joins == query.joins
        figure = mean.query.measures[0].expr
        if alike and isinstance(figure, Aggregate) and isinstance(figure.of, ColumnRef) and over.groups:
            whole = say.expr(mean)
            per = f" per {listed([per_words(group.expr, say) for group in over.groups])}"
            if made.get(figure.of.column) == test.left and figure.fn in MEANS and per in whole:
                words = words.replace(whole, f"the {MEANS[figure.fn]}{per}")
    return counted_rows(words, say.rows(query))


def _mean(test: Predicate) -> ScalarQuery | None:
    """The figure of another query that a condition holds something against, or so many times of it."""
    right = test.right if isinstance(test, Compare) else None
    sides = (right.left, right.right) if isinstance(right, Arithmetic) else (right,)
    found = [side for side in sides if isinstance(side, ScalarQuery) and len(side.query.measures) == 1]
    return found[0] if len(found) == 1 else None


def kept_groups_words(query: Query, say: Say) -> str:
    """ "the customers whose first order date is in 2025": groups of another query that a condition keeps; else ""."""
    inner = query.source
    plain = isinstance(inner, Query) and isinstance(inner.source, str) and inner.limit is None and not inner.offset
    if not isinstance(inner, Query) or not plain or query.joins or query.groups or query.limit is not None:
        return ""
    labels, noun = [group.label for group in inner.groups], group_things(inner)
    named = [column.expr.column for column in query.columns if isinstance(column.expr, ColumnRef)]
    if not noun or len(named) != 1 or named[0] not in labels:
        return ""
    many, whose = held_words(inner, query.where, say)
    where = f", counting only {rows_words(inner)} where {say.predicate(inner.where)}" if inner.where else ""
    return f"the {noun}{many}{whose}{where}"


def own_where(query: Query) -> Predicate | None:
    """The conditions of a query; the average of a row's own group does not repeat those that hold for all its rows."""
    tests = conjuncts(query.where)

    def plain(node: Node) -> Node | None:
        if not isinstance(node, ScalarQuery) or node.own is None or node.query.where is None:
            return None
        if any(test not in tests for test in conjuncts(node.query.where)):
            return None
        return node.model_copy(update={"query": node.query.model_copy(update={"where": None})})

    return together([rewrite(test, plain) for test in tests])


# ---------------------------------------------------------------- figures over groups
def counted_groups_words(query: Query, say: Say, *, files: bool = True) -> str:
    """ "number of customers with more than 3 orders", with the files where nothing else names them; "" for all else."""
    inner = counts_groups(query)
    noun = group_things(inner) if inner is not None else ""
    if inner is None or not noun:
        return ""
    many, whose = held_words(inner, query.where, say)
    by = listed([say.expr(group.expr) for group in query.groups])
    text = f"number of {noun}{many}{whose}" + (f" by {by}" if by else "")
    names = [str(inner.source), *(join.table for join in inner.joins)]
    over = f"{',' if many or whose else ''} in {listed(names, 'with')}"
    only = f", where {say.predicate(inner.where)}" if inner.where is not None else ""
    return text + (over if files and not _is_told(names, noun, many) else "") + only


def _is_told(tables: list[str], noun: str, many: str) -> bool:
    """Whether what groups are called, or what they have, says already which table is read."""
    rows = {spoken(tables[0]) if formats.rows_noun(tables[0]) == spoken(tables[0]) else f"rows in {tables[0]}"}
    said = rows | {formats.singular(name) for name in rows}
    return len(tables) == 1 and (noun in rows or any(many.endswith(f" {name}") for name in said))


def of_groups(query: Query, say: Say, *, whole: bool = False) -> str:
    """ "average total amount per owner", where a query is one figure over the groups of another; else "". The time to
    the first of several events is each one's own: the `whole` sentence alone says so."""
    inner = query.source
    if isinstance(inner, str) or len(query.measures) != 1 or query.where or query.joins:
        return ""
    figure = query.measures[0].expr
    of = figure.of if isinstance(figure, Aggregate) and figure.where is None and not figure.distinct else None
    made = {output.label: inline_labels(output.expr, inner) for output in inner.measures}
    cut = inner.having is not None or inner.limit is not None or inner.offset or not isinstance(inner.source, str)
    if not isinstance(figure, Aggregate) or not isinstance(of, ColumnRef) or of.column not in made or cut:
        return ""
    each = _each(query, inner)
    if figure.fn not in MEANS or not each:
        return ""
    per = f" per {listed([per_words(group.expr, say) for group in each])}"
    if told := first_words(made[of.column], say):
        return f"{MEANS[figure.fn]} {told}{per if whole else ''}"
    return f"{MEANS[figure.fn]} {counted_rows(_whole(made[of.column], say), say.rows(inner))}{per}"


def _each(query: Query, inner: Query) -> list[Output]:
    """The groups of the inner query that one figure is told over: all but those that the query itself has."""
    kept = {group.expr.column for group in query.groups if isinstance(group.expr, ColumnRef) and not group.expr.table}
    labels = {group.label for group in inner.groups}
    if len(kept) != len(query.groups) or not kept <= labels:
        return []
    return [group for group in inner.groups if group.label not in kept]


def first_words(figure: Expr, say: Say) -> str:
    """ "days from signup date to first order date": the shortest time from what one table says of each to the events of
    another; "" for other figures."""
    spread = figure.of if isinstance(figure, Aggregate) and figure.fn == "min" and figure.where is None else None
    if not isinstance(spread, Call) or not spread.name.endswith("_between") or len(spread.args) != 2:
        return ""
    start, event = spread.args
    if not isinstance(start, ColumnRef) or not isinstance(event, ColumnRef) or start.table == event.table:
        return ""
    name = say.expr(event)
    first = name if name.startswith("first ") else _DONE_ON.sub(_first_date, f"first {name} ").rstrip()
    return f"{spread.name.split('_')[0]} from {say.expr(start)} to {first}"


def _whole(expr: Expr, say: Say) -> str:
    words = say.expr(expr)
    return f"({words})" if isinstance(expr, Arithmetic) else words


# ---------------------------------------------------------------- figures with a number
def per_many_words(expr: Arithmetic, say: Say) -> str:
    """ "total revenue per 1,000 delivered": a ratio that is told for so many of what it is divided by; else ""."""
    ratio, scale = expr.left, expr.right.value if isinstance(expr.right, Constant) else None
    if expr.op != "*" or not isinstance(ratio, Arithmetic) or ratio.op != "/" or not formats.is_number(scale):
        return ""
    plain = isinstance(ratio.left, Aggregate) and isinstance(ratio.right, Aggregate)
    if not plain or scale < _LEAST_SCALE or scale == _HUNDRED:
        return ""
    above, below = say.expr(ratio.left), say.expr(ratio.right)
    counted = below.startswith(("total ", "number of ")) and " where " not in above + below
    return f"{above} per {formats.figure(scale)} {per_many(below)}" if counted else ""


def per_many(figure: str) -> str:
    """What a ratio is told for so many of: "delivered" of "total delivered", "orders" of "number of orders"."""
    return figure.removeprefix("total ").removeprefix("number of ").removeprefix("different ")


def times_words(expr: Expr, say: Say) -> str:
    """ "2 times the average amount of all deals", "half the average ...": so many times what another query comes to."""
    if not isinstance(expr, Arithmetic) or expr.op != "*":
        return ""
    for value, number in ((expr.left, expr.right), (expr.right, expr.left)):
        times = number.value if isinstance(number, Constant) else None
        if isinstance(value, ScalarQuery) and formats.is_number(times) and times != _HUNDRED:
            words = say.expr(value)
            if words.startswith("the "):
                return f"half {words}" if times == 1 / 2 else f"{formats.figure(times)} times {words}"
    return ""


def sides_words(query: Query, say: Say) -> str:
    """ "number of orders where status is open and where it is not": one figure of two sides; "" for others."""
    figures = [inline_labels(output.expr, query) for output in query.measures]
    one, other = figures if len(figures) == 2 else (None, None)
    if not isinstance(one, Aggregate) or not isinstance(other, Aggregate) or one.where is None or other.where is None:
        return ""
    if one.model_copy(update={"where": None}) != other.model_copy(update={"where": None}):
        return ""
    first, second = say.predicate(one.where), say.predicate(other.where)
    opposite = isinstance(one.where, Compare) and other.where == one.where.model_copy(update={"op": "!="})
    return f"{say.expr(one)} and where {'it is not' if opposite else second}" if first != second else ""
