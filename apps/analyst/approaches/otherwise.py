"""The other reading of a question: what it left open is decided the other way, and said.

A question rarely says by which date it goes, what is to become of rows of totals, or whether amounts in several
currencies may be added. Where its reading had to choose, this makes the plan of somebody who chose otherwise. Where
there was nothing to choose, the plan stays as it is, and only its execution is another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from apps.analyst.computing.compile.walk import references, within
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.morphology import words
from apps.analyst.plan import (
    Aggregate,
    Among,
    AnyOf,
    Clarify,
    ColumnRef,
    Constant,
    Describe,
    Missing,
    Output,
    Plan,
    Predicate,
    Query,
    Statistic,
)
from apps.analyst.plan.validate import both, holds
from apps.analyst.ports import Catalog
from apps.analyst.reading import dates
from apps.analyst.tables.totals import is_total_label
from apps.analyst.telling.evidence import every_query
from apps.analyst.types import Column, Table

NEAR = 0.05
"""Readings whose scores lie this close are both readings of the question."""


@dataclass(frozen=True, slots=True)
class Otherwise:
    """Another plan for the question, and in words what was decided otherwise; none where there was no choice."""

    plan: Plan
    choices: tuple[str, ...] = ()


def otherwise(text: str, readings: Sequence[Reading], plan: Plan, catalog: Catalog) -> Otherwise:
    """The other reading of the question `text` that `plan` answers; `readings` are those the question has."""
    if isinstance(plan, Describe | Clarify | Statistic):
        return Otherwise(plan)
    made = Otherwise(plan)
    for decide in (_without_totals, _other_date, _currencies_apart):
        other = decide(text, made.plan, catalog)
        if other is not None and holds(other.plan, catalog):
            made = Otherwise(other.plan, (*made.choices, *other.choices))
    if made.choices:
        return made
    return _near_reading(readings, plan, catalog) or made


def _near_reading(readings: Sequence[Reading], plan: Plan, catalog: Catalog) -> Otherwise | None:
    """The next reading that is as sure as the one taken, with a plan of its own."""
    if not readings or readings[0].score < ANSWER_THRESHOLD:
        return None
    for reading in readings:
        near = readings[0].score - reading.score <= NEAR and reading.score >= ANSWER_THRESHOLD
        named = reading.wording.strip().casefold() not in ("", readings[0].wording.strip().casefold())
        if near and named and reading.plan != plan and not isinstance(reading.plan, Clarify | Describe):
            return Otherwise(reading.plan, (f"reads the question as “{reading.wording}”",))
    return None


# ---------------------------------------------------------------- totals
_WHOLE = re.compile(
    r"(?:all|overall|every|combined|entire)(?:[\s-]+[\w-]+){0,2}|(?:company|group)[\s-]wide", re.IGNORECASE
)


def _without_totals(text: str, plan: Plan, catalog: Catalog) -> Otherwise | None:
    """The plan without the rows whose label says that they add up others."""
    labelled = [
        (table, column, labels)
        for table in _tables(plan, catalog)
        for column in table.columns
        if column.type == "text" and column.role != "id" and (labels := _total_labels(column))
    ]
    if not labelled:
        return None
    tests: dict[str, list[Predicate]] = {}
    for table, column, labels in labelled:
        of = ColumnRef(table=table.name, column=column.name)
        none = Among(of=of, values=tuple(Constant(value=label) for label in labels), negated=True)
        test: Predicate = AnyOf(of=(none, Missing(of=of))) if column.missing else none
        tests.setdefault(table.name, []).append(test)
    names = sorted({label for _, _, labels in labelled for label in labels})
    told = f"leaves out the rows called {', '.join(names[:4])}, which look like totals of other rows"
    return Otherwise(_restricted(plan, tests), (told,))


def _total_labels(column: Column) -> list[str]:
    """Values that are worded as totals and stand in few rows beside values that are not."""
    found = [v for v in column.values if is_total_label(v.value) or _WHOLE.fullmatch(v.value.strip())]
    others = [v for v in column.values if v not in found]
    if not found or len(found) > len(others):
        return []
    usual = sorted(v.count for v in others)[len(others) // 2]
    return [v.value for v in found if v.count <= max(usual, 1)]


def _restricted(plan: Plan, tests: dict[str, list[Predicate]]) -> Plan:
    """The plan with conditions on stored tables added to every query that scans them by their own name."""

    def change(query: Query) -> Query:
        if isinstance(query.source, Query):
            return query.model_copy(update={"source": change(query.source)})
        names = [query.source, *(join.table for join in query.joins if join.alias is None)]
        where = query.where
        for test in (test for name in names for test in tests.get(name, ())):
            where = both(where, test)
        return query if where is query.where else query.model_copy(update={"where": where})

    return dates.each_query(plan, change)


# ---------------------------------------------------------------- dates
def _other_date(text: str, plan: Plan, catalog: Catalog) -> Otherwise | None:
    """The plan by another date of the same table, where the question does not say by which it goes."""
    mine = dates.open_date(text, plan)
    other = next(dates.others(mine, catalog), None) if mine is not None else None
    if mine is None or other is None:
        return None
    told = f"goes by {other.column}, because the question does not say that it means {mine.column}"
    return Otherwise(dates.by_other_date(plan, mine, other), (told,))


# ---------------------------------------------------------------- currencies
_CURRENCY_NAME = re.compile(r"(?:.*\W|^)(?:currency|ccy|curr)(?:\W.*|$)", re.IGNORECASE)
_CODES = words("USD EUR GBP CHF JPY CNY INR CAD AUD NZD SEK NOK DKK PLN CZK HUF BRL MXN ZAR SGD HKD KRW TRY")
_MONEY = re.compile(
    r"amount|revenue|sales|value|total|profit|spend|spent|cost|budget|income|price|fee|paid|payment|arr|mrr|net|gross",
    re.IGNORECASE,
)


def _currencies_apart(text: str, plan: Plan, catalog: Catalog) -> Otherwise | None:
    """The plan with money told apart by currency, where its rows are in several and it neither groups nor chooses."""
    if not isinstance(plan, Query) or not plan.measures or isinstance(plan.source, Query) or plan.limit_per:
        return None
    for table in _tables(plan, catalog):
        column = next((c for c in table.columns if _is_currency(c)), None)
        if column is None or column.distinct < 2:
            continue
        ref = ColumnRef(table=table.name, column=column.name)
        read = [*(group.expr for group in plan.groups), *([plan.where] if plan.where is not None else [])]
        if any(ref in references(node) for node in read) or not _adds_money(plan, table):
            continue
        label = column.name if all(o.label != column.name for o in (*plan.groups, *plan.measures)) else "In currency"
        groups = (*plan.groups, Output(label=label, expr=ref))
        codes = ", ".join(value.value for value in column.values[:4])
        told = f"keeps amounts in {codes} apart, because they cannot be added as they are"
        return Otherwise(plan.model_copy(update={"groups": groups}), (told,))
    return None


def _is_currency(column: Column) -> bool:
    if column.type != "text" or not column.values:
        return False
    if _CURRENCY_NAME.fullmatch(column.name.replace("_", " ")):
        return True
    return column.values_complete and all(value.value.strip().upper() in _CODES for value in column.values)


def _adds_money(plan: Query, table: Table) -> bool:
    """True where a measure computes with amounts of the table."""
    for output in plan.measures:
        for node in within(output.expr):
            if not isinstance(node, Aggregate) or node.of is None or node.fn == "count":
                continue
            for ref in references(node.of):
                column = table.column(ref.column) if ref.table == table.name else None
                unit = column.unit if column is not None else None
                if (
                    column is not None
                    and unit != "%"
                    and (_MONEY.search(column.name) or (unit or "").upper() in _CODES)
                ):
                    return True
    return False


def _tables(plan: Plan, catalog: Catalog) -> Iterator[Table]:
    """The stored tables that a plan scans."""
    names = {q.source for q in every_query(plan) if isinstance(q.source, str)}
    names |= {join.table for query in every_query(plan) for join in query.joins}
    yield from (table for table in catalog.tables() if table.name in names)
