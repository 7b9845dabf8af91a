"""Values of a column as a dimension: "how many male and female members", "a bar chart of the number of names"."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft, Group, Measure, is_time
from apps.analyst.language.parse.fine_figures import is_figure, side_by_side


def compared_values(draft: Draft) -> None:
    """ "how many male and female members": values of one column set side by side are a dimension."""
    compared = any(item.norm in ("compare", "comparing", "comparison", "compares") for item in draft.items)
    compared = compared or _counted_side_by_side(draft)
    lines = bool(draft.groups) and all(_is_timed(draft, group) for group in draft.groups)
    if (
        (draft.groups and not lines)
        or draft.select
        or not draft.measures
        or not (compared or (draft.wish is not None and draft.wish.explicit))
    ):
        return
    for condition in draft.conditions:
        slot = side_by_side(condition)
        if slot is not None and (condition.summed or not lines):
            draft.groups.append(Group(slot, item=slot.item))
            return


def _is_timed(draft: Draft, group: Group) -> bool:
    moment = group.slot is not None and bool(group.slot.hits) and is_time(draft.column(group.slot.best))
    return bool(moment or group.grain or group.part)


def _counted_side_by_side(draft: Draft) -> bool:
    """ "how many male and female members": each is counted; "male or female" are counted together."""
    asked = (
        bool(draft.items)
        and draft.items[0].tag("count") is not None
        and len(draft.measures) == 1
        and draft.measures[0].fn == "count"
    )
    ends = [c.item for c in draft.conditions if c.kind == "value" and len(c.values) == 2 and not c.every]
    return asked and any(
        draft.items[end - 1].tag("and") and draft.items[end - 2].values and draft.items[end + 1].names
        for end in ends
        if 1 < end < len(draft.items) - 1
    )


def count_of_values(draft: Draft) -> None:
    """ "a bar chart of the number of names of patients": the counted column is the dimension."""
    if draft.wish is None or not draft.wish.explicit or draft.groups or len(draft.measures) != 1:
        return
    measure = draft.measures[0]
    loose = measure.fn == "count" and measure.slot is None and measure.table is None
    if loose and len(draft.select) == 1 and not is_figure(draft, draft.select[0]):
        measure.slot = draft.select.pop()
    if draft.select:
        return
    if measure.fn == "count" and measure.slot is not None and measure.slot.hits and not measure.distinct:
        slot = measure.slot
        table = slot.best.table
        met = [c for c in draft.conditions if c.kind == "exists" and not c.negated and c.table]
        far = [
            c.slot.best.table
            for c in draft.conditions
            if c.slot is not None
            and c.slot.hits
            and not c.negated
            and c.slot.best.table != table
            and draft.lexicon.schema.path(table, c.slot.best.table, one=True) is None
            and draft.lexicon.schema.path(c.slot.best.table, table, one=True)
        ]
        if met:
            table = met[0].table or table
            draft.conditions.remove(met[0])
        elif far:
            table = far[0]
        draft.groups = [Group(slot, item=slot.item)]
        draft.measures = [Measure("count", table=table, item=measure.item)]
