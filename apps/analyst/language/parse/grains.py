"""Periods that are asked for ("which month", "on which day of the week") and the dates that a grain is of."""

from __future__ import annotations

from collections.abc import Iterator

from apps.analyst.language.parse.draft import Draft, Group, Slot, Sort
from apps.analyst.language.parse.targets import heads_clause
from apps.analyst.language.periods import GRAIN_WORDS, PART_WORDS

_WHOLE_NAME = 0.95
_BUSY, _QUIET = frozenset(("busiest",)), frozenset(("quietest", "slowest"))


def asked_grain(draft: Draft, index: int) -> bool:
    """ "which month had the highest sales", "the day with the most orders": the periods are what is ranked."""
    spoken = draft.items[index].norm.split()
    ranked = any(sort.superlative and (sort.measure is not None or sort.slot is not None) for sort in draft.sorts)
    if not ranked or not draft.free(index):
        return False
    named = index + 1 if draft.items[index].tag("wh") else index
    word = spoken[-1] if draft.items[index].tag("when") else draft.items[named].norm if named < len(draft.items) else ""
    grain = GRAIN_WORDS.get(word)
    part = next(((n, p) for n in (4, 1) if (p := PART_WORDS.get(_said(draft, named, n)))), None)
    if part is not None and draft.items[index].tag("wh") and any(_is_dated(draft)):
        draft.groups.append(Group(part=part[1], item=named))
        draft.use(index, *range(named, named + part[0]), role="group")
        return True
    if (
        grain is None
        or not (draft.items[index].tag("wh", "when") or heads_clause(draft, named))
        or not draft.free(named)
        or (draft.items[named].columns and draft.items[named].columns[0].score >= 0.9)
    ):
        return False
    if not any(_is_dated(draft)):
        return False
    draft.groups.append(Group(grain=grain, item=named))
    draft.use(index, named, role="group")
    return True


def busiest(draft: Draft, index: int) -> bool:
    """ "the busiest month", "our quietest day of the week": the period in which most or least happened."""
    degree = draft.items[index].norm.split()[-1]
    if degree not in _BUSY | _QUIET or not draft.free(index) or not any(_is_dated(draft)):
        return False
    named = index + 1
    size, part = next(((n, p) for n in (4, 1) if (p := PART_WORDS.get(_said(draft, named, n)))), (1, None))
    grain = GRAIN_WORDS.get(_said(draft, named, 1)) if part is None else None
    if part is None and grain is None:
        return False
    draft.groups.append(Group(grain=grain, part=part, item=named))
    draft.use(index, *range(named, named + size), role="group")
    draft.sorts.append(Sort(degree in _BUSY, limit=1, superlative=True, item=index))
    _use_by(draft, named + size)
    return True


def _use_by(draft: Draft, index: int) -> None:
    """ "the busiest month by number of orders": what it is measured by is read as a figure."""
    if draft.tagged_as(index, "by") and index + 1 < len(draft.items) and draft.items[index + 1].tag("count", "agg"):
        draft.use(index, role="group")


def _said(draft: Draft, start: int, size: int) -> str:
    return " ".join(item.norm for item in draft.items[start : start + size])


def _is_dated(draft: Draft) -> Iterator[bool]:
    return (named.column.type in ("date", "datetime") for named in draft.lexicon.columns)


def moment_behind(draft: Draft, position: int) -> Slot | None:
    """ "by month of the delivery date": the time column behind the grain."""
    if position + 2 >= len(draft.items) or draft.items[position + 1].norm not in ("of", "of the"):
        return None
    named = draft.next_named(position + 1, reach=1)
    hits = draft.moments(named) if named is not None else ()
    if named is None or not hits or hits[0].score < _WHOLE_NAME:
        return None
    draft.use(position + 1, named, role="group")
    return Slot(named, hits)


def moment_before(draft: Draft, position: int) -> Slot | None:
    """ "order date by month", "bin the claim date into the year interval": the time column that the grain is of."""
    for back in range(position - 1, max(-1, position - 8), -1):
        item = draft.items[back]
        hits = draft.moments(back)
        counted = draft.tagged_as(back - 1, "count") and hits and hits[0].score < _WHOLE_NAME
        thing = draft.table_at(back, _WHOLE_NAME) is not None and not item.norm.endswith("ed")
        if hits and hits[0].score < _WHOLE_NAME and thing:
            return None  # "bookings by month": things, although they have a day on which they were "booked"
        if (
            hits
            and hits[0].score >= 0.5
            and not counted
            and (draft.free(back) or draft.roles.get(back) in ("group", "select", "verb"))
        ):
            draft.use(back, role="group")
            return Slot(back, hits)
        if (
            item.norm not in ("by", "into", "the", "in", "to", "a", "on", "per")
            and not item.tag("by", "of")
            and not draft.is_filler(back)
        ):
            return None
    return None
