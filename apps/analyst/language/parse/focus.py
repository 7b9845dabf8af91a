"""Which of the columns named is the one asked for: "in what year was the first title released" asks for a year, not a
title.

Columns that only help to say which row or figure is meant are dropped from the answer.
"""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Slot

_BESIDE = words("the its their what his her which is was were are corresponding respective") | frozenset(
    ("what is", "what was", "what are", "what were", "which is", "which was")
)
"""Words between "and" and a column asked for beside the first one."""
_BE = frozenset(("is", "was", "are", "were", "be"))


def focus(draft: Draft) -> None:
    """Keeps the asked columns. Over several tables only the plainest case is decided."""
    start = _first_word(draft)
    if start is None:
        return
    if draft.items[start].tag("when") and not draft.measures:
        draft.select.clear()
        return
    if (
        len(draft.lexicon.tables) > 1
        or "bin" in draft.axes
        or any(item.tag("versus", "correlation", "distribution") for item in draft.items)
    ):
        return
    dimensions = bool(draft.groups) or any(
        item.tag("by") for index, item in enumerate(draft.items) if draft.roles.get(index) == "group"
    )
    if draft.measures and not dimensions:
        first = min(measure.item for measure in draft.measures)
        if all(slot.item > first for slot in draft.select) and not _wished(draft):
            draft.select = [slot for slot in draft.select if _coordinated(draft, slot)]
        return
    if draft.measures or dimensions or not draft.select or _wished(draft):
        return
    if draft.items[start].norm.split()[0] in ("who", "whom") and not _named_after(draft, start):
        if any(sort.superlative for sort in draft.sorts) or draft.conditions:
            draft.select.clear()
        return
    if draft.items[start].tag("wh", "pos", "sup") or draft.items[start].norm in (
        "name",
        "tell",
        "in",
        "on",
        "at",
        "the",
        "of",
    ):
        kept = draft.select[:1]
        for slot in draft.select[1:]:
            if slot.item == kept[0].item or _coordinated(draft, slot):
                kept.append(slot)
        draft.select = kept


def _wished(draft: Draft) -> bool:
    """A chart, or a request to list, shows all that is named."""
    return draft.wish is not None and draft.wish.explicit


def _first_word(draft: Draft) -> int | None:
    for index, item in enumerate(draft.items[:4]):
        if item.tag("when", "wh", "where", "long"):
            return index
    return 0 if draft.items else None


def _named_after(draft: Draft, start: int) -> bool:
    """ "who were the performers": the column right behind is asked for."""
    words = draft.items[start].norm.split()
    following = [item for item in draft.items[start + 1 : start + 4] if item.norm not in ("the", "a")]
    said = words[-1] in _BE or (bool(following) and following[0].norm in _BE)
    first = draft.select[0].item if draft.select else -1
    return said and 0 <= first - start <= 4 and not any(draft.items[i].tag("same") for i in range(start, first))


def _coordinated(draft: Draft, slot: Slot) -> bool:
    """Joined to the column before it by "and" or a comma."""
    position, asked = slot.item - 1, False
    while position >= 0 and draft.items[position].norm in _BESIDE:
        asked = asked or draft.items[position].tag("wh") is not None
        position -= 1
    return (
        position >= 0
        and draft.items[position].tag("and") is not None
        and (asked or draft.roles.get(position - 1) in ("select", "measure", None))
    )
