"""A plan taken apart into what people check of it: figure, grouping, order, filters, period, files, definitions.

Pure: a plan and a catalog in, words out. What else each part might have meant stands in `others`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.computing.compile.outputs import inline_labels
from apps.analyst.computing.compile.walk import has, references
from apps.analyst.computing.metrics.running import compared_words
from apps.analyst.computing.metrics.used import unsaid_condition
from apps.analyst.conversation.readas.ends import put_together, whole_days
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.statistic_words import MOST_LISTED, statistic_words
from apps.analyst.plan import (
    Aggregate,
    Between,
    Bin,
    Clarify,
    ColumnRef,
    Combine,
    Comparison,
    Cut,
    Describe,
    Drivers,
    Expr,
    InQuery,
    Missing,
    Node,
    Not,
    Output,
    Period,
    Plan,
    Predicate,
    Query,
    SetOperation,
    Statistic,
)
from apps.analyst.plan.conditions import conjuncts, is_of_group, said_once
from apps.analyst.plan.entries import by_entry
from apps.analyst.plan.sentence import expr_words, filters_of, of_groups_words, plan_sentence, predicate_words
from apps.analyst.plan.spans import date_range, span_words
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import capital, listed, ordinal, spoken
from apps.analyst.types import Part

PROGRAM = "program"
SPLIT = "Split by "
BY_DATE = ", by "
"""Between the days of a period and the date that it goes by."""
MOST_APART = 2
"""Figures or groups that have a chip each."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a plan in words. `node` is what of the plan it says, where that can be changed by itself; for an
    order, a list of rows and what a change is split by it is the query."""

    part: Part
    label: str
    node: Output | Predicate | Query | None = None

    def key(self, place: int) -> str:
        """What tells the piece from the others of its plan: `place` counts those of its part."""
        return f"{self.part}:{place}"


def core(plan: Plan) -> Query | None:
    """The query that a plan's figures come from, where there is one."""
    match plan:
        case Query():
            return plan
        case Comparison() | Statistic():
            return plan.query
        case Drivers():
            return plan.comparison.query
    return None


def pieces(plan: Plan, catalog: Catalog, definitions: Sequence[str] = ()) -> tuple[Piece, ...]:
    """The parts of a plan in the order in which people read them; none of what describes data or asks back."""
    if isinstance(plan, Describe | Clarify):
        return ()
    names = Names(plan, catalog)
    query = core(plan)
    made = list(_of_query(plan, query, names) if query is not None else _of_several(by_entry(plan, catalog)))
    used = sorted(tables_of(plan))
    if used and len({table.file_name for table in catalog.tables()}) > 1:
        made.append(Piece("files", f"In {listed(used, most=MOST_LISTED)}"))
    return (*made, *(Piece("definition", text) for text in definitions))


def keyed(found: Sequence[Piece]) -> dict[str, Piece]:
    """The pieces by their keys."""
    made: dict[str, Piece] = {}
    for piece in found:
        made[piece.key(sum(other.part == piece.part for other in made.values()))] = piece
    return made


def _of_several(plan: Plan) -> Iterator[Piece]:
    """Of plans that put several queries together: what they come to, and their conditions."""
    if isinstance(plan, Combine):
        files = tables_of(plan)  # a figure of each file stands under the file's name, which is a part of its own
        labels = [spoken(output.label) for output in plan.outputs if output.label not in files]
        yield Piece("figure", capital(listed(labels or [spoken(plan.outputs[0].label)], most=MOST_LISTED)))
    elif isinstance(plan, SetOperation):
        yield Piece("figure", plan_sentence(plan).rstrip("."))
        return
    for text in filters_of(plan):
        yield Piece("filter", capital(text))


def _of_query(plan: Plan, query: Query, names: Names) -> Iterator[Piece]:
    yield from _figures(plan, query, names)
    yield from _groups(plan, query, names)
    if query.limit is not None:
        yield Piece("order", places_words(query, names), query)
    compared = plan.comparison if isinstance(plan, Drivers) else plan
    if not isinstance(compared, Comparison):
        yield from _conditions(query, names)
        return
    yield from _conditions(query, names, (compared.current, compared.baseline))
    yield Piece("period", _compared(compared, names), compared.current)


