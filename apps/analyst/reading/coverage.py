"""What of a question's words a plan uses, and what of the data its words name that it does not."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import Any

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Aggregate, ColumnRef, Constant, Node, Plan, Query, TextMatch
from apps.analyst.plan.nodes import every
from apps.analyst.reading.closeness import closest, content_places, larger, unknown_places
from apps.analyst.reading.linking import CALLED, DERIVED, EVENT, NAMING, RANKED, STATED, Linked

LOST = 0.3
"""How much better a word has to fit elsewhere to count as lost."""
NEAR_ENOUGH = 0.45
"""A fit of word and column from which on the word counts as having found a place."""
BY_NAME = tuple(channel for channel in NAMING if channel not in (EVENT, STATED, RANKED, DERIVED))
"""Channels by which a noun names a node: what happens to a thing does not make the thing be there."""
BY_LETTER, OUTRIGHT = (0, CALLED, 4), 0.85
"""Channels by which a word names a node as its name is written or called, and how well it does where it surely does."""
THERE = 0.6
"""How well a noun names a node at least where what it names is held by the catalog."""


def strangers(linked: Linked) -> int:
    """How many words for things that every trade knows the catalog has nothing for: whoever asks for meetings where
    there are only tickets asks for something else."""
    return sum(fit < THERE for fit in _noun_fits(linked, closest(linked, BY_NAME)))


def strangest(linked: Linked) -> float:
    return min(_noun_fits(linked, closest(linked, BY_NAME)), default=1.0)


def unnamed(linked: Linked, plan: Plan) -> int:
    """How many words for things name nothing that a plan reads."""
    return len(unnamed_places(linked, plan))


def unnamed_places(linked: Linked, plan: Plan) -> list[int]:
    """Places of the words for things that name nothing that a plan reads."""
    nodes = list(every(plan))
    own = own_fits(linked, places_of(linked, nodes), chosen_of(linked, nodes, said_in(nodes)), BY_NAME)
    return [n for n in content_places(linked) if _is_thing(linked.tokens[n]) and own[n] < THERE]


def passes_over(linked: Linked, plan: Plan, without: Collection[int] = ()) -> bool:
    """Whether a word names something of the data well and names nothing that a plan reads, or a stored value that the
    plan does not use; the words at the places `without` ask for no place."""
    nodes = list(every(plan))
    said = said_in(nodes)
    if any(unused_values(linked, said, feature, least) for feature, least in ((3, 0.4), (2, 0.99))):
        return True
    own = own_fits(linked, places_of(linked, nodes), chosen_of(linked, nodes, said))
    best = closest(linked)
    return any(best[n] >= THERE and own[n] < NEAR_ENOUGH for n in content_places(linked) if n not in without)


def is_guessed(linked: Linked, plan: Plan) -> bool:
    """Whether a plan computes with a column that no word names, beside a word that neither the data nor knowledge has:
    that word may be the figure's ("total moolah")."""
    if not unknown_places(linked):
        return False
    figures = (n.of for n in every(plan) if isinstance(n, Aggregate) and n.fn != "count")
    fits = linked.channels[:, :, list(NAMING)].max((0, 2))
    return any(fits[n] < NEAR_ENOUGH for n in places_of(linked, [of for of in figures if isinstance(of, ColumnRef)]))


def passes_code_over(linked: Linked, plan: Plan) -> bool:
    """Whether a stored code is short for a word that names nothing that a plan uses ("by card" for CRD), and the plan,
    which is over the same table, uses the code's column for nothing. A word that lies near what the plan uses counts as
    having found a place, but not one that a code is known to stand for and nothing else: money may be cash, CSH is."""
    nodes, offset = list(every(plan)), len(linked.index.tables)
    places, chosen = places_of(linked, nodes), chosen_of(linked, nodes, said_in(nodes))
    near, named = own_fits(linked, places, chosen), own_fits(linked, places, chosen, BY_NAME)
    for code in linked.codes:
        column = linked.items[code.item].column
        found = named[code.word] >= THERE if code.known else near[code.word] >= NEAR_ENOUGH
        if linked.index.columns[column][0] in places and offset + column not in places and not found:
            return True
    return False


