"""What the words of a question may have to do with the catalog: tables, columns, values, numbers and periods, with
how well they fit.

An `Index` holds what depends on the catalog alone and is kept for its version; `link` adds the question. The
network sees nothing of the catalog but these figures, so what it learns holds for tables it has never seen.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from threading import Lock

import numpy as np

from apps.analyst.dictionary.guessing import is_english, shortens
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.ports import Catalog
from apps.analyst.reading.amounts import Amount, amounts, glued_unit
from apps.analyst.reading.index import MOST_NODES, Index, Item, index_of, near
from apps.analyst.reading.periods import periods
from apps.analyst.reading.periods_beside import PeriodMention
from apps.analyst.reading.periods_joined import Stretch, dated
from apps.analyst.reading.reference import Reference, reference
from apps.analyst.reading.signs import worded
from apps.analyst.reading.spelling import spelled
from apps.analyst.reading.stored import LONGEST_VALUE
from apps.analyst.reading.vectors import Floats, product, vectors
from apps.analyst.types import Question

MOST_TOKENS = 48
MOST_ITEMS = 320
LEAST_INITIALS, MOST_INITIALS = 3, 5
"""Letters: with two, units and half of all shortened words are somebody's initials."""
CHANNELS = 12
VALUE_FEATURES = 12
TOKEN_FEATURES = 12

CALLED, EVENT, STATED, RANKED, DERIVED = 3, 8, 9, 10, 11
"""Channels that knowledge opens: a concept is named; something happens to it; it is in a state; it is ranked by; a
figure is computed from it."""
NAMING = (0, 1, 2, CALLED, 4, EVENT, STATED, RANKED, DERIVED)
"""Channels by which a word names a node itself, not what stands beside it."""
WHOLE = (0, 1, 2, 6)
"""Channels that are full where a name is said word for word."""

TOKEN = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|[$€£]?(?:\d[\d,]*(?:\.\d+)?|\.\d+)(?:st|nd|rd|th|k|m|bn|mn|x)?\b%?|'\d\d\b"
    r"|w/o(?:ut)?\b|\bw/(?=\s)|(?<!\d)(?<!\d )(?:(?<!\b\w)/|/(?!\w\b))(?!\s?\d)|\w+(?:['’]\w+)?|[#%&+<>=$€£]"
)
"""Numbers and days, words, and signs that stand for words (`signs`): a slash between lone letters ("y/n") does not."""
_PART = re.compile(r"count|\[[^]]*\]|[-+*/()]")
"""What stands between the concepts of a formula."""


@dataclass
class Linked:
    """A question over a catalog."""

    index: Index
    tokens: list[str]
    embedded: Floats
    token_features: Floats
    channels: Floats
    """(tokens, nodes, CHANNELS): how each token fits each node."""
    items: list[Item]
    item_vectors: Floats
    item_features: Floats
    item_tokens: Floats
    """(items, tokens): how each token fits each value."""
    numbers: list[tuple[int, float]]
    periods: list[PeriodMention]
    amounts: list[Amount]
    """How each of the numbers is said."""
    dated: list[Stretch]
    """The periods that a sketch may point to: those named, and what they say together."""
    today: date
    reference: Reference | None
    """The day that takes today's place."""


# ---------------------------------------------------------------- the question
def tokens_of(text: str) -> list[str]:
    """The question's words and numbers, lower case."""
    return TOKEN.findall(text.casefold().replace("’", "'"))[:MOST_TOKENS]


_kept: OrderedDict[tuple[str, str, date], Linked] = OrderedDict()
_lock = Lock()
MOST_KEPT = 8
"""Of what was linked last: the reader, the words left unread and the choices of a question back all ask for it."""


def link(question: Question, catalog: Catalog) -> Linked:
    """Everything that the question's words may name in the catalog; not to be changed by who asks."""
    key = (catalog.version, question.text, question.today)
    with _lock:
        found = _kept.get(key)
        if found is not None:
            return found
    made = _linked(question, catalog)
    with _lock:
        _kept[key] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


