"""What the nodes of an index, tables and columns, are called and look like, and how they hang together."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from apps.analyst.dictionary.names import alternatives, words_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import ColumnMeaning, Concepts, TableMeaning
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.entries import Concept
from apps.analyst.knowledge.folding import folded, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.ports import Catalog
from apps.analyst.reading.stored import has_few
from apps.analyst.reading.vectors import Floats
from apps.analyst.types import Column, Table

NODE_FEATURES = 36
NAMES_ROW, IDENTIFIES_ROW, DATES_ROW = 32, 33, 34
"""Features of the columns that a table's rows are called by, told apart by and dated by."""


def words_for(name: tuple[str, ...], raw: str, synonyms: Sequence[str]) -> tuple[str, ...]:
    """The words of a name with all that its shortened words may stand for, and what people taught."""
    other = [word for token in words_of(raw) for full in alternatives(token)[:3] for word in folded(full).split()]
    other += [word for phrase in synonyms for word in folded(phrase).split()]
    return tuple(dict.fromkeys([*name, *[w for w in other if w not in english().stopwords]]))


def with_noun(name: tuple[str, ...], meaning: TableMeaning) -> tuple[str, ...]:
    """A table's name and, where it does not say it, what one of its rows is."""
    noun = tuple(singular(word) for word in folded(_things(meaning)).split())
    said = {singular(word) for word in name}
    return name if said >= set(noun) else (*name, *(word for word in noun if word not in said))


def called(name: Sequence[str], meaning: TableMeaning) -> dict[str, float]:
    """The words for what a table's name and the noun of its rows say."""
    named = knowledge().named
    return _concepts([*named(folded(_things(meaning)).split()), *named(name)])


def _things(meaning: TableMeaning) -> str:
    """What a table is asked about: its rows, or what they are lines of."""
    return plural(meaning.whole) if meaning.whole else meaning.rows


def meant_by(meaning: ColumnMeaning) -> Mapping[str, float]:
    """The words for what a column means, with how sure that is; what people taught is certain."""
    found = _meant(meaning.concepts)
    return {**found, **{folded(phrase): 1.0 for phrase in meaning.synonyms}} if meaning.synonyms else found


@lru_cache(maxsize=4096)
def _meant(concepts: Concepts) -> Mapping[str, float]:
    """The words for concepts. Kept: columns of wide catalogs are called alike again and again."""
    every = knowledge().concepts
    return _concepts((every[concept], score) for concept, score in concepts if concept in every)


def _concepts(scored: Iterable[tuple[Concept, float]]) -> dict[str, float]:
    found: dict[str, float] = {}
    for concept, score in scored:
        for key in _phrases(concept.id):
            found[key] = max(found.get(key, 0.0), score)
    return found


@cache
def _phrases(concept: str) -> tuple[str, ...]:
    """What a concept is called, as phrases are compared."""
    known = knowledge().concepts[concept]
    return tuple(dict.fromkeys(map(folded, (known.label, *known.words, *known.columns))))


def joined_by(
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


def relations_of(
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


def table_features(table: Table) -> Floats:
    made = np.zeros(NODE_FEATURES, np.float32)
    made[0] = 1
    made[1] = min(1.0, np.log10(table.rows + 1) / 6)
    made[2] = min(1.0, len(table.columns) / 30)
    return made


def column_features(
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
    made[25] = has_few(column)
    made[26], made[27], made[28] = (means.adds == way for way in ("sum", "average", "last"))
    made[29] = means.money
    made[30], made[31] = means.kind == "flag", means.kind == "identifier"
    made[NAMES_ROW] = column.name == rows_mean.name_column
    made[IDENTIFIES_ROW] = column.name == rows_mean.key_column
    made[DATES_ROW] = column.name == rows_mean.date_column
    made[35] = means.confidence
    return made
