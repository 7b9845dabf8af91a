"""Two periods that are held against each other are of one length where the words may mean that: "November against a
year ago" is held against that November, not against the whole year; "July to September, up or down against 2024"
against those three months of 2024."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise, product

from apps.analyst.knowledge.english import english
from apps.analyst.reading.calendars import Range, in_year, unit_range
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.periods_beside import PeriodMention
from apps.analyst.reading.periods_compared import sides
from apps.analyst.reading.sketch import Sketch, walk

BEFORE = 2
"""Words between which and a period one stands that means it whole."""
ALIKE = 1.5
"""How much longer one of the two may be."""
_HELD = frozenset(("growth", "minus", "pct", "ratio"))
_DAY = timedelta(1)


def like_for_like(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch (its leaves by name) with the same part of another year in the place of a much longer or shorter
    time."""
    used = {part[2:] for part in walk(sketch) if part[0] == "dates" and None not in part[2:]}
    for pair in sides(linked.tokens, linked.periods):
        if any(_is_whole(side, linked) for side in pair):
            continue
        one, other = (meant(side, linked) for side in pair)
        for held, beside in ((one, other), (other, one)):
            whole = next((period for period in held if period in used), None)
            found = next((period for period in beside if period in used), None)
            if whole is None or found is None or _are_alike(whole, found):
                continue
            like = next((period for period in beside if _are_alike(whole, period)), None)
            if like is not None and like not in used:
                return _exchanged(sketch, found, like)
    return sketch


def in_step(sketch: Sketch, linked: Linked) -> Sketch:
    """The sketch (its leaves by name) whose figures of two periods are those of the one pair of periods of one length
    that all the question's periods together say, where the two that it has are unlike or leave one out."""
    named = [one for one in linked.periods if not one.counted]
    held = {pair for part in walk(sketch) if part[0] in _HELD and (pair := _periods_of(part)) is not None}
    if len(named) < 2 or len(held) != 1 or _runs_on(named, linked):
        return sketch
    later, earlier = next(iter(held))
    full = {pair: same for pair, same in _pairs(linked) if _covers(pair, named, linked)}
    full = {pair: same for pair, same in full.items() if same or not any(full.values())}
    if not full or frozenset((later, earlier)) in full or len(full) > 1:
        return sketch
    first, last = sorted(next(iter(full)))
    one, other = (last, first) if later > earlier else (first, last)
    between = (later[0], later[0])  # a period of no length: the two may change places
    made = _exchanged(_exchanged(sketch, later, between), earlier, other)
    return _exchanged(made, between, one)


def _periods_of(figure: Sketch) -> tuple[Range, Range] | None:
    """The two periods whose figures a figure holds against each other."""
    found = [[part[2:] for part in walk(side) if part[0] == "dates" and None not in part[2:]] for side in figure[1:]]
    if len(found) != 2 or any(len(days) != 1 for days in found) or found[0] == found[1]:
        return None
    return found[0][0], found[1][0]


def _runs_on(named: list[PeriodMention], linked: Linked) -> bool:
    """Whether a whole year and a part of another are the ends of one time: "from 2024 to May 2025"."""
    return any(
        english().joiners.issuperset(linked.tokens[one.end : other.start])
        and _is_year(one.ranges[0]) != _is_year(other.ranges[0])
        for one, other in pairwise(named)
        if one.end < other.start
    )


def _pairs(linked: Linked) -> Iterator[tuple[frozenset[Range], bool]]:
    """The pairs of periods of one length that the question names, and whether they are the same part of two years."""
    said = list(dict.fromkeys(found for one in linked.dated for found in one.ranges))
    for one, other in product(said, said):
        if one < other and one[1] <= other[0] and _are_alike(one, other):
            same = in_year(one, (other[1] - _DAY).year) == other
            if same or one[1] == other[0] or (_is_unit(one) and _is_unit(other)):
                yield frozenset((one, other)), same


def _is_unit(found: Range) -> bool:
    """Whether a period is a month, a quarter or a year of the calendar."""
    return any(unit_range(found[0], unit) == found for unit in ("month", "quarter", "year"))


def _covers(pair: frozenset[Range], named: list[PeriodMention], linked: Linked) -> bool:
    """Whether a pair of periods uses all that is named: a year also where one of the two lies in it."""
    used = {place for one in linked.dated for place in one.places if pair & set(one.ranges[:1])}
    years = {(end - _DAY).year for _, end in pair}
    return all(
        used.issuperset(range(one.start, one.end)) or (_is_year(one.ranges[0]) and one.ranges[0][0].year in years)
        for one in named
    )


def _is_year(found: Range) -> bool:
    return found == unit_range(found[0], "year")


def meant(side: PeriodMention, linked: Linked) -> list[Range]:
    """What a side may mean, also together with the other: "March 2025 vs a year ago"."""
    beside = (found for found in linked.dated if side.start in found.places)
    return list(dict.fromkeys([*side.ranges, *(one for found in beside for one in found.ranges)]))


def _is_whole(side: PeriodMention, linked: Linked) -> bool:
    """Whether a side is said to be meant from its first to its last day."""
    return not english().entire.isdisjoint(linked.tokens[max(0, side.start - BEFORE) : side.end])


def _are_alike(one: Range, other: Range) -> bool:
    longer, shorter = sorted(((end - start).days for start, end in (one, other)), reverse=True)
    return longer < ALIKE * max(1, shorter)


def _exchanged(part: Sketch, old: Range, new: Range) -> Sketch:
    if part[0] == "dates" and part[2:] == old:
        return (*part[:2], *new)
    return (part[0], *(_exchanged(p, old, new) if isinstance(p, tuple) else p for p in part[1:]))
