"""What came first or last in time: "the latest order", "the 3 most recent repairs", "in the most recent month"."""

from __future__ import annotations

from typing import Literal

from apps.analyst.language.figures import time_column
from apps.analyst.language.morphology import noun
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot, Sort
from apps.analyst.language.parse.extremes import asks_value
from apps.analyst.language.parse.targets import asked_before
from apps.analyst.language.periods import GRAIN_WORDS
from apps.analyst.language.tagging import ColumnHit, TableHit

_RANKS = frozenset(("rank", "ranks", "ranked", "is", "was", "came", "comes", "place", "places", "placed", "finished"))
_PARTS_OF_A_NAME = frozenset(("name", "names", "place"))
_AS_LONG = frozenset(("for", "between", "from", "until"))
_WITHIN = frozenset(("in", "on", "during", "for"))
_SEVERAL, _MANY = 2, 10_000
_OWN_NAME, _PARTLY = 0.9, 0.5


def read_position(draft: Draft, index: int) -> None:
    """ "first", "last", "earliest", "latest": by a date where there is one, else by the place in the file."""
    tag = draft.items[index].tag("pos")
    assert tag is not None
    behind = draft.items[index + 1].norm if index + 1 < len(draft.items) else ""
    if draft.items[index].norm == "last" and _says_how_long(draft, index + 1):
        draft.use(index)  # a verb: "comedies that last at least 75 minutes"
        return
    descending = tag.value == "last"
    if behind in _PARTS_OF_A_NAME or _first_in(draft, index, descending):
        return
    limit, counted = _so_many(draft, index)
    target = draft.next_named(max([index, *counted]), reach=1, stop=("cmp", "by", "neg", "sup"))
    moments = draft.moments(target) if target is not None else ()
    if not moments and index > 0 and draft.free(index - 1) and draft.items[index - 1].norm.endswith("ed"):
        target, moments = index - 1, draft.moments(index - 1)
    draft.use(index, *counted, role="sup")
    if target is not None and (not moments or moments[0].score < _PARTLY):
        moments = _time_of_its_own(draft, index, target)
    if target is None or not moments or moments[0].score < _PARTLY:
        # "The last 2 rows": a listing that ends with them.
        draft.sorts.append(Sort(descending, limit=limit, superlative=True, item=index, row=True))
        return
    when = next((i for i in range(index) if draft.tagged_as(i, "when")), None)
    draft.use(*([when] if when is not None else []), role="measure")
    slot = Slot(target, moments)
    if when is None and draft.table_at(target, _OWN_NAME) is not None and not asked_before(draft, index):
        # "How much does the latest repair cost": the thing, by a date that is called like it.
        draft.sorts.append(Sort(descending, slot, limit=limit, superlative=True, item=index))
        return
    draft.use(target, role="sup")
    if when is None and (limit > 1 or not asks_value(draft, index)):
        draft.sorts.append(Sort(descending, slot, limit=limit, superlative=True, item=index))
        return
    draft.measures.append(Measure("max" if descending else "min", slot, item=index))


def _says_how_long(draft: Draft, index: int) -> bool:
    item = draft.items[index] if index < len(draft.items) else None
    return item is not None and (item.tag("cmp") is not None or item.norm in _AS_LONG)


def _time_of_its_own(draft: Draft, index: int, target: int) -> tuple[ColumnHit, ...]:
    """ "which machine had the latest repair": the machines are asked for, by the time of the repairs."""
    table = draft.table_at(target, _OWN_NAME)
    elsewhere = any(_is_elsewhere(draft, place, table) for place in range(index)) if table is not None else False
    column = time_column(draft, table) if table is not None and elsewhere else None
    return (ColumnHit(table, column.name, 1.0),) if table is not None and column is not None else ()


def _is_elsewhere(draft: Draft, index: int, table: str) -> bool:
    """True where another table, or columns that the table does not have, are named."""
    named: list[TableHit | ColumnHit] = [*draft.items[index].tables, *draft.items[index].columns]
    homes = {hit.table for hit in named if hit.score >= _OWN_NAME}
    return draft.free(index) and bool(homes) and table not in homes


def _so_many(draft: Draft, index: int) -> tuple[int, list[int]]:
    """ "the last 2 rows", "the 3 most recent orders": how many, and the item that says so."""
    before, behind = index - 1, index + 1
    several = draft.free(behind) and draft.items[behind].names and draft.items[behind].norm.endswith("s")
    for place in (behind, before) if several else (behind,):
        number = draft.items[place].number if draft.free(place) else None
        if number is not None and _SEVERAL <= number <= _MANY and number == int(number):
            return int(number), [place]
    return 1, []


def _first_in(draft: Draft, index: int, last: bool) -> bool:
    """ "which club ranks first in points", "is last in goals": the most of a figure, or the least of it."""
    before, inside = index - 1, index + 1
    if before < 0 or inside >= len(draft.items) or draft.items[inside].norm.split()[0] != "in":
        return False
    ranked = draft.items[before].norm in _RANKS
    named = draft.next_named(inside, reach=2, stop=("cmp", "by", "neg", "sup"))
    hits = draft.numeric(named, _OWN_NAME) if named is not None else ()
    hits = tuple(hit for hit in hits if draft.column(hit).role == "measure")
    if not ranked or named is None or not hits:
        return False
    draft.use(before, index, inside, named, role="sup")
    draft.sorts.append(Sort(not last, Slot(named, hits), limit=1, superlative=True, item=index))
    return True


def latest_period(draft: Draft, index: int) -> bool:
    """ "in the most recent month", "on the earliest date": figures of one period, and not the period."""
    tag, before, named = draft.items[index].tag("pos"), index - 1, index + 1
    if draft.items[index].norm in ("first", "last"):
        return False  # the first quarter of a year, the month before this one
    while before > 0 and draft.items[before].norm == "the":
        before -= 1
    if tag is None or before < 0 or draft.items[before].norm.split()[-1] not in _WITHIN or not draft.free(named):
        return False
    said = noun(draft.items[named].norm)
    moments = tuple(hit for hit in draft.moments(named) if hit.score >= _OWN_NAME)
    grain = None if moments else GRAIN_WORDS.get("day" if said == "date" else said)
    figures = any(item.tag("agg", "count") for item in draft.items)
    if grain is None and not (moments and figures):
        return False
    slot = Slot(named, moments) if moments else None
    draft.groups.append(Group(slot=slot, grain=grain, item=named))
    axis: Literal["x", ""] = "" if moments else "x"
    draft.sorts.append(Sort(tag.value == "last", slot, axis=axis, limit=1, superlative=True, item=index))
    draft.use(index, named, role="group")
    return True
