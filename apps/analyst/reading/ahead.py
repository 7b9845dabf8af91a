"""Deals of days that lie ahead have not ended: "deals closing next month" are open, whatever "closing" lies near to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from apps.analyst.computing.compile.walk import with_queries
from apps.analyst.computing.metrics.names import LOST_VALUE, WON_VALUE
from apps.analyst.plan import Among, Between, ColumnRef, Compare, Constant, Plan, Predicate, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.ports import Catalog
from apps.analyst.reading.outcomes import Outcomes, ends_in, states_said
from apps.analyst.telling.evidence import tables_of


def with_open_ahead(plan: Plan, tokens: Sequence[str], today: date, catalog: Catalog) -> Plan:
    """The plan with what is still open in the place of what was won or lost, where its days all lie behind `today`
    and no word of the question (`tokens`, in lower case) says that something was won or lost."""
    if any(_is_end(value) for state in states_said(tokens) for value in state.values):
        return plan
    ends = ends_in(catalog)
    known = {end.of: end for table in tables_of(plan) for end in ends.get(table, ())}
    return with_queries(plan, lambda query: _query(query, known, today)) if known else plan


def _query(query: Query, known: dict[ColumnRef, Outcomes], today: date) -> Query:
    if isinstance(query.source, Query):
        query = query.model_copy(update={"source": _query(query.source, known, today)})
    tests = conjuncts(query.where)
    if not any(_lies_ahead(test, today) for test in tests):
        return query
    return query.model_copy(update={"where": together([_still_open(test, known) or test for test in tests])})


def _lies_ahead(test: Predicate, today: date) -> bool:
    """Whether a condition keeps days behind today alone."""
    match test:
        case Between(of=ColumnRef(), low=Constant(type="date", value=first)):
            return str(first)[:10] > today.isoformat()
        case Compare(op=">" | ">=", left=ColumnRef(), right=Constant(type="date", value=first)):
            return str(first)[:10] > today.isoformat()
    return False


def _still_open(test: Predicate, known: dict[ColumnRef, Outcomes]) -> Predicate | None:
    """The condition that nothing has ended, for one that everything has; None for all others."""
    values: Iterable[object]
    match test:
        case Compare(op="=", left=ColumnRef() as of, right=Constant(value=str(value))):
            values = [value]
        case Among(of=ColumnRef() as of, negated=False):
            values = [one.value for one in test.values]
        case _:
            return None
    found = known.get(of)
    ended = (*found.won, *found.lost, *found.dropped) if found is not None else ()
    return found.among(ended, negated=True) if found is not None and set(values) <= set(ended) else None


def _is_end(value: str) -> bool:
    return bool(WON_VALUE.search(value) or LOST_VALUE.search(value))
