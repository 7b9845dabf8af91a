"""What the words of a question may have to do with the catalog: tables, columns, values, numbers and periods, with
how well they fit.

An `Index` holds what depends on the catalog alone and is kept for its version; `link` adds the question. The
network sees nothing of the catalog but these figures, so what it learns holds for tables it has never seen.
"""

from __future__ import annotations

import re
from collections import OrderedDict, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from threading import Lock

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from apps.analyst.dictionary.names import expanded, words_of
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.ports import Catalog
from apps.analyst.reading.periods import PeriodMention, periods
from apps.analyst.reading.vectors import Floats, vectors
from apps.analyst.types import Column, Question, Table

MOST_TOKENS = 48
MOST_VALUES_A_COLUMN = 24
MOST_ITEMS = 320
MOST_INDEXED = 60_000
LONGEST_VALUE = 8
"""Words of the longest stored value that is looked for in a question."""
CHANNELS = 10
VALUE_FEATURES = 12
NODE_FEATURES = 26
TOKEN_FEATURES = 8

_TOKEN = re.compile(
    r"\d{4}-\d\d-\d\d|\d{1,2}[/.]\d{1,2}[/.]\d{2,4}|[$€£]?\d[\d,]*(?:\.\d+)?(?:st|nd|rd|th|k|m|bn|mn)?\b%?|'\d\d\b|\w+(?:['’]\w+)?|[#%&+<>=]"
)
_NUMBER = re.compile(r"[$€£]?(\d[\d,]*(?:\.\d+)?)(k|m|mn|bn)?%?")


@dataclass(frozen=True, slots=True)
class Item:
    """A stored value that may be meant. `partial` is a stretch of the question that stands inside stored values."""

    column: int
    value: str
    partial: bool = False


@dataclass
class Index:
    """What depends on the catalog alone. Nodes are the tables, then their columns."""

    tables: list[Table]
    columns: list[tuple[int, Column]]
    names: list[tuple[str, ...]]
    """Spelled-out words of each node's name."""
    features: Floats
    embedded: Floats
    """Three vectors side by side for each node: its name, its table's name, its values."""
    relations: NDArray[np.int8]
    """Between two nodes: 0 none, 1 same table, 2 a table and its column, 3 a joined pair of columns, 4 joined
    tables, 5 the same name."""
    items: list[Item]
    item_words: list[tuple[str, ...]]
    item_vectors: Floats
    stored: dict[str, list[tuple[int, str]]]
    """Columns and spellings of stored values, by the folded text."""
    parts: dict[str, set[int]]
    """Columns with many values that hold a word."""
    concepts: list[dict[str, float]]
    """Labels and words of the concepts that each node may be, with a score."""
    newest: date
    words: list[str] = field(default_factory=list)
    word_vectors: Floats = field(default_factory=lambda: np.zeros((0, 1), np.float32))
    word_of: NDArray[np.int32] = field(default_factory=lambda: np.zeros((0, 2), np.int32))
    """Pairs (node, row of word_vectors)."""


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


_kept: OrderedDict[str, Index] = OrderedDict()
_lock = Lock()
MOST_KEPT = 64


def index_of(catalog: Catalog) -> Index:
    """The catalog's index, made once for each version."""
    with _lock:
        found = _kept.get(catalog.version)
        if found is not None:
            _kept.move_to_end(catalog.version)
            return found
    made = _built(catalog)
    with _lock:
        _kept[catalog.version] = made
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return made


