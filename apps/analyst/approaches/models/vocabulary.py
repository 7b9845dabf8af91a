"""The words that a model may use of its own when it tells a result: those of vocabulary.yaml in all their forms. Pure.

No rule about sentences belongs here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from apps.analyst.knowledge.folding import plural_word
from apps.analyst.knowledge.loader import parsed

FILE = Path(__file__).parent / "vocabulary.yaml"
_VOWELS = "aeiou"
_SHORT_STEM = 4
"""Verbs of up to so many letters double their last one: "stopped", "biggest"."""

_Word = Annotated[str, StringConstraints(pattern=r"^[a-z\u00e4\u00f6\u00fc\u00df]+(?:'[a-z]+)?$")]
_Wording = Annotated[str, StringConstraints(pattern=r"^[a-z]+(?: [a-z]+)+$")]
_Words = Annotated[list[_Word], Field(min_length=1)]


class VocabularyFile(BaseModel):
    """What vocabulary.yaml must hold, heading by heading."""

    model_config = ConfigDict(extra="forbid")

    function: _Words
    verbs: _Words
    nouns: _Words
    adjectives: _Words
    judging: _Words
    adverbs: _Words
    periods: _Words
    forms: Mapping[_Word, _Words]
    units: _Words
    wordings: Annotated[list[_Wording], Field(min_length=1)]
    objects: _Words
    orders: _Words
    acting: _Words
    asking: _Words
    auxiliaries: _Words
    joining: _Words
    articles: _Words
    chaining: _Words
    urging: _Words
    placing: _Words
    having: _Words
    persons: _Words
    abroad: Mapping[_Word, _Words]


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words in all forms."""

    words: frozenset[str]
    """All that may be said."""
    things: frozenset[str]
    """Nouns and periods: what a sentence can be about, and where a word that is also a verb need not be one."""
    bases: frozenset[str]
    """Verbs in the form that asks for something where it begins a clause."""
    finite: frozenset[str]
    """Verbs in forms that state something."""
    linking: frozenset[str]
    """Words that only join: a clause begins behind them, too."""
    judging: frozenset[str]
    wordings: frozenset[tuple[str, ...]]
    objects: frozenset[str]
    orders: frozenset[str]
    acting: frozenset[str]
    asking: frozenset[str]
    articles: frozenset[str]
    chaining: frozenset[str]
    urging: frozenset[str]
    placing: frozenset[str]
    having: frozenset[str]
    persons: frozenset[str]
    abroad: tuple[frozenset[str], ...]


@cache
def vocabulary() -> Vocabulary:
    """The vocabulary, the same object at each call. Raises pydantic's ValidationError where the file is wrong."""
    read = VocabularyFile.model_validate(parsed(FILE))
    things = frozenset(form for word in (*read.nouns, *read.periods) for form in (word, plural_word(word)))
    stated = frozenset(form for word in read.verbs for form in _of_verb(word, read.forms.get(word, ())))
    compared = frozenset(form for word in read.adjectives for form in _of_adjective(word))
    irregular = frozenset(form for forms in read.forms.values() for form in forms)
    plain = {*read.function, *read.adverbs, *read.judging, *read.units, *(plural_word(unit) for unit in read.units)}
    return Vocabulary(
        words=frozenset(plain | things | stated | compared | irregular | {*read.verbs}),
        things=things,
        bases=frozenset(read.verbs),
        finite=stated | irregular | {*read.auxiliaries},
        linking=frozenset({*read.adverbs, *read.joining}),
        judging=frozenset(read.judging),
        wordings=frozenset(tuple(wording.split()) for wording in read.wordings),
        objects=frozenset(read.objects),
        orders=frozenset(read.orders),
        acting=frozenset(read.acting),
        asking=frozenset(read.asking),
        articles=frozenset(read.articles),
        chaining=frozenset(read.chaining),
        urging=frozenset(read.urging),
        placing=frozenset(read.placing),
        having=frozenset(read.having),
        persons=frozenset(read.persons),
        abroad=tuple(frozenset(words) for words in read.abroad.values()),
    )


def _of_verb(word: str, irregular: Iterable[str]) -> Iterator[str]:
    """The forms of a verb beside its base."""
    yield plural_word(word)
    yield from irregular
    if word.endswith("e"):
        yield from (f"{word}d", f"{word[:-1]}ing")
    elif word.endswith("y") and word[-2] not in _VOWELS:
        yield from (f"{word[:-1]}ied", f"{word}ing")
    else:
        last = word[-1] if _doubles(word) else ""
        yield from (f"{word}{last}ed", f"{word}{last}ing")


def _of_adjective(word: str) -> Iterator[str]:
    """An adjective, its degrees and its adverb."""
    yield word
    if word.endswith("e"):
        yield from (f"{word}r", f"{word}st", f"{word}ly", f"{word[:-1]}y")
    elif word.endswith("y"):
        yield from (f"{word[:-1]}ier", f"{word[:-1]}iest", f"{word[:-1]}ily")
    else:
        last = word[-1] if _doubles(word) else ""
        yield from (f"{word}{last}er", f"{word}{last}est", f"{word}ly", f"{word}ally")


def _doubles(word: str) -> bool:
    """Whether the last letter is doubled before an ending that begins with a vowel."""
    ends = word[-1] not in f"{_VOWELS}wxy" and word[-2] in _VOWELS and word[-3:-2] not in _VOWELS
    return ends and len(word) <= _SHORT_STEM
