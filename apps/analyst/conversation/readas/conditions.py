"""Which words say a state of the things counted that a plan does not heed: "how many deals were *bought*?".

What happens to a thing does not make its rows tell it: a word of state has to be found in a value or a date that the
plan uses, in the name of what it reads, or in what one row is. By the classes of words in `knowledge`, not by words.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from apps.analyst.conversation.words import phrases
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import Plan
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.reading.closeness import content_places
from apps.analyst.reading.coverage import NEAR_ENOUGH, THERE, chosen_of, own_fits, places_of, said_in
from apps.analyst.reading.linking import CALLED, EVENT, STATED, Linked

BY_WORDS = (0, 1, CALLED, 4)
"""Channels by which a word stands in a name or a value, or calls what a column is."""
TELLING = ("time", "flag")
"""Kinds of columns that tell what happened to a row."""
MOST_BETWEEN = 2
"""Words between a form of "be" and what was done to the things."""


def passed(linked: Linked, plan: Plan, catalog: Catalog) -> list[int]:
    """Places of the words for a state of the things counted of which nothing that the plan uses tells."""
    nodes = list(every(plan))
    places = places_of(linked, nodes)
    rows = [place for place in places if place < len(linked.index.tables)]
    if not rows:
        return []
    named = own_fits(linked, places, chosen_of(linked, nodes, said_in(nodes)), BY_WORDS)
    happened = _happened(linked, [place for place in places if place not in rows])
    things = _things(linked, rows, catalog)
    return [
        n
        for n in content_places(linked)
        if named[n] < NEAR_ENOUGH
        and happened[n] < THERE
        and linked.tokens[n].isalpha()
        and (_is_state(linked.tokens[n]) or _is_unknown(linked.tokens[n]))
        and _says_which(linked, n, things)
        and not _is_what_rows_are(linked.tokens[n], things)
    ]


def _happened(linked: Linked, columns: list[int]) -> Any:
    """How well each word says what happened by a column that is used which tells it: the day on which things were
    shipped, the mark of those that are refunded. An amount tells nothing of it."""
    offset = len(linked.index.tables)
    told = [place for place in columns if linked.index.meant[place - offset].kind in TELLING]
    return linked.channels[:, told][:, :, [EVENT, STATED]].max((1, 2)) if told else linked.channels[:, 0, 0] * 0


def _is_state(word: str) -> bool:
    return word not in _plain() and bool(knowledge().states_of(word))


def _is_unknown(word: str) -> bool:
    return word not in _plain() and not {word, singular(word)} & knowledge().vocabulary


@cache
def _plain() -> frozenset[str]:
    """Words of everybody's questions, which say no state."""
    known = english()
    asking = known.form_words | known.statistic_words | known.filling
    times = known.this | known.last | known.next | known.newcomers
    return known.stopwords | known.everyday | known.general | asking | times


def _things(linked: Linked, rows: list[int], catalog: Catalog) -> frozenset[str]:
    """The words of what one row of the tables is, and of the names of these."""
    known = dictionary_of(catalog)
    said = {word for place in rows for word in linked.index.names[place]}
    nouns = (known[name].row for place in rows if (name := linked.index.tables[place].name) in known)
    return frozenset({*said, *(word for noun in nouns for word in folded(noun).split())})


def _says_which(linked: Linked, place: int, things: frozenset[str]) -> bool:
    """Whether a word stands where it says which things are meant: behind a form of "be"; or beside what they are, where
    it is no thing itself ("unmatched deals", but "battery toys")."""
    tokens, known = linked.tokens, english()
    if place and tokens[place - 1] in known.cues["highest"] | known.cues["lowest"]:
        return False  # "our most successful campaign" is an end of an order
    beside = (tokens[n] for n in (place - 1, place + 1) if 0 <= n < len(tokens))
    if any(singular(word) in things for word in beside):
        return not knowledge().said(tokens[place])
    between = {word for cue in known.cues["negated"] for word in cue.split()} | known.everyday | known.exact
    for n in range(place - 1, max(-1, place - 2 - MOST_BETWEEN), -1):
        if tokens[n] in phrases().being:
            return True
        if tokens[n] not in between:
            return False
    return False


def _is_what_rows_are(word: str, things: frozenset[str]) -> bool:
    """Whether each row is what happens: a row of orders is something bought, one of deals need not be a won deal."""
    events = (folded(verb.event).split() for verb in knowledge().verbs_of(word) if verb.event)
    return any(event[-1] in things and not any(map(_is_state, event[:-1])) for event in events)
