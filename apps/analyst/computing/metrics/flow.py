"""How deals move: how old open ones are, how many slip, how many go on from stage to stage, how long they stay in one.

Formulas, by the parts of a CRM (`roles`):

* age = days from the create date to today, of open deals (HubSpot, "deal age");
* slippage rate = open deals whose close date has passed / open deals with a close date; that a close date was moved is
  not to be seen in present values, so it is not counted (Salesforce calls both "slipped");
* stage conversion = deals that entered the next stage / deals that entered the stage (HubSpot, "stage conversion");
* time in stage = days from entering the stage to leaving it, else to entering the next; today for deals still in it.

Stages need the dates on which they were entered: HubSpot's "Date entered ..." columns, or others called so.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass
from datetime import date

from apps.analyst.computing.metrics.figures import count, need, per_cent, total
from apps.analyst.computing.metrics.roles import Crm, Entity, Part
from apps.analyst.computing.metrics.rows import before, column
from apps.analyst.plan import Aggregate, AggregateName, Call, Constant, Expr, Missing, Output, Predicate
from apps.analyst.plan.conditions import all_of

_ENTERED = re.compile(
    r"(?:date |time )?(?:entered|entry)(?: date| time)?(?: (?:stage|into))?[ :]+[\"“']?(?P<stage>.+?)[\"”']?"
    r"|(?P<before>.+?) (?:stage )?(?:entered|entry)(?: date| on| at)?",
    re.IGNORECASE,
)
_EXITED = re.compile(
    r"(?:date |time )?(?:exited|left|exit)(?: date| time)?(?: (?:stage|from))?[ :]+[\"“']?(?P<stage>.+?)[\"”']?"
    r"|(?P<before>.+?) (?:stage )?(?:exited|left|exit)(?: date| on| at)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Stage:
    """A stage with the columns that say when a deal entered and, where there is one, when it left."""

    name: str
    entered: Part
    left: Part | None = None


def stages(crm: Crm) -> tuple[Stage, ...]:
    """The deals' stages that have a date of entry, in the order of their columns."""
    deals = crm.entities["deals"]
    gone = {name.casefold(): part for name, part in _dated(deals, _EXITED)}
    return tuple(Stage(name, part, gone.get(name.casefold())) for name, part in _dated(deals, _ENTERED))


def _dated(deals: Entity, pattern: re.Pattern[str]) -> list[tuple[str, Part]]:
    found = []
    for each in deals.table.columns:
        match = pattern.fullmatch(re.sub(r"[_\s]+", " ", each.name).strip())
        if match is not None and each.type in ("date", "datetime"):
            name = re.sub(r"\s*\([^)]*\)$", "", (match["stage"] or match["before"]).strip("\"“”' "))
            found.append((name, Part(deals.table.name, each)))
    return found


def age(crm: Crm, today: date, fn: AggregateName = "avg") -> tuple[tuple[Output, ...], str]:
    """The age of deals in days, and its definition. Raises Lacking."""
    created = need(crm.entities["deals"], "created", "to know how old a deal is")
    days = Call(name="days_between", args=(column(created), _day(today)))
    word = {"median": "Median", "max": "Highest", "min": "Lowest"}.get(fn, "Average")
    figure = Output(label=f"{word} age", expr=total(days, fn=fn), unit="days")
    return (figure, Output(label="Open deals", expr=count())), f"Age = days from {created.name} to today"


def slippage(crm: Crm, today: date) -> tuple[tuple[Output, ...], str]:
    """The share of open deals whose close date has passed, and its definition. Raises Lacking."""
    close = need(crm.entities["deals"], "closed", "to know which deals slipped")
    known: Predicate = Missing(of=column(close), negated=True)
    late, dated = count(before(close, today)), count(known)
    amount = crm.entities["deals"].part("amount")
    outputs = [
        Output(label="Slippage rate", expr=per_cent(late, dated), unit="%"),
        Output(label="Slipped deals", expr=late),
        Output(label="Open deals with a close date", expr=dated),
    ]
    if amount is not None:
        slipped = total(column(amount), before(close, today))
        outputs.append(Output(label="Slipped amount", expr=slipped, unit=amount.column.unit))
    told = f"Slippage rate = open deals past their {close.name} / open deals with one; moved dates are not to be seen"
    return tuple(outputs), told


def conversion(found: tuple[Stage, ...]) -> tuple[tuple[Output, ...], str]:
    """From each stage to the next, in per cent, and the definition."""
    outputs = []
    for one, following in itertools.pairwise(found):
        entered, went_on = _known(one.entered), _known(following.entered)
        rate = per_cent(count(all_of(entered, went_on)), count(entered))
        outputs.append(Output(label=f"{one.name} to {following.name}", expr=rate, unit="%"))
    return tuple(outputs), "Stage conversion = deals that entered the next stage / deals that entered the stage"


def time_in_stage(found: tuple[Stage, ...], today: date) -> tuple[tuple[Output, ...], str]:
    """The average days in each stage, and the definition."""
    outputs = []
    for place, stage in enumerate(found):
        ends: list[Expr] = [column(stage.left)] if stage.left is not None else []
        ends += [column(later.entered) for later in found[place + 1 : place + 2]]
        end = Call(name="coalesce", args=(*ends, _day(today))) if ends else _day(today)
        if not ends:
            continue  # nobody leaves the last stage
        days = Call(name="days_between", args=(column(stage.entered), end))
        outputs.append(Output(label=stage.name, expr=Aggregate(fn="avg", of=days), unit="days"))
    return tuple(outputs), "Time in stage = days from entering a stage to leaving it, to today for deals still in it"


def _known(part: Part) -> Predicate:
    return Missing(of=column(part), negated=True)


def _day(value: date) -> Constant:
    return Constant(value=value.isoformat(), type="date")
