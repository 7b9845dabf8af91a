"""Names that answer one another: beside `opn_dt`, `cls_dt` is a closed date; alone it may as well be one of a class.

In: the words of a name as they stand, those of the other names of its table, and what a word may stand for. Out: the
readings for which another name of the same make speaks. Which words are counterparts stands in words.yaml.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import folded

Choices = Callable[[str], tuple[str, ...]]
"""What a word as it stands may be short for."""

_Make = tuple[tuple[str, ...], tuple[str, ...]]
"""What stands before and behind one word of a name."""

_WHEN: _Make = ((), ("when",))
"""The make of names that say when: `opened_at` answers `tkt_cls_dt`."""

_FIRST = 2


def answered(tokens: Sequence[str], beside: Sequence[Sequence[str]], choices: Choices) -> frozenset[tuple[int, str]]:
    """The readings, by the places of their words, whose counterpart another name of the same make may hold."""
    open_places = [place for place, token in enumerate(tokens) if len(choices(token)) > 1]
    if not open_places:
        return frozenset()
    makes = {place: _make(tokens, place, choices) for place in open_places}
    others: defaultdict[_Make, set[str]] = defaultdict(set)
    for name in beside:
        for place, token in enumerate(name):
            made = _make(name, place, choices)
            if made in makes.values():
                others[made] |= {folded(full) for full in _likely(token, made, choices)}
    return frozenset(
        (place, full)
        for place, make in makes.items()
        for full in _likely(tokens[place], make, choices)
        if _counterparts().get(folded(full), frozenset()) & others[make]
    )


def _likely(token: str, make: _Make, choices: Choices) -> tuple[str, ...]:
    """The readings that may answer another: any of a date, elsewhere only those that come to mind first."""
    return choices(token) if make == _WHEN else choices(token)[:_FIRST]


def _make(tokens: Sequence[str], place: int, choices: Choices) -> _Make:
    """What stands around a word; where only words for a time follow it, no more than that counts."""
    behind = tuple(tokens[place + 1 :])
    if behind and all(any(full in words().dated for full in (token, *choices(token))) for token in behind):
        return _WHEN
    return tuple(tokens[:place]), behind


@cache
def _counterparts() -> Mapping[str, frozenset[str]]:
    """The words that answer each word, all as they are compared."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for word, others in words().counterparts.items():
        for other in others:
            found[folded(word)].add(folded(other))
            found[folded(other)].add(folded(word))
    return {word: frozenset(others) for word, others in found.items()}