# ---------------------------------------------------------------- the catalog
def _built(catalog: Catalog) -> Index:
    tables = list(catalog.tables())
    columns = [(t, column) for t, table in enumerate(tables) for column in table.columns]
    names: list[tuple[str, ...]] = []
    for table in tables:
        names.append(expanded(table.name, tuple(c.name for c in table.columns)) or (table.name.casefold(),))
    for t, column in columns:
        beside = (tables[t].name, *(c.name for c in tables[t].columns))
        names.append(expanded(column.name, beside) or (column.name.casefold(),))
    names = [tuple(word for part in name for word in folded(part).split()) or ("column",) for name in names]
    known = vectors()
    values = [_listed(column) for _, column in columns]
    items, item_words = [], []
    for c in range(len(columns)):
        for value in values[c][:MOST_VALUES_A_COLUMN]:
            items.append(Item(c, value))
            item_words.append(_value_words(value, names[len(tables) + c]))
    offset = len(tables)
    embedded = np.stack(
        [
            np.concatenate([known.mean(names[t]), known.mean(names[t]), np.zeros(known.size, np.float32)])
            for t in range(offset)
        ]
        + [
            np.concatenate(
                [
                    known.mean(names[offset + c]),
                    known.mean(names[t]),
                    known.mean([w for v in values[c][:8] for w in _value_words(v, names[offset + c])]),
                ]
            )
            for c, (t, _) in enumerate(columns)
        ]
    )
    joined = _joined(catalog, tables, columns)
    features = np.stack(
        [_table_features(table) for table in tables]
        + [
            _column_features(c, tables[t], offset + i in joined[0], offset + i in joined[1])
            for i, (t, c) in enumerate(columns)
        ]
    )
    said = [
        _said(name, raw)
        for name, raw in zip(names, [t.name for t in tables] + [c.name for _, c in columns], strict=True)
    ]
    words = sorted({word for name in said for word in name})
    rows = {word: i for i, word in enumerate(words)}
    pairs = np.array([(n, rows[word]) for n, name in enumerate(said) for word in name], np.int32).reshape(-1, 2)
    stored, parts = _stored(tables, columns)
    newest = [c.maximum for _, c in columns if isinstance(c.maximum, date)]
    days = [d.date() if isinstance(d, datetime) else d for d in newest]
    return Index(
        tables,
        columns,
        names,
        features,
        embedded,
        _relations(tables, columns, joined[2], names),
        items,
        item_words,
        np.stack([known.mean(w) for w in item_words]) if items else np.zeros((0, known.size), np.float32),
        stored,
        parts,
        [_concepts(name) for name in names],
        max(days, default=date.max),
        words,
        known.rows(words),
        pairs,
    )


def _said(name: tuple[str, ...], raw: str) -> tuple[str, ...]:
    """The words of a name with all that its shortened words may stand for."""
    known = knowledge()
    other = [word for token in words_of(raw) for full in known.expansions(token)[:3] for word in folded(full).split()]
    return tuple(dict.fromkeys([*name, *[w for w in other if w not in english().stopwords]]))


def _listed(column: Column) -> list[str]:
    """The values that are offered without being named: those of a column of few."""
    few = column.values_complete and column.distinct <= 40
    if column.type == "boolean":
        return ["true", "false"]
    if not few or not column.values:
        return []
    if column.type == "text" or (column.type == "integer" and (column.role == "dimension" or column.distinct <= 2)):
        return [v.value for v in column.values]
    return []


def _value_words(value: str, name: Sequence[str]) -> tuple[str, ...]:
    """The words of a value; codes are spelled out, and a flag's values stand for its name."""
    said = folded(value).split()
    full = knowledge().code(value, name)
    if full is not None:
        return tuple(folded(full).split())
    if len(said) == 1 and (said[0] in english().affirmed or said[0] in english().denied):
        return tuple(name)
    found = (
        tuple(w for part in expanded(value) for w in folded(part).split())
        if len(value) <= 40 and len(said) <= 2
        else tuple(said)
    )
    return found or tuple(said) or ("value",)


def _concepts(name: tuple[str, ...]) -> dict[str, float]:
    found: dict[str, float] = {}
    for concept, score in knowledge().named(name):
        for phrase in (concept.label, *concept.words, *concept.columns):
            key = folded(phrase)
            found[key] = max(found.get(key, 0.0), score)
    return found


def _joined(
    catalog: Catalog, tables: list[Table], columns: list[tuple[int, Column]]
) -> tuple[set[int], set[int], set[tuple[int, int]]]:
    place = {(tables[t].name, column.name): len(tables) + c for c, (t, column) in enumerate(columns)}
    left, right, pairs = set(), set(), set()
    for join in catalog.joins():
        for a, b in zip(join.left_columns, join.right_columns, strict=True):
            one, other = place.get((join.left_table, a)), place.get((join.right_table, b))
            if one is not None and other is not None:
                left.add(one)
                right.add(other)
                pairs |= {(one, other), (other, one)}
    return left, right, pairs


