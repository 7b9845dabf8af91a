"""How often something is there: "which drivers won more than once", "how many towns hosted it at least twice"."""

from __future__ import annotations

from apps.analyst.language.parse.draft import Draft, Having, Measure, Operator

_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_HOW = {"only": "=", "just": "=", "exactly": "="}


def read_often(draft: Draft) -> None:
    """Reads "more than once" and "at least three times" into a condition on how many rows there are of each."""
    if len(draft.lexicon.tables) > 1:
        return
    for index, item in enumerate(draft.items):
        if not draft.free(index) or item.names:
            continue
        value, items = _OFTEN.get(item.norm), [index]
        if value is None and item.norm == "times" and index > 0 and draft.free(index - 1):
            value, items = draft.items[index - 1].number, [index - 1, index]
        if value is None:
            continue
        before = items[0] - 1
        tag = draft.items[before].tag("cmp") if draft.free(before) else None
        word = _HOW.get(draft.items[before].norm) if draft.free(before) else None
        if tag is None and word is None:
            continue
        op: Operator = tag.value if tag is not None else word  # type: ignore[assignment]
        draft.use(before, *items, role="having")
        draft.having.append(Having(Measure("count", item=index), op, value))
        return
