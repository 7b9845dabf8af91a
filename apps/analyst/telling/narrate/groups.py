"""What groups that are counted or listed are held to, in the words that follow what they are called."""

from __future__ import annotations

from apps.analyst.computing.compile.walk import references
from apps.analyst.plan import Aggregate, Compare, Expr, Query
from apps.analyst.plan.sentence import expr_words, predicate_words
from apps.analyst.plan.sentence_groups import Say, counts_groups, held_words, own_where
from apps.analyst.telling.labelling import rows_of
from apps.analyst.telling.narrate.conditions import scope, scope_words
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B

LONGEST = 110
"""Letters of a condition up to which a list says it before its names."""


def kept_groups(view: View) -> str:
    """ " with at least 3 orders in 2025", " whose total amount is over 40", where groups that are counted are held to
    something, with the conditions of the rows they are made of; "" for all else."""
    inner = counts_groups(view.query) if view.query is not None else None
    return _held(inner, view) if inner is not None and view.query is not None else ""


def listed_groups(view: View) -> str:
    """The same of groups that are listed without a figure; "" where it would be longer than a sentence bears."""
    query = view.query
    if query is None or not query.groups or query.measures or query.having is None or not isinstance(query.source, str):
        return ""
    told = _held(query, view)
    return told if len(told) <= LONGEST else ""


def _held(groups: Query, view: View) -> str:
    say = Say(
        lambda expr: view.said(expr_words(expr)),
        lambda test: view.said(predicate_words(test)),
        lambda query: rows_of(str(query.source), view.catalog),
    )
    around = view.query.where if view.query is not None and view.query is not groups else None
    many, whose = held_words(groups, around, say)
    read = scope_words(own_where(groups), view, str(groups.source))
    told = scope(view) if view.query is groups else view.said(read)
    if not whose:
        return f"{many}{told}" if many else ""
    return f"{many}{whose}" + (f", counting only {rows_of(str(groups.source), view.catalog)}{told}" if told else "")


def two_sides(view: View) -> str:
    """ "There are 18 orders with region East and 42 others", where rows of two kinds are counted; "" for all else."""
    query = view.query
    figures = [view.expr(place) for place in range(len(view.columns))] if query is not None and query.measures else []
    one, other = figures if len(figures) == 2 else (None, None)
    if not _counts_some(one) or not _counts_some(other) or query is None or not isinstance(query.source, str):
        return ""
    assert isinstance(one, Aggregate)
    assert isinstance(other, Aggregate)
    first, second = (view.said(scope_words(side.where, view, str(query.source))) for side in (one, other))
    opposite = isinstance(one.where, Compare) and other.where == one.where.model_copy(update={"op": "!="})
    known = [view.stored(ref) for ref in references(one.where)] if one.where is not None else []
    opposite = opposite and all(stored is not None and not stored[1].missing for stored in known)
    counts = [view.rows[0][place] for place in (0, 1)]
    if not first or not second or not isinstance(counts[0], int) or not isinstance(counts[1], int):
        return ""
    noun = view.noun(counts[0])
    rest = (" other" if counts[1] == 1 else " others") if opposite else second
    start = "is" if counts[0] == 1 else "are"
    return f"There {start} {B}{counts[0]:,} {noun}{B}{first} and {B}{counts[1]:,}{B}{rest}{scope(view)}."


def _counts_some(figure: Expr | None) -> bool:
    return isinstance(figure, Aggregate) and figure.fn == "count" and figure.of is None and figure.where is not None
