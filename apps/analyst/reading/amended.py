"""What a question says that a sketch cannot, or often passes over: the third best, without December, up to August, the
top ten percent. It is put into the plan of a sketch; a plan that has no place for it is none, so that nothing of it is
passed over in silence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date

from apps.analyst.knowledge.english import english
from apps.analyst.plan import Between, ColumnRef, Compare, Constant, InQuery, Node, Not, Plan, Predicate, Query
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.nodes import every
from apps.analyst.reading.averages import against_average
from apps.analyst.reading.calendars import Range
from apps.analyst.reading.first_events import of_first_events
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.like_for_like import meant
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.own_rows import of_own_rows
from apps.analyst.reading.periods_compared import sides
from apps.analyst.reading.reference import as_at

_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d")
LONGEST_NAME = 4
"""Words of the longest name of a thing that is looked for."""
BEFORE = 4
"""Words between which and a period a word that excludes it stands: "without the month of December"."""


def amended(plan: Plan, linked: Linked) -> Plan:
    """The plan with what the question says beside its sketch. Raises Unfit where the plan has no place for it."""
    _hold_percent(plan, linked)
    _hold_sequence(plan, linked)
    plan = of_first_events(against_average(_apart(plan), linked), linked)
    plan = of_own_rows(plan, linked)
    plan = as_at(plan, linked.reference, linked.today)
    made = _ranked(_open_ended(_without(plan, linked), linked), linked)
    _hold_narrow(made, linked)
    _hold_sides(made, linked)
    return made


def is_heeded(plan: Plan, linked: Linked) -> bool:
    """Whether a plan of another reader has in it what the question says beside any sketch."""
    try:
        made = amended(plan, linked)
    except Unfit:
        return False
    return made == _apart(plan)


def place_asked(tokens: Sequence[str]) -> int | None:
    """Which place of a ranking is asked for, from 2 on ("the third best month"); None where none is."""
    known = english()
    ends = {word for form in ("highest", "lowest") for word in known.cues[form] if " " not in word}
    for place, word in enumerate(tokens[:-1]):
        number = known.ordinals.get(word, 0)
        if number > 1 and tokens[place + 1] in ends:
            return number
    return None


def excluded(linked: Linked) -> list[Range]:
    """The periods that the question leaves out: "excluding December"."""
    return [
        one
        for period in linked.periods
        if _is_left_out(linked.tokens[max(0, period.start - BEFORE) : period.start])
        for one in period.ranges
    ]


def _is_left_out(before: Sequence[str]) -> bool:
    """Whether words exclude what follows right behind them."""
    known = english()
    words, units = list(before), {word for forms in known.units.values() for word in forms}
    while words and words[-1] in known.filling | known.articles | units:
        words.pop()
    ends = (" ".join(words[-length:]) for length in (1, 2, 3))
    return any(end in known.excluding for end in ends)


def _ranked(plan: Plan, linked: Linked) -> Plan:
    asked = place_asked(linked.tokens)
    if asked is None:
        return plan
    if not isinstance(plan, Query) or plan.limit != 1 or not plan.order:
        raise Unfit("a place in a ranking")
    return plan.model_copy(update={"offset": asked - 1})


def _apart(plan: Plan) -> Plan:
    """The plan with its conditions that hold a date between two days as two, as sketches have them."""
    if not isinstance(plan, Query) or plan.where is None:
        return plan
    tests = [half for test in conjuncts(plan.where) for half in _halves(test)]
    return plan.model_copy(update={"where": together(tests)})


def _halves(test: Predicate) -> tuple[Predicate, ...]:
    days = isinstance(test, Between) and test.half_open and isinstance(test.low, Constant) and test.low.type == "date"
    if not days:
        return (test,)
    assert isinstance(test, Between)
    return Compare(left=test.of, op=">=", right=test.low), Compare(left=test.of, op="<", right=test.high)


def _without(plan: Plan, linked: Linked) -> Plan:
    """The plan with what holds dates inside a period that is left out turned round."""
    ranges = excluded(linked)
    if not ranges or not isinstance(plan, Query):
        return plan
    tests = conjuncts(plan.where)
    for first, second in _inside(tests, ranges):
        inside = Between(of=first.left, low=first.right, high=second.right, half_open=True)
        tests = [Not(of=inside) if test is first else test for test in tests if test is not second]
    made = plan.model_copy(update={"where": together(tests)})
    if any(_holds(test, ">=", start) for test in _positive(made) for start, _ in ranges):
        raise Unfit("a period that is left out")
    return made


def _open_ended(plan: Plan, linked: Linked) -> Plan:
    """The plan with what holds dates inside a period that only ends what is meant ("up to August") without
    its first day."""
    ranges = [one for period in linked.periods if period.ends for one in period.ranges]
    if not ranges or not isinstance(plan, Query):
        return plan
    tests = conjuncts(plan.where)
    begun = [first for first, _ in _inside(tests, ranges)]
    made = plan.model_copy(update={"where": together([test for test in tests if test not in begun])})
    days = {day.isoformat() for one in ranges for day in one}
    if days.isdisjoint(_constants(made)):
        raise Unfit("the end of what is meant")
    return made


def _hold_narrow(plan: Plan, linked: Linked) -> None:
    """Raises Unfit where a period whose words hold another's ("the first week of March") is passed over: neither its
    first and last day (one of them, where "since" or the like stands before it) nor a value or number of its words
    stand in the plan."""
    said, sided = _constants(plan), english().one_sided
    for period in linked.periods:
        if not period.narrow or not said.isdisjoint(linked.tokens[period.start : period.end]):
            continue
        least = 1 if sided.intersection(linked.tokens[max(0, period.start - 2) : period.start]) else 2
        if all(len(said.intersection(day.isoformat() for day in one)) < least for one in period.ranges):
            raise Unfit("a part of a period")


def _hold_sides(plan: Plan, linked: Linked) -> None:
    """Raises Unfit where of two periods that are held against each other ("today vs yesterday") one is in the plan and
    the other is passed over: its first day does not stand there, nor do the plan's days reach it."""
    days = {day for said in _constants(plan) if _ISO_DAY.fullmatch(said) for day in (date.fromisoformat(said),)}
    for pair in sides(linked.tokens, linked.periods):
        one, other = (meant(side, linked) for side in pair)
        if _passes_over(days, one, other) or _passes_over(days, other, one):
            raise Unfit("one side of a comparison")


