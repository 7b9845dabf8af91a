"""Which of a question's periods a condition on a date means: the whole of what several mentions say ("Oct plus Nov
2025"), with the side that words behind it name ("2024 or earlier", "from tomorrow on"), and of a month without a year
the coming one where the date is one that lies ahead ("renewals due in November").
"""

from __future__ import annotations

from datetime import date, datetime, timedelta

from apps.analyst.knowledge.english import english
from apps.analyst.reading.calendars import Range
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.periods_compared import sides
from apps.analyst.reading.periods_joined import Stretch
from apps.analyst.reading.sketch import Sketch, walk

_ONE_DAY = ("on", "since", "after", "before", "until")
"""Conditions that hold a date against one period."""
_SOON = timedelta(183)
"""Days up to which the coming one of a part of the year is nearer than the last."""
_AHEAD = timedelta(28)
"""A date of which some lie so far ahead is one that is planned."""


def with_meant_periods(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch (its leaves as places) with its one condition on a period as the question means it."""
    tests = [part for part in walk(sketch) if part[0] in _ONE_DAY and part[2][0] == "D"]
    used = {part[1] for part in walk(sketch) if part[0] == "D"}
    if len(used) != 1 or not tests:
        return sketch
    (place,) = used
    whole = _whole(place, linked) if all(test[0] == "on" for test in tests) else None
    side = _side(linked.dated[place], linked)
    return _exchanged(sketch, place if whole is None else whole, side) if whole is not None or side else sketch


def _whole(place: int, linked: Linked) -> int | None:
    """The stretch that says all that is named of time where the one at a place says a part of it."""
    said = set(linked.dated[place].places)
    named = [one for one in linked.periods if not one.counted]
    every = {n for one in named for n in range(one.start, one.end)}
    if len(named) < 2 or said >= every:
        return None
    full = [n for n, one in enumerate(linked.dated) if said < set(one.places) and every <= set(one.places)]
    return full[0] if len(full) == 1 else None


def _side(stretch: Stretch, linked: Linked) -> str:
    """The condition that words behind a period make of it: "or earlier", "or later", "from ... on"; none where there
    are no such words."""
    known, tokens = english(), linked.tokens
    first, last = stretch.places[0], stretch.places[-1]
    behind = tokens[last + 1 : last + 3]
    if behind[:1] and behind[0] in known.either:
        return "until" if behind[-1] in known.before | known.older else "since" if behind[-1] in known.later else ""
    begun = first > 0 and tokens[first - 1] in known.beginning
    return "since" if begun and behind[:1] and behind[0] in known.onward else ""


def _exchanged(part: Sketch, place: int, side: str) -> Sketch:
    if part[0] in _ONE_DAY and part[2][0] == "D":
        return (side or part[0], part[1], ("D", place))
    return (part[0], *(_exchanged(p, place, side) if isinstance(p, tuple) else p for p in part[1:]))


def range_meant(stretch: Stretch, column: int, linked: Linked) -> Range:
    """The days that a stretch means for the date of a column: its likeliest, or the coming one where the date lies
    ahead, the data have it, and the words do not look back. Of two that are held against each other ("Q3 vs Q2") both
    have their likeliest days: one that is over is never held against one that comes."""
    likeliest = stretch.ranges[0]
    if stretch.relative or len(stretch.ranges) < 2 or likeliest[1] > linked.today or not _is_open(stretch, linked):
        return likeliest
    if any(one.start in stretch.places for pair in sides(linked.tokens, linked.periods) for one in pair):
        return likeliest
    newest = linked.index.columns[column][1].maximum
    newest = newest.date() if isinstance(newest, datetime) else newest
    if not isinstance(newest, date) or newest < linked.today + _AHEAD or _looks_back(stretch, linked):
        return likeliest
    coming = [one for one in stretch.ranges if linked.today < one[1] and one[0] <= min(newest, linked.today + _SOON)]
    same = [one for one in coming if one[1] - one[0] <= (likeliest[1] - likeliest[0]) + timedelta(1)]
    return min(same, default=likeliest)


def _is_open(stretch: Stretch, linked: Linked) -> bool:
    """Whether no year is said of any of the periods that a stretch is of."""
    inside = [one for one in linked.periods if one.start in stretch.places]
    return bool(inside) and all(one.yearless and not one.lent for one in inside)


def _looks_back(stretch: Stretch, linked: Linked) -> bool:
    """Whether the words speak of what is over: "were due in March", "expired in March"."""
    if not english().past.isdisjoint(linked.tokens):
        return True
    before = linked.tokens[max(0, stretch.places[0] - 2) : stretch.places[0]]
    return any(word.endswith("ed") for word in before)
