"""How the words of a question fit stored values: the stretches that are values, the values that may be meant, and the
codes that words are long for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from apps.analyst.dictionary.guessing import is_english, shortens
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.index import Index, Item
from apps.analyst.reading.stored import LONGEST_VALUE
from apps.analyst.reading.vectors import Floats, product, vectors

MOST_ITEMS = 320
VALUE_FEATURES = 12
LEAST_INITIALS, MOST_INITIALS = 3, 5
"""Letters: with two, units and half of all shortened words are somebody's initials."""


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int
    column: int
    value: str
    partial: bool


class Code(NamedTuple):
    """A stored code, by its item, the place of a word that it is short for, and whether it is known to stand for that
    word and nothing else."""

    item: int
    word: int
    known: bool


def value_spans(plain: list[str], index: Index) -> list[Span]:
    """Stretches of the question that are stored values, longest first; and parts of long ones, such as a surname."""
    stop = english().stopwords
    found: list[Span] = []
    covered: set[tuple[int, int]] = set()
    for length in range(min(LONGEST_VALUE, len(plain)), 0, -1):
        for start in range(len(plain) - length + 1):
            said = plain[start : start + length]
            if length == 1 and (said[0] in stop or (len(said[0]) < 2 and not said[0].isalpha())):
                continue
            if any(a <= start and start + length <= b and (a, b) != (start, start + length) for a, b in covered):
                continue
            hits = index.stored.get(" ".join(said), ())
            for column, value in hits[:40]:
                found.append(Span(start, start + length, column, value, partial=False))
            if hits:
                covered.add((start, start + length))
    taken = {place for a, b in covered if b - a > 1 for place in range(a, b)}
    for start, word in enumerate(plain):
        if start in taken or word in stop or len(word) < 3:
            continue
        for column in index.parts.get(word, ()):
            end = start + 1
            while end < len(plain) and column in index.parts.get(plain[end], ()):
                end += 1
            found.append(Span(start, end, column, " ".join(plain[start:end]), partial=True))
    return found


def capitals_beside(spans: list[Span], plain: list[str], cased: list[str], index: Index) -> list[Span]:
    """Stored values that are small words otherwise, in capitals: written as they are stored beside another of their
    column (the A of "A, B and C accounts"), or of two letters at least among words that are not in capitals ("in the
    US")."""
    if len(cased) != len(plain):
        return []
    shouted = not any(word.islower() for word in cased)
    near = {(place, span.column) for span in spans for place in range(span.start - 2, span.end + 2)}
    return [
        Span(place, place + 1, column, value, partial=False)
        for place, word in enumerate(plain)
        if word in english().stopwords and cased[place].isupper()
        for column, value in index.stored.get(word, ())
        if (not shouted and len(word) > 1) or (value == cased[place] and (place, column) in near)
    ]


def items_of(index: Index, spans: list[Span], plain: list[str]) -> tuple[list[Item], Floats, list[tuple[str, ...]]]:
    """The values of columns with few, then those that the question names."""
    items, words = list(index.items), list(index.item_words)
    known = vectors()
    seen = {(i.column, i.value) for i in items}
    added: list[Floats] = []
    for span in spans:
        key = (span.column, span.value)
        if key in seen or len(items) >= MOST_ITEMS + 60:
            continue
        seen.add(key)
        items.append(Item(span.column, span.value, span.partial))
        words.append(tuple(plain[span.start : span.end]))
        added.append(known.mean(words[-1]))
    return items, np.concatenate([index.item_vectors, np.stack(added)]) if added else index.item_vectors, words