def _relations(
    tables: list[Table], columns: list[tuple[int, Column]], pairs: set[tuple[int, int]], names: list[tuple[str, ...]]
) -> NDArray[np.int8]:
    size, offset = len(tables) + len(columns), len(tables)
    owner = np.array([*range(offset), *[t for t, _ in columns]])
    made: NDArray[np.int8] = (owner[:, None] == owner[None, :]).astype(np.int8)
    made[:offset, offset:][made[:offset, offset:] == 1] = 2
    made[offset:, :offset][made[offset:, :offset] == 1] = 2
    by_name = defaultdict(list)
    for n in range(offset, size):
        by_name[names[n]].append(n)
    for alike in by_name.values():
        for a in alike:
            for b in alike:
                if owner[a] != owner[b]:
                    made[a, b] = 5
    for a, b in pairs:
        made[a, b] = 3
        made[owner[a], owner[b]] = 4
    return made


def _table_features(table: Table) -> Floats:
    made = np.zeros(NODE_FEATURES, np.float32)
    made[0] = 1
    made[1] = min(1.0, np.log10(table.rows + 1) / 6)
    made[2] = min(1.0, len(table.columns) / 30)
    return made


def _column_features(column: Column, table: Table, refers: bool, identifies: bool) -> Floats:
    made = np.zeros(NODE_FEATURES, np.float32)
    roles = ("measure", "dimension", "time", "id", "text")
    types = ("text", "integer", "decimal", "float", "boolean", "date", "datetime")
    made[3 + roles.index(column.role)] = 1
    made[8 + types.index(column.type)] = 1
    rows = max(1, table.rows)
    made[15] = min(1.0, np.log10(column.distinct + 1) / 5)
    made[16] = min(1.0, column.distinct / max(1, rows - column.missing))
    made[17] = min(1.0, column.missing / rows)
    made[18] = column.unique
    made[19] = column.unit is not None
    made[20] = column.unit == "%"
    made[21] = refers
    made[22] = identifies
    made[23] = column.distinct == 2
    made[24] = isinstance(column.minimum, int | float) and column.minimum < 0
    made[25] = column.values_complete and column.distinct <= 40
    return made


def _stored(
    tables: list[Table], columns: list[tuple[int, Column]]
) -> tuple[dict[str, list[tuple[int, str]]], dict[str, set[int]]]:
    """All text values by their folded text, and for columns of many values the words that occur in them."""
    place = {(t, column.name): c for c, (t, column) in enumerate(columns)}
    stored: dict[str, list[tuple[int, str]]] = defaultdict(list)
    parts: dict[str, set[int]] = defaultdict(set)
    seen = 0
    for t, table in enumerate(tables):
        for name, value in _every_value(table):
            c = place.get((t, name))
            if c is None or seen >= MOST_INDEXED:
                continue
            seen += 1
            key = folded(value)
            if not key or key.count(" ") >= LONGEST_VALUE + 6:
                continue
            if key.count(" ") < LONGEST_VALUE:
                stored[key].append((c, value))
            if columns[c][1].distinct > 6:
                for word in key.split():
                    if len(word) >= 3:
                        parts[word].add(c)
    return stored, parts


def _every_value(table: Table) -> list[tuple[str, str]]:
    found = [(c.name, v.value) for c in table.columns if c.type in ("text", "boolean") for v in c.values]
    if table.values_path is not None and table.values_path.exists():
        kept = pq.read_table(table.values_path, columns=["column", "value"])
        found = list(dict.fromkeys([*found, *zip(kept["column"].to_pylist(), kept["value"].to_pylist(), strict=True)]))
    return found


# ---------------------------------------------------------------- the question
def tokens_of(text: str) -> list[str]:
    """The question's words and numbers, lower case."""
    return _TOKEN.findall(text.casefold().replace("’", "'"))[:MOST_TOKENS]


