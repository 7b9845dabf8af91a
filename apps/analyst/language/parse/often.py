"""How often something is there: "which drivers won more than once", "how many clients bought at least twice"."""

from __future__ import annotations

from apps.analyst.language.morphology import words
from apps.analyst.language.parse.draft import Draft, Having, Measure, Operator, Slot
from apps.analyst.language.parse.events import happenings
from apps.analyst.language.tagging import ColumnHit

_OFTEN = {"once": 1.0, "twice": 2.0, "thrice": 3.0}
_HOW = {"only": "=", "just": "=", "exactly": "="}
_DONE = words(
    "bought buy ordered order purchased purchase sold rented rent booked book visited visit paid pay shipped used use "
    "attended attend donated donate delivered borrowed"
)
_THING, _NEAR = 0.9, 5


def read_often(draft: Draft) -> None:
    """Reads "more than once" and "at least three times" into a condition on how many rows there are of each."""
    for index, item in enumerate(draft.items):
        if not draft.free(index) or (item.names and item.norm != "times"):
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
        measure = _rows(draft, index) if len(draft.lexicon.tables) == 1 else _done_so_often(draft, before)
        if measure is None:
            return
        op: Operator = tag.value if tag is not None else word  # type: ignore[assignment]
        draft.use(before, *items, role="having")
        draft.having.append(Having(measure, op, value))
        return


def _rows(draft: Draft, index: int) -> Measure | None:
    return None if draft.items[index].names else Measure("count", item=index)


def _done_so_often(draft: Draft, end: int) -> Measure | None:
    """ "clients who bought more than once": by the transactions that refer to each, however many lines they have."""
    verb = next((i for i in range(end - 1, max(-1, end - _NEAR), -1) if draft.items[i].norm in _DONE), None)
    thing = next((i for i in range(verb - 1, -1, -1) if draft.table_at(i, _THING)), None) if verb is not None else None
    own = draft.table_at(thing, _THING) if thing is not None else None
    if verb is None or own is None or not draft.free(verb):
        return None
    table = _transactions(draft, verb, own)
    if table is None:
        return None
    draft.use(verb, role="having")
    columns = draft.lexicon.schema.tables[table].table.columns
    named = [draft.lexicon.schema.columns[table, column.name] for column in columns]
    own_key = any(each.column.unique and each.column.role == "id" for each in named)
    key = None if own_key else next((each for each in named if draft.lexicon.is_line_key(each)), None)
    if key is None:
        return Measure("count", table=table, item=verb)
    return Measure("count", Slot(verb, (ColumnHit(table, key.column.name, 1.0),)), distinct=True, item=verb)


def _transactions(draft: Draft, verb: int, thing: str) -> str | None:
    """The table whose rows refer to the thing themselves: the orders, not their lines."""
    edges = draft.lexicon.schema.edges
    direct = [table for table, steps in edges.items() if any(e.one and e.target == thing for e in steps)]
    among = [table for table in direct if not any(e.one and e.target in direct for e in edges[table])]
    if len(among) == 1:
        return among[0]
    table = happenings(draft, verb, thing)
    return table if table in direct else None
