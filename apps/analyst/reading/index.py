"""What linking a question needs of a catalog: tables and columns as nodes, with names, meanings, values and figures.

An index depends on the catalog alone and is kept for its version. Of a catalog with more nodes than the network can
look at, a question sees those that lie nearest (`near`).
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from functools import cached_property
from threading import Lock

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.names import alternatives, expanded, words_of
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.knowledge.countries import names_of_countries
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import Concept
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.ports import Catalog
from apps.analyst.reading.vectors import Floats, product, vectors
from apps.analyst.tables.entries import entries_of, separator_of, split_cell
from apps.analyst.tables.roles import named_id
from apps.analyst.types import Column, Table

MOST_NODES = 240
"""Tables and columns that a question is read against at once."""
MOST_TABLES = 24
MOST_VALUES_A_COLUMN = 24
MOST_INDEXED = 60_000
LONGEST_VALUE = 8
"""Words of the longest stored value that is looked for in a question."""
FEW = 40
"""Different values up to which a column's are offered without being named."""
NODE_FEATURES = 36
NAMES_ROW, IDENTIFIES_ROW, DATES_ROW = 32, 33, 34
"""Features of the columns that a table's rows are called by, told apart by and dated by."""


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
    concepts: Mapping[str, Sequence[tuple[int, float]]]
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
    meanings = [dictionary_of(catalog)[table.name] for table in tables]
    meant = [meaning for table in meanings for meaning in table.columns]
    own = [tuple(c.name for c in table.columns) for table in tables]
    beside = [(table.name, *names) for table, names in zip(tables, own, strict=True)]
    names: list[tuple[str, ...]] = [
        expanded(table.name, names) or (table.name.casefold(),) for table, names in zip(tables, own, strict=True)
    ]
    names += [expanded(column.name, beside[t]) or (column.name.casefold(),) for t, column in columns]
    names = [tuple(word for part in name for word in folded(part).split()) or ("column",) for name in names]
    offset = len(tables)
    concepts: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
    for node, phrases in enumerate(
        [
            *(_called(name, table) for name, table in zip(names[:offset], meanings, strict=True)),
            *(_meant(m) for m in meant),
        ]
    ):
        for key, score in phrases.items():
            concepts[key].append((node, score))
    names[:offset] = [_with_noun(name, table) for name, table in zip(names[:offset], meanings, strict=True)]
    known = vectors()
    values = [_listed(column) for _, column in columns]
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
                    known.mean([w for v in values[c][:8] for w in _value_words(v, names[offset + c], meant[c])]),
                ]
            )
            for c, (t, _) in enumerate(columns)
        ]
    )
    joined = _joined(catalog, tables, columns)
    features = np.stack(
        [_table_features(table) for table in tables]
        + [
            _column_features(c, tables[t], offset + i in joined[0], offset + i in joined[1], meanings[t], meant[i])
            for i, (t, c) in enumerate(columns)
        ]
    )
    own_names = [t.name for t in tables] + [c.name for _, c in columns]
    synonyms = [()] * offset + [m.synonyms for m in meant]
    said = [_said(name, raw, also) for name, raw, also in zip(names, own_names, synonyms, strict=True)]
    spelled: defaultdict[str, list[int]] = defaultdict(list)
    for node, raw in enumerate(own_names):
        if folded(raw) and folded(raw) != " ".join(names[node]):
            spelled[folded(raw)].append(node)
    words = sorted({word for name in said for word in name})
    rows = {word: i for i, word in enumerate(words)}
    pairs = np.array([(n, rows[word]) for n, name in enumerate(said) for word in name], np.int32).reshape(-1, 2)
    stored, parts = _stored(tables, columns)
    newest = [c.maximum for _, c in columns if isinstance(c.maximum, date)]
    days = [d.date() if isinstance(d, datetime) else d for d in newest]
    made = Index(
        tables=tables,
        columns=columns,
        names=names,
        features=features,
        embedded=embedded,
        joined=joined[2],
        relations=np.zeros((0, 0), np.int8),
        items=[],
        item_words=[],
        item_vectors=np.zeros((0, known.size), np.float32),
        stored=stored,
        parts=parts,
        concepts=concepts,
        spelled=spelled,
        meant=meant,
        newest=max(days, default=date.max),
        units=[m.unit or (words_of(m.name) or [None])[-1] for m in meant],
        words=words,
        word_vectors=known.rows(words),
        word_of=pairs,
    )
    return _whole(made) if len(names) <= MOST_NODES else made


def _whole(index: Index) -> Index:
    """The index with what only so many nodes have: relations, and the values of columns with few."""
    items, item_words = [], []
    for c, (_, column) in enumerate(index.columns):
        for value in _listed(column)[:MOST_VALUES_A_COLUMN]:
            items.append(Item(c, value))
            item_words.append(_value_words(value, index.names[len(index.tables) + c], index.meant[c]))
    known = vectors()
    rows = np.stack([known.mean(w) for w in item_words]) if items else np.zeros((0, known.size), np.float32)
    relations = _relations(index.tables, index.columns, index.joined, index.names)
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
    concepts = {
        key: ours for key, found in index.concepts.items() if (ours := [(place[n], s) for n, s in found if n in place])
    }
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
            concepts=concepts,
            spelled=spelled,
            meant=[index.meant[c] for c in columns],
            units=[index.units[c] for c in columns],
            words=[index.words[row] for row in used],
            word_vectors=index.word_vectors[used],
            word_of=pairs,
        )
    )