def _passes_over(days: set[date], one: Sequence[Range], other: Sequence[Range]) -> bool:
    """Whether the days of a plan hold one period, and do not reach the other: they begin with the later one, or end
    where the earlier one does."""
    held = next((period for period in one if period[0] in days), None)
    if held is None:
        return False
    if other[0][0] < held[0]:
        return all(start not in days for start, _ in other)
    last = max(days)
    return last > held[0] and all(start >= last for start, _ in other if start != held[0])


def _hold_sequence(plan: Plan, linked: Linked) -> None:
    """Raises Unfit where what comes before or after a thing is asked for ("the calls after the demo") and the plan
    keeps the thing itself."""
    kept = {str(test.right.value).casefold() for test in _kept(plan) if isinstance(test.right, Constant)}
    if kept and not kept.isdisjoint(_names_behind(linked)):
        raise Unfit("what comes before or after a thing")


def _names_behind(linked: Linked) -> Iterator[str]:
    """What stands behind the words that say before or after what, an article and a column's name ("the opponent
    Colombia") aside."""
    tokens, known = linked.tokens, english()
    for place in range(linked.before, len(tokens)):
        if tokens[place] not in known.sequence:
            continue
        start = place + 1 + (not known.definite.isdisjoint(tokens[place + 1 : place + 2]))
        named = any(not set(tokens[start : start + 1]).isdisjoint(name) for name in linked.index.names)
        starts = (start, start + 1) if named else (start,)
        yield from (" ".join(tokens[one : one + many]) for one in starts for many in range(1, LONGEST_NAME + 1))


def _kept(plan: Plan) -> list[Compare]:
    """The conditions of a plan that keep the rows with one value, in words."""
    tests = conjuncts(plan.where) if isinstance(plan, Query) else []
    plain = [test for test in tests if isinstance(test, Compare) and test.op == "="]
    return [test for test in plain if isinstance(test.right, Constant) and isinstance(test.right.value, str)]


def _constants(plan: Plan) -> set[str]:
    return {str(node.value).casefold() for node in every(plan) if isinstance(node, Constant)}


def _inside(tests: Sequence[Predicate], ranges: Sequence[Range]) -> Iterator[tuple[Compare, Compare]]:
    """The pairs of conditions that hold a date inside one of the periods."""
    for start, end in ranges:
        for first in tests:
            for second in tests:
                if _holds(first, ">=", start) and _holds(second, "<", end) and _column(first) == _column(second):
                    assert isinstance(first, Compare)
                    assert isinstance(second, Compare)
                    yield first, second


def _positive(node: Node) -> Iterator[Compare]:
    """The comparisons that a node asks to hold, those of inner queries included."""
    if isinstance(node, Not) or (isinstance(node, InQuery) and node.negated):
        return
    if isinstance(node, Compare | Between):
        yield from (half for half in _halves(node) if isinstance(half, Compare))
    for value in node.__dict__.values():
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, Node):
                yield from _positive(part)


def _column(test: Predicate) -> ColumnRef | None:
    return test.left if isinstance(test, Compare) and isinstance(test.left, ColumnRef) else None


def _holds(test: Predicate, op: str, day: date) -> bool:
    right = test.right if isinstance(test, Compare) and test.op == op else None
    return isinstance(right, Constant) and right.value == day.isoformat()


def _hold_percent(plan: Plan, linked: Linked) -> None:
    """Raises Unfit where so many are told of which the question asks for so many percent."""
    known = english()
    parts = {a.value for a in linked.amounts if a.part or a.unit in known.percents}
    whole = {a.value for a in linked.amounts if not a.part and a.unit not in known.percents}
    if isinstance(plan, Query) and plan.limit is not None and plan.limit in parts - whole:
        raise Unfit("a share of a ranking")