def _linked(question: Question, catalog: Catalog) -> Linked:
    index = index_of(catalog)
    written = tokens_of(question.text) or ["?"]
    tokens = spelled(worded(written, index), lambda word: _is_stored(word, index), lambda: index.names_and_values)
    plain = [_bare(token) for token in tokens]
    known = vectors()
    named = periods(tokens, question.today, index.newest)
    named = [
        replace(one, narrow=True) if tokens[one.start : one.end] != written[one.start : one.end] else one
        for one in named  # nobody else hears a misspelled word
    ]
    said = amounts(tokens, named)
    numbers = [(amount.place, amount.value) for amount in said]
    spans = _value_spans(plain, index)
    spans += _capitals_beside(spans, plain, TOKEN.findall(question.text.replace("’", "'"))[:MOST_TOKENS], index)
    stored = {place for span in spans for place in range(span.start, span.end)}
    plain = [word if n in stored else glued_unit(word) or word for n, word in enumerate(plain)]
    embedded = known.rows(plain)
    if len(index.names) > MOST_NODES:
        content = [n for n, word in enumerate(plain) if word not in english().stopwords]
        words = [plain[n] for n in content]
        index, places = near(index, words, embedded[content], {span.column for span in spans})
        spans = [replace(span, column=places[span.column]) for span in spans if span.column in places]
    items, item_vectors, item_words = _items(index, spans, plain)
    channels = _channels(index, plain, embedded, spans)
    item_features, item_tokens = _item_features(index, items, item_words, item_vectors, plain, embedded, spans)
    flags = _token_features(tokens, plain, named, numbers, spans)
    return Linked(
        index, tokens, embedded, flags, channels, items, item_vectors, item_features, item_tokens, numbers, named, said,
        dated(tokens, named), question.today, reference(tokens, named, question.today),
    )  # fmt: skip


def _is_stored(word: str, index: Index) -> bool:
    """Whether a word stands in a name or a value of the catalog."""
    forms = {word, singular(word)}
    return any(form in index.stored_words or form in index.parts or form in index.words for form in forms)


def _bare(token: str) -> str:
    """The word as it is compared: singular, without a possessive."""
    word = token[:-2] if token.endswith("'s") else token
    return singular(word.replace("'", "")) if word.replace("'", "").isalpha() else word


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    column: int
    value: str
    partial: bool


def _value_spans(plain: list[str], index: Index) -> list[_Span]:
    """Stretches of the question that are stored values, longest first; and parts of long ones, such as a surname."""
    stop = english().stopwords
    found: list[_Span] = []
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
                found.append(_Span(start, start + length, column, value, partial=False))
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
            found.append(_Span(start, end, column, " ".join(plain[start:end]), partial=True))
    return found


def _capitals_beside(spans: list[_Span], plain: list[str], cased: list[str], index: Index) -> list[_Span]:
    """Stored codes that are small words otherwise, written as they are stored beside another of their column: the A of
    "A, B and C accounts"."""
    if len(cased) != len(plain) or not spans:
        return []
    near = {(place, span.column) for span in spans for place in range(span.start - 2, span.end + 2)}
    return [
        _Span(place, place + 1, column, value, partial=False)
        for place, word in enumerate(plain)
        if word in english().stopwords and cased[place].isupper()
        for column, value in index.stored.get(word, ())
        if value == cased[place] and (place, column) in near
    ]


def _items(index: Index, spans: list[_Span], plain: list[str]) -> tuple[list[Item], Floats, list[tuple[str, ...]]]:
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


def _phrases(plain: list[str]) -> list[tuple[int, int, str]]:
    longest = min(knowledge().longest, 6)
    return [
        (a, b, " ".join(plain[a:b])) for a in range(len(plain)) for b in range(a + 1, min(len(plain), a + longest) + 1)
    ]


def _channels(index: Index, plain: list[str], embedded: Floats, spans: list[_Span]) -> Floats:
    size = len(index.names)
    made = np.zeros((len(plain), size, CHANNELS), np.float32)
    near = product(embedded, index.word_vectors.T)
    nodes, rows = index.word_of[:, 0], index.word_of[:, 1]
    stop = english().stopwords
    content = np.array([word not in stop for word in plain])
    exact = np.array([[word == other for other in index.words] for word in plain], bool).reshape(len(plain), -1)
    alike = np.array([[_alike(word, other) for other in index.words] for word in plain], bool).reshape(len(plain), -1)
    for q in range(len(plain)):
        if not content[q]:
            continue
        np.maximum.at(made[q, :, 0], nodes, exact[q, rows].astype(np.float32))
        np.maximum.at(made[q, :, 1], nodes, alike[q, rows].astype(np.float32))
        np.maximum.at(made[q, :, 2], nodes, np.clip(near[q, rows], 0, 1))
    lengths = np.maximum(1, np.bincount(nodes, minlength=size)).astype(np.float32)
    hit = exact[content].any(0) if content.any() else np.zeros(len(index.words), bool)
    share = np.bincount(nodes, weights=hit[rows].astype(np.float32), minlength=size).astype(np.float32) / lengths
    made[:, :, 6] = made[:, :, 0] * share[None, :]
    owner = np.array([*range(len(index.tables)), *[t for t, _ in index.columns]])
    made[:, :, 7] = made[:, owner, 2]
    by_name: defaultdict[str, list[int]] = defaultdict(list)
    for node, name in enumerate(index.names):
        by_name[" ".join(name)].append(node)
    for start, end, phrase in _phrases(plain):
        if end - start == 1 and phrase in stop:
            continue
        for node in index.spelled.get(phrase.replace("_", " "), ()):
            made[start:end, node, list(WHOLE)] = 1.0
        for channel, keys in _named_by(phrase):
            for key in keys:
                for node, score in index.concepts.get(key, ()):
                    made[start:end, node, channel] = np.maximum(made[start:end, node, channel], score)
                for node in by_name.get(key, ()) if channel == STATED else ():
                    made[start:end, node, channel] = 1.0
    offset = len(index.tables)
    for span in spans:
        made[span.start : span.end, offset + span.column, 5 if span.partial else 4] = 1
    return made


