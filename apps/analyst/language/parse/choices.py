"""What stands twice: a choice among named things ("what sells most, lamps or chairs?") and a figure with its unit."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft, Group


def read_choice(draft: Draft) -> None:
    """ "what did we sell most, lamps or chairs": the two are held against each other, not added up."""
    first = draft.items[0] if draft.items else None
    asked = first is not None and first.tag("wh") is not None
    sorts = [sort for sort in draft.sorts if sort.superlative]
    if not asked or len(sorts) != 1 or sorts[0].limit != 1 or draft.groups or draft.select or draft.entities:
        return
    for condition in draft.conditions:
        behind = condition.item > sorts[0].item and condition.kind == "value" and not condition.negated
        if not behind or condition.slot is None or len(condition.values) < 2:
            continue
        if any(draft.items[i].tag("or") for i in range(max(0, condition.item - 2), condition.item)):
            draft.groups.append(Group(condition.slot, item=condition.slot.item))
            return


def drop_units(draft: Draft) -> None:
    """ "the average length in milliseconds" over a column of milliseconds: its unit, not a further column."""
    measured = {(hit.table, hit.column) for m in draft.measures if m.slot is not None for hit in m.slot.hits[:1]}
    for slot in list(draft.select):
        said = slot.item > 0 and draft.items[slot.item - 1].norm == "in"
        if said and slot.hits and (slot.hits[0].table, slot.hits[0].column) in measured:
            draft.select.remove(slot)