def _said(name: tuple[str, ...], raw: str, synonyms: Sequence[str]) -> tuple[str, ...]:
    """The words of a name with all that its shortened words may stand for, and what people taught."""
    other = [word for token in words_of(raw) for full in alternatives(token)[:3] for word in folded(full).split()]
    other += [word for phrase in synonyms for word in folded(phrase).split()]
    return tuple(dict.fromkeys([*name, *[w for w in other if w not in english().stopwords]]))


def _listed(column: Column) -> list[str]:
    """The values that are offered without being named: those of a column of few."""
    if column.type == "boolean":
        return ["true", "false"]
    values = entries_of(column)
    if not _has_few(column):
        return []
    if column.type == "text" or (column.type == "integer" and (column.role == "dimension" or column.distinct <= 2)):
        return [v.value for v in values]
    return []


def _has_few(column: Column) -> bool:
    """Whether all of a column's values, or the entries of its lists, are known and not many."""
    if separator_of(column) is not None:
        return len(entries_of(column)) <= FEW
    return column.values_complete and column.distinct <= FEW


def _value_words(value: str, name: Sequence[str], meaning: ColumnMeaning) -> tuple[str, ...]:
    """The words of a value; codes are spelled out, and a flag's values stand for its name."""
    said = folded(value).split()
    if value in meaning.says:
        return tuple(folded(meaning.says[value]).split()) or ("value",)
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


def _with_noun(name: tuple[str, ...], meaning: TableMeaning) -> tuple[str, ...]:
    """A table's name and, where it does not say it, what one of its rows is."""
    noun = tuple(singular(word) for word in folded(meaning.rows).split())
    said = {singular(word) for word in name}
    return name if said >= set(noun) else (*name, *(word for word in noun if word not in said))


def _called(name: Sequence[str], meaning: TableMeaning) -> dict[str, float]:
    """The words for what a table's name and the noun of its rows say."""
    named = knowledge().named
    return _concepts([*named(folded(meaning.rows).split()), *named(name)])


def _meant(meaning: ColumnMeaning) -> dict[str, float]:
    """The words for what a column means, with how sure that is; what people taught is certain."""
    every = knowledge().concepts
    found = _concepts((every[concept], score) for concept, score in meaning.concepts if concept in every)
    return {**found, **{folded(phrase): 1.0 for phrase in meaning.synonyms}}


def _concepts(scored: Iterable[tuple[Concept, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for concept, score in scored:
        for phrase in (concept.label, *concept.words, *concept.columns):
            key = folded(phrase)
            found[key] = max(found.get(key, 0.0), score)
    return found


def _joined(
    catalog: Catalog, tables: list[Table], columns: list[tuple[int, Column]]
) -> tuple[set[int], set[int], frozenset[tuple[int, int]]]:
    place = {(tables[t].name, column.name): len(tables) + c for c, (t, column) in enumerate(columns)}
    left, right, pairs = set(), set(), set()
    for join in catalog.joins():
        for a, b in zip(join.left_columns, join.right_columns, strict=True):
            one, other = place.get((join.left_table, a)), place.get((join.right_table, b))
            if one is not None and other is not None:
                left.add(one)
                right.add(other)
                pairs |= {(one, other), (other, one)}
    return left, right, frozenset(pairs)


def _relations(
    tables: list[Table],
    columns: list[tuple[int, Column]],
    pairs: frozenset[tuple[int, int]],
    names: list[tuple[str, ...]],
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


def _column_features(
    column: Column, table: Table, refers: bool, identifies: bool, rows_mean: TableMeaning, means: ColumnMeaning
) -> Floats:
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
    made[25] = _has_few(column)
    made[26], made[27], made[28] = (means.adds == way for way in ("sum", "average", "last"))
    made[29] = means.money
    made[30], made[31] = means.kind == "flag", means.kind == "identifier"
    made[NAMES_ROW] = column.name == rows_mean.name_column
    made[IDENTIFIES_ROW] = column.name == rows_mean.key_column
    made[DATES_ROW] = column.name == rows_mean.date_column
    made[35] = means.confidence
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
    for c, (_, column) in enumerate(columns):
        if column.type == "text" and column.values:
            for value, names in names_of_countries([v.value for v in column.values]).items():
                for name in names:
                    stored[name].append((c, value))
    for c, value, word in _taught_values(tables, place):
        stored[folded(word)].append((c, value))
    return stored, parts


def _taught_values(tables: list[Table], place: Mapping[tuple[int, str], int]) -> Iterable[tuple[int, str, str]]:
    """What else people call stored values: column, value and word."""
    for t, table in enumerate(tables):
        for entry in table.taught:
            c = place.get((t, entry.column))
            for value, words in entry.value_synonyms.items():
                yield from ((c, value, word) for word in words if c is not None)


def _every_value(table: Table) -> list[tuple[str, str]]:
    """All values that may be named, with their columns; of cells that list several, the entries."""
    found = [(c.name, v.value) for c in table.columns if c.type in ("text", "boolean") for v in c.values]
    if table.values_path is not None and table.values_path.exists():
        kept = pq.read_table(table.values_path, columns=["column", "value"])
        found += zip(kept["column"].to_pylist(), kept["value"].to_pylist(), strict=True)
    marks = {c.name: mark for c in table.columns if (mark := separator_of(c)) is not None}
    parts = ((name, part) for name, value in found for part in _parts(value, marks.get(name)))
    return list(dict.fromkeys(parts))


def _parts(value: str, mark: str | None) -> list[str]:
    return [value] if mark is None else split_cell(value, mark)
