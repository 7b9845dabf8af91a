"""Which date a question goes by: often a table has several, and no word of the question says which is meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from apps.analyst.computing.compile.walk import references, rewrite, within
from apps.analyst.language.morphology import keys, words
from apps.analyst.language.names import split
from apps.analyst.plan import (
    ColumnRef,
    Combine,
    Comparison,
    Drivers,
    Node,
    Part,
    Plan,
    Query,
    SetOperation,
    Statistic,
)
from apps.analyst.plan.parting import date_columns
from apps.analyst.ports import Catalog
from apps.analyst.telling.evidence import every_query
from apps.analyst.types import Question

MOST_MISSING = 0.5
"""A date column with more gaps than this is no date that rows go by."""
_PERSONAL = words("birth birthday hire hired updated modified update modify due required")
_EMPTY = words("date at on time day month year of the timestamp quarter utc")
_MEANT = {
    "close": words("win won lose lost decide sign loss"),
    "create": words("new open add"),
    "churn": words("leave left cancel"),
    "start": words("hold held meeting begin target quota"),
    "send": words("email sent"),
}
"""Words that say which date is meant without naming it."""


def _forms(said: Iterable[str]) -> frozenset[str]:
    return frozenset(form for word in said for form in keys(word))


_BEGINNINGS = _forms(words("create open enter submit request add receive"))
_ENDINGS = _forms(words("close sign win resolve complete finish decide solve"))


def open_date(text: str, plan: Plan) -> ColumnRef | None:
    """The one date that the plan goes by, where no word of the question says that it is meant."""
    used = gone_by(plan)
    if len(used) != 1 or is_named(text, used[0].column):
        return None
    return used[0]


def gone_by(plan: Plan) -> list[ColumnRef]:
    """The dates by which a plan restricts or tells apart its rows, each once."""
    queries = list(every_query(plan))
    used = [ref for query in queries for ref in date_columns(query)]
    parts = (node for query in queries if query.where is not None for node in within(query.where))
    used += [ref for part in parts if isinstance(part, Part) for ref in references(part)]
    return list(dict.fromkeys([*used, *_compared_dates(plan)]))


def others(mine: ColumnRef, catalog: Catalog) -> Iterator[ColumnRef]:
    """The other dates of the table that its rows can go by, in its order."""
    table = next((t for t in catalog.tables() if t.name == mine.table), None)
    for other in table.columns if table is not None else ():
        personal = _PERSONAL & {word.casefold() for word in split(other.name)}
        dated = other.type in ("date", "datetime") and other.name != mine.column
        if table is not None and dated and not personal and other.missing <= MOST_MISSING * max(table.rows, 1):
            yield ColumnRef(table=table.name, column=other.name)


def as_likely(mine: ColumnRef, other: ColumnRef) -> bool:
    """True where one is the date at which a thing is opened and the other that at which it is done: "in March" says
    neither.

    An order that is shipped, an invoice that is paid or an event that ends has a date of its own, the first.
    """
    one, two = _own(mine.column), _own(other.column)
    return bool(one & _BEGINNINGS and two & _ENDINGS) or bool(one & _ENDINGS and two & _BEGINNINGS)


def by_other_date(plan: Plan, mine: ColumnRef, other: ColumnRef) -> Plan:
    """The plan that goes by another date."""

    def change(node: Node) -> Node | None:
        return other if node == mine else None

    def changed(query: Query) -> Query:
        inner = query.model_copy(update={"source": changed(query.source)}) if isinstance(query.source, Query) else query
        return rewrite(inner, change).model_copy(update={"noun": "", "scope": "", "known_until": ""})

    swapped = each_query(plan, changed)
    if isinstance(swapped, Comparison):
        sides = {"current": rewrite(swapped.current, change), "baseline": rewrite(swapped.baseline, change)}
        swapped = swapped.model_copy(update=sides)
    return swapped


def as_taught(plan: Plan, question: Question, catalog: Catalog) -> Plan:
    """The plan by the date that people said its table goes by, where no word of the question says which is meant and
    the thread has not gone by another."""
    taught = _taught_dates(catalog)
    mine = open_date(question.text, plan) if taught else None
    other = taught.get(mine.table) if mine is not None else None
    if mine is None or other is None or other == mine:
        return plan
    before = question.turns[-1].plan if question.turns else None
    return plan if before is not None and mine in gone_by(before) else by_other_date(plan, mine, other)


def is_taught(mine: ColumnRef, catalog: Catalog) -> bool:
    """Whether people said that the table goes by this date."""
    return _taught_dates(catalog).get(mine.table) == mine


def _taught_dates(catalog: Catalog) -> dict[str, ColumnRef]:
    """By table, the dates that people named which are there."""
    said = ((table, entry.date_column) for table in catalog.tables() for entry in table.taught if entry.date_column)
    found = ((table, table.column(name)) for table, name in said)
    return {
        table.name: ColumnRef(table=table.name, column=column.name)
        for table, column in found
        if column is not None and column.type in ("date", "datetime")
    }


def is_named(text: str, column: str) -> bool:
    """True where a word of the text speaks of this date column, or its name is just "date"."""
    asked, own = _forms(re.findall(r"[a-z]+", text.casefold())), _own(column)
    meant = _forms(word for date, said in _MEANT.items() if own & keys(date) for word in said)
    return not own or bool(asked & (own | meant))


def _own(column: str) -> frozenset[str]:
    return _forms({word.casefold() for word in split(column)} - _EMPTY)


def _compared_dates(plan: Plan) -> list[ColumnRef]:
    if not isinstance(plan, Comparison):
        return []
    return [ref for side in (plan.current, plan.baseline) for ref in references(side)]


def each_query(plan: Plan, change: Callable[[Query], Query]) -> Plan:
    """The plan with each of its outer queries changed."""
    match plan:
        case Query():
            return change(plan)
        case Comparison() | Statistic():
            return plan.model_copy(update={"query": change(plan.query)})
        case Drivers():
            return plan.model_copy(update={"comparison": each_query(plan.comparison, change)})
        case Combine():
            parts = tuple(part.model_copy(update={"query": change(part.query)}) for part in plan.parts)
            return plan.model_copy(update={"parts": parts})
        case SetOperation():
            return plan.model_copy(update={"left": change(plan.left), "right": change(plan.right)})
        case _:
            return plan
