"""The metrics: each a small formula over the parts of a CRM, with what it means and where the definition comes from.

A `Figure` is measures over one table with the rows they count and the date a period restricts. Sources of definitions:
HubSpot's sales analytics glossary (win rate, deal velocity, weighted pipeline), Salesforce's "Sales KPIs" (quota
attainment, pipeline coverage, slippage), and the usual formulas of revenue operations; each docstring says its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from apps.analyst.computing.metrics.roles import Crm, Entity, Part
from apps.analyst.computing.metrics.rows import among, closed, column, lost, won
from apps.analyst.plan import (
    Aggregate,
    AggregateName,
    Arithmetic,
    Call,
    ColumnRef,
    Constant,
    Expr,
    Missing,
    Output,
    Predicate,
)
from apps.analyst.plan.conditions import all_of


class Lacking(Exception):
    """The data has no column for a part; the message says which, for the person who asked."""


@dataclass(frozen=True, slots=True)
class Figure:
    """What to compute: measures of the rows of `entity` that `where` lets through, told apart by the date `moment`."""

    entity: Entity
    measures: tuple[Output, ...]
    where: Predicate | None = None
    moment: Part | None = None
    noun: str = ""
    definition: str = ""


def need(entity: Entity | None, role: str, why: str) -> Part:
    """The column of a role. Raises Lacking with the plain reason where the data has none."""
    part = entity.part(role) if entity is not None else None
    if part is None:
        words = {
            "closed": "close date",
            "created": "create date",
            "target": "target amount",
            "start": "date of the target's period",
        }
        name = words.get(role, role)
        article = "an" if name[0] in "aeiou" else "a"
        raise Lacking(f"I need {article} {name} {why}, and found no such column in your data.")
    return part


def total(expr: Expr, where: Predicate | None = None, fn: AggregateName = "sum") -> Aggregate:
    """An aggregate of an expression over the rows that `where` lets through."""
    return Aggregate(fn=fn, of=expr, where=where)


def count(where: Predicate | None = None) -> Aggregate:
    """How many rows."""
    return Aggregate(fn="count", where=where)


def number(value: float) -> Constant:
    """A literal figure."""
    return Constant(value=value, type="number")


def per_cent(part: Expr, whole: Expr) -> Expr:
    """100 * part / whole; nothing where the whole is nothing."""
    safe = Call(name="nullif", args=(whole, number(0)))
    return Arithmetic(op="/", left=Arithmetic(op="*", left=number(100), right=part), right=safe)


def or_zero(expr: Expr) -> Expr:
    """A total over no rows is 0."""
    return Call(name="coalesce", args=(expr, number(0)))


def win_rate(crm: Crm, *, by_value: bool = False) -> Figure:
    """Won deals as a share of the deals that were decided: won / (won + lost), by close date.

    Source: HubSpot ("deal close rate" over closed deals) and Salesforce ("win rate"): open deals count on neither side.
    `by_value` weighs each deal by its amount.
    """
    deals = crm.entities["deals"]
    moment = need(deals, "closed", "to say in which period a deal was decided")
    if by_value:
        amount = column(need(deals, "amount", "for a win rate by value"))
        good, bad = or_zero(total(amount, won(deals))), or_zero(total(amount, lost(deals)))
        labels = ("Win rate by value", "Won amount", "Lost amount")
    else:
        good, bad = count(won(deals)), count(lost(deals))
        labels = ("Win rate", "Won deals", "Lost deals")
    rate = per_cent(good, Arithmetic(op="+", left=good, right=bad))
    unit = deals.parts["amount"].column.unit if by_value else None
    return Figure(
        deals,
        (
            Output(label=labels[0], expr=rate, unit="%"),
            Output(label=labels[1], expr=good, unit=unit),
            Output(label=labels[2], expr=bad, unit=unit),
        ),
        closed(deals),
        moment,
        "decided deals",
        f"Win rate = won / (won + lost){' by amount' if by_value else ''}; open deals count on neither side.",
    )


def weighted_pipeline(crm: Crm, where: Predicate | None) -> Figure:
    """Open deals' amounts, each times its probability. Source: HubSpot ("weighted amount" in the forecast tool)."""
    deals = crm.entities["deals"]
    amount, chance = need(deals, "amount", "to value the pipeline"), need(deals, "probability", "to weigh the pipeline")
    share: Expr = column(chance)
    maximum = chance.column.maximum
    if isinstance(maximum, int | float | Decimal) and maximum > 1:  # "Prob %" may hold 0.5 as well as 50
        share = Arithmetic(op="/", left=share, right=number(100))
    weighted = total(Arithmetic(op="*", left=column(amount), right=share))
    unit = amount.column.unit
    return Figure(
        deals,
        (
            Output(label="Weighted pipeline", expr=weighted, unit=unit),
            Output(label="Pipeline", expr=total(column(amount)), unit=unit),
        ),
        where,
        deals.part("closed"),
        "open deals",
        f"Weighted pipeline = {amount.name} × {chance.name}, added up over open deals.",
    )


def sales_cycle(crm: Crm, fn: AggregateName = "avg") -> Figure:
    """Days from creation to close of won deals. Source: HubSpot ("time to close"), Salesforce ("sales cycle length").

    Every won deal with both dates counts, also the few whose dates were entered the wrong way round.
    """
    deals = crm.entities["deals"]
    begin = column(need(deals, "created", "to measure the sales cycle"))
    end_part = need(deals, "closed", "to measure the sales cycle")
    days = Call(name="days_between", args=(begin, column(end_part)))
    sane = all_of(won(deals), Missing(of=begin, negated=True), Missing(of=column(end_part), negated=True))
    word = {"avg": "Average", "median": "Median", "min": "Shortest", "max": "Longest"}.get(fn, "Average")
    return Figure(
        deals,
        (Output(label=f"{word} sales cycle", expr=total(days, fn=fn), unit="days"),),
        sane,
        end_part,
        "won deals",
        f"Sales cycle = days from {begin.column} to {end_part.name} of won deals.",
    )


def churn_rate(crm: Crm) -> tuple[Entity, Predicate, str]:
    """The rows that churned, with the rule: a churn date is known, else the lifecycle stage says so."""
    companies = crm.get("companies")
    if companies is None:
        raise Lacking("I need a table of companies to speak of churn, and found none in your data.")
    moment = companies.part("churned")
    if moment is not None:
        return companies, Missing(of=column(moment), negated=True), f"Churned = {moment.name} is filled in."
    if companies.states is not None and companies.states.lost:
        words = " or ".join(companies.states.lost)
        return (
            companies,
            among(companies.states.part, companies.states.lost),
            f"Churned = {companies.states.part.name} is {words}.",
        )
    raise Lacking("I need a churn date or a lifecycle stage that says who left, and found no such column in your data.")


def reference(label: str) -> ColumnRef:
    """A figure of an inner query."""
    return ColumnRef(table="", column=label)
