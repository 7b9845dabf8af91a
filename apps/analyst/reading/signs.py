"""Signs that people type for words: "$ per rep", "lines/order", "deals w/o an owner", "won/lost by month"."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.reading.index import Index

SLASH = "/"


def worded(tokens: Sequence[str], index: Index) -> list[str]:
    """The tokens (lower case) with signs as the words they stand for. A slash stands between a figure and what it is
    for, but beside each other between two that are alike: values of one column, common figures, months."""
    known = english()
    made = [known.signs.get(token, token) for token in tokens]
    for place, token in enumerate(tokens):
        if token == SLASH:
            alike = 0 < place < len(tokens) - 1 and _are_alike(made[place - 1], made[place + 1], index)
            made[place] = known.slash[alike]
    return made


def along_time(tokens: Sequence[str]) -> list[str]:
    """The tokens with a usual length of period for "over time", where no other is named and nothing follows that time
    could belong to ("over time limit")."""
    known, made = english(), list(tokens)
    lengths = known.cues["over_time"].union(*known.units.values())
    if not lengths.isdisjoint(tokens):
        return made
    for place in range(len(made) - 1):
        plain = known.along_time.get(" ".join(made[place : place + 2]))
        behind = made[place + 2 : place + 3]
        if plain is not None and all(word in known.stopwords or word in known.cues["grouped"] for word in behind):
            made[place : place + 2] = plain.split()
    return made


def _are_alike(before: str, after: str, index: Index) -> bool:
    known = english()
    calendar = frozenset(chain.from_iterable((*known.months, *known.weekdays)))
    for kind in (known.figure_words, calendar, known.adding | known.either):
        if before in kind and after in kind:
            return True
    return not _columns(before, index).isdisjoint(_columns(after, index))


def _columns(word: str, index: Index) -> set[int]:
    """The columns that have a value of this name."""
    return {column for column, _ in index.stored.get(folded(word), ())}
