"""Which column a stored value belongs to: the one said beside it, that of the verb before it, or the likeliest."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft
from apps.analyst.language.tagging import ColumnHit, Item
from apps.analyst.language.values import value_key
from apps.analyst.language.vocabulary import vocabulary

_BE = words(
    "is are was were be been being s 's equals equal to = named called titled the a an of as with that do does did "
    "have has had in from for only either both at by "
    "whose which who under like , ( ) also any all label labelled labeled"
)
EXACT = 0.99
"""A stored value to the letter: "a Trek bike" where Trek is a brand, though some bikes' names hold the word as well."""


def column_beside(draft: Draft, index: int) -> ColumnHit | None:
    """A column said right before or behind a value that holds it: "status is open", "the Psychology department"."""
    mine = {(value.table, value.column) for value in draft.items[index].values}
    for position in (*range(index - 1, max(-1, index - 6), -1), index + 1, index + 2):
        if not 0 <= position < len(draft.items) or position == index:
            continue
        item = draft.items[position]
        match: ColumnHit | None = next(
            (hit for hit in item.columns if (hit.table, hit.column) in mine and hit.score >= 0.3), None
        )
        if match is not None and (draft.free(position) or draft.roles.get(position) == "condition"):
            return match
        blocked = position < index and not (_passable(draft, position) or item.values)
        if blocked and (
            item.norm in (".", "?", ";") or item.number is not None or (item.names and position == index - 1)
        ):
            break
        if position > index and item.norm not in ("the",):
            break
    return None


def _passable(draft: Draft, position: int) -> bool:
    item = draft.items[position]
    return (
        item.norm in _BE
        or item.tag("neg", "or", "and", "of", "contain", "both", "either") is not None
        or (not draft.free(position) and draft.roles.get(position) == "condition")
        or all(word in _BE for word in item.norm.split())
    )


def column_choice(draft: Draft, index: int) -> tuple[tuple[ColumnHit, ...], tuple[str, ...]]:
    """The columns a value may belong to, and its stored spellings (of the best column)."""
    item = draft.items[index]
    beside = column_beside(draft, index)
    best: dict[tuple[str, str], float] = {}
    exact = {value.table for value in item.values if value.score >= EXACT}
    if (
        beside is not None
        and exact
        and all(
            value.score < EXACT for value in item.values if (value.table, value.column) == (beside.table, beside.column)
        )
    ):
        told = any(draft.lexicon.schema.path(beside.table, table, one=True) for table in exact - {beside.table})
        beside = None if told and draft.items[index + 1 : index + 2] and draft.table_at(index + 1) else beside
        beside = None if beside is not None and _is_kind_behind(draft, index, beside) else beside
    beside = None if beside is not None and _is_another(draft, index, beside) else beside
    for value in item.values:
        key = (value.table, value.column)
        bonus = 0.5 if beside is not None and (beside.table, beside.column) == key else _verb_bonus(draft, index, key)
        if value.score >= EXACT and value.table == draft.table_at(index + 1, 0.9):
            bonus = max(bonus, 0.2)
        best[key] = max(best.get(key, 0.0), value.score + bonus)
    if beside is not None:
        _use_beside(draft, index, beside)
    ranked = sorted(best.items(), key=lambda entry: (-entry[1], entry[0]))
    hits = tuple(ColumnHit(*key, score) for key, score in ranked)
    table, column = ranked[0][0]
    return hits, spellings(item, table, column)


def _is_kind_behind(draft: Draft, index: int, beside: ColumnHit) -> bool:
    """ "the Crown halls" where Crown owns halls, and one hall is called Crown Hall."""
    behind = draft.items[index + 1].columns if index + 1 < len(draft.items) else ()
    return len(draft.lexicon.tables) == 1 and any(hit.column == beside.column for hit in behind)


def _is_another(draft: Draft, index: int, beside: ColumnHit) -> bool:
    """ "the successor to Elm", "the parent of Elm": said of the row that is called Elm, where some are."""
    item, before = draft.items[index], index - 1
    while before > 0 and draft.items[before].norm == "the":
        before -= 1
    own = any(hit.column == beside.column for hit in draft.items[before - 1].columns) if before > 0 else False
    elsewhere = any(v.score >= EXACT and v.table == beside.table and v.column != beside.column for v in item.values)
    return own and elsewhere and draft.items[before].norm in ("to", "of")


def _verb_bonus(draft: Draft, index: int, key: tuple[str, str]) -> float:
    """ "shipped to Germany": a word before the value that the column's name holds."""
    forms = frozenset(form for own in draft.lexicon.schema.columns[key].name.forms for form in own)
    start = draft.items[index].start
    return 0.2 if any(token.keys & forms for token in draft.tagged.tokens[max(0, start - 4) : start]) else 0.0


def said_as(draft: Draft, index: int) -> tuple[tuple[ColumnHit, ...], tuple[str, ...]] | None:
    """ "has A as its publisher": the column behind "as" holds the value, perhaps among others."""
    if index + 1 >= len(draft.items) or draft.items[index + 1].norm != "as":
        return None
    named = draft.next_named(index + 1, reach=2)
    if named is None or not draft.items[named].columns or draft.column(draft.items[named].columns[0]).type != "text":
        return None
    draft.use(index + 1, named, role="condition")
    return draft.items[named].columns, ()


def spellings(item: Item, table: str, column: str) -> tuple[str, ...]:
    """The stored values of one column that an item means: the exact ones, else its near ones (empty: test the text)."""
    mine = [value for value in item.values if (value.table, value.column) == (table, column)]
    if not mine:
        return ()
    top = max(value.score for value in mine)
    if top < 0.78 and len({value.value for value in mine}) > 1:
        return ()
    near = [value.value for value in mine if value.score >= top - 0.01 or _means_the_same(value.value, item.norm)]
    if top < 0.76 and len(near) > 1:
        return ()
    return tuple(near)


def _means_the_same(value: str, said: str) -> bool:
    """Another name or code of what is said, stored beside it ("US" and "USA" beside "United States")."""
    key = value_key(value)
    return key in vocabulary().values.get(said, ()) or any(key in kind.coded(said) for kind in vocabulary().codes)


def _use_beside(draft: Draft, index: int, beside: ColumnHit) -> None:
    for position in (*range(index - 1, max(-1, index - 6), -1), index + 1):
        if 0 <= position < len(draft.items) and any(
            (hit.table, hit.column) == (beside.table, beside.column) for hit in draft.items[position].columns
        ):
            if draft.free(position):
                between = draft.items[min(position, index) + 1 : max(position, index)]
                if position == index - 1 or position == index + 1 or all(_linking(other) for other in between):
                    draft.use(position, role="condition")
            return


def _linking(item: Item) -> bool:
    return item.norm in (
        "is",
        "are",
        "was",
        "were",
        "'s",
        "=",
        "the",
        "of",
        "named",
        "called",
        "either",
        "a",
        "an",
        "as",
        "equals",
        "be",
        "or",
        "and",
        ",",
        "in",
        "like",
        "from",
        "for",
    ) or (item.tag("neg", "both", "either", "or") is not None or bool(item.values))