# ---------------------------------------------------------------- figure, grouping, order
def _figures(plan: Plan, query: Query, names: Names) -> Iterator[Piece]:
    if isinstance(plan, Statistic):
        yield Piece("figure", _statistic(plan, query, names))
        return
    if not query.measures:
        listed_so = query.columns or query.groups
        words = listed([figure_words(output, query, names) for output in listed_so], most=MOST_LISTED)
        yield Piece("figure", f"List of {words}" if query.columns else f"Different {words}", query)
        return
    start = "Change in " if isinstance(plan, Drivers) else ""
    if isinstance(plan, Drivers) and is_of_group(plan.comparison.current):
        start = "Difference in "
    told = of_groups_words(query)
    if told and len(query.measures) == 1:
        yield Piece("figure", capital(start + told))
        return
    figures = [(figure_words(output, query, names), output) for output in query.measures]
    if len(figures) > MOST_APART:  # a rate with what it is made of
        yield Piece("figure", capital(start + listed([words for words, _ in figures], most=MOST_LISTED)))
    else:
        yield from (Piece("figure", capital(start + words), output) for words, output in figures)


def _statistic(plan: Statistic, query: Query, names: Names) -> str:
    if plan.name == PROGRAM:  # of a brief, which says each figure itself
        bare = query.model_copy(update={"where": None, "order": (), "limit": None})
        return plan_sentence(plan.model_copy(update={"query": bare})).partition(" in ")[0]
    return capital(statistic_words(plan, lambda output: figure_words(output, query, names)))


def figure_words(output: Output, query: Query, names: Names) -> str:
    """ "total net amount", "number of orders": by what it is made of where that is short, else by its label."""
    expr = inline_labels(output.expr, query)
    if isinstance(expr, ColumnRef):
        return names.label(expr)
    if isinstance(expr, Aggregate) and expr.where is None:
        if expr.of is None:
            return f"number of {names.rows(query)}"
        if isinstance(expr.of, ColumnRef) and names.stored(expr.of) is not None:
            words = expr_words(names.named(expr))
            twice = words.startswith("total total ")  # of a column that says so itself
            return words.removeprefix("total ") if twice else words
    unsaid = unsaid_condition(names.named(expr), output.label) if not query.noun else ""
    return f"{spoken(output.label)} where {unsaid}" if unsaid else spoken(output.label)


def _groups(plan: Plan, query: Query, names: Names) -> Iterator[Piece]:
    told = [(_group_words(output, query, names), output) for output in query.groups] if query.measures else []
    if len(told) > MOST_APART:  # a person's first and last name, with the number that tells them apart
        yield Piece("group", f"By {listed([words for words, _ in told], most=MOST_LISTED)}")
    else:
        yield from (Piece("group", f"By {words}", output) for words, output in told)
    if isinstance(plan, Drivers):
        cuts = [cut_words(cut, names) for cut in plan.cuts]
        yield Piece("group", f"{SPLIT}{listed(cuts, 'or', most=MOST_LISTED)}", query)


def cut_words(cut: Cut, names: Names) -> str:
    """What a change is split by: "owner", "month of order date"."""
    return expr_words(names.named(cut.by.expr))


def _group_words(output: Output, query: Query, names: Names) -> str:
    expr = inline_labels(output.expr, query)
    if isinstance(expr, Period | Bin) or names.is_dated(expr):
        return expr_words(names.named(expr))
    refs = list(references(expr))
    return names.label(refs[0]) if len(refs) == 1 and isinstance(expr, ColumnRef) else spoken(output.label)


