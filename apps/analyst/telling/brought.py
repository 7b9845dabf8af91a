"""What is said of tables that somebody just brought: what their rows are, from when to when, and what is worth asking.

In: a catalog and the names of some of its tables. Out: a line's parts for each of them, and questions for all together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import zip_longest

from apps.analyst.dictionary.cache import dictionary_of_some
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.plan import Aggregate, ColumnRef, Describe, Node, Period, Plan
from apps.analyst.plan.nodes import every
from apps.analyst.ports import Catalog
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.evidence import every_query
from apps.analyst.telling.followups import Offer, offers_for, readable, telling_offers
from apps.analyst.telling.formats import period
from apps.analyst.types import Answer, Table

MOST_TABLES = 6
"""A workbook of many sheets is asked about by the first of them."""

FEWEST_GROUPS = 2
LEAST_LEAD = 0.1
"""Groups whose figures lie closer together, as a share of the least, tell nothing."""
MOST_ALONE = 0.9
"""Nor do groups of which one holds more than this share of all."""

WAYS = ("by groups", "over time", "the first", "counted", "one figure", "rows")
"""How questions may ask, the most telling first."""


@dataclass(frozen=True, slots=True)
class Brought:
    """What a table holds: so many orders, "Jan 2024 to Dec 2025" ("" where it has no date of its own)."""

    table: str
    file_name: str
    rows: int
    noun: str
    period: str


def described(catalog: Catalog, names: Collection[str]) -> list[Brought]:
    """The named tables, in the catalog's order."""
    tables = [table for table in catalog.tables() if table.name in names]
    meant = dictionary_of_some(catalog, tables)
    return [
        Brought(
            table=table.name,
            file_name=table.file_name,
            rows=table.rows,
            noun=meant[table.name].row if table.rows == 1 else meant[table.name].rows,
            period=_period(table, meant[table.name]),
        )
        for table in tables
    ]


def worth_asking(catalog: Catalog, names: Collection[str]) -> Iterator[tuple[str, Table]]:
    """Questions, each with the table it is about and to be asked of its file alone: the named tables in turn, the most
    telling first."""
    tables = [table for table in catalog.tables() if table.name in names][:MOST_TABLES]
    told: set[str] = set()
    for layer in zip_longest(*(_of_table(table, catalog) for table in tables)):
        for offer, table in zip(layer, tables, strict=True):
            if offer is not None and offer.question not in told:
                told.add(offer.question)
                yield offer.question, table


def _of_table(table: Table, catalog: Catalog) -> Iterator[Offer]:
    """What can be asked of the table's file alone (over all files the like may be read in another): first shares,
    change and leaders, no two alike; rows as they are only where there is nothing else."""
    alone = narrowed(catalog, (table.file_name,))
    told: list[Offer] = []
    for offer in telling_offers(table, alone):
        if all(_is_unlike(offer, other, table) for other in told):
            told.append(offer)
            yield offer
    rest = unlike(offers_for(table, alone), table)
    figures = [offer for offer in rest if _way(offer, table) != WAYS[-1]]
    yield from figures if figures or told else rest


def _is_unlike(one: Offer, other: Offer, table: Table) -> bool:
    """Whether two offers ask in another way, or of other columns."""
    return _way(one, table) != _way(other, table) or not one.columns <= other.columns


def tells(answer: Answer) -> bool:
    """Whether an answer is worth being shown first: groups that differ, one leader, more than one period."""
    rows = answer.result.rows if answer.result is not None else ()
    figures = [float(cell) for row in rows for cell in row[1:2] if isinstance(cell, int | float | Decimal)]
    if len(rows) < FEWEST_GROUPS or len(figures) < len(rows):
        return bool(rows)
    leads = answer.plan is not None and any(query.limit == 1 for query in every_query(answer.plan))
    differ = max(figures) - min(figures) > LEAST_LEAD * min(map(abs, figures))
    alone = min(figures) >= 0 and max(figures) > MOST_ALONE * sum(figures)
    return not leads and differ and not alone


def is_from(answer: Answer, names: Collection[str]) -> bool:
    """Whether an answer tells something, and from the named tables alone."""
    sources = {source.name for source in answer.evidence.sources}
    has_rows = answer.result is not None and bool(answer.result.rows)
    return answer.status == "answered" and has_rows and bool(sources) and sources <= set(names)


def is_as_meant(answer: Answer, question: str, table: Table, catalog: Catalog) -> bool:
    """Whether an answer tells the figures, apart by the groups and of the rows, that its question was offered for: by
    then all readers have read it."""
    meant = readable(question, narrowed(catalog, (table.file_name,)), lambda plan: True)
    return meant is not None and answer.plan is not None and _told(meant) == _told(answer.plan)


def _told(plan: Plan) -> list[tuple[object, ...]]:
    """What a plan tells, whatever the order that its rows are shown in."""
    return [
        ({str(one.expr) for one in query.measures}, {str(one.expr) for one in query.groups}, query.where, query.limit)
        for query in every_query(plan)
    ]


def unlike(offers: Sequence[Offer], table: Table) -> list[Offer]:
    """The offers in an order in which each asks in another way than those before it, and then about other columns."""
    left, ordered = list(offers), list[Offer]()
    ways: set[str] = set()
    columns: set[str] = set()
    while left:
        best = max(left, key=lambda one: _telling(one, table, ways, columns))
        left.remove(best)
        ordered.append(best)
        ways.add(_way(best, table))
        columns |= best.columns
    return ordered


def _telling(
    offer: Offer, table: Table, ways: Collection[str], columns: Collection[str]
) -> tuple[bool, bool, bool, int, int]:
    """How much an offer adds to those that were taken: another column, then another way. Rows as they are add least."""
    way, new = _way(offer, table), len(offer.columns.difference(columns))
    return way != WAYS[-1], new > 0, way not in ways, -WAYS.index(way), new


def _way(offer: Offer, table: Table) -> str:
    """The way in which an offer asks, one of WAYS."""
    queries = list(every_query(offer.plan))
    groups = [group.expr for query in queries for group in query.groups]
    figures = [output.expr for query in queries for output in query.measures]
    if isinstance(offer.plan, Describe):
        return "rows"
    if any(_is_time(node, table) for expr in groups for node in every(expr)):
        return "over time"
    if any(query.limit and any(by.descending for by in query.order) for query in queries):
        return "the first"
    if not figures:
        return "rows"
    if not groups:
        return "one figure"
    counted = all(isinstance(figure, Aggregate) and figure.fn == "count" for figure in figures)
    return "counted" if counted else "by groups"


def _is_time(node: Node, table: Table) -> bool:
    if isinstance(node, ColumnRef):
        column = table.column(node.column)
        return column is not None and column.role == "time"
    return isinstance(node, Period)


def _period(table: Table, meant: TableMeaning) -> str:
    """From the first to the last month of the table's main date."""
    column = table.column(meant.date_column) if meant.date_column else None
    first, last = (column.minimum, column.maximum) if column is not None else (None, None)
    if not isinstance(first, date) or not isinstance(last, date):
        return ""
    months = dict.fromkeys(period(day, "month") for day in (first, last))
    return " to ".join(months)
