"""Comparisons with the average: "above the average price", "more than the average of ..."."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Condition, Draft, Operator, Slot
from apps.analyst.language.parse.quantities import by_adjective
from apps.analyst.language.parse.subjects import subject_before

_OWN = words("same respective their its his her own")
"""Before a group's name: each row is held against the average of its own group."""
_WITHIN = frozenset(("in each", "of each", "within each", "in every", "of every"))


def average_after(draft: Draft, index: int) -> bool:
    """ "higher than the average attendance", "more than the average of ..."."""
    for position in range(index + 1, min(index + 3, len(draft.items))):
        tag = draft.items[position].tag("agg")
        if tag and tag.value in ("avg", "median"):
            comparison = draft.items[index].tag("cmp")
            above = comparison is not None and comparison.value in (">", ">=")
            _average_condition(draft, index, position, ">" if above else "<")
            return True
    return False


def against_average(draft: Draft, index: int) -> None:
    tag = draft.items[index].tag("avgref")
    assert tag is not None
    _average_condition(draft, index, index, "<" if tag.value == "<" else ">")


def against_average_of(draft: Draft, slot: Slot, index: int, than: int, op: Operator) -> bool:
    """ "a higher price than average": the column is said already, and so is which side of the average is meant."""
    average = next((i for i in (than + 1, than + 2) if draft.tagged_as(i, "agg")), None)
    tag = draft.items[average].tag("agg") if average is not None else None
    if average is None or tag is None or tag.value != "avg":
        return False
    draft.use(index, slot.item, than, average, role="condition")
    draft.conditions.append(Condition("average", slot, op=op, item=index))
    return True


def _average_condition(draft: Draft, index: int, last: int, op: Operator) -> None:
    draft.use(index, last, role="condition")
    before = subject_before(draft, index)
    behind = draft.next_named(last, reach=4, stop=("cmp", "by", "sup", "neg", "avgref"))
    if behind is not None and draft.table_at(behind, 0.6) and draft.free(behind + 1) and draft.numeric(behind + 1, 0.6):
        draft.use(behind, role="condition")  # "the average song length"
        behind += 1
    hits = draft.numeric(behind, 0.4) if behind is not None else ()
    slot: Slot | None = None
    if before is not None and before[0].hits and before[1] is None:
        slot = before[0]
        draft.use(*before[2], role="condition")
        meant = {(hit.table, hit.column) for hit in slot.hits}
        if behind is not None and hits and (hits[0].table, hits[0].column) in meant:
            draft.use(behind, role="condition")
            slot = Slot(behind, hits) if hits[0].score > slot.hits[0].score else slot
    elif hits and behind is not None:
        slot = Slot(behind, hits)
        draft.use(behind, role="condition")
    else:
        slot = by_adjective(draft, index)
    if slot is None:
        draft.used[index] = draft.used[last] = False
        return
    draft.conditions.append(Condition("average", slot, op=op, item=index, own=_own_group(draft, index, slot)))


def _own_group(draft: Draft, index: int, figure: Slot) -> Slot | None:
    """ "than the average of products in their category": the item that names the group."""
    for position in range(index + 1, len(draft.items)):
        item = draft.items[position]
        if item.norm in (".", "?", ";"):
            return None
        own = item.tag("same") or set(item.norm.split()) & _OWN or item.norm in _WITHIN
        if not own or not (draft.free(position) or item.tag("same")):
            continue
        named = draft.next_named(position, reach=3, stop=("cmp", "sup", "neg"))
        while named is not None and any(hit in figure.hits for hit in draft.items[named].columns[:1]):
            draft.use(named, role="condition")
            named = draft.next_named(named, reach=3, stop=("cmp", "sup", "neg"))
        if named is not None:
            draft.use(position, named, role="condition")
            return Slot(named, draft.items[named].columns)
    return None
