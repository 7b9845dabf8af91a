"""That a question asks for days of which the data hold nothing: the reason, where a refusal would say that it was not
understood."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import Between, ColumnRef, Compare, Constant, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.plan.spans import span_words
from apps.analyst.ports import Catalog
from apps.analyst.reading.linking import Linked
from apps.analyst.telling import formats
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.labelling import rows_of


def beyond_data(linked: Linked, plan: Plan | None, catalog: Catalog) -> str:
    """ "There are no deals in 1987: they run from 10 Jan 2024 to 1 Sep 2025 (close date).", by the date that the plan
    holds against days, else by that of its rows, of the first table where there is no plan; "" where a period that is
    asked for, of several that words may mean the plan's, is among its days, or none is asked for."""
    nodes = every(plan) if plan is not None else ()
    held = {str(node.value)[:10] for node in nodes if isinstance(node, Constant) and node.type == "date"}
    spans = [span for one in linked.periods for span in one.ranges]
    asked = [span for span in spans if span[0].isoformat() in held] or spans
    for ref in _dates(plan, catalog) if asked else ():
        table = next(table for table in catalog.tables() if table.name == ref.table)
        column, meaning = table.column(ref.column), dictionary_of(catalog)[ref.table].column(ref.column)
        first, last = (day_of(column.minimum), day_of(column.maximum)) if column is not None else (None, None)
        if meaning is None or first is None or last is None:
            continue
        if any(start <= last and end > first for start, end in asked):
            return ""
        when = span_words(asked[0][0], asked[0][1] - timedelta(days=1))
        reach = f"{formats.day(first)} to {formats.day(last)}"
        return f"There are no {rows_of(ref.table, catalog)} {when}: they run from {reach} ({meaning.label})."
    return ""


def _dates(plan: Plan | None, catalog: Catalog) -> Iterator[ColumnRef]:
    """The dates of stored tables that a plan goes by: those it holds against days, then those of its rows."""
    names = [table.name for table in catalog.tables()]
    for test in every(plan) if plan is not None else ():
        match test:
            case Between(of=ColumnRef() as of, low=Constant(type="date")):
                yield from [of] if of.table in names else []
            case Compare(left=ColumnRef() as of, right=Constant(type="date")):
                yield from [of] if of.table in names else []
    known = dictionary_of(catalog)
    for name in sorted(tables_of(plan)) if plan is not None else names[:1]:
        if name in known and known[name].date_column:
            yield ColumnRef(table=name, column=known[name].date_column or "")
