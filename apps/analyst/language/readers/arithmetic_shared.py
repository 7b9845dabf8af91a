"""What the row-by-row calculations share: references, the column that names a row, filters."""

from __future__ import annotations

import re

from apps.analyst.language.readers.arithmetic_figures import Reader
from apps.analyst.language.readers.statistics_mentions import MARK, Masked
from apps.analyst.plan import (
    AllOf,
    ColumnRef,
    Missing,
    Predicate,
    Query,
)

HIGH = r"(?:highest|largest|biggest|greatest|most|maximum|best|top|longest)"


LOW = r"(?:lowest|smallest|least|fewest|minimum|worst|shortest)"


Found = tuple[Query, str, tuple[str, ...]] | None


def ref_of(masked: Masked, name: str) -> ColumnRef:
    return ColumnRef(table=masked.table.name, column=name)


def entity_of(masked: Masked, reader: Reader, before: str = "", aside: tuple[str, ...] = ()) -> str | None:
    """The column that names what is asked for: the one that "which ..." names, else the table's own name column."""
    asked = re.search(rf"\b(?:which|what)\s+(?:\w+\s+){{0,2}}?{MARK}", before or masked.masked, re.IGNORECASE)
    if asked and masked.column(asked.group(1)) not in aside:
        return masked.column(asked.group(1))
    if re.search(r"\b(?:which|what|in which)\s+year\b", masked.text, re.IGNORECASE):
        years = [c.name for c in masked.table.columns if "year" in c.name.casefold() or c.role == "time"]
        if years:
            return years[0]
    own = reader.lexicon.schema.entity_column(masked.table.name)
    return own.name if own is not None and own.name not in aside else None


def rows_where(masked: Masked, reader: Reader, text: str, present: tuple[str, ...]) -> Predicate:
    """Rows where the figures are there, within the filters that a text says."""
    tests: list[Predicate] = [Missing(of=ref_of(masked, name), negated=True) for name in present]
    reading = reader.plain(text) if text else None
    plan = reading.plan if reading is not None else None
    alone = isinstance(plan, Query) and plan.source == masked.table.name and not plan.joins
    if alone and isinstance(plan, Query) and plan.where is not None:
        tests.insert(0, plan.where)
    return tests[0] if len(tests) == 1 else AllOf(of=tuple(tests))
