"""What the words of a question may have to do with the catalog: tables, columns, values, numbers and periods, with
how well they fit.

An `Index` holds what depends on the catalog alone and is kept for its version; `link` adds the question. The
network sees nothing of the catalog but these figures, so what it learns holds for tables it has never seen.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property, lru_cache

import numpy as np

from apps.analyst.kept import Kept
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
from apps.analyst.reading.signs import along_time, worded
from apps.analyst.reading.spelling import spelled
from apps.analyst.reading.values_said import (
    Code,
    Span,
    bare,
    begin_alike,
    capitals_beside,
    codes_of,
    fits_of_items,
    items_of,
    phrases_of,
    value_spans,
)
from apps.analyst.reading.vectors import Floats, product, vectors
from apps.analyst.types import Question

MOST_TOKENS = 48
MOST_AFTER = 60
"""Words of a message with those of the answer that it goes on from."""
CHANNELS = 12
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
    r"|w/o(?:ut)?\b|w/[bce]\b|\bw/(?=\s)|(?<!\d)(?<!\d )(?:(?<!\b\w)/|/(?!\w\b))(?!\s?\d)|\w+(?:['’]\w+)?|[#%&+<>=$€£]"
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
    before: int = 0
    """So many of the words, the first, tell what was answered before (`following`)."""

    @cached_property
    def items_of_column(self) -> Mapping[int, tuple[int, ...]]:
        """The values of each column, as places in `items`: those that the index lists, then those that are named;
        nothing for a column without any."""
        made = dict(self.index.items_of_column)
        for place, item in enumerate(self.items[len(self.index.items) :], len(self.index.items)):
            made[item.column] = (*made.get(item.column, ()), place)
        return made

    @cached_property
    def codes(self) -> list[Code]:
        """The stored codes that words of the question are long for."""
        return codes_of(self.index, self.items, self.tokens)


# ---------------------------------------------------------------- the question
def tokens_of(text: str, most: int = MOST_TOKENS) -> list[str]:
    """The question's words and numbers, lower case."""
    return TOKEN.findall(text.casefold().replace("’", "'"))[:most]


MOST_KEPT = 8
"""Of what was linked last: the reader, the words left unread and the choices of a question back all ask for it."""
_kept: Kept[tuple[str, str, str, date], Linked] = Kept(MOST_KEPT)


def link(question: Question, catalog: Catalog, before: str = "") -> Linked:
    """Everything that the question's words may name in the catalog; not to be changed by who asks. With `before`, what
    tells the answer that it goes on from, these words stand in front."""
    key = (catalog.version, before, question.text, question.today)
    return _kept.get(key, lambda: _linked(question, catalog, before))


def _linked(question: Question, catalog: Catalog, before: str) -> Linked:
    index = index_of(catalog)
    text, most = (f"{before} {question.text}", MOST_AFTER) if before else (question.text, MOST_TOKENS)
    written = tokens_of(text, most) or ["?"]
    tokens = spelled(
        along_time(worded(written, index)), lambda word: _is_stored(word, index), lambda: index.names_and_values
    )
    plain = [bare(token) for token in tokens]
    known = vectors()
    named = periods(tokens, question.today, index.newest)
    named = [
        replace(one, narrow=True) if tokens[one.start : one.end] != written[one.start : one.end] else one
        for one in named  # nobody else hears a misspelled word
    ]
    said = amounts(tokens, named)
    numbers = [(amount.place, amount.value) for amount in said]
    spans = value_spans(plain, index)
    spans += capitals_beside(spans, plain, TOKEN.findall(text.replace("’", "'"))[:most], index)
    stored = {place for span in spans for place in range(span.start, span.end)}
    plain = [word if n in stored else glued_unit(word) or word for n, word in enumerate(plain)]
    embedded = known.rows(plain)
    if len(index.names) > MOST_NODES:
        content = [n for n, word in enumerate(plain) if word not in english().stopwords]
        words = [plain[n] for n in content]
        index, places = near(index, words, embedded[content], {span.column for span in spans})
        spans = [replace(span, column=places[span.column]) for span in spans if span.column in places]
    items, item_vectors, item_words = items_of(index, spans, plain)
    channels = _channels(index, plain, embedded, spans)
    item_features, item_tokens = fits_of_items(index, items, item_words, item_vectors, plain, embedded, spans)
    flags = _token_features(tokens, plain, named, numbers, spans)
    return Linked(
        index, tokens, embedded, flags, channels, items, item_vectors, item_features, item_tokens, numbers, named, said,
        dated(tokens, named), question.today, reference(tokens, named, question.today),
        len(worded(tokens_of(before, most), index)),
    )  # fmt: skip


def _is_stored(word: str, index: Index) -> bool:
    """Whether a word stands in a name or a value of the catalog."""
    forms = {word, singular(word)}
    named = (index.stored_words, index.parts, index.words, index.spelled)
    return any(form in known for form in forms for known in named)


def _channels(index: Index, plain: list[str], embedded: Floats, spans: list[Span]) -> Floats:
    size = len(index.names)
    made = np.zeros((len(plain), size, CHANNELS), np.float32)
    near = product(embedded, index.word_vectors.T)
    nodes, rows = index.word_of[:, 0], index.word_of[:, 1]
    stop = english().stopwords
    content = np.array([word not in stop for word in plain])
    exact = np.array([[word == other for other in index.words] for word in plain], bool).reshape(len(plain), -1)
    alike = np.array([[begin_alike(word, other) for other in index.words] for word in plain], bool).reshape(
        len(plain), -1
    )
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
    for start, end, phrase in phrases_of(plain):
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


def _token_features(
    tokens: list[str],
    plain: list[str],
    named: list[PeriodMention],
    numbers: list[tuple[int, float]],
    spans: list[Span],
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
    for start, end, phrase in phrases_of(plain):
        if end - start == 1 and phrase in stop:
            continue
        for adjective in facts.adjectives_of(phrase):
            made[start:end, 8 if adjective.direction == "high" else 9] = 1
        if facts.derived_of(phrase):
            made[start:end, 10] = 1
        if facts.states_of(phrase):
            made[start:end, 11] = 1
    return made
