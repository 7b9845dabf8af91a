"""Things of two tables held against each other: "which owners have more meetings than emails"."""

from __future__ import annotations

from apps.analyst.language.parse.columns_compared import COMPARED
from apps.analyst.language.parse.draft import Draft, Group, Measure, Slot

_NAMED = 0.9


def read_more_than(draft: Draft) -> None:
    """Reads "more A than B" of what is asked for into both their numbers, the first held against the second."""
    for index in range(1, len(draft.items) - 3):
        op = COMPARED.get(draft.items[index].norm)
        one, than = draft.table_at(index + 1, _NAMED), draft.items[index + 2].norm
        if op not in (">", "<") or than != "than" or one is None:
            continue
        last = index + 3
        while last < len(draft.items) - 1 and draft.is_filler(last) and not draft.items[last].names:
            last += 1
        other = draft.table_at(last, _NAMED)
        if other is None or one == other:
            continue
        asked = next((i for i in range(index - 1, -1, -1) if draft.free(i) and draft.items[i].names), None)
        if asked is None or not all(draft.free(i) for i in range(index, last + 1)):
            continue
        table, columns = draft.table_at(asked, _NAMED), draft.items[asked].columns
        if table in (one, other) or (table is None and not columns):
            continue
        draft.use(*range(index, last + 1), role="measure")
        draft.use(asked, role="group")
        draft.measures += [Measure("count", table=one, item=index + 1), Measure("count", table=other, item=last)]
        slot = None if table is not None else Slot(asked, columns)
        draft.groups.append(Group(slot, table=table, item=asked))
        draft.first_to_second = op
        return
