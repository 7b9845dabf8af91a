"""What an unread word may mean: the columns and the stored values that lie nearest to it.

Each is tried out: the question is read with the word as a name of it, and has to come to something.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice

import numpy as np

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.readas.conditions import MOST_BETWEEN
from apps.analyst.conversation.readas.marks import Span, spans_of
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.phrasing import in_table
from apps.analyst.conversation.words import phrases
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.lesson import Lesson
from apps.analyst.dictionary.types import ColumnMeaning
from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.folding import folded
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.plan import ColumnRef, Constant, Plan, Query
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.closeness import unknown_places
from apps.analyst.reading.coverage import BY_LETTER, THERE
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.network import network
from apps.analyst.reading.values_said import begin_alike
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.formats import capital
from apps.analyst.telling.glance import figure_of
from apps.analyst.types import Question, Table

MOST_MEANT = 3
"""Columns that an unread word may mean, or values."""
MOST_TOLD = 4
"""Columns and values together."""
MOST_LOOKED_AT = 6
"""Columns that are tried for them."""
MOST_VALUES_LOOKED_AT = 4
MOST_READ = 3
"""Readings of the question with the word as a name that are looked at."""
MOST_ROWS = 20
STATE = 0.2
"""How much nearer a value lies that says in which state a thing is, as words for what was done to it often do; and one
of the thing that is asked about."""
NEAR_VALUE, NEAR_STATE, NEAR_NAME = 0.4, 0.0, 0.75
"""How near a value lies at least; one that says a state, which words for what was done seldom resemble; and one that a
name stands for that nobody knows, which can only be another spelling of it."""
SAID_BY = 0.5
"""How near a word lies to the column that it says (cosine of the network's senses)."""
ALIKE = 0.75
"""How much of a word and one of a value is spelled alike at least."""
_FIGURES = ("amount", "price", "count", "rate", "score", "duration", "stock", "share", "measure")
_OF_FIGURES = ("mean", "median", "total", "distinct", "share", "highest", "lowest", "grouped")
"""Cues after which a figure or a grouping is named, and no value."""


@dataclass(frozen=True, slots=True)
class Way:
    """A way to go on: what it says, the question it asks, the plan that answers it, and what it would teach."""

    label: str
    question: str
    plan: Plan
    lesson: Lesson | None = None


def meant_by(
    question: Question, span: Span, linked: Linked, catalog: Catalog, used: frozenset[str], warehouse: Warehouse
) -> Iterator[Way]:
    """What the word at `span` may mean. Each is tried over its table and those that are `used`."""
    place = spans_of(question.text).index(span)

    tables = {table.name: table for table in catalog.tables()}

    def tried(places: Sequence[tuple[ColumnRef, str]]) -> Iterator[Way]:
        for ref, value in places:
            about = narrowed(catalog, None, tables=used | {ref.table})
            way = _as_named(question, span, ref, value, about, warehouse, tables)
            if way is not None:
                yield way

    name = question.text[span[0]].isupper() and place > 0 and place in unknown_places(linked)
    may = _may_be_value(linked, place)
    near = _nearest_values(linked, place, used, is_name=name)[:MOST_VALUES_LOOKED_AT] if may else []
    values = list(islice(tried(near), MOST_MEANT))
    yield from values
    columns = [(ref, "") for ref in _nearest(linked, place, catalog)[:MOST_LOOKED_AT]]
    yield from islice(tried(columns), min(MOST_MEANT, MOST_TOLD - len(values)))


def _nearest(linked: Linked, place: int, catalog: Catalog) -> list[ColumnRef]:
    """The columns that are asked about by words, those first that the word lies nearest to; without those that another
    word of the question says."""
    known = dictionary_of(catalog)
    near = network().senses(linked)[0][:, len(linked.index.tables) :]
    said = np.delete(near, place, 0).max(0, initial=0.0) >= SAID_BY
    scored = []
    for number, (table, column) in enumerate(linked.index.columns):
        name = linked.index.tables[table].name
        meaning = known[name].column(column.name) if name in known else None
        if meaning is not None and meaning.kind not in ("identifier", "text") and not said[number]:
            scored.append((float(near[place, number]), ColumnRef(table=name, column=column.name)))
    scored.sort(key=lambda pair: -pair[0])
    return [ref for _, ref in scored]


def _may_be_value(linked: Linked, place: int) -> bool:
    """Whether the word stands where a value may: not where a figure or a grouping is named ("total ...", "by ...")."""
    before = linked.tokens[place - 1] if place else ""
    return before not in {word for cue in _OF_FIGURES for word in english().cues[cue]}


def _nearest_values(linked: Linked, place: int, used: frozenset[str], *, is_name: bool) -> list[tuple[ColumnRef, str]]:
    """The values of columns of few that lie near enough to the word, the nearest first; those of tables that are
    `used` lie nearer. A word for a state can only mean values that say one, those of columns of states first; one for a
    figure means no value; any other stands where what was done to things does ("were blorked", "blorked parcels"), or
    is spelled or known like a value: vectors alone take a brand for any other."""
    index, scored, word = linked.index, [], linked.tokens[place]
    is_state = bool(knowledge().states_of(word))
    if not is_state and any(one.kind in _FIGURES for one in knowledge().said(word)):
        return []
    happened = is_state or _says_what_happened(linked, place)
    for number, item in enumerate(linked.items):
        table, column = index.columns[item.column]
        if item.partial or column.type != "text" or len(item.value) < 3:
            continue
        near, stated = float(linked.item_tokens[number, place]), bool(knowledge().states_said(item.value))
        if (is_state and not stated) or not (is_name or (happened and stated) or _speaks_for(word, item.value)):
            continue
        if near >= (NEAR_NAME if is_name else NEAR_STATE if stated else NEAR_VALUE):
            name = index.tables[table].name
            ref = ColumnRef(table=name, column=column.name)
            own = is_state and _is_of_states(index.meant[item.column])
            scored.append((own, near + STATE * (stated + (name in used)), ref, item.value))
    scored.sort(key=lambda entry: (not entry[0], -entry[1]))
    return [(ref, value) for _, _, ref, value in scored]


def _says_what_happened(linked: Linked, place: int) -> bool:
    """Whether a word stands behind a form of "be", or is known to nobody and stands before what the rows are."""
    if not phrases().being.isdisjoint(linked.tokens[max(0, place - MOST_BETWEEN) : place]):
        return True
    rows = linked.channels[place + 1 : place + 2, : len(linked.index.tables), list(BY_LETTER)]
    return place in unknown_places(linked) and bool(rows.size) and float(rows.max()) >= THERE


def _speaks_for(word: str, value: str) -> bool:
    """Whether a word is spelled like one of a value, or knowledge has both as the same thing."""
    said, known = folded(value), knowledge()
    alike = any(begin_alike(word, part) or _share(word, part) >= ALIKE for part in said.split())
    return alike or not {one.id for one in known.said(word)}.isdisjoint(one.id for one in known.said(said))


def _share(word: str, other: str) -> float:
    """How much of two words is spelled alike, from 0 to 1."""
    return SequenceMatcher(None, word, other).ratio()


def _is_of_states(meaning: ColumnMeaning) -> bool:
    """Whether a column says how things stand."""
    concept = knowledge().concepts.get(meaning.concept or "")
    return concept is not None and concept.kind == "status"


def _as_named(
    question: Question,
    span: Span,
    ref: ColumnRef,
    value: str,
    catalog: Catalog,
    warehouse: Warehouse,
    tables: Mapping[str, Table],
) -> Way | None:
    """The question read with the column, or that value of it, named in the place of the word; the column with its file
    where another of the `tables` has one of that name."""
    word, names = question.text[slice(*span)], Names(Query(source=ref.table), catalog)
    table = names.table_of(ref)
    if table is None:
        return None
    label = names.label(ref)
    alike = {*names.tables, *(name for name, other in tables.items() if other.column(ref.column) is not None)}
    meant = f"“{value}” in {label}" if value else label
    lesson = Lesson(
        table.file_name,
        table.name,
        ref.column,
        f"“{word}” will mean {meant} in {table.name}.",
        synonym="" if value else word,
        value_synonyms={value: word} if value else {},
    )
    text = question.text[: span[0]] + (value or label) + question.text[span[1] :]
    for candidate in proposed(replace(question, text=text), catalog).candidates[:MOST_READ]:
        if _reads(candidate.plan, ref, value) and gives(candidate.plan, catalog, warehouse):
            shown = f"{capital(label)} is {value}" if value else in_table(label, table.name, alike)
            return Way(shown, text, candidate.plan, lesson)
    return None


def _reads(plan: Plan, ref: ColumnRef, value: str) -> bool:
    nodes = list(every(plan))
    reads = any(isinstance(node, ColumnRef) and node.column == ref.column for node in nodes)
    return reads and (not value or any(isinstance(node, Constant) and node.value == value for node in nodes))


def gives(plan: Plan, catalog: Catalog, warehouse: Warehouse) -> bool:
    """Whether a plan comes to something."""
    computed = computed_of(plan, catalog, warehouse, max_rows=MOST_ROWS)
    return computed is not None and figure_of(computed, catalog) != ""
