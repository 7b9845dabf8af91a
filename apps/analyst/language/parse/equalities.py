"""Bare figures: "with 8 cylinders", "age is 20", "district 1", "the fourth round"."""

from __future__ import annotations

import re

from apps.analyst.language.parse.draft import Condition, Draft, Having, Measure, Slot, is_number, is_time
from apps.analyst.language.parse.quantities import RANKS
from apps.analyst.language.parse.subjects import HOLDS, LASTED, add_comparison, noun_behind, timed_figure

_STORED = 0.9
_BINS = re.compile(r"^(bins?|buckets?|intervals?|increments?|ranges?)\b")


def read_equality(draft: Draft, index: int) -> None:
    """A bare figure: "with 8 cylinders", "age is 20", "district 1", "aged 15"."""
    item = draft.items[index]
    value = item.number
    if value is None or item.tag("sup", "top") or index == 0:
        return
    if item.norm == "one" and draft.items[index - 1].norm.split()[-1] not in (
        "has",
        "have",
        "had",
        "having",
        "with",
        "only",
        "exactly",
    ):
        return
    previous = index - 1
    if _is_a_year(draft, index) or _is_stored(draft, index):
        return
    if any(draft.items[i].tag("top", "pos") and draft.free(i) for i in (previous,)) or draft.tagged_as(previous, "sup"):
        return
    if _superlative_follows(draft, index) or any(_BINS.match(item.norm) for item in draft.items[index + 1 : index + 4]):
        return
    holds = draft.items[previous].norm.split()[-1] in HOLDS or draft.items[previous].norm in (
        "=",
        "equals",
        "equal to",
        "exactly",
    )
    behind = noun_behind(draft, index)
    if behind is not None and (holds or behind == index + 1 or _in_its_unit(draft, index, behind)):
        columns = draft.numeric(behind, 0.55)
        if columns:
            draft.use(*range(index, behind + 1), role="condition")
            add_comparison(draft, Slot(behind, columns), index, "=", value, None)
            return
        table = draft.table_at(behind)
        if table and holds and draft.items[previous].norm.split()[-1] in ("with", "has", "have", "had", "having"):
            draft.use(index, behind, role="having")
            draft.having.append(Having(Measure("count", None, table, item=behind), "=", value))
            return
    before = _column_before(draft, index) or _lasted(draft, index)
    if before is not None:
        slot, items = before
        draft.use(index, *items, role="condition")
        add_comparison(draft, slot, index, "=", value, None)


def _lasted(draft: Draft, index: int) -> tuple[Slot, list[int]] | None:
    """ "took 45 minutes", "exactly 30 minutes long": the figure that is kept in a unit of time."""
    said = {item.norm.split()[-1] for item in (draft.items[index - 1], *draft.items[index + 2 : index + 3])}
    timed = timed_figure(draft, index - 1) if said & (LASTED | {"exactly"}) else None
    return (timed, [timed.item]) if timed is not None else None


def _is_a_year(draft: Draft, index: int) -> bool:
    """ "in 2013": a time, and no value of a figure, whatever the data hold."""
    value = draft.items[index].number
    year = value is not None and value == int(value) and 1900 <= value <= 2100 and len(draft.items[index].norm) == 4
    return year and draft.items[index - 1].norm in ("in", "during", "since", "in the year")


def _is_stored(draft: Draft, index: int) -> bool:
    """ "the 400m race" where the data hold "400 m", "from 1990 to 2010" where columns are called so: no figure."""
    values, columns = draft.items[index].values, draft.items[index].columns
    if columns and columns[0].score >= _STORED:
        return True
    return bool(values) and values[0].score >= _STORED and not draft.items[index].norm.isdigit()


def _in_its_unit(draft: Draft, index: int, behind: int) -> bool:
    """ "a 20 km race" over races in km: the unit of the column stands between."""
    hits = draft.numeric(behind, 0.55)
    unit = draft.column(hits[0]).unit if hits else None
    return behind == index + 2 and bool(unit) and draft.items[index + 1].norm == (unit or "").casefold()


def read_place(draft: Draft, index: int) -> None:
    """ "the fourth round", "first place", "finished third": a number of a column of places."""
    ordinal = draft.items[index].ordinal
    if _superlative_follows(draft, index):
        return
    for position in (index + 1, index - 1):
        if not 0 <= position < len(draft.items) or not draft.free(position):
            continue
        for hit in draft.items[position].columns:
            column = draft.column(hit)
            ranked = any(own & RANKS for own in draft.named(hit).name.forms)
            if (position < index and not ranked) or (draft.items[index].tag("pos") and not ranked) or hit.score < 0.45:
                continue
            if is_number(column) and column.role != "id" and (ranked or column.distinct <= 40):
                draft.use(index, position, role="condition")
                draft.conditions.append(
                    Condition("compare", Slot(position, (hit,)), op="=", values=(float(ordinal or 0),), item=index)
                )
                return
            stored = tuple(v.value for v in column.values if re.match(rf"\s*=?{ordinal}(st|nd|rd|th)?\b", v.value))
            if column.type == "text" and stored and column.values_complete:
                draft.use(index, position, role="condition")
                draft.conditions.append(Condition("value", Slot(position, (hit,)), values=stored, item=index))
                return


def _superlative_follows(draft: Draft, index: int) -> bool:
    following = draft.items[index + 1 : index + 3]
    return any(item.tag("sup", "common") or (item.token and item.token.norm.endswith("est")) for item in following[:1])


def _column_before(draft: Draft, index: int) -> tuple[Slot, list[int]] | None:
    position = index - 1
    while position >= 0 and index - position <= 4:
        item = draft.items[position]
        hits = tuple(
            h
            for h in item.columns
            if (h.score >= 0.5 and not is_time(draft.column(h)))
            or (h.score >= 0.5 and is_time(draft.column(h)) and is_number(draft.column(h)))
        )
        if hits and (draft.free(position) or draft.roles.get(position) == "condition"):
            return Slot(position, hits), [position]
        if item.tag("or", "and") and position > 0 and draft.roles.get(position - 1) == "condition":
            position -= 1
            continue
        if (
            item.norm
            not in (
                "is",
                "was",
                "of",
                "=",
                "equals",
                "are",
                "the",
                "equal to",
                "number",
                "to",
                "a",
                "in",
                "at",
                "score",
                "#",
                "exactly",
                "either",
            )
            and draft.roles.get(position) != "condition"
        ):
            return None
        position -= 1
    return None
