"""From when to when: "the date range of the orders", "the period covered by the bookings"."""

from __future__ import annotations

from apps.analyst.language.figures import time_column
from apps.analyst.language.parse.draft import Draft, Measure, Slot, is_time
from apps.analyst.language.tagging import ColumnHit
from apps.analyst.plan import AggregateName

_ENDS: tuple[AggregateName, AggregateName] = ("min", "max")


def read_ranges(draft: Draft) -> None:
    """Reads a range of dates into the first and the last one."""
    for index in range(len(draft.items)):
        if not draft.tagged_as(index, "span"):
            continue
        target = draft.next_named(index, reach=3)
        hits = _dates(draft, target)
        if hits:
            draft.use(index, *(() if target is None else (target,)), role="measure")
            draft.measures.extend(Measure(fn, Slot(index, hits), item=index + k) for k, fn in enumerate(_ENDS))


def _dates(draft: Draft, target: int | None) -> tuple[ColumnHit, ...]:
    """The dates said behind, else the time of the things said behind, else of the only table that has one."""
    if target is not None and draft.moments(target):
        return draft.moments(target)
    said = [] if target is None else [hit.table for hit in draft.items[target].tables]
    named = [] if target is None else [hit.table for hit in draft.items[target].columns]
    everywhere = [table for table in draft.lexicon.schema.tables if time_column(draft, table) is not None]
    tables = said or named or (everywhere if len(everywhere) == 1 else [])
    found = [(table, time_column(draft, table)) for table in dict.fromkeys(tables)]
    return tuple(
        ColumnHit(table, column.name, 0.9) for table, column in found if column is not None and is_time(column)
    )
