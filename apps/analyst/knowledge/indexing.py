"""The index of what is known, made once when the files are compiled."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from itertools import chain
from typing import TypeVar

from apps.analyst.knowledge.entries import Concept, Index, Positions
from apps.analyst.knowledge.folding import content_words, folded, plain, singular
from apps.analyst.knowledge.known import Knowledge

Entry = TypeVar("Entry")


def indexed(known: Knowledge) -> Index:
    """The index of what is known."""
    concepts = tuple(known.concepts.values())
    spoken = chain(
        chain.from_iterable((concept.label, *concept.words) for concept in concepts),
        chain.from_iterable(state.words for state in known.states),
        chain.from_iterable((verb.event, *verb.words) for verb in known.verbs),
        chain.from_iterable(derived.words for derived in known.derived),
    )
    written = chain(
        chain.from_iterable((*concept.columns, *concept.headers) for concept in concepts),
        chain.from_iterable(known.abbreviations.values()),
        chain.from_iterable(state.flags for state in known.states),
    )
    said_words = _words_of(spoken)
    names = {
        (" ".join(content_words(folded(phrase))), position): None
        for position, concept in enumerate(concepts)
        for phrase in _names_of(concept)
        if folded(phrase)
    }
    return Index(
        said=_indexed(concepts, lambda concept: (concept.label, *concept.words, *concept.columns, *concept.headers)),
        verbs=_indexed(known.verbs, lambda verb: verb.words),
        adjectives=_indexed(known.adjectives, lambda adjective: adjective.words),
        states=_indexed(known.states, lambda state: state.words),
        values=_indexed(known.states, lambda state: state.values),
        opposites=_indexed(known.states, lambda state: state.opposites),
        flags=_indexed(known.states, lambda state: state.flags),
        derived=_indexed(known.derived, lambda derived: derived.words),
        names=[name for name, _ in names],
        named=[position for _, position in names],
        headers=_indexed(concepts, _headers_of),
        spoken=sorted(said_words),
        written=sorted(_words_of(written) - said_words),
    )


def _names_of(concept: Concept) -> tuple[str, ...]:
    """The names that a column may have in part; what is known by whole headers alone has none."""
    return (concept.label, *concept.columns) if concept.columns or not concept.headers else ()


def _headers_of(concept: Concept) -> list[str]:
    label = () if _names_of(concept) else (concept.label,)
    return [" ".join(content_words(folded(name))) for name in (*label, *concept.headers)]


def _indexed(entries: Iterable[Entry], phrases: Callable[[Entry], Iterable[str]]) -> Positions:
    found: defaultdict[str, list[int]] = defaultdict(list)
    for position, entry in enumerate(entries):
        for phrase in dict.fromkeys(map(folded, phrases(entry))):
            if phrase:
                found[phrase].append(position)
    return dict(found)


def _words_of(phrases: Iterable[str]) -> set[str]:
    said = {word for phrase in phrases for word in plain(phrase).split()}
    return said | set(map(singular, said))