@lru_cache(maxsize=4096)
def _named_by(phrase: str) -> tuple[tuple[int, frozenset[str]], ...]:
    """The channels that knowledge opens for a phrase, with the folded names of the concepts it speaks of."""
    known = knowledge()
    found = {
        CALLED: [phrase] if known.said(phrase) else [],
        EVENT: [x for v in known.verbs_of(phrase) for x in (v.event, v.date, v.amount, v.object, v.subject)],
        STATED: [x for s in known.states_of(phrase) for x in (*s.flags, *s.missing, *s.present)],
        RANKED: [a.of for a in known.adjectives_of(phrase)],
        DERIVED: [x.strip() for d in known.derived_of(phrase) for x in _PART.split(d.formula)],
    }
    folded_keys = {channel: frozenset(folded(name) for name in names if name) for channel, names in found.items()}
    return tuple((channel, keys) for channel, keys in folded_keys.items() if keys)


def _alike(word: str, other: str) -> bool:
    """Two words that begin alike, or one the beginning of the other."""
    shorter = min(len(word), len(other))
    return (
        shorter >= 3
        and word[: max(3, shorter - 2)] == other[: max(3, shorter - 2)]
        and (shorter >= 4 or word.startswith(other) or other.startswith(word))
    )


def _item_features(
    index: Index,
    items: list[Item],
    words: list[tuple[str, ...]],
    rows: Floats,
    plain: list[str],
    embedded: Floats,
    spans: list[_Span],
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
        made[i, 2] = sum(w[:3] in begun and any(_alike(w, q) for q in plain) for w in listed) / len(listed)
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


def _shortened(index: Index, items: list[Item], plain: list[str]) -> Iterator[tuple[int, int]]:
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


def codes_said(linked: Linked) -> list[tuple[int, int]]:
    """The values that are codes of three letters and more, each with the place of a word that it is short for."""
    plain = [_bare(token) for token in linked.tokens]
    return [hit for hit in _shortened(linked.index, linked.items, plain) if len(linked.items[hit[0]].value) > 2]


def stands_for(code: str, token: str) -> bool:
    """Whether a code is known to be short for a word, and for nothing else (CSH for "cash")."""
    return knowledge().abbreviations.get(code.casefold()) == (_bare(token),)


def _stated(plain: list[str]) -> dict[tuple[str, str, str], list[tuple[int, int]]]:
    """States that the question says, by what they are states of and their first word."""
    known = knowledge()
    found: dict[tuple[str, str, str], list[tuple[int, int]]] = defaultdict(list)
    for start, end, phrase in _phrases(plain):
        for state in known.states_of(phrase):
            found[("said", state.of, state.words[0])].append((start, end))
    return found


def _token_features(
    tokens: list[str],
    plain: list[str],
    named: list[PeriodMention],
    numbers: list[tuple[int, float]],
    spans: list[_Span],
) -> Floats:
    made = np.zeros((len(tokens), TOKEN_FEATURES), np.float32)
    for place, _ in numbers:
        made[place, 0] = 1
    for mention in named:
        made[mention.start : mention.end, 1] = 1
        made[mention.start : mention.end, 2] = mention.relative
    for span in spans:
        made[span.start : span.end, 4 if span.partial else 3] = 1
    stop, known = english().stopwords, vectors()
    for place, word in enumerate(plain):
        made[place, 5] = word in stop
        made[place, 6] = word not in known
    made[0, 7] = 1
    facts = knowledge()
    for start, end, phrase in _phrases(plain):
        if end - start == 1 and phrase in stop:
            continue
        for adjective in facts.adjectives_of(phrase):
            made[start:end, 8 if adjective.direction == "high" else 9] = 1
        if facts.derived_of(phrase):
            made[start:end, 10] = 1
        if facts.states_of(phrase):
            made[start:end, 11] = 1
    return made
