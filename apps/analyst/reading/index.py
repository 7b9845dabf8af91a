"""What linking a question needs of a catalog: tables and columns as nodes, with names, meanings, values and figures.

An index depends on the catalog alone and is kept for its version. Of a catalog with more nodes than the network can
look at, a question sees those that lie nearest (`near`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.names import expanded, words_of
from apps.analyst.dictionary.products import product_names
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.kept import Kept
from apps.analyst.knowledge.folding import folded
from apps.analyst.ports import Catalog
from apps.analyst.reading.nodes import (
    DATES_ROW,
    IDENTIFIES_ROW,
    NAMES_ROW,
    called,
    column_features,
    joined_by,
    meant_by,
    relations_of,
    table_features,
    with_noun,
    words_for,
)
from apps.analyst.reading.phrases import Phrases
from apps.analyst.reading.stored import listed_values, stored_in, value_words
from apps.analyst.reading.vectors import Floats, product, vectors
from apps.analyst.tables.roles import named_id
from apps.analyst.types import Column, Table

MOST_NODES = 240
"""Tables and columns that a question is read against at once."""
MOST_TABLES = 24
MOST_VALUES_A_COLUMN = 24
MOST_SHOWN = 8
"""Values that a column's vector is made of."""


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
    joined: frozenset[tuple[int, int]]
    """Pairs of columns that tables are joined by, as nodes, in both directions."""
    relations: NDArray[np.int8]
    """Empty for a catalog of too many nodes. Between two nodes: 0 none, 1 same table, 2 a table and its column, 3 a
    joined pair of columns, 4 joined tables, 5 the same name."""
    items: list[Item]
    item_words: list[tuple[str, ...]]
    item_vectors: Floats
    stored: dict[str, list[tuple[int, str]]]
    """Columns and spellings of stored values, by the folded text."""
    parts: dict[str, set[int]]
    """Columns with many values that hold a word."""
    concepts: Phrases
    """The nodes that may be a concept, by its folded labels and words, with a score."""
    spelled: Mapping[str, Sequence[int]]
    """The nodes whose names are spelled out as other words, by their names as the file has them, folded."""
    meant: Sequence[ColumnMeaning]
    newest: date
    units: list[str | None]
    """The unit of each column, as far as it is known, else its name's last word, which may be one ("talk_min")."""
    words: list[str]
    word_vectors: Floats
    word_of: NDArray[np.int32]
    """Pairs (node, row of word_vectors)."""

    @cached_property
    def items_of_column(self) -> Mapping[int, tuple[int, ...]]:
        """The listed values of each column, as places in `items`."""
        made: defaultdict[int, list[int]] = defaultdict(list)
        for place, item in enumerate(self.items):
            made[item.column].append(place)
        return {column: tuple(places) for column, places in made.items()}

    @cached_property
    def stored_words(self) -> frozenset[str]:
        """The words of stored values."""
        return frozenset(word for text in self.stored for word in text.split())

    @cached_property
    def names_and_values(self) -> frozenset[str]:
        """The words of names and the stored values of one word: what a misspelled word may be meant for."""
        return frozenset(word for word in (*self.words, *self.stored) if word.isalpha())


def identifiers(index: Index) -> list[bool]:
    """Of each column whether its entries only tell things apart, as its name says or a table that it refers to."""
    offset, referred = len(index.tables), {node for pair in index.joined for node in pair}
    return [
        means.kind == "identifier" and (named_id(means.name) or offset + n in referred)
        for n, means in enumerate(index.meant)
    ]


MOST_KEPT = 64
_kept: Kept[str, Index] = Kept(MOST_KEPT)


def index_of(catalog: Catalog) -> Index:
    """The catalog's index, made once for each version."""
    return _kept.get(catalog.version, lambda: _built(catalog))


def forget() -> None:
    """Lets go of all that is kept."""
    _kept.forget()