def places_words(query: Query, names: Names) -> str:
    """ "Top 5", "Lowest 3", "Latest 1", "First 10"."""
    one = query.limit == 1 and not query.limit_per
    count = f"{query.limit:,}"
    per = f" of each {listed([spoken(label) for label in query.limit_per])}" if query.limit_per else ""
    if query.offset and not (one and query.order):
        return f"Places {query.offset + 1:,} to {query.offset + (query.limit or 0):,}{per}"
    if not query.order:
        return f"First {count}{per}"
    first = query.order[0]
    labels = {output.label: output.expr for output in (*query.columns, *query.groups, *query.measures)}
    by = labels.get(first.by) if isinstance(first.by, str) else first.by
    if by is not None and names.is_dated(by) and not has(by, Aggregate):
        word = "Latest" if first.descending else "Earliest"
    elif first.by in {output.label for output in query.groups}:
        word = "Last" if first.descending else "First"
    else:
        word = ("Highest" if one else "Top") if first.descending else "Lowest"
    measured = first.by in {output.label for output in query.measures}
    by_words = "" if measured else f" by {_key_words(first.by, query, names)}"
    if query.offset:
        return f"{capital(ordinal(query.offset + 1))} {word.lower()}{by_words}"
    return f"{word} only{by_words}" if one else f"{word} {count}{per}{by_words}"


def _key_words(by: str | Expr, query: Query, names: Names) -> str:
    return spoken(by) if isinstance(by, str) else expr_words(names.named(inline_labels(by, query, own_first=True)))


# ---------------------------------------------------------------- conditions
def _conditions(query: Query, names: Names, sides: Sequence[Node] = ()) -> Iterator[Piece]:
    """The conditions of a query; `sides` are those of the periods that it is compared over."""
    used = _read_beside(query) | {ref for side in sides for ref in references(side)}
    for condition in put_together(conjuncts(query.where), names):
        if isinstance(condition, Missing) and condition.negated and used.issuperset(references(condition)):
            continue  # what is ordered, grouped or added up needs its values; nobody has to be told
        period = is_period(condition, names)
        said = condition_words(said_once(condition, conjuncts(query.where)), names)
        yield Piece("period" if period else "filter", said, condition)
    for condition in conjuncts(query.having):
        told = said_once(condition, conjuncts(query.where))
        yield Piece("filter", capital(_having_words(told, query, names)))
    if isinstance(query.source, Query):
        yield from (Piece(piece.part, piece.label) for piece in _conditions(query.source, names))


def _having_words(condition: Predicate, query: Query, names: Names) -> str:
    """ "number of orders is 1", "total amount is over 40"."""
    words = predicate_words(names.named(inline_labels(condition, query, own_first=True)))
    return words.replace(expr_words(Aggregate(fn="count")), f"number of {names.rows(query)}")


def _read_beside(query: Query) -> set[ColumnRef]:
    """The columns that a query reads besides asking whether they are given."""
    read: list[Node] = [output.expr for output in (*query.columns, *query.groups, *query.measures)]
    read += [order.by for order in query.order if not isinstance(order.by, str)]
    read += [condition for condition in conjuncts(query.where) if not isinstance(condition, Missing)]
    return {ref for node in read for ref in references(node)}


def is_period(condition: Predicate, names: Names) -> bool:
    """Whether a condition says from when the rows are."""
    return names.is_dated(condition) and not has(condition, Missing) and not has(condition, InQuery)


def condition_words(condition: Predicate, names: Names) -> str:
    """ "Stage is won", "2024, by close date"."""
    meant = condition.of if isinstance(condition, Not) else condition
    between = meant if isinstance(meant, Between) else whole_days(meant)
    span = date_range(between) if between is not None else None
    if span is None or between is None or not names.is_dated(between):
        return capital(predicate_words(names.named(condition)))
    when = span_words(*span).removeprefix("in ").removeprefix("on ")
    when = when if meant is condition else f"not {when}"
    return f"{capital(when)}{BY_DATE}{expr_words(names.named(between.of))}"


def _compared(plan: Comparison, names: Names) -> str:
    dates = list(dict.fromkeys(names.label(ref) for ref in references(plan.current)))
    by = f"{BY_DATE}{dates[0]}" if len(dates) == 1 and names.is_dated(plan.current) else ""
    return f"{compared_words(plan)}{by}"
