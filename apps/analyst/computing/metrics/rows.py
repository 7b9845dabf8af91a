"""Which rows count: won, lost, open, overdue and silent deals, as predicates over the parts of a CRM."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta

from apps.analyst.computing.metrics.roles import Entity, Part
from apps.analyst.plan import Among, AnyOf, ColumnRef, Compare, Constant, Missing, Predicate


def column(part: Part) -> ColumnRef:
    """A part's column."""
    return ColumnRef(table=part.table, column=part.name)


def among(part: Part, values: Iterable[str], *, negated: bool = False) -> Predicate:
    """The column holds one of the values (or, negated, none; a missing value is then none of them)."""
    chosen = tuple(Constant(value=value) for value in values)
    if len(chosen) == 1 and not negated:
        return Compare(op="=", left=column(part), right=chosen[0])
    test: Predicate = Among(of=column(part), values=chosen, negated=negated)
    return AnyOf(of=(test, Missing(of=column(part)))) if negated and part.column.missing else test


def won(deals: Entity) -> Predicate:
    """Deals whose stage says won."""
    assert deals.states is not None
    return among(deals.states.part, deals.states.won)


def lost(deals: Entity) -> Predicate:
    """Deals whose stage says lost."""
    assert deals.states is not None
    return among(deals.states.part, deals.states.lost)


def closed(deals: Entity) -> Predicate:
    """Decided deals: won or lost."""
    assert deals.states is not None
    return among(deals.states.part, (*deals.states.won, *deals.states.lost))


def open_(deals: Entity) -> Predicate:
    """Deals that are neither won, lost nor dropped."""
    assert deals.states is not None
    return among(deals.states.part, (*deals.states.won, *deals.states.lost, *deals.states.dropped), negated=True)


def before(part: Part, day: date) -> Predicate:
    """The date lies before a day."""
    return Compare(op="<", left=column(part), right=Constant(value=day.isoformat(), type="date"))


def silent(activity: Part, today: date, days: int) -> Predicate:
    """No activity for at least so many days, or none ever."""
    return AnyOf(of=(before(activity, today - timedelta(days=days)), Missing(of=column(activity))))
