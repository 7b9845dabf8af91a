"""Does a sentence of a model state something, as against asking, ordering, judging or repeating a cell? Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from apps.analyst.approaches.models.vocabulary import vocabulary
from apps.analyst.knowledge.folding import singular

Kind = Literal["value", "name", "asked", "own", "wording", "figure", "unknown"]
"""Where a word comes from: a cell, a longer name, the question or a name, the vocabulary, or nowhere."""
LONGEST_ALONE = 5
"""A value of more words is no sentence of its own: it would be one of the data, not about them."""
_MARKS = re.compile(r"[\s*_\\]+")
_HARD = re.compile(r"[:;(\u2013\u2014]|(?:^|\s)[-\u2022>#](?:\s|$)|--")


@dataclass(frozen=True, slots=True)
class Item:
    """A word or a name of several words, as what it counts in its sentence."""

    word: str
    kind: Kind
    gap: str
    cells: frozenset[tuple[int, int]] = frozenset()
    """Where in the result a value stands."""
    is_quoted: bool = False


def signs(gap: str) -> str:
    """The signs between two words without spaces and marks of Markdown."""
    return _MARKS.sub("", gap)


def states(items: Sequence[Item]) -> bool:
    """Whether the words of a sentence may stand together."""
    if "?" in items[-1].gap or any(item.kind == "unknown" for item in items):
        return False
    if not any(_is_thing(item) or item.kind in ("figure", "wording") for item in items):
        return False
    if _only_names(items) or _in_a_row(items) or _judges(items) or _urges(items):
        return False
    if _names_no_thing_of_the_reader(items) or _speaks_to_somebody(items):
        return False
    known = vocabulary()
    last_stated = max(
        (at for at, item in enumerate(items) if item.kind == "figure" or item.word in known.finite), default=-1
    )
    return not any(_asks(items, at, hard, last_stated) for at, hard in _beginnings(items))


def _names_no_thing_of_the_reader(items: Sequence[Item]) -> bool:
    """Whether "your" stands before nothing that the result could have."""
    return any(item.word == "your" and not any(map(_is_thing, items[at + 1 : at + 5])) for at, item in enumerate(items))


def _speaks_to_somebody(items: Sequence[Item]) -> bool:
    """Whether a person speaks or is spoken to, beyond "you have 17 orders"."""
    known = vocabulary()
    for at, item in enumerate(items):
        if item.kind == "own" and item.word in known.persons:
            has = [one.word in known.having or one.kind == "figure" for one in items[at + 1 : at + 3]]
            if has != [True, True] or items[at + 1].kind == "figure":
                return True
    return False


def _is_thing(item: Item) -> bool:
    if item.kind in ("value", "name", "asked"):
        return True
    return item.kind == "own" and (item.word in vocabulary().things or item.word in vocabulary().objects)


def _only_names(items: Sequence[Item]) -> bool:
    """Whether a sentence is nothing but one long value: a sentence of the data, not about them."""
    return len(items) == 1 and items[0].kind in ("value", "name") and items[0].word.count(" ") >= LONGEST_ALONE


def _in_a_row(items: Sequence[Item]) -> bool:
    """Whether values that stand in no row together follow each other without a sign: they would make a sentence."""
    for one, other in pairwise(items):
        if one.kind == other.kind == "value" and not signs(one.gap):
            rows = {row for row, _ in one.cells} & {row for row, _ in other.cells}
            if not rows:
                return True
    return False


def _judges(items: Sequence[Item]) -> bool:
    """Whether a value is called bad, as against the figure or the period that it has."""
    for at, item in enumerate(items):
        if item.word not in vocabulary().judging or any(map(_is_thing, items[at + 1 : at + 3])):
            continue
        before = at - 1
        while before >= 0 and items[before].word in vocabulary().chaining:
            before -= 1
        if before >= 0 and items[before].kind == "value":
            return True
    return False


def _beginnings(items: Sequence[Item]) -> Iterator[tuple[int, bool]]:
    """Where clauses begin: behind the words that join them. Hard where nothing can run on from before."""
    hard, begins = True, True
    for at, item in enumerate(items):
        if begins and item.kind == "own" and item.word in vocabulary().linking and at + 1 < len(items):
            continue
        if begins:
            yield at, hard
        begins = hard = bool(_HARD.search(item.gap))
        following = items[at + 1] if at + 1 < len(items) else None
        joined = following is not None and following.kind == "own" and following.word in vocabulary().linking
        begins = begins or "," in item.gap or joined


def _is_subject(items: Sequence[Item], at: int, last_stated: int) -> bool:
    """Whether the sentence goes on to say something of this item: "Press 1 had ...", "Press 1 at night had ..."."""
    if signs(items[at].gap) or at + 1 >= len(items):
        return False
    follows = items[at + 1]
    states_now = follows.kind == "wording" or follows.word in vocabulary().finite
    return states_now or (follows.word in vocabulary().placing and last_stated > at + 1)


def _urges(items: Sequence[Item]) -> bool:
    """Whether something is said to be done: "it is best to sell"."""
    return any(
        one.word in vocabulary().urging and other.kind == "own" and other.word in vocabulary().acting
        for one, other in pairwise(items)
    )


def _asks(items: Sequence[Item], at: int, hard: bool, last_stated: int) -> bool:
    """Whether the clause that begins here has the form of a request."""
    item = items[at]
    after = items[at + 1] if at + 1 < len(items) and not signs(item.gap) else None
    known = vocabulary()
    if item.kind in ("value", "name") and " " in item.word:
        asks = not known.asking.isdisjoint(item.word.split())
        return asks and not item.is_quoted and not _is_subject(items, at, last_stated)
    if item.kind in ("wording", "figure"):
        return False
    if item.kind == "own" and hard and item.word in known.orders:
        return True
    if item.word in known.bases:
        if item.word not in known.things and (hard or (after is not None and after.kind in ("value", "asked"))):
            return True
        return after is not None and (
            after.word in known.objects or after.word in known.urging or (hard and last_stated <= at)
        )
    if item.kind in ("value", "name", "asked") or item.word in known.things:
        return after is not None and after.word in known.articles and singular(item.word) == item.word
    return False
