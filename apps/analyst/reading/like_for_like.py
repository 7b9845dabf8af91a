"""Two periods that are held against each other are of one length where the words may mean that: "November against a
year ago" is held against that November, not against the whole year."""

from __future__ import annotations

from apps.analyst.knowledge.english import english
from apps.analyst.reading.calendars import Range
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.periods_beside import PeriodMention
from apps.analyst.reading.periods_compared import sides
from apps.analyst.reading.sketch import Sketch, walk

BEFORE = 2
"""Words between which and a period one stands that means it whole."""
ALIKE = 1.5
"""How much longer one of the two may be."""


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
