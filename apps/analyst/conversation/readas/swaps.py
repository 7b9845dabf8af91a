"""One part of a plan put in another way: another column of the same kind, another figure of it, without a condition.

Each gives a whole plan; whether it holds and what it comes to is found out by who offers it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from apps.analyst.computing.compile.walk import references, rewrite
from apps.analyst.computing.metrics.running import compared_words, turned
from apps.analyst.conversation.readas.elsewhere import over
from apps.analyst.conversation.readas.figure_swaps import figures, lists
from apps.analyst.conversation.readas.likeness import dates, groups_like
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import SPLIT, Piece, condition_words, core, cut_words, places_words
from apps.analyst.conversation.readas.replacing import Swap, with_core, with_output
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.folding import folded
from apps.analyst.plan import (
    AllOf,
    Among,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Drivers,
    Expr,
    Grain,
    InQuery,
    Missing,
    Node,
    Output,
    Period,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.tables.entries import entries_of
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import capital, spoken

_GRAINS: tuple[Grain, ...] = ("day", "week", "month", "quarter", "year")
MOST_VALUES = 8
"""Different values of a column up to which each may be put in the place of another."""
_INCLUSIVE = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}


def swaps(piece: Piece, plan: Plan, names: Names) -> Iterator[Swap]:
    """The other ways, the likeliest first."""
    query = core(plan)
    if query is None:
        return
    node = piece.node
    if piece.part == "figure" and isinstance(node, Output):
        yield from figures(node, plan, query, names)
    elif piece.part == "figure" and isinstance(node, Query):
        yield from lists(plan, query, names)
    elif piece.part == "group" and isinstance(node, Output):
        yield from _groups(node, plan, query, names)
    elif piece.part == "group" and isinstance(plan, Drivers):
        yield from _splits(plan, names)
    elif piece.part == "order":
        yield from _orders(plan, query, names)
    elif piece.part == "period" and node is not None:
        yield from _periods(node, plan, query, names)
    elif piece.part == "filter" and node is not None:
        yield from _filters(node, plan, query, names)
    elif piece.part == "files":
        yield from _files(plan, names)


# ---------------------------------------------------------------- grouping and order
def _groups(mine: Output, plan: Plan, query: Query, names: Names) -> Iterator[Swap]:
    expr = mine.expr
    if isinstance(expr, Period) and isinstance(expr.of, ColumnRef):
        grain = expr.grain
        near = sorted((g for g in _GRAINS if g != grain), key=lambda g: abs(_place(g) - _place(grain)))
        ways = [(grain, ref) for ref in dates(expr.of, names)] + [(other, expr.of) for other in near[:2]]
        for other, ref in ways:
            period = expr.model_copy(update={"grain": other, "of": ref})
            yield from _regrouped(mine, period, f"{other} of {names.label(ref)}", plan, query)
    elif isinstance(expr, ColumnRef):
        held = {ref for condition in conjuncts(query.where) for ref in references(condition)}
        for ref in (ref for ref in groups_like(expr, names) if ref not in held):
            yield from _regrouped(mine, ref, names.label(ref), plan, query)


def _splits(plan: Drivers, names: Names) -> Iterator[Swap]:
    """Each of the columns that a change may be split by, alone; of one alone others of its table."""
    if len(plan.cuts) > 1:
        yield from ((f"{SPLIT}{cut_words(cut, names)}", plan.model_copy(update={"cuts": (cut,)})) for cut in plan.cuts)
        return
    (cut,) = plan.cuts
    for ref in groups_like(cut.by.expr, names) if isinstance(cut.by.expr, ColumnRef) else ():
        other = cut.model_copy(update={"by": Output(label=capital(names.label(ref)), expr=ref)})
        yield f"{SPLIT}{cut_words(other, names)}", plan.model_copy(update={"cuts": (other,)})


def _place(grain: Grain) -> int:
    return _GRAINS.index(grain) if grain in _GRAINS else -1


def _regrouped(mine: Output, expr: Expr, words: str, plan: Plan, query: Query) -> Iterator[Swap]:
    changed = with_output(query, mine, Output(label=capital(words), expr=expr))
    if changed is not None:
        yield f"By {words}", with_core(plan, changed)


def _orders(plan: Plan, query: Query, names: Names) -> Iterator[Swap]:
    if query.order:
        first = query.order[0]
        order = (first.model_copy(update={"descending": not first.descending}), *query.order[1:])
        turned = query.model_copy(update={"order": order})
        yield places_words(turned, names), with_core(plan, turned)
    every = {"limit": None, "limit_per": (), "ties": False, "offset": 0}
    yield "All of them", with_core(plan, query.model_copy(update=every))


# ---------------------------------------------------------------- conditions
def _periods(mine: Node, plan: Plan, query: Query, names: Names) -> Iterator[Swap]:
    refs = list(dict.fromkeys(references(mine)))
    compared = isinstance(plan, Comparison | Drivers)
    if isinstance(plan, Comparison) and (other := turned(plan, names.stored(refs[0]) if refs else None)) is not None:
        yield compared_words(other), other
    if len(refs) == 1:
        for ref in dates(refs[0], names):
            changed = _everywhere(plan, _to(refs[0], ref))
            yield f"By {names.label(ref)}", changed
    if not compared:
        yield "All time", with_core(plan, _without(query, mine))


def _to(old: ColumnRef, new: ColumnRef) -> Callable[[Node], Node | None]:
    return lambda part: new if part == old else None


def _everywhere(plan: Plan, change: Callable[[Node], Node | None]) -> Plan:
    """The plan with a column changed wherever its own query reads it: a period and the months that are told apart."""
    query = core(plan)
    assert query is not None
    if isinstance(plan, Query):
        return rewrite(plan, change)
    changed = rewrite(query, change)
    if isinstance(plan, Comparison):
        return rewrite(plan, change).model_copy(update={"query": changed})
    if isinstance(plan, Drivers):
        inner = rewrite(plan.comparison, change).model_copy(update={"query": changed})
        return plan.model_copy(update={"comparison": inner})
    return with_core(plan, changed)


def _without(query: Query, mine: Node) -> Query:
    return _with_condition(query, mine, None)


def _with_condition(query: Query, mine: Node, new: Predicate | None) -> Query:
    gone = conjuncts(mine) if isinstance(mine, AllOf) else [mine]
    kept = [new if part in gone else part for part in conjuncts(query.where)]
    left = [part for part in kept if part is not None]
    where = None if not left else left[0] if len(left) == 1 else query.where.model_copy(update={"of": tuple(left)})  # type: ignore[union-attr]
    return query.model_copy(update={"where": where, "noun": "", "scope": ""})


def _filters(mine: Node, plan: Plan, query: Query, names: Names) -> Iterator[Swap]:
    if mine not in conjuncts(query.where):
        return
    for other in _conditions_like(mine, query, names):
        yield condition_words(other, names), with_core(plan, _with_condition(query, mine, other))
    yield "Without this filter", with_core(plan, _without(query, mine))
    for other in _other_values(mine, names):
        yield condition_words(other, names), with_core(plan, _with_condition(query, mine, other))


def _conditions_like(mine: Node, query: Query, names: Names) -> Iterator[Predicate]:
    if isinstance(mine, Compare) and isinstance(mine.left, ColumnRef) and isinstance(mine.right, Constant):
        if mine.op in _INCLUSIVE:
            yield mine.model_copy(update={"op": _INCLUSIVE[mine.op]})
            return
        for ref in _holding(mine.left, mine.right, query, names):
            yield mine.model_copy(update={"left": ref})
        for value in _values_like(mine.left, mine.right, names):
            yield mine.model_copy(update={"right": value})
    elif isinstance(mine, Among) and isinstance(mine.of, ColumnRef) and mine.values:
        for ref in _holding(mine.of, mine.values[0], query, names):
            yield mine.model_copy(update={"of": ref})
    elif isinstance(mine, Missing | InQuery):
        yield mine.model_copy(update={"negated": not mine.negated})


def _holding(mine: ColumnRef, value: Constant, query: Query, names: Names) -> Iterator[ColumnRef]:
    """The other columns of the tables that are read which hold the same value."""
    said = str(value.value).strip().casefold()
    scanned = [query.source, *(join.alias or join.table for join in query.joins)]
    for name in (name for name in scanned if isinstance(name, str)):
        table = names.table_of(ColumnRef(table=name, column=""))
        for column in table.columns if table is not None else ():
            ref = ColumnRef(table=name, column=column.name)
            if ref != mine and any(found.value.strip().casefold() == said for found in entries_of(column)):
                yield ref


def _values_like(mine: ColumnRef, value: Constant, names: Names) -> Iterator[Constant]:
    """The column's other values that share a word with the one that was taken."""
    column = names.stored(mine)
    words = set(str(value.value).casefold().split())
    for found in entries_of(column) if column is not None and isinstance(value.value, str) else ():
        other = found.value.casefold()
        if other.strip() != str(value.value).strip().casefold() and words & set(other.split()):
            yield Constant(value=found.value)


