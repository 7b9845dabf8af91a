"""That a question asks for days of which the data hold nothing: the reason, where a refusal would say that it was not
understood."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan.spans import span_words
from apps.analyst.ports import Catalog
from apps.analyst.reading.linking import Linked
from apps.analyst.telling import formats
from apps.analyst.telling.labelling import rows_of


def beyond_data(linked: Linked, names: Iterable[str], catalog: Catalog) -> str:
    """ "There are no deals in 1987: they run from 10 Jan 2024 to 1 Sep 2025 (close date).", of the first of the named
    tables that goes by a date; "" where a period that is asked for may be among its days, or none is asked for."""
    tables, meant = {table.name: table for table in catalog.tables()}, dictionary_of(catalog)
    for name in sorted(names):
        meaning = meant.get(name)
        date = meaning.column(meaning.date_column) if meaning is not None and meaning.date_column else None
        column = tables[name].column(date.name) if date is not None and name in tables else None
        first, last = (day_of(column.minimum), day_of(column.maximum)) if column is not None else (None, None)
        if date is None or first is None or last is None:
            continue
        asked = [span for one in linked.periods for span in one.ranges]
        if not asked or any(start <= last and end > first for start, end in asked):
            return ""
        when = span_words(asked[0][0], asked[0][1] - timedelta(days=1))
        reach = f"{formats.day(first)} to {formats.day(last)}"
        return f"There are no {rows_of(name, catalog)} {when}: they run from {reach} ({date.label})."
    return ""
