"""Readings of statistics asked for in plain words: "is there a correlation between deal size and cycle length?"."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from apps.analyst.computing.statistics.registry import sentence as statistic_words
from apps.analyst.language.concepts import Concept, days_from, plain_name
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.parse.durations import duration_in
from apps.analyst.language.readers.statistics_asked import Asked, Options
from apps.analyst.language.readers.statistics_between import (
    correlation,
    covariance,
    direction,
    groups,
    independence,
    influence,
    regression,
)
from apps.analyst.language.readers.statistics_mentions import Masked, mask
from apps.analyst.language.readers.statistics_within import (
    distribution,
    duplicates,
    missing,
    normality,
    outliers,
    quantile,
    shape,
    spread,
)
from apps.analyst.language.reading import Reading
from apps.analyst.plan import (
    AllOf,
    Among,
    ColumnRef,
    Compare,
    Constant,
    Join,
    Output,
    Predicate,
    Query,
    Statistic,
)
from apps.analyst.plan.conditions import together
from apps.analyst.telling.formats import capital

FEWEST_ROWS = 4
"""A filter that keeps fewer rows cannot be meant for a statistic: the words are then about the table, not a filter."""


def read_plain(question: str, lexicon: Lexicon, base: Callable[[], Query | None]) -> list[Reading]:
    """The statistics that the question may ask for, over the rows that `base` filters (the plain reading of it)."""
    readings: list[Reading] = []
    text, days = _with_days(question, lexicon)
    tables = mask(text, "", lexicon, days)
    tables = [one for one in tables if all(days[name].table == one.table.name for name in days)]
    for masked in tables[:1]:
        for reader in _READERS:
            asked = reader(masked)
            if asked is not None and all(masked.info(name) is not None or name in days for name in asked.columns):
                readings.append(_reading(masked, asked, base(), days))
                break
    return readings


def _with_days(question: str, lexicon: Lexicon) -> tuple[str, Mapping[str, Concept]]:
    """The question with the days between two dates that it speaks of named in full, and what these are."""
    found = duration_in(question, lexicon)
    days = lexicon.concepts.get((found.table, days_from(found.first, found.last))) if found is not None else None
    if found is None or days is None or days.tables != (found.table,):
        return question, {}
    name = plain_name(days.column.name)
    start, end = found.said.span()
    return f"{question[:start]}{name}{question[end:]}", {name: days}


def _reading(masked: Masked, asked: Asked, base: Query | None, days: Mapping[str, Concept]) -> Reading:
    where, joins = _rows(masked, base, asked)
    query = Query(
        source=masked.table.name,
        joins=joins,
        columns=tuple(_column(name, masked, days) for name in asked.columns),
        where=where,
    )
    options: Options = {key: value for key, value in asked.options.items() if value is not None}
    return Reading(
        plan=Statistic(name=asked.name, query=query, options=options),
        score=asked.score,
        understood=(statistic_words(asked.name, asked.columns, options),),
        chart=asked.chart,
        reader="statistics",
        wording=statistic_words(asked.name, asked.columns, options),
    )


def _column(name: str, masked: Masked, days: Mapping[str, Concept]) -> Output:
    if name in days:
        return Output(label=capital(name), expr=days[name].expression, unit=days[name].column.unit)
    info = masked.info(name)
    return Output(
        label=name, expr=ColumnRef(table=masked.table.name, column=name), unit=info.unit if info is not None else None
    )


def _rows(masked: Masked, base: Query | None, asked: Asked) -> tuple[Predicate | None, tuple[Join, ...]]:
    """The filter of the plain reading, where it stands on the same table and leaves rows enough."""
    if (
        asked.name in ("missing", "duplicates")
        or base is None
        or base.source != masked.table.name
        or base.where is None
    ):
        return None, ()
    tests = base.where.of if isinstance(base.where, AllOf) else (base.where,)
    kept = tuple(test for test in tests if _plausible(test, masked, asked))
    return (together(kept), base.joins) if kept else (None, ())


def _plausible(test: Predicate, masked: Masked, asked: Asked) -> bool:
    """Whether a filter leaves rows enough, as far as the profile tells, and is not on a column that is computed
    with."""
    match test:
        case Compare(op="=", left=ColumnRef(column=name), right=Constant(value=str() as value)):
            wanted = {value.casefold()}
        case Among(of=ColumnRef(column=name), values=values, negated=False):
            wanted = {str(value.value).casefold() for value in values}
        case _:
            return True
    info = masked.info(name)
    if name in asked.columns:
        return False
    if info is None or not info.values:
        return info is None or not info.unique
    return sum(v.count for v in info.values if v.value.casefold() in wanted) >= FEWEST_ROWS


_READERS: tuple[Callable[[Masked], Asked | None], ...] = (
    influence,
    groups,
    independence,
    outliers,
    normality,
    covariance,
    regression,
    correlation,
    direction,
    shape,
    missing,
    duplicates,
    quantile,
    spread,
    distribution,
)


__all__ = ["read_plain"]
