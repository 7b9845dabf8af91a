"""The day that a question counts to instead of today: "average tenure as at 30 June 2024", "age of open invoices as of
31 March". The words for it stand in knowledge/english.yaml."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.knowledge.english import english
from apps.analyst.plan import Call, Compare, Constant, Node, Plan, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.nodes import every
from apps.analyst.reading.calendars import Range
from apps.analyst.reading.periods_beside import PeriodMention

_DAY = timedelta(1)
_BETWEEN = "_between"
"""How the names of functions end that count from one date to another."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A named day. `sure` where its words say nothing else: "as at", but not "on"."""

    day: date
    sure: bool
    place: int = 0
    """Which of the question's periods it is."""


def reference(tokens: Sequence[str], found: Sequence[PeriodMention], today: date) -> Reference | None:
    """The last day of the period that words of reference stand before; with words that may say something else only a
    single day."""
    words = english()
    for n, one in enumerate(found):
        place, (start, end) = one.start, one.ranges[0]
        while place and tokens[place - 1] in words.definite | words.ends | words.of_whole and not _said(tokens, place):
            place -= 1
        sure, single = _said(tokens, place), end - start == _DAY
        if one.counted or not (sure or (single and tokens[place - 1 : place] and tokens[place - 1] in words.on_day)):
            continue
        return Reference(start if single else max(start, min(end - _DAY, today)), sure, n)
    return None


def _said(tokens: Sequence[str], place: int) -> bool:
    return any(" ".join(tokens[max(place - n, 0) : place]) in english().reference for n in (1, 2))


def as_at(plan: Plan, known: Reference | None, today: date) -> Plan:
    """The plan that counts to the day of reference where it counted to today, and has no rows of that day alone; as it
    is where it does not count to today, or the day may be what a condition means."""
    if known is None or not _counts_to(plan, today):
        return plan
    if not known.sure and known.day.isoformat() in _days(plan):
        return plan
    made = _without_day(plan, (known.day, known.day + _DAY)) if isinstance(plan, Query) else plan
    now = Constant(value=known.day.isoformat(), type="date")

    def change(node: Node) -> Node | None:
        if not isinstance(node, Call) or not node.name.endswith(_BETWEEN):
            return None
        args = tuple(now if _is_day(arg, today) else rewrite(arg, change) for arg in node.args)
        return node.model_copy(update={"args": args})

    return rewrite(made, change)


def _counts_to(plan: Plan, today: date) -> bool:
    """Whether the plan counts from a date to today."""
    calls = (node for node in every(plan) if isinstance(node, Call) and node.name.endswith(_BETWEEN))
    return any(_is_day(arg, today) for call in calls for arg in call.args)


def _is_day(node: Node, day: date) -> bool:
    return isinstance(node, Constant) and node.type == "date" and node.value == day.isoformat()


def _days(plan: Plan) -> Iterator[str]:
    return (str(node.value) for node in every(plan) if isinstance(node, Constant) and node.type == "date")


def _without_day(plan: Query, day: Range) -> Query:
    """The query without the conditions that hold a date inside the day."""
    tests = conjuncts(plan.where)
    held = [test for test in tests if isinstance(test, Compare)]
    inside = [
        test
        for first in held
        for second in held
        if first.left == second.left and (first.op, second.op) == (">=", "<")
        if _is_day(first.right, day[0]) and _is_day(second.right, day[1])
        for test in (first, second)
    ]
    return plan.model_copy(update={"where": together([test for test in tests if test not in inside])})
