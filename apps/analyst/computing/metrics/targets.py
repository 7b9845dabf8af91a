"""What was won against what was to be won: attainment, gap and coverage, in all, by period, by owner, by team.

Attainment = won amount / target (Salesforce, "quota attainment"). Gap = target - won. Coverage = open amount expected
in the period / what is left of the target (the usual "pipeline coverage"). Won deals count by their close date.

Deals and targets are kept at different grains, so each is first added up per target period; only then they meet.
"""

from __future__ import annotations

from dataclasses import dataclass

from apps.analyst.computing.metrics.figures import need, number, or_zero, per_cent, reference, total
from apps.analyst.computing.metrics.roles import Crm, Entity, Part
from apps.analyst.computing.metrics.rows import column, open_, won
from apps.analyst.plan import (
    Aggregate,
    Arithmetic,
    Call,
    Combine,
    Compare,
    Expr,
    Grain,
    Join,
    JoinKey,
    Missing,
    NamedQuery,
    Order,
    Output,
    Period,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import all_of

WON, TARGET, OPEN, PERIOD, OWNER = "Won", "Target", "Open", "Period", "Owner"


@dataclass(frozen=True, slots=True)
class Race:
    """What is asked of won and target: `first` is the figure that leads; `by` how it is told apart."""

    first: str
    """"won", "attainment", "gap" or "coverage"."""
    grain: Grain | None = None
    by: str = ""
    """"", "owner" or "team"."""


def plan(
    crm: Crm,
    race: Race,
    deals_in: Predicate | None,
    targets_in: Predicate | None,
    keep: tuple[Predicate, Predicate] | None,
) -> Plan:
    """The plan of a race. `deals_in` and `targets_in` hold the period for either side, `keep` the owners for both."""
    deals, targets = crm.entities["deals"], crm.get("targets")
    for role, why in (("target", "to compare with"), ("start", "to know for when a target is set")):
        need(targets, role, why)
    need(deals, "closed", "to know when a deal was won")
    assert targets is not None
    deals_in, targets_in = (all_of(deals_in, keep[0]), all_of(targets_in, keep[1])) if keep else (deals_in, targets_in)
    if race.by:
        return _by_owner(crm, deals, targets, race, targets_in)
    if race.grain is not None:
        return _by_period(deals, targets, race, deals_in)
    return _alone(deals, targets, race, deals_in, targets_in)


def figures(race: Race, unit: str | None, won_: Expr, target: Expr, open_amount: Expr | None) -> tuple[Output, ...]:
    """The figures of a race in the order in which they answer the question."""
    left = Arithmetic(op="-", left=target, right=won_)
    attainment = Output(label="Attainment", expr=per_cent(won_, target), unit="%")
    amounts = (Output(label="Won amount", expr=won_, unit=unit), Output(label=TARGET, expr=target, unit=unit))
    gap = Output(label="Gap to target", expr=left, unit=unit)
    match race.first:
        case "attainment":
            return attainment, *amounts
        case "gap":
            return gap, *amounts, attainment
        case "coverage":
            assert open_amount is not None
            rest = Call(name="nullif", args=(Call(name="greatest", args=(left, number(0))), number(0)))
            coverage = Output(
                label="Coverage",
                expr=Arithmetic(op="/", left=Arithmetic(op="*", left=number(1.0), right=open_amount), right=rest),
                unit="times",
            )
            return coverage, Output(label="Open pipeline", expr=open_amount, unit=unit), *amounts, gap
        case _:
            return *amounts, attainment


def _amount(deals: Entity) -> Part:
    return need(deals, "amount", "to compare with the target")


def _alone(
    deals: Entity, targets: Entity, race: Race, deals_in: Predicate | None, targets_in: Predicate | None
) -> Combine:
    amount = _amount(deals)
    unit = amount.column.unit
    goal = or_zero(total(column(targets.parts["target"])))
    parts = [
        _figure(WON, deals, all_of(won(deals), deals_in), or_zero(total(column(amount))), unit),
        _figure(TARGET, targets, targets_in, goal, unit),
    ]
    if race.first == "coverage":
        parts.append(_figure(OPEN, deals, all_of(open_(deals), deals_in), or_zero(total(column(amount))), unit))
    refs = reference(WON), reference(TARGET), reference(OPEN) if race.first == "coverage" else None
    return Combine(parts=tuple(parts), outputs=figures(race, unit, *refs))


def _figure(label: str, entity: Entity, where: Predicate | None, expr: Expr, unit: str | None) -> NamedQuery:
    query = Query(source=entity.table.name, where=where, measures=(Output(label=label, expr=expr, unit=unit),))
    return NamedQuery(label=label, query=query)


def _by_period(deals: Entity, targets: Entity, race: Race, deals_in: Predicate | None) -> Query:
    """Won per target period, with that period's targets beside it; then put together to the asked grain."""
    amount, close, start, goal = _amount(deals), deals.parts["closed"], targets.parts["start"], targets.parts["target"]
    unit = amount.column.unit
    own = Output(label=PERIOD, expr=Period(grain=targets.grain, of=column(close)))
    inner = Query(
        source=deals.table.name,
        where=all_of(deals_in, Missing(of=column(close), negated=True)),
        groups=(own,),
        measures=_both_amounts(deals, amount, None),
    )
    fits = JoinKey(left=reference(PERIOD), right=column(start))
    middle = Query(
        source=inner,
        joins=(Join(table=targets.table.name, on=(fits,), how="inner"),),
        groups=(Output(label=PERIOD, expr=reference(PERIOD)),),
        measures=(
            Output(label=WON, expr=Aggregate(fn="max", of=reference(WON)), unit=unit),
            Output(label=OPEN, expr=Aggregate(fn="max", of=reference(OPEN)), unit=unit),
            Output(label=TARGET, expr=total(column(goal)), unit=unit),
        ),
    )
    assert race.grain is not None
    label = race.grain.capitalize()
    return Query(
        source=middle,
        groups=(Output(label=label, expr=Period(grain=race.grain, of=reference(PERIOD))),),
        measures=figures(race, unit, total(reference(WON)), total(reference(TARGET)), total(reference(OPEN))),
        order=_by(label),
    )


def _by(label: str, *, descending: bool = False) -> tuple[Order, ...]:
    return (Order(by=label, descending=descending),)


def _both_amounts(deals: Entity, amount: Part, also: Predicate | None) -> tuple[Output, Output]:
    unit = amount.column.unit
    return (
        Output(label=WON, expr=or_zero(total(column(amount), all_of(won(deals), also))), unit=unit),
        Output(label=OPEN, expr=or_zero(total(column(amount), all_of(open_(deals), also))), unit=unit),
    )


def _by_owner(crm: Crm, deals: Entity, targets: Entity, race: Race, targets_in: Predicate | None) -> Query:
    """Each target with what its owner won in its period; then by owner, or by the team that the owner belongs to."""
    amount, close, start, goal = _amount(deals), deals.parts["closed"], targets.parts["start"], targets.parts["target"]
    unit = amount.column.unit
    mine = need(targets, "owner", "beside the targets to tell them apart")
    theirs = need(deals, "owner", "beside the deals to compare each with a target")
    same = Compare(
        op="=", left=Period(grain=targets.grain, of=column(close)), right=Period(grain=targets.grain, of=column(start))
    )
    key = JoinKey(left=column(mine), right=column(theirs), fold=True)
    inner = Query(
        source=targets.table.name,
        joins=(Join(table=deals.table.name, on=(key,), how="left"),),
        where=targets_in,
        groups=(Output(label=OWNER, expr=column(mine)), Output(label=PERIOD, expr=column(start))),
        measures=(
            *_both_amounts(deals, amount, same),
            Output(label=TARGET, expr=Aggregate(fn="max", of=column(goal)), unit=unit),
        ),
    )
    group = Output(label=OWNER, expr=reference(OWNER))
    joins: tuple[Join, ...] = ()
    if race.by == "team":
        people = crm.get("owners")
        team, name = need(people, "team", "of each owner"), need(people, "name", "of each owner")
        joins = (
            Join(table=team.table, on=(JoinKey(left=reference(OWNER), right=column(name), fold=True),), how="left"),
        )
        group = Output(label="Team", expr=column(team))
    groups: tuple[Output, ...] = (group,)
    if race.grain is not None:
        groups = (Output(label=race.grain.capitalize(), expr=Period(grain=race.grain, of=reference(PERIOD))), group)
    measures = figures(race, unit, total(reference(WON)), total(reference(TARGET)), total(reference(OPEN)))
    return Query(
        source=inner, joins=joins, groups=groups, measures=measures, order=_by(measures[0].label, descending=True)
    )


def without_target(crm: Crm) -> tuple[str, ...]:
    """Owners of deals who have no target: what they won is in no attainment by owner."""
    deals, targets = crm.entities["deals"], crm.get("targets")
    mine, theirs = deals.part("owner"), targets.part("owner") if targets is not None else None
    if mine is None or theirs is None or not (mine.column.values_complete and theirs.column.values_complete):
        return ()
    known = {count.value.strip().casefold() for count in theirs.column.values}
    return tuple(count.value for count in mine.column.values if count.value.strip().casefold() not in known)