def fits_of_items(
    index: Index,
    items: list[Item],
    words: list[tuple[str, ...]],
    rows: Floats,
    plain: list[str],
    embedded: Floats,
    spans: list[Span],
) -> tuple[Floats, Floats]:
    made = np.zeros((len(items), VALUE_FEATURES), np.float32)
    fits = np.zeros((len(items), len(plain)), np.float32)
    if not items:
        return made, fits
    stop, known = english().stopwords, knowledge()
    content = np.array([0.0 if word in stop else 1.0 for word in plain], np.float32)
    fits[:] = np.clip(product(rows, embedded.T), 0, 1) * content
    made[:, 0] = fits.max(1)
    said, begun = set(plain), {word[:3] for word in plain}
    denied, affirmed = english().denied, english().affirmed
    place = {(item.column, item.value): i for i, item in enumerate(items)}
    for i, item in enumerate(items):
        listed = [w for w in words[i] if w not in stop] or list(words[i])
        share = sum(w in said for w in listed) / len(listed)
        made[i, 1] = share
        made[i, 2] = sum(w[:3] in begun and any(begin_alike(w, q) for q in plain) for w in listed) / len(listed)
        low = item.value.casefold()
        made[i, 5] = low in affirmed
        made[i, 6] = low in denied
        made[i, 7] = item.partial
        made[i, 10] = len(index.columns[item.column][1].values) and index.columns[item.column][1].distinct == 2
        if share:
            for q, word in enumerate(plain):
                if word in listed and content[q]:
                    fits[i, q] = 1
    for span in spans:
        at = place.get((span.column, span.value))
        if at is not None:
            made[at, 4 if span.partial else 3] = (span.end - span.start) / (span.end - span.start + 1)
            fits[at, span.start : span.end] = 1
    initials = _initials(index, plain)
    for i, item in enumerate(items) if initials else ():
        for q in initials.get("".join(word[0] for word in folded(item.value).split()), ()):
            made[i, 2] = fits[i, q] = 1
    for i, q in _shortened(index, items, plain):
        made[i, 2] = fits[i, q] = 1
    stated = _stated(plain)
    if stated:
        for i, item in enumerate(items):
            for state in known.states_said(item.value):
                for start, end in stated.get(("said", state.of, state.words[0]), ()):
                    made[i, 8] = 1
                    fits[i, start:end] = np.maximum(fits[i, start:end], 0.9)
            for state in known.states_denied(item.value):
                if stated.get(("said", state.of, state.words[0])):
                    made[i, 9] = 1
    counts = np.bincount([i.column for i in items], minlength=len(index.columns))
    made[:, 11] = [1 / max(1, counts[i.column]) for i in items]
    return made, fits


def _initials(index: Index, plain: list[str]) -> dict[str, list[int]]:
    """The places of words that may be the first letters of a value ("SQL" for "Sales Qualified Lead"): no English
    words, and neither stored nor of a name."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(plain):
        named = word in english().stopwords or word in index.stored or word in index.words
        few = LEAST_INITIALS <= len(word) <= MOST_INITIALS and word.isalpha()
        if few and not named and not is_english(word):
            found[word].append(place)
    return found


def _shortened(index: Index, items: Sequence[Item], plain: list[str]) -> Iterator[tuple[int, int]]:
    """Values that are codes, each with the place of a word that it is short for ("cash" for CSH)."""
    stop = english().stopwords
    words = [(q, w) for q, w in enumerate(plain) if w.isalpha() and w not in stop and w not in index.stored]
    named = {singular(word) for word in index.words}
    unnamed = [(q, w) for q, w in words if w not in named]
    for i, item in enumerate(items):
        code = item.value.casefold()
        for q, word in words if len(code) > 2 else unnamed:
            if shortens(code, word):
                yield i, q


def codes_of(index: Index, items: Sequence[Item], tokens: Sequence[str]) -> list[Code]:
    """The values that are codes of three letters and more, each with a word of the question that it is short for."""
    plain = [bare(token) for token in tokens]
    hits = _shortened(index, items, plain)
    return [Code(i, q, _stands_for(items[i].value, plain[q])) for i, q in hits if len(items[i].value) > 2]


def _stands_for(code: str, word: str) -> bool:
    """Whether a code is known to be short for a word, and for nothing else (CSH for "cash")."""
    return knowledge().abbreviations.get(code.casefold()) == (word,)


def _stated(plain: list[str]) -> dict[tuple[str, str, str], list[tuple[int, int]]]:
    """States that the question says, by what they are states of and their first word."""
    known = knowledge()
    found: dict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
    for start, end, phrase in phrases_of(plain):
        for state in known.states_of(phrase):
            found[("said", state.of, state.words[0])].append((start, end))
    return found


def bare(token: str) -> str:
    """The word as it is compared: singular, without a possessive."""
    word = token[:-2] if token.endswith("'s") else token
    return singular(word.replace("'", "")) if word.replace("'", "").isalpha() else word


def phrases_of(plain: list[str]) -> list[tuple[int, int, str]]:
    longest = min(knowledge().longest, 6)
    return [
        (a, b, " ".join(plain[a:b])) for a in range(len(plain)) for b in range(a + 1, min(len(plain), a + longest) + 1)
    ]


def begin_alike(word: str, other: str) -> bool:
    """Two words that begin alike, or one the beginning of the other."""
    shorter = min(len(word), len(other))
    return (
        shorter >= 3
        and word[: max(3, shorter - 2)] == other[: max(3, shorter - 2)]
        and (shorter >= 4 or word.startswith(other) or other.startswith(word))
    )
