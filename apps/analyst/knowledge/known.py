"""Everything that is known, and how it is looked up. What words mean in a catalog is not decided here."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple, TypeVar

from apps.analyst.knowledge.entries import (
    Adjective,
    Codes,
    Concept,
    Derived,
    Index,
    Periods,
    Positions,
    State,
    Units,
    Verb,
    Words,
)
from apps.analyst.knowledge.folding import content_words, folded

_MOST_NAMED = 5
_LEAST_SCORE = 0.3
_NEW_WORD = 0.5
"""The weight of a word that stands in no name."""
_GENERAL = ("general", "time", "money", "people", "sales")
"""The trades that are meant where nothing speaks for another."""
_OTHER_HEAD = 0.45
"""What is left of a score where the last words differ: a room number is no room rate."""
_CODES_FIT = 0.6
_KEPT = 8192
"""Names of columns whose best concepts are kept; of as few as _KEPT_WHOLE all are."""
_KEPT_WHOLE = 128
Entry = TypeVar("Entry")


class _Fit(NamedTuple):
    """A concept with how well words fit it, and with its place among those of its trade that fit alike."""

    worse: float
    trade: str
    alike: tuple[bool, int, str]
    named: tuple[Concept, float]


@dataclass(frozen=True)
class Knowledge:
    """Everything that is known, with the indexes to find it by."""

    abbreviations: Mapping[str, Words]
    units: Units
    concepts: Mapping[str, Concept]
    verbs: tuple[Verb, ...]
    adjectives: tuple[Adjective, ...]
    states: tuple[State, ...]
    codes: tuple[Codes, ...]
    derived: tuple[Derived, ...]
    periods: tuple[Periods, ...] = ()
    index: Index = field(default_factory=Index)

    def expansions(self, token: str) -> Words:
        """What a token of a column's name may shorten, likeliest first; empty for words and for what is not known."""
        return self.abbreviations.get(token.casefold(), ())

    def said(self, phrase: str) -> tuple[Concept, ...]:
        """The concepts that people call so."""
        return _at(self._concepts, self.index.said, phrase)

    def named(
        self, words: Sequence[str], trades: Mapping[str, float] | None = None
    ) -> tuple[tuple[Concept, float], ...]:
        """The concepts that a column of these words may be, with scores from 0 to 1, best first. Among those that fit
        alike, first those of the trade (where shares are given), then those that are labelled so, then the general."""
        shares = trades or {}

        content = self._as_compared(tuple(content_words(folded(" ".join(words)))))
        placed = sorted(
            [(worse, -shares.get(trade, 0.0), alike, named) for worse, trade, alike, named in self._best(content)]
        )
        return tuple(named for *_, named in placed[:_MOST_NAMED])

    def is_header(self, words: Sequence[str]) -> bool:
        """Whether a column of these words is called as the export of a known product calls one."""
        return " ".join(content_words(folded(" ".join(words)))) in self.index.headers

    def verbs_of(self, phrase: str) -> tuple[Verb, ...]:
        return _at(self.verbs, self.index.verbs, phrase)

    def adjectives_of(self, phrase: str) -> tuple[Adjective, ...]:
        return _at(self.adjectives, self.index.adjectives, phrase)

    def states_of(self, phrase: str) -> tuple[State, ...]:
        """The states that people mean by a phrase."""
        return _at(self.states, self.index.states, phrase)

    def states_said(self, value: str) -> tuple[State, ...]:
        """The states that a cell's text says."""
        return _at(self.states, self.index.values, value)

    def states_denied(self, value: str) -> tuple[State, ...]:
        """The states whose opposite a cell's text says."""
        return _at(self.states, self.index.opposites, value)

    def states_flagged(self, column: str) -> tuple[State, ...]:
        """The states that a flag column of this name says."""
        return _at(self.states, self.index.flags, column)

    def derived_of(self, phrase: str) -> tuple[Derived, ...]:
        return _at(self.derived, self.index.derived, phrase)

    def months(self, period: str) -> float | None:
        """How many months a period lasts that a cell names ("annual"); None for what names none."""
        return self._months.get(folded(period))

    def code(self, value: str, column_words: Sequence[str]) -> str | None:
        """What a code stands for in a column of these words; None where no known column of codes is so named."""
        known = self._codes.get(value.strip().casefold())
        if not known:
            return None
        words = tuple(content_words(folded(" ".join(column_words))))
        fits = [(self._code_fit(codes.of, words), meaning) for codes, meaning in known]
        best = max(fit for fit, _ in fits)
        # Where several trades know the code in such a column, most of them are right.
        meanings = Counter(meaning for fit, meaning in fits if fit == best)
        return meanings.most_common(1)[0][0] if best >= _CODES_FIT else None

    def codes_for(self, meaning: str, column_words: Sequence[str]) -> tuple[str, ...]:
        """The codes that stand for a meaning in a column of these words: what people may say for a value that is stored
        in full."""
        known = self._meanings.get(folded(meaning), ())
        return tuple(code for code in known if folded(self.code(code, column_words) or "") == folded(meaning))

    def initials_of(self, phrase: str) -> tuple[str, ...]:
        """The tokens that stand for a phrase of several words and for nothing else ("dob" for "date of birth")."""
        return self._initials.get(folded(phrase), ())

    @cached_property
    def _initials(self) -> Mapping[str, tuple[str, ...]]:
        found: defaultdict[str, list[str]] = defaultdict(list)
        for token, full in self.abbreviations.items():
            if len(full) == 1 and " " in full[0]:
                found[folded(full[0])].append(token)
        return {phrase: tuple(tokens) for phrase, tokens in found.items()}

    @cached_property
    def longest(self) -> int:
        """The number of words of the longest phrase that can be looked up."""
        index = self.index
        phrases = chain(index.said, index.verbs, index.adjectives, index.states, index.derived)
        return max(phrase.count(" ") + 1 for phrase in phrases)

    @cached_property
    def spoken(self) -> frozenset[str]:
        """Every word that people say: of labels, events, states and derived figures."""
        return frozenset(self.index.spoken)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word that is spoken, or that stands in the name of a column or in an expansion."""
        return self.spoken | frozenset(self.index.written)

    @cached_property
    def _concepts(self) -> Sequence[Concept]:
        return tuple(self.concepts.values())

    @cached_property
    def _labels(self) -> Mapping[str, str]:
        """The labels in content words: the first name of each concept in the index."""
        found: dict[str, str] = {}
        for name, position in zip(self.index.names, self.index.named, strict=True):
            found.setdefault(self._concepts[position].id, name)
        return found

    @cached_property
    def _best(self) -> Callable[[Words], Sequence[_Fit]]:
        """The concepts that fit words best, as many as are named and those that fit like the last of them. Kept for the
        words that were asked for last: catalogs of many columns say the same words again and again."""

        def fit(concept: Concept, score: float, label: str) -> _Fit:
            general = _GENERAL.index(concept.domain) if concept.domain in _GENERAL else len(_GENERAL)
            alike = (self._labels.get(concept.id) != label, general, concept.id)
            return _Fit(-round(score, 2), concept.domain, alike, (concept, round(score, 4)))

        def best(words: Words) -> Sequence[_Fit]:
            scored = sorted(self._scores(words).items(), key=lambda entry: -entry[1])
            last = round(scored[:_MOST_NAMED][-1][1], 2) if scored else 0.0
            label = " ".join(words)
            return [fit(self.concepts[one], score, label) for one, score in scored if round(score, 2) >= last]

        return lru_cache(maxsize=_KEPT)(best)

    @cached_property
    def _codes(self) -> Mapping[str, Sequence[tuple[Codes, str]]]:
        found: defaultdict[str, list[tuple[Codes, str]]] = defaultdict(list)
        for codes in self.codes:
            for code, meaning in codes.values.items():
                found[code.strip().casefold()].append((codes, meaning))
        return found

    @cached_property
    def _months(self) -> Mapping[str, float]:
        return {folded(name): count for periods in self.periods for name, count in periods.months.items()}

    @cached_property
    def _meanings(self) -> Mapping[str, Sequence[str]]:
        """The codes by what they stand for, each once."""
        found: defaultdict[str, dict[str, None]] = defaultdict(dict)
        for codes in self.codes:
            for code, meaning in codes.values.items():
                found[folded(meaning)][code.strip()] = None
        return {meaning: tuple(codes) for meaning, codes in found.items()}

    @cached_property
    def _names_with(self) -> Mapping[str, Sequence[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for position, name in enumerate(self.index.names):
            for word in dict.fromkeys(name.split()):
                found[word].append(position)
        return found

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """How much a word tells: "date" stands in a hundred names, "checkout" in three."""
        return {word: 1 / (1 + math.log1p(len(names))) for word, names in self._names_with.items()}

    @cached_property
    def _name_weights(self) -> Sequence[float]:
        return [sum(self._weights[word] for word in dict.fromkeys(name.split())) for name in self.index.names]

    def _code_fit(self, of: str, words: Words) -> float:
        wanted = set(content_words(folded(of)))
        if wanted <= set(words):
            return 1 + len(wanted) / 10
        scores = self._scores(self._as_compared(words))
        return max((scores.get(concept.id, 0.0) for concept in self.said(of)), default=0.0)

    def _as_compared(self, words: Words) -> Words:
        """The words with a sign for each that stands in no name: which one it is makes no difference, and numbered
        columns ("amount 17") are one case."""
        if " ".join(words) in self.index.headers:
            return words
        signs: dict[str, str] = {}
        return tuple(word if word in self._names_with else signs.setdefault(word, f"\0{len(signs)}") for word in words)

    @cached_property
    def _scores(self) -> Callable[[Words], Mapping[str, float]]:
        """How well each concept fits a column of these words, by its name that fits best. Kept for the last columns:
        their codes ask for it one by one."""
        return lru_cache(maxsize=_KEPT_WHOLE)(self._compared)

    def _compared(self, words: Words) -> Mapping[str, float]:
        own = dict.fromkeys(words)
        whole = sum(self._weights.get(word, _NEW_WORD) for word in own)
        shared: defaultdict[int, float] = defaultdict(float)
        for word in own:
            for position in self._names_with.get(word, ()):
                shared[position] += self._weights[word]
        scores: dict[str, float] = {}
        for position, common in shared.items():
            score = 2 * common / (whole + self._name_weights[position])
            if score < _LEAST_SCORE:
                continue
            name, concept = self.index.names[position].split(), self._concepts[self.index.named[position]].id
            if words[-1] not in name and name[-1] not in own:
                score *= _OTHER_HEAD
            if score >= _LEAST_SCORE and score > scores.get(concept, 0.0):
                scores[concept] = score
        scores.update({self._concepts[position].id: 1.0 for position in self.index.headers.get(" ".join(words), ())})
        return scores


def _at(entries: Sequence[Entry], positions: Positions, phrase: str) -> tuple[Entry, ...]:
    return tuple(entries[position] for position in positions.get(folded(phrase), ()))