def link(question: Question, catalog: Catalog) -> Linked:
    """Everything that the question's words may name in the catalog."""
    index = index_of(catalog)
    tokens = tokens_of(question.text) or ["?"]
    plain = [_bare(token) for token in tokens]
    known = vectors()
    embedded = known.rows(plain)
    named = periods(tokens, question.today, index.newest)
    numbers = _numbers(tokens, named)
    spans = _value_spans(plain, index)
    items, item_vectors, item_words = _items(index, spans, plain)
    channels = _channels(index, plain, embedded, spans)
    item_features, item_tokens = _item_features(index, items, item_words, item_vectors, plain, embedded, spans)
    flags = _token_features(tokens, plain, named, numbers, spans)
    return Linked(
        index, tokens, embedded, flags, channels, items, item_vectors, item_features, item_tokens, numbers, named
    )


def _bare(token: str) -> str:
    """The word as it is compared: singular, without a possessive."""
    word = token[:-2] if token.endswith("'s") else token
    return singular(word.replace("'", "")) if word.replace("'", "").isalpha() else word


def _numbers(tokens: Sequence[str], named: Sequence[PeriodMention]) -> list[tuple[int, float]]:
    """Numbers that the question says, in figures or words, with the token where each begins."""
    words = english()
    taken = {place for mention in named for place in range(mention.start, mention.end)}
    found: list[tuple[int, float]] = []
    for place, token in enumerate(tokens):
        value: float | None = None
        match = _NUMBER.fullmatch(token)
        if match:
            value = float(match[1].replace(",", "")) * words.scales.get(match[2] or "", 1.0)
        elif token in words.numbers:
            value = words.numbers[token]
        if value is None:
            continue
        following = tokens[place + 1] if place + 1 < len(tokens) else ""
        if following in words.scales and (match is None or len(following) > 1):
            value *= words.scales[following]
        if place in taken and not (len(token) == 4 and token.isdigit()):
            continue
        found.append((place, value))
    return found


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
            if length == 1 and (said[0] in stop or len(said[0]) < 2):
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
    near = embedded @ index.word_vectors.T
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
    known = knowledge()
    for start, end, phrase in _phrases(plain):
        if end - start == 1 and phrase in stop:
            continue
        concepts = known.said(phrase)
        keys = {folded(phrase)} if concepts else set()
        events = {
            folded(x)
            for verb in known.verbs_of(phrase)
            for x in (verb.event, verb.date, verb.amount, verb.object, verb.subject)
            if x
        }
        states = known.states_of(phrase)
        marks = {folded(x) for state in states for x in (*state.flags, *state.missing, *state.present)}
        for node, own in enumerate(index.concepts):
            if keys:
                best = max((own.get(key, 0.0) for key in keys), default=0.0)
                if best:
                    made[start:end, node, 3] = np.maximum(made[start:end, node, 3], best)
            if events:
                best = max((own.get(key, 0.0) for key in events), default=0.0)
                if best:
                    made[start:end, node, 8] = np.maximum(made[start:end, node, 8], best)
            if marks:
                best = max((own.get(key, 0.0) for key in marks), default=0.0)
                name = " ".join(index.names[node])
                best = max(best, 1.0 if name in marks else 0.0)
                if best:
                    made[start:end, node, 9] = np.maximum(made[start:end, node, 9], best)
    offset = len(index.tables)
    for span in spans:
        made[span.start : span.end, offset + span.column, 5 if span.partial else 4] = 1
    return made


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
    fits[:] = np.clip(rows @ embedded.T, 0, 1) * content
    made[:, 0] = fits.max(1)
    said = set(plain)
    denied, affirmed = english().denied, english().affirmed
    place = {(item.column, item.value): i for i, item in enumerate(items)}
    for i, item in enumerate(items):
        listed = [w for w in words[i] if w not in stop] or list(words[i])
        share = sum(w in said for w in listed) / len(listed)
        made[i, 1] = share
        made[i, 2] = sum(any(_alike(w, q) for q in plain) for w in listed) / len(listed)
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
    return made
