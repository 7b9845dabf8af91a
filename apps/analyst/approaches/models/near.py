"""The part of a very wide catalog that a question to a model is about: what a model is told, its plan is held against
and its answer is worded with is made in the process that serves people, which must not read thousands of columns.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from apps.analyst.approaches.models.told import Private
from apps.analyst.dictionary.splitting import words_of
from apps.analyst.knowledge.folding import content_words, folded, plain, singular
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.ports import Catalog
from apps.analyst.tables.scoped import narrowed
from apps.analyst.tables.width import are_wide
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Question, Table

MOST_COLUMNS = 2_000
"""Columns of the tables that are taken; one table is, however wide it is."""
MUCH_IS_PRIVATE = "So many columns are private that no model was asked."
_NAMED, _HELD, _MEANT = 3.0, 2.0, 0.5
"""What a word of a table's name, one of its values, and a column that a word may mean weigh beside a column that is
called so."""


def part_for(question: Question, catalog: Catalog) -> Catalog:
    """What a model's answer to the question is made over: of a wide catalog the tables that the question and the plans
    before it speak of, with all that keep something private, so that texts which speak of that are known. Raises
    Private where those alone are too many."""
    if not are_wide(catalog.tables()):
        return catalog
    private = [table for table in catalog.tables() if table.private]
    if sum(len(table.columns) for table in private) > MOST_COLUMNS:
        raise Private(MUCH_IS_PRIVATE)
    plans = (*(proven.plan for proven in question.proven), *(turn.plan for turn in question.turns[-1:]))
    known = {name for plan in plans if plan is not None for name in tables_of(plan)}
    texts = (question.text, *(turn.question for turn in question.turns[-1:]))
    asked_of = near(texts, narrowed(catalog, question.files), known)
    return narrowed(catalog, None, tables={table.name for table in (*asked_of.tables(), *private)})


def near(texts: Sequence[str], catalog: Catalog, also: Collection[str] = ()) -> Catalog:
    """The catalog with the tables that the texts speak of, most of all, and those of the names `also`; all of it where
    it is not wide. Words that few tables have say more than others."""
    tables = catalog.tables()
    if not are_wide(tables):
        return catalog
    said = _said(texts)
    found = {table.name: _points(table, said) for table in tables}
    having = Counter(word for points in found.values() for word in points)

    def worth(table: Table) -> tuple[bool, float, bool]:
        points = sum(weight / having[word] for word, weight in found[table.name].items())
        return table.name not in also, -points, table.example

    kept, columns = list[str](), 0
    for table in sorted(tables, key=worth):
        columns += len(table.columns)
        if columns > MOST_COLUMNS and kept and table.name not in also:
            break
        kept.append(table.name)
    return narrowed(catalog, None, tables=kept)


def _said(texts: Sequence[str]) -> Mapping[str, float]:
    """Words that names and values may have, with their weights: those of the texts, two together, and what else people
    call the things that they mean."""
    said: dict[str, float] = {}
    for text in texts:
        words, spelled = content_words(folded(text)), plain(text).split()
        phrases = [each for those in (words, spelled) for each in (*those, *map(" ".join, pairwise(those)))]
        for concept in (concept for phrase in phrases for concept in knowledge().said(phrase)):
            for name in (concept.label, *concept.words):
                said |= {word: _MEANT for word in content_words(folded(name)) if word not in said}
        said |= dict.fromkeys(phrases, 1.0)
    return said


def _points(table: Table, said: Mapping[str, float]) -> Mapping[str, float]:
    """What each of the words says for a table."""
    points: dict[str, float] = {}
    for column in table.columns:
        for word in _words(column.name):
            if word in said:
                points[word] = max(points.get(word, 0.0), said[word])
        for value in column.values:
            if said.get(text := value.value.casefold()) == 1.0:
                points[text] = _HELD
    for word in _words(table.name):
        if said.get(word) == 1.0:
            points[word] = _NAMED
    return points


def _words(name: str) -> Iterator[str]:
    """The words of a name, and those that shortened ones stand for."""
    for token in words_of(name):
        yield singular(token)
        for full in knowledge().expansions(token):
            yield from folded(full).split()
