"""Columns to list and the things ("customers") a question is about."""

from __future__ import annotations

import re

from apps.analyst.language.morphology import keys, parts_of_speech, verb_forms, words
from apps.analyst.language.parse.draft import Draft, Slot
from apps.analyst.language.periods import GRAIN_WORDS
from apps.analyst.language.resolve import beside
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.language.vocabulary import vocabulary

GLUE = words(
    "of the a an all each every 's in for their its his her on to any these those that this single one different "
    "whole entire"
)


_NAMED, _HAVING = 0.9, words("have has had haven't hasn't hadn't")
_DONE, _BEING = words("made placed given taken received issued"), words("is are was were been being")
_WE = words("we they you i he she it")
_PARTLY = 0.6
_PER = frozenset(("for each", "for every", "in each", "per", "within each"))


_CLAUSES = frozenset(
    ("with", "with the", "that", "which", "having", "has", "had", "when", "where", "in which", "during")
)


def heads_clause(draft: Draft, index: int) -> bool:
    """ "the month with ...", "the day that had ...": a period that is asked for by what holds of it."""
    behind = draft.items[index + 1].norm if index + 1 < len(draft.items) else ""
    return draft.items[index].norm in GRAIN_WORDS and behind in _CLAUSES


def asked_before(draft: Draft, index: int) -> bool:
    """Whether something other than the figure itself is asked for before an item: "which X ... highest", "name of the
    X with the most"."""
    for position in range(index):
        item = draft.items[position]
        if not draft.free(position) and draft.roles.get(position) != "group":
            continue
        if item.tag("agg", "sup", "count") and position + 1 < len(draft.items):
            continue
        if position > 0 and draft.items[position - 1].norm in _PER:
            continue
        if heads_clause(draft, position) or item.tag("when") or _asks_name(draft, position):
            return True
        if (
            item.names
            and ((item.columns and item.columns[0].score >= 0.45) or item.tables)
            and not _is_measure_of(draft, position)
        ):
            return True
        if re.fullmatch(
            r"who|whose|when|where|which|which one|who was|who is|who are|who were|which of the|in which year|in what "
            r"year|what year|which year",
            item.norm,
        ):
            return True
    return False


def _asks_name(draft: Draft, position: int) -> bool:
    """ "what name has the most", "the name of the tower with the fewest"."""
    behind = draft.items[position + 1].norm.split()[0] if position + 1 < len(draft.items) else ""
    return draft.items[position].norm in ("name", "names") and behind in ("of", "has", "had", "have", "with")


def _is_measure_of(draft: Draft, position: int) -> bool:
    """A column right behind an aggregate is part of a measure, not a thing asked for."""
    return position > 0 and draft.items[position - 1].tag("agg") is not None


def read_columns(draft: Draft) -> None:
    """What is left: columns to list, and tables named as things."""
    for index in range(len(draft.items)):
        if not draft.free(index):
            continue
        item = draft.items[index]
        if item.tag("distinct"):
            draft.distinct = True
            draft.use(index)
            continue
        table = draft.table_at(index)
        column = item.columns[0] if item.columns else None
        if _name_of_thing(draft, index) or _is_verb(draft, index) or _of_no_date(draft, index):
            continue
        if table and column is not None and column.score >= item.tables[0].score and _in_list(draft, index):
            table = None
        own = _of_counted(draft, index, table) if table else ()
        if own:
            draft.select.append(Slot(index, own))
            draft.use(index, role="select")
            continue
        if table and not (column is not None and column.score > item.tables[0].score):
            draft.entities.append((index, table, item.tables[0].score))
            draft.use(index, role="entity")
        elif column is not None and column.score >= 0.45:
            draft.select.append(Slot(index, item.columns))
            draft.select.extend(Slot(index, (hit,)) for hit in _numbered(draft, index))
            draft.use(index, role="select")
        elif item.token is not None and item.token.keys & vocabulary().people:
            draft.use(index, role="entity")


def _of_counted(draft: Draft, index: int, table: str) -> tuple[ColumnHit, ...]:
    """ "which region has the most clients": the region of the clients, who refer to no table of regions."""
    measures = [*draft.measures, *(sort.measure for sort in draft.sorts if sort.measure is not None)]
    counted = {measure.table for measure in measures if measure.fn == "count" and measure.table is not None}
    near = {edge.target for home in counted for edge in draft.lexicon.schema.edges.get(home, ()) if edge.one}
    item = draft.items[index]
    if not counted or table in counted | near:
        return ()
    return tuple(hit for hit in item.columns if hit.table in counted and hit.score >= item.tables[0].score)