# ---------------------------------------------------------------- the catalog
def _built(catalog: Catalog) -> Index:
    tables = list(catalog.tables())
    columns = [(t, column) for t, table in enumerate(tables) for column in table.columns]
    meanings = [dictionary_of(catalog)[table.name] for table in tables]
    meant = [meaning for table in meanings for meaning in table.columns]
    bare, offset = _spelled_out(tables, columns), len(tables)
    names = [*(with_noun(name, table) for name, table in zip(bare[:offset], meanings, strict=True)), *bare[offset:]]
    refers, identifies, joined = joined_by(catalog, tables, columns)
    own_names = [*(table.name for table in tables), *(column.name for _, column in columns)]
    synonyms = [*map(product_names, tables), *(m.synonyms for m in meant)]
    said = [words_for(name, raw, also) for name, raw, also in zip(names, own_names, synonyms, strict=True)]
    words = sorted({word for name in said for word in name})
    rows = {word: i for i, word in enumerate(words)}
    stored, parts = stored_in(tables, columns)
    newest = [c.maximum for _, c in columns if isinstance(c.maximum, date)]
    days = [d.date() if isinstance(d, datetime) else d for d in newest]
    made = Index(
        tables=tables,
        columns=columns,
        names=names,
        features=np.stack(
            [table_features(table) for table in tables]
            + [
                column_features(c, tables[t], offset + i in refers, offset + i in identifies, meanings[t], meant[i])
                for i, (t, c) in enumerate(columns)
            ]
        ),
        embedded=_embedded(columns, names, meant),
        joined=joined,
        relations=np.zeros((0, 0), np.int8),
        items=[],
        item_words=[],
        item_vectors=np.zeros((0, vectors().size), np.float32),
        stored=stored,
        parts=parts,
        concepts=Phrases(
            [*(called(name, table) for name, table in zip(bare[:offset], meanings, strict=True)), *map(meant_by, meant)]
        ),
        spelled=_by_raw_name(own_names, names),
        meant=meant,
        newest=max(days, default=date.max),
        units=[m.unit or (words_of(m.name) or [None])[-1] for m in meant],
        words=words,
        word_vectors=vectors().rows(words),
        word_of=np.array([(n, rows[word]) for n, name in enumerate(said) for word in name], np.int32).reshape(-1, 2),
    )
    return _whole(made) if len(names) <= MOST_NODES else made


def _spelled_out(tables: Sequence[Table], columns: Sequence[tuple[int, Column]]) -> list[tuple[str, ...]]:
    """The folded words of each node's name, short ones as what they stand for beside the others of their table."""
    own = [tuple(column.name for column in table.columns) for table in tables]
    beside = [(table.name, *names) for table, names in zip(tables, own, strict=True)]
    said = [expanded(table.name, names) or (table.name.casefold(),) for table, names in zip(tables, own, strict=True)]
    said += [expanded(c.name, beside[t]) or (c.name.casefold(),) for t, c in columns]
    return [tuple(word for part in name for word in folded(part).split()) or ("column",) for name in said]


def _by_raw_name(raw: Iterable[str], names: Sequence[tuple[str, ...]]) -> Mapping[str, Sequence[int]]:
    """The nodes that are spelled out as other words than the file has, by its words."""
    found: defaultdict[str, list[int]] = defaultdict(list)
    for node, name in enumerate(map(folded, raw)):
        if name and name != " ".join(names[node]):
            found[name].append(node)
    return found


def _embedded(
    columns: Sequence[tuple[int, Column]], names: Sequence[tuple[str, ...]], meant: Sequence[ColumnMeaning]
) -> Floats:
    """Of each node the vectors of its name, its table's name and its first values, side by side."""
    known, offset = vectors(), len(names) - len(columns)
    made = np.zeros((len(names), 3, known.size), np.float32)
    for node, name in enumerate(names):
        made[node, 0] = known.mean(name)
    owners = [*range(offset), *(t for t, _ in columns)]
    made[:, 1] = made[owners, 0]
    for node, ((_, column), name, meaning) in enumerate(zip(columns, names[offset:], meant, strict=True), offset):
        if values := listed_values(column)[:MOST_SHOWN]:
            made[node, 2] = known.mean([word for value in values for word in value_words(value, name, meaning)])
    return made.reshape(len(names), -1)


