"""Misspelled words, read as what they are nearest to: those of the calendar ("this quater", "Febuary"), which are few
and change the figure where they are passed over in silence, and words that nobody knows beside a word of the data or
of a trade ("resturant", "custommer")."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cache, lru_cache
from itertools import chain

from apps.analyst.dictionary.guessing import is_english
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.vectors import vectors

LEAST = 5
"""Letters of a word that is corrected wherever it stands; a shorter one, or one that is a word, has to stand where a
unit of time does: "last moth"."""
LEAST_BESIDE = 4
LEAST_UNKNOWN = 6
"""Letters of a word that nobody knows and that is read as another: shorter ones are names and codes."""
LONG = 8
"""Letters from which on two slips are forgiven."""


def spelled(
    tokens: Sequence[str], is_stored: Callable[[str], bool], named: Callable[[], Collection[str]] = tuple
) -> list[str]:
    """The tokens (lower case) with misspelled ones as they are written. `is_stored` tells words of the catalog, which
    are never changed; `named` lists those that another word may be meant for."""
    dated = [_spelled(tokens, place, is_stored) for place in range(len(tokens))]
    return [
        word if word != token or is_stored(token) else _meant(token, named)
        for token, word in zip(tokens, dated, strict=True)
    ]


def _meant(word: str, named: Callable[[], Collection[str]]) -> str:
    """What a word that nobody knows is a slip of: a word of the catalog, else of a trade."""
    if len(word) < LEAST_UNKNOWN or not word.isalpha() or _is_word(word):
        return word
    return _nearest_of(word, named()) or _nearest_of(word, knowledge().vocabulary) or word


def _nearest_of(word: str, others: Collection[str]) -> str | None:
    """The one of some words that a word is a slip of; None where there is none or several come as near."""
    most = 2 if len(word) >= LONG and word not in vectors() else 1
    alike = (other for other in others if other[:1] == word[0] and _is_slip(word, other))
    best = {singular(other): other for other in _closest(word, alike, most)}
    return next(iter(best.values())) if len(best) == 1 else None


def _closest(word: str, others: Iterable[str], most: int) -> list[str]:
    """Those of some words that begin alike and that a word is the fewest slips away from, up to `most`."""
    found = [(_slips(word, other, most), other) for other in others if other[:1] == word[0]]
    least = min((slips for slips, _ in found), default=0)
    return [other for slips, other in found if slips == least <= most]


def _spelled(tokens: Sequence[str], place: int, is_stored: Callable[[str], bool]) -> str:
    word = tokens[place]
    bare = word.removesuffix("'s")
    if len(bare) < LEAST_BESIDE or not bare.isalpha() or bare in _calendar():
        return word
    meant = nearest(bare)
    if meant is None or is_stored(bare):
        return word
    if len(bare) >= LEAST and not _is_word(bare):
        return meant + word[len(bare) :]
    slip = len(bare) != len(meant) or sorted(bare) == sorted(meant) or not is_english(bare)
    return meant + word[len(bare) :] if slip and meant in _units() and _before_unit(tokens, place) else word


def _is_word(word: str) -> bool:
    known = english()
    small = known.stopwords | known.form_words | known.everyday | known.general | known.fractions.keys()
    small |= known.statistic_words
    counting = known.numbers.keys() | known.ordinals.keys() | known.scales.keys() | known.factors.keys()
    return not {word, singular(word)}.isdisjoint(small | counting | knowledge().vocabulary) or is_english(word)


def _before_unit(tokens: Sequence[str], place: int) -> bool:
    """Whether a unit of time is likely to stand at a place: behind "last", "per", "next 3"."""
    known = english()
    before = tokens[place - 1] if place else ""
    if before in known.this | known.last | known.next | known.single:
        return True
    number = before.isdecimal() or before in known.numbers
    return number and place > 1 and tokens[place - 2] in known.last | known.next


def _is_slip(word: str, other: str) -> bool:
    """Whether letters are missing, too many, in another order, or other vowels: another consonant makes another
    word."""
    consonants = [[letter for letter in one if letter not in "aeiou"] for one in (word, other)]
    return len(word) != len(other) or sorted(word) == sorted(other) or consonants[0] == consonants[1]


@lru_cache(maxsize=4096)
def nearest(word: str) -> str | None:
    """The one word of the calendar that a misspelled one is nearest to; None where there is none, or several that do
    not name the same. What begins with another letter, or only goes on behind it ("Augusta"), is no slip."""
    most = 2 if len(word) >= LONG else 1
    best = _closest(word, (other for other in _calendar() if not word.startswith(other)), most)
    if len({_calendar()[other] for other in best}) != 1:
        return None
    return next((other for other in best if other[-1] == word[-1]), best[0])


def _slips(word: str, other: str, most: int) -> int:
    """How many letters are missing, too many, wrong or swapped with their neighbor; more than `most` where many are."""
    if abs(len(word) - len(other)) > most:
        return most + 1
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(word, 1):
        made = [i]
        for j, beside in enumerate(other, 1):
            cost = min(row[j] + 1, made[j - 1] + 1, row[j - 1] + (letter != beside))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == beside:
                cost = min(cost, before[j - 2] + 1)
            made.append(cost)
        before, row = row, made
    return row[-1]


@cache
def _units() -> frozenset[str]:
    """Units of time, written out."""
    return frozenset(chain.from_iterable(forms[:2] for forms in english().units.values()))


@cache
def _calendar() -> dict[str, str]:
    """The words of the calendar that are written out, with what each names."""
    known = english()
    rows = [
        *(forms[:1] for forms in known.months),
        *(forms[:2] for forms in known.weekdays),
        *(forms[:2] for forms in known.units.values()),
        *((day,) for day in known.days),
        *((season,) for season in known.seasons),
        sorted(known.weekend),
    ]
    return {word: forms[0] for forms in rows for word in forms if len(word) >= LEAST_BESIDE}
