"""Columns that a word points at: by a part of their name, or as the quantity of an adjective."""

from __future__ import annotations

import re

from apps.analyst.language.morphology import keys
from apps.analyst.language.parse.draft import Draft, Slot, holds_figures, is_number, is_time
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary

RANKS = frozenset(
    form for word in ("rank", "position", "place", "pos", "finish", "standing", "ranking") for form in keys(word)
)


_SURELY, _FEW, _MOSTLY = 0.6, 0.5, 0.8
_YEAR = re.compile(r"\s*(?:1[5-9]|20)\d\d(?!\d)")
_BESIDE_NAME = 0.2
"""Taken off where only a word that nobody says holds the word: the "sales" of all columns of a table of sales."""


def counts_once(draft: Draft, hit: ColumnHit) -> bool:
    """Things that stand in many rows each ("how many customers" over order lines): each counts once."""
    column = draft.column(hit)
    if draft.wish is not None and draft.wish.explicit:
        return False
    if column.role == "id":
        return not column.unique
    named = [c.slot.hits[0] for c in draft.conditions if c.kind == "value" and c.slot is not None and c.slot.hits]
    if any((other.table, other.column) == (hit.table, hit.column) for other in named):
        return False
    if column.type != "text" or hit.score < _SURELY:
        return False
    rows = draft.lexicon.schema.tables[hit.table].table.rows
    few = column.distinct <= _FEW * max(1, rows - column.missing)
    return few or (not column.unique and has_own_id(draft, hit.table))


def has_own_id(draft: Draft, table: str) -> bool:
    """True where a stored id tells the rows apart: then what a column names is not what a row is."""
    key = draft.lexicon.schema.key_column(table)
    return key is not None and key.role == "id" and key.unique


def tells_rows(draft: Draft, hit: ColumnHit) -> bool:
    """Numbers that say which row it is and are never added up: years, and places that count the rows from one."""
    column = draft.column(hit)
    if is_time(column):
        return True
    if column.type == "text":
        told = [value.value for value in column.values]
        return bool(told) and sum(bool(_YEAR.match(value)) for value in told) >= _MOSTLY * len(told)
    rows = draft.lexicon.schema.tables[hit.table].table.rows
    low, high = column.minimum, column.maximum
    if column.type != "integer" or not isinstance(low, int) or not isinstance(high, int):
        return False
    return column.distinct == rows > 1 and low in (0, 1) and high == low + rows - 1


def by_adjective(draft: Draft, index: int) -> Slot | None:
    """ "older than 20": the quantity an adjective measures."""
    for position in (index, index - 1, index + 2, index + 3):
        if not 0 <= position < len(draft.items):
            continue
        for word in draft.tagged.tokens[draft.items[position].start : draft.items[position].end]:
            adjective = vocabulary().adjective(word.keys)
            if adjective:
                hits = measurable(draft, columns_named(draft, adjective.of))
                if hits:
                    if position > index:
                        draft.use(position, role="condition")
                    return Slot(position, hits)
    return None


def measurable(draft: Draft, hits: tuple[ColumnHit, ...]) -> tuple[ColumnHit, ...]:
    """Those that hold more or less of something: numbers, moments, texts that begin with a figure."""
    columns = ((hit, draft.column(hit)) for hit in hits)
    return tuple(hit for hit, column in columns if is_number(column) or is_time(column) or holds_figures(column))


def columns_named(draft: Draft, words: tuple[str, ...]) -> tuple[ColumnHit, ...]:
    """Columns whose name holds one of some words, the first words first."""
    hits: dict[tuple[str, str], float] = {}
    for rank, word in enumerate(words):
        for form in sorted(keys(word)):
            for index in draft.lexicon.by_form.get(form, ()):
                named = draft.lexicon.columns[index]
                needed = sum(not skip for skip in named.name.optional)
                score = 0.75 - 0.04 * rank - 0.05 * (needed - 1)
                said = zip(named.name.forms, named.name.optional, strict=True)
                score -= 0.0 if any(form in forms and not skip for forms, skip in said) else _BESIDE_NAME
                key = (named.table.name, named.column.name)
                hits[key] = max(score, hits.get(key, 0.0))
    ranked = sorted(hits.items(), key=lambda entry: (-entry[1], entry[0]))
    return tuple(ColumnHit(*key, score) for key, score in ranked[:12])
