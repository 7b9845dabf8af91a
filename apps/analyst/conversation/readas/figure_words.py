"""Which word names a figure that the data do not have, where a plan tells another one in its place: "revenue" over a
table whose only amount is the freight.

Both sides are known here: knowledge has the word as the name of an amount, and the dictionary has the column as one of
another kind, which may not be called so either. A column that no word names is told only where nothing is known against
it.
"""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Aggregate, ColumnRef, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.reading.coverage import NEAR_ENOUGH, places_of, unused
from apps.analyst.reading.linking import NAMING, Linked

OF_MONEY = frozenset(("amount", "price"))
"""Kinds of concepts that are figures of money."""
KNOWN = 0.6
"""How sure the dictionary is of what a column is, so that it can be another thing."""


def figure_word(linked: Linked, plan: Plan) -> int | None:
    """The place of the word for a figure of money that the plan tells nothing of, where its own figure is known to be
    another one and no word names it; None where there is none."""
    told = list(_unnamed_figures(linked, plan))
    if not told:
        return None
    for place in unused(linked, plan):
        if linked.tokens[place] in english().form_words:
            continue  # "total" alone says how, not what
        word = linked.tokens[place]
        meant = {one.id for one in knowledge().said(word) if one.kind in OF_MONEY}
        if not meant or any(not meant.isdisjoint(known) for known in told):
            continue
        if not any(_may_be_called(known[0], word) for known in told) or _is_there(meant, linked):
            return place
    return None


def _may_be_called(concept: str, word: str) -> bool:
    """Whether what a column is may be called so, too, where nothing else is: the value of orders is revenue."""
    known = knowledge().concepts.get(concept)
    return known is not None and folded(word) in map(folded, known.called)


def _is_there(meant: set[str], linked: Linked) -> bool:
    """Whether a column of the data is known to be what a word says."""
    return any(
        one.money and concept in meant and score >= KNOWN
        for one in linked.index.meant
        for concept, score in one.concepts
    )


def _unnamed_figures(linked: Linked, plan: Plan) -> Iterator[tuple[str, ...]]:
    """What the columns may be that the plan computes with and no word names, as far as that is known, the likeliest
    first."""
    offset = len(linked.index.tables)
    fits = linked.channels[:, :, list(NAMING)].max((0, 2))
    for node in every(plan):
        if not isinstance(node, Aggregate) or node.fn == "count" or not isinstance(node.of, ColumnRef):
            continue
        for place in places_of(linked, [node.of]):
            if place < offset or fits[place] >= NEAR_ENOUGH:
                continue
            meaning = linked.index.meant[place - offset]
            if meaning.money and meaning.confidence >= KNOWN:
                yield tuple(concept for concept, _ in meaning.concepts)