def passes_name_over(linked: Linked, plan: Plan) -> bool:
    """Whether a plan uses nothing of what a word says to tell apart by ("by kite") or to rank by ("fastest")."""
    places, tables = set(places_of(linked, list(every(plan)))), len(linked.index.tables)
    asked = english().cues["grouped"]
    for n in content_places(linked):
        named = linked.channels[n].copy()
        named[:tables, RANKED] = 0
        ranked = named[:, RANKED]
        wanted = ranked > max(ranked.max() - LOST / 2, LOST)
        if n and linked.tokens[n - 1] in asked:
            wanted |= named[:, list(BY_LETTER)].max(1) >= OUTRIGHT
        if wanted.any() and not places & {int(place) for place in wanted.nonzero()[0]}:
            return True
    return False


def unused(linked: Linked, plan: Plan) -> list[int]:
    """Places of the question's words of content for which the plan has no use: they name nothing that it reads."""
    nodes = list(every(plan))
    own = own_fits(linked, places_of(linked, nodes), chosen_of(linked, nodes, said_in(nodes)))
    return [n for n in content_places(linked) if own[n] < NEAR_ENOUGH]


def fits_of(linked: Linked, table: str, column: str, value: str = "") -> list[float]:
    """How well each token names that column, or with `value` that stored value of it; none where it is not there."""
    index = linked.index
    for c, (t, found) in enumerate(index.columns):
        if index.tables[t].name != table or found.name != column:
            continue
        if not value:
            return [float(f) for f in linked.channels[:, len(index.tables) + c][:, list(NAMING)].max(1)]
        same = [n for n in linked.items_of_column.get(c, ()) if linked.items[n].value == value]
        return [float(f) for f in linked.item_tokens[same].max(0)] if same else []
    return []


def said_in(nodes: Sequence[Node]) -> str:
    return " ".join(str(n.value) for n in nodes if isinstance(n, Constant | TextMatch)).casefold()


def places_of(linked: Linked, nodes: Sequence[Node]) -> list[int]:
    """The nodes of the catalog that a plan uses."""
    index = linked.index
    columns = {(n.table, n.column) for n in nodes if isinstance(n, ColumnRef)}
    places = [
        len(index.tables) + c
        for c, (t, column) in enumerate(index.columns)
        if (index.tables[t].name, column.name) in columns
    ]
    sources = {n.source for n in nodes if isinstance(n, Query)} | {n.table for n in nodes if isinstance(n, ColumnRef)}
    return places + [t for t, table in enumerate(index.tables) if table.name in sources]


def chosen_of(linked: Linked, nodes: Sequence[Node], said: str) -> list[int]:
    """The values that words may name which the plan uses."""
    places, offset = places_of(linked, nodes), len(linked.index.tables)
    return [
        n for n, item in enumerate(linked.items) if item.value.casefold() in said and offset + item.column in places
    ]


def own_fits(linked: Linked, places: Sequence[int], chosen: Sequence[int], channels: Sequence[int] = NAMING) -> Any:
    """How well each token fits the best of what a plan uses."""
    own = linked.channels[:, places][:, :, list(channels)].max((1, 2)) if places else linked.channels[:, 0, 0] * 0
    return larger(own, linked.item_tokens[chosen].max(0)) if chosen else own


def unused_values(linked: Linked, said: str, feature: int, least: float) -> int:
    """How many stored values the question names by that feature that the plan does not use: a word counts once, for
    whichever of its values is used."""
    if not len(linked.items):
        return 0
    named = [n for n in range(len(linked.items)) if linked.item_features[n, feature] >= least]
    used = [n for n in named if linked.items[n].value.casefold() in said]
    taken = linked.item_tokens[used].max(0) if used else linked.item_tokens[0] * 0
    left = [n for n in named if n not in used and not ((linked.item_tokens[n] > LOST) & (taken > LOST)).any()]
    return len(left)


def said_fit(linked: Linked, chosen: Sequence[int]) -> float:
    """How well the worst of the values that the plan names fits any word of the question; 1 where it names none."""
    return min((float(linked.item_tokens[n].max()) for n in chosen), default=1.0)


def _noun_fits(linked: Linked, fits: Any) -> list[float]:
    """How well each trade's noun fits."""
    return [float(fits[n]) for n in content_places(linked) if _is_thing(linked.tokens[n])]


@lru_cache(maxsize=4096)
def _is_thing(word: str) -> bool:
    """Whether a word is a trade's noun: it calls a concept, and neither forms questions nor is a verb as it stands."""
    known = knowledge()
    if word in english().form_words or not known.said(word):
        return False
    return singular(word) != word or not known.verbs_of(word)