def _other_values(mine: Node, names: Names) -> Iterator[Predicate]:
    """The column's other values, the most frequent first, where it has few: what the word may mean that was taken for
    one of them."""
    if not isinstance(mine, Compare) or mine.op != "=" or not isinstance(mine.left, ColumnRef):
        return
    column = names.stored(mine.left)
    few = column is not None and column.type == "text" and column.values_complete and column.distinct <= MOST_VALUES
    for found in column.values if few and column is not None else ():
        yield mine.model_copy(update={"right": Constant(value=found.value)})


# ---------------------------------------------------------------- files
def _files(plan: Plan, names: Names) -> Iterator[Swap]:
    """Another table that has all that is read, for a plan of one table."""
    used = tables_of(plan)
    query = core(plan)
    if len(used) != 1 or query is None or not isinstance(query.source, str):
        return
    (mine,) = used
    meanings = dictionary_of(names.catalog)
    read = {ref.column for ref in _columns(plan) if ref.table == mine}
    for table in names.tables.values():
        if table.name == mine or not read or not all(_same_kind(column, mine, table.name, names) for column in read):
            continue
        told = meanings[table.name].rows if table.name in meanings else ""
        plain = folded(told) in ("", folded(spoken(table.name)))
        yield f"In {table.name}" + ("" if plain else f" ({told})"), over(plan, mine, table.name)


def _columns(plan: Plan) -> Iterator[ColumnRef]:
    query = core(plan)
    if query is not None:
        yield from references(query)
    if isinstance(plan, Comparison):
        yield from references(plan.current)


def _same_kind(column: str, mine: str, other: str, names: Names) -> bool:
    one, two = names.tables[mine].column(column), names.tables[other].column(column)
    return one is not None and two is not None and one.type == two.type