def _whole(index: Index) -> Index:
    """The index with what only so many nodes have: relations, and the values of columns with few."""
    items, item_words = [], []
    for c, (_, column) in enumerate(index.columns):
        for value in listed_values(column)[:MOST_VALUES_A_COLUMN]:
            items.append(Item(c, value))
            item_words.append(value_words(value, index.names[len(index.tables) + c], index.meant[c]))
    known = vectors()
    rows = np.stack([known.mean(w) for w in item_words]) if items else np.zeros((0, known.size), np.float32)
    relations = relations_of(index.tables, index.columns, index.joined, index.names)
    return replace(index, relations=relations, items=items, item_words=item_words, item_vectors=rows)


def near(index: Index, words: Sequence[str], embedded: Floats, named: Iterable[int]) -> tuple[Index, dict[int, int]]:
    """The part of a large catalog that a question's content words lie nearest to, and the new places of its columns.
    `named` are the columns whose stored values the question names."""
    offset = len(index.tables)
    scores = _scores(index, words, embedded)
    scores[[offset + c for c in named]] += 1.0
    owner = np.array([*range(offset), *(t for t, _ in index.columns)])
    best = np.zeros(offset, np.float32)
    np.maximum.at(best, owner, scores)
    tables = sorted(np.argsort(-best, kind="stable")[:MOST_TABLES].tolist())
    inside = np.isin(owner, tables)
    inside[:offset] = False
    marked = index.features[:, [NAMES_ROW, IDENTIFIES_ROW, DATES_ROW]].any(1)
    keys = np.zeros(len(owner), bool)
    keys[[a for a, b in index.joined if inside[a] and inside[b]]] = True
    ranked = np.where(inside, scores + 0.5 * marked + 0.5 * keys, -1.0)
    kept = sorted(n for n in np.argsort(-ranked, kind="stable")[: MOST_NODES - len(tables)].tolist() if inside[n])
    return _part(index, tables, kept), {node - offset: place for place, node in enumerate(kept)}


def _scores(index: Index, words: Sequence[str], embedded: Floats) -> Floats:
    """How near each node lies to a question: the sum over its words of how well the node's best word fits."""
    made = np.zeros(len(index.names), np.float32)
    fits = np.clip(product(embedded, index.word_vectors.T), 0, 1)
    place = {word: n for n, word in enumerate(index.words)}
    for q, word in enumerate(words):
        if word in place:
            fits[q, place[word]] = 1.5
        own = np.zeros(len(index.names), np.float32)
        np.maximum.at(own, index.word_of[:, 0], fits[q, index.word_of[:, 1]])
        for node, score in index.concepts.get(word, ()):
            own[node] = max(own[node], score)
        made += own
    return made


def _part(index: Index, tables: Sequence[int], nodes: Sequence[int]) -> Index:
    """The index of some tables and column nodes."""
    offset = len(index.tables)
    kept = [*tables, *nodes]
    place = {node: n for n, node in enumerate(kept)}
    table_place = {table: n for n, table in enumerate(tables)}
    columns = [n - offset for n in nodes]
    own = index.word_of[np.isin(index.word_of[:, 0], kept)]
    used, rows = np.unique(own[:, 1], return_inverse=True)
    pairs = np.stack([np.array([place[int(n)] for n in own[:, 0]], np.int32), rows.astype(np.int32)], 1)
    spelled = {key: [place[n] for n in found if n in place] for key, found in index.spelled.items()}
    return _whole(
        replace(
            index,
            tables=[index.tables[t] for t in tables],
            columns=[(table_place[index.columns[c][0]], index.columns[c][1]) for c in columns],
            names=[index.names[n] for n in kept],
            features=index.features[kept],
            embedded=index.embedded[kept],
            joined=frozenset((place[a], place[b]) for a, b in index.joined if a in place and b in place),
            concepts=index.concepts.of(kept),
            spelled=spelled,
            meant=[index.meant[c] for c in columns],
            units=[index.units[c] for c in columns],
            words=[index.words[row] for row in used],
            word_vectors=index.word_vectors[used],
            word_of=pairs,
        )
    )
