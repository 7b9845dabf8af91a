"""What a file is called by and people have for a figure ("pipeline by stage" over "Pipeline tracker.xlsx"): the figure
is meant, not how many rows the file has.

The learned reader takes a word that names a table for the table, and counts rows, or adds all up, where nothing else is
named. Where knowledge has the word as a sum, no word asks for a number of anything, and the rules know the figure over
that table, theirs takes the place of the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.formulas import figures, tree_of
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.language import ANSWER_THRESHOLD, METRICS, Reading
from apps.analyst.plan import Aggregate, Plan, Query
from apps.analyst.plan.conditions import conjuncts
from apps.analyst.plan.nodes import every
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.reader import BEHIND, Weighed
from apps.analyst.tables.names import words_of

COUNT = Aggregate(fn="count")


def with_figures_first(linked: Linked, ranked: list[Weighed], rules: Sequence[Reading]) -> list[Weighed]:
    """The weighed readings; one of the rules that tells the figure that a word means takes the place, and the
    probability, of the likeliest one where that passes the word over for the table that it also names."""
    known = rules[0] if rules and rules[0].reader == METRICS and rules[0].score >= ANSWER_THRESHOLD else None
    own = next((one for one in ranked if known is not None and one.reading.plan == known.plan), None)
    if own is None or own is ranked[0] or not _asks_for_figure(linked, own.reading.plan):
        return ranked
    first = ranked[0]
    if not _passes_over(first.reading.plan, own.reading.plan):
        return ranked
    behind = replace(first, reading=replace(first.reading, score=round(own.reading.score - BEHIND, 4)))
    told = replace(own, reading=replace(own.reading, score=first.reading.score))
    return sorted((told, behind, *(one for one in ranked[1:] if one is not own)), key=lambda one: -one.reading.score)


def _asks_for_figure(linked: Linked, plan: Plan) -> bool:
    """Whether a word of the question names a table of the plan and is known as a sum, and no word asks for a count."""
    tokens = linked.tokens
    said = f" {' '.join(tokens)} "
    if not isinstance(plan, Query) or any(f" {phrase} " in said for phrase in english().cues["count"]):
        return False
    named = {word.casefold() for node in every(plan) if isinstance(node, Query) for word in _name_of(node)}
    return any(token in named and _is_sum(token) for token in tokens)


def _name_of(query: Query) -> Sequence[str]:
    return words_of(query.source) if isinstance(query.source, str) else ()


def _is_sum(word: str) -> bool:
    """Whether knowledge has a word as the sum of something."""
    trees = [tree_of(derived.formula) for derived in knowledge().derived_of(word)]
    return any(figure.fn == "sum" for tree in trees if tree is not None for figure in figures(tree))


def _passes_over(first: Plan, figure: Plan) -> bool:
    """Whether a plan counts the rows of groups, or tells a figure of all of them, of which another tells that figure
    under more conditions."""
    if not isinstance(figure, Query) or not isinstance(first, Query) or figure.source != first.source:
        return False
    told, meant = ([measure.expr for measure in plan.measures] for plan in (first, figure))
    same = [group.expr for group in figure.groups] == [group.expr for group in first.groups]
    if not same or first.having is not None or COUNT in meant or told not in ([COUNT], meant):
        return False
    return all(part in conjuncts(figure.where) for part in conjuncts(first.where))
