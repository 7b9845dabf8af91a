"""When: periods, two of them side by side, and which date they restrict."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from apps.analyst.knowledge.english import english
from apps.analyst.language.periods import PeriodMention, month_start, period_of
from apps.analyst.language.readers.metrics_line import Line
from apps.analyst.language.readers.metrics_parts import GRAINS, Ask
from apps.analyst.plan import Grain


def unit_of(mention: PeriodMention) -> Grain:
    unit = mention.label.rsplit(" ", 1)[-1].rstrip("s")
    return GRAINS.get(unit, "month")


def whole_units(mention: PeriodMention, ask: Ask, today: date) -> PeriodMention:
    """The last 12 months, told by month, are whole calendar months up to the present one."""
    match = re.fullmatch(r"(?:last|past|previous) (\d+) (day|week|month|quarter|year)s", mention.label)
    grains = [group.grain for group in ask.groups if group.grain]
    if not match or not grains or match[2] == "day":
        return mention
    number, unit = int(match[1]), match[2]
    fits = (
        unit == grains[0]
        or (grains[0] == "month" and unit in ("quarter", "year"))
        or (grains[0] == "quarter" and unit == "year")
    )
    if not fits:
        if grains[0] == "week":
            low = mention.low or today
            return replace(mention, low=low - timedelta(days=low.weekday()))
        return mention
    units = {"month": 1, "quarter": 3, "year": 12}
    if unit == "week":
        low, high = period_of(today, "week", 1 - number)[0], period_of(today, "week")[1]
    else:
        size = units[grains[0]]
        high = period_of(today, grains[0])[1]
        begin = high.year * 12 + high.month - 1 - number * units[unit] // size * size
        low = month_start(begin // 12, begin % 12 + 1)
    ask.assumed.append(f"The {mention.label} end with the present {grains[0]}, which is not over")
    return replace(mention, low=low, high=high)


def read_comparison(line: Line, ask: Ask, today: date) -> None:
    if line.take(r"(?:what|how) about|instead|rather"):
        # A follow-up: the later period takes the place of the earlier one.
        ask.periods = ask.periods[-1:]
    said = line.take(
        r"(?:how )?(?:does|did|do|has|have|is|are)?(?: .{0,0})?compared?(?:s)?(?: with| to| against)?|"
        r"compares?(?: with| to| against)?|versus|vs|than|relative to|against"
    )
    if line.take(r"year (?:over|on) year|yoy"):
        said, ask.periods = said or re.match("", ""), ask.periods or [_present("year", today)]
    if len(ask.periods) == 2 and not any(group.grain for group in ask.groups):
        ask.compared = True
        ask.periods.sort(key=lambda mention: mention.low or date.min, reverse=True)
        changes = any(f" {phrase} " in f" {line.whole} " for phrase in english().cues["change"])
        ask.listed = bool(line.take("and")) and not said and not changes
    elif (
        said
        and len(ask.periods) == 1
        and re.fullmatch(r"(?:last|previous) (?:day|week|month|quarter|year)", ask.periods[0].label)
    ):
        ask.compared = True
        ask.periods.insert(0, _present(unit_of(ask.periods[0]), today))


def _present(unit: str, today: date) -> PeriodMention:
    low, high = period_of(today, unit)
    return PeriodMention(0, 0, low, high, f"this {unit}", relative=True)


def read_dates(line: Line, ask: Ask) -> None:
    """The date that is said outright: "with a close date", "the oldest create date"."""
    if line.take(
        r"(?:(?:with|whose|have|has|having) )?(?:(?:a|an|the|their) )?(?:expected )?clos(?:e|ing) dates?(?: is| "
        r"are| in| of)?"
    ):
        ask.moment = "closed"
    if line.take(r"(?:(?:with|whose|have|has) )?(?:(?:a|an|the|their) )?creat(?:e|ion) dates?(?: is| are| in| of)?"):
        ask.moment = "created"


def read_closing(line: Line, ask: Ask) -> None:
    """When open deals are expected to close ("closing this quarter"), or when deals were decided ("did we close")."""
    if ask.kind != "deals":
        return
    if line.take(r"closing|(?:expected|due|set|scheduled|going) to close(?: by)?|due"):
        ask.states = tuple(dict.fromkeys((*ask.states, "open")))
        ask.moment = ask.moment or "closed"
    elif line.take(r"close(?: in)?"):
        if "open" in ask.states:
            ask.moment = ask.moment or "closed"
        elif not {"won", "lost", "closed"} & set(ask.states):
            ask.states += ("closed",)