def _of_no_date(draft: Draft, index: int) -> bool:
    """ "which customers" asks for no date, though one is called "became a customer date"."""
    item = draft.items[index]
    asked = index > 0 and draft.items[index - 1].tag("wh") is not None
    plural = item.token is not None and item.token.norm.endswith("s") and item.norm.rstrip("s") not in GRAIN_WORDS
    column = item.columns[0] if item.columns else None
    weak = column is not None and column.score < _PARTLY and draft.column(column).type in ("date", "datetime")
    return asked and plural and weak and not item.tables and bool(item.values)


def _in_list(draft: Draft, index: int) -> bool:
    """Named together with a column ("makers and models"): a column as well."""
    before = index - 1
    while before >= 0 and draft.items[before].norm in ("the", "their", "its"):
        before -= 1
    if before > 0 and (draft.items[before].tag("and")) and draft.roles.get(before - 1) == "select":
        return True
    after = index + 1
    if after + 1 < len(draft.items) and draft.items[after].tag("and"):
        follower = draft.items[after + 1]
        return (
            bool(follower.columns)
            and follower.columns[0].score >= 0.95
            and draft.free(after + 1)
            and not draft.items[index - 1].tag("of")
        )
    return False


def _numbered(draft: Draft, index: int) -> list[ColumnHit]:
    """ "all lines" where the columns are line_1 and line_2: the other ones of the row."""
    hits = draft.items[index].columns
    token = draft.items[index].token
    if token is None or not token.norm.endswith("s") or len(hits) < 2:
        return []

    def stripped(hit: ColumnHit) -> tuple[str, ...]:
        return tuple(word for word in draft.named(hit).name.words if not word.isdigit())

    first = hits[0]
    if len(stripped(first)) == len(draft.named(first).name.words):
        return []
    return [
        hit
        for hit in hits[1:]
        if hit.table == first.table and hit.score == first.score and stripped(hit) == stripped(first)
    ]


_NAME = keys("name")


def _said_before(draft: Draft, index: int) -> str | None:
    """ "Which club has the most members? Show its name", "for each club, the name ...": the thing said before."""
    led = [group.table for group in draft.groups if group.table is not None and group.item == 1]
    if led:
        return led[0]
    ends = [i for i in range(index) if draft.items[i].norm in (".", "?", ";")]
    things = [table for item, table, _ in sorted(draft.entities) if ends and item < ends[-1]]
    return things[0] if things else None


def _name_of_thing(draft: Draft, index: int) -> bool:
    """ "name of the employee": the columns by which the thing is named."""
    token = draft.items[index].token
    if token is None or not token.keys & _NAME:
        return False
    owner = beside(draft, index) or (_said_before(draft, index) if not draft.items[index].columns else None)
    if owner is None:
        return False
    columns = draft.lexicon.schema.name_columns(owner)
    if not columns:
        return False
    draft.select.extend(Slot(index, (ColumnHit(owner, column.name, 1.0),)) for column in columns)
    draft.use(index, role="select")
    return True


def _is_verb(draft: Draft, index: int) -> bool:
    """A participle that only resembles a column ("shipped" beside ShipName) is no column to list."""
    item = draft.items[index]
    token = item.token
    if token is not None and (trails(draft, index) or _is_passive(draft, index) or _is_done_by(draft, index)):
        return True
    if token is None or not item.columns or (item.tables and item.tables[0].score >= 0.9):
        return False
    parts = parts_of_speech(token.norm)
    if "VERB" not in parts or token.norm in draft.named(item.columns[0]).name.words:
        return False
    return "NOUN" not in parts or (item.columns[0].score < 0.9 and token.norm.endswith(("ed", "ing", "en")))


def _is_passive(draft: Draft, index: int) -> bool:
    """ "payments were made with each card", "have not registered": a verb, although a date is called by it."""
    item, before = draft.items[index], draft.items[index - 1].norm if index > 0 else ""
    if item.norm in _DONE and before in _BEING:
        return True
    weak = bool(item.columns) and item.columns[0].score < _NAMED
    return weak and bool(_HAVING & set(before.split()[:1])) and item.norm.endswith("ed")


def _is_done_by(draft: Draft, index: int) -> bool:
    """ "do we ship orders to": what somebody does, although a name "to ship to" is called so."""
    item = draft.items[index]
    weak = bool(item.columns) and item.columns[0].score < _NAMED and not item.tables
    done = weak and index > 0 and draft.items[index - 1].norm in _WE and "VERB" in parts_of_speech(item.norm)
    draft.use(*([index] if done else []), role="verb")
    return done


def trails(draft: Draft, index: int) -> bool:
    """ "the quantity of each product ordered": a participle behind its noun names no table of its own."""
    word = draft.items[index].norm
    if index == 0 or not word.endswith("ed") or "NOUN" in parts_of_speech(word) or not verb_forms(word):
        return False
    return draft.items[index - 1].names and not draft.tagged_as(index - 1, "neg", "wh")
