"""Two periods that are held against each other: which pairs are, the year that one of them leaves to the other
("March against April 2023"), and what two mentions say as one side ("Jan-Aug this year against Jan-Aug last year").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise, product

from apps.analyst.knowledge.english import english
from apps.analyst.reading.calendars import Range, in_year, unit_range
from apps.analyst.reading.periods_beside import PART_OF_A_YEAR, PeriodMention

MOST_BETWEEN = 5
"""Words between two periods that are held against each other: "March sales in Leeds against April 2023"."""


def is_opposed(tokens: Sequence[str], begin: int, end: int) -> bool:
    """Whether the words between two periods hold one against the other: "vs", "compared to", "compare ... with"."""
    words, between = english(), tokens[begin:end]
    if not between or len(between) > MOST_BETWEEN:
        return False
    if not words.opposing.isdisjoint(between):
        return True
    if words.comparing.isdisjoint(tokens[:begin]):
        return False
    elsewhere = (words.opposing | words.pairing).intersection([*tokens[:begin], *tokens[end:]])
    return not words.pairing.isdisjoint(between) or (not elsewhere and _is_joint(between))


def with_years(tokens: Sequence[str], found: list[PeriodMention], until: date) -> None:
    """Gives the last period the year of the one before it, or those before it the year of the last, where one is said
    with its year and the other without: "Q1 2024 against Q2", "Jan, Feb and March 2023". `until` is the newest day."""
    if len(found) > 1 and found[-1].yearless:
        found[-1] = _with_year(tokens, found[-1], found[-2], until)
        return
    for place in range(len(found) - 2, -1, -1):
        if not found[place].yearless:
            return
        found[place] = _with_year(tokens, found[place], found[place + 1], until)


def merged(tokens: Sequence[str], found: Sequence[PeriodMention]) -> list[PeriodMention]:
    """The periods, the two ends of one side of a comparison as one: neither end is meant by itself."""
    made: list[PeriodMention] = []
    place = 0
    while place < len(found):
        one = found[place]
        other = found[place + 1] if place + 1 < len(found) else None
        behind = found[place + 2] if place + 2 < len(found) else None
        whole = _whole(tokens, one, other) if other is not None else None
        if other is not None and whole is not None:
            before = bool(made) and is_opposed(tokens, made[-1].end, one.start)
            if before or (behind is not None and is_opposed(tokens, other.end, behind.start)):
                made.append(whole)
                place += 2
                continue
        made.append(one)
        place += 1
    return made


def sides(tokens: Sequence[str], found: Sequence[PeriodMention]) -> Iterator[tuple[PeriodMention, PeriodMention]]:
    """The pairs of periods that are held against each other."""
    for one, other in pairwise(found):
        if not (one.counted or other.counted) and is_opposed(tokens, one.end, other.start):
            yield one, other


def in_both_years(tokens: Sequence[str], found: Sequence[PeriodMention]) -> list[PeriodMention]:
    """The periods; of years that are held against each other the part of them that is said apart, without a year: "June
    to August arrivals, 2023 versus 2024"."""
    years = [one for pair in sides(tokens, found) if all(_is_year(side.ranges[0]) for side in pair) for one in pair]
    parts = [one for one in found if one.yearless and not one.lent]
    whole = _whole(tokens, *parts) if len(parts) == 2 else parts[0] if len(parts) == 1 else None
    if whole is None or not years or _goes_on(tokens, whole, found):
        return list(found)
    part = whole.ranges[0]
    made = [_of_year(one, part) if one in years else one for one in found if one not in parts[1:]]
    first = min(years, key=lambda one: one.start).ranges[0][0].year
    return [replace(whole, ranges=(in_year(part, first),), narrow=False) if one in parts else one for one in made]


def _goes_on(tokens: Sequence[str], part: PeriodMention, found: Sequence[PeriodMention]) -> bool:
    """Whether a part of a year is an end of a longer time: "from March up to today"."""
    words = english()
    joints = words.joiners | words.ending
    return any(
        joints.issuperset(tokens[part.end : one.start])
        if one.start >= part.end
        else one.end <= part.start and joints.issuperset(tokens[one.end : part.start])
        for one in found
    )


def _of_year(one: PeriodMention, part: Range) -> PeriodMention:
    return replace(one, ranges=(in_year(part, one.ranges[0][0].year),), narrow=True)


def _is_year(found: Range) -> bool:
    return found == unit_range(found[0], "year")


def are_apart(tokens: Sequence[str], one: range, other: range, ends: Sequence[tuple[Range, Range]]) -> bool:
    """Whether two periods at these places are said as two, not as the ends of one: "March and May", but not "between
    March and May", "May and June". `ends` are the pairs of days that they may mean."""
    words = english()
    between = tokens[one.stop : other.start]
    listed = bool(between) and (words.adding | words.either).issuperset(between)
    whole = not words.between.isdisjoint(tokens[max(one.start - 1, 0) : one.start])
    return listed and not whole and not any(a[1] == b[0] for a, b in ends)


def _is_joint(between: Sequence[str]) -> bool:
    """Whether nothing but joints stands between two periods: "to", "compared with", "and in"."""
    words = english()
    joints = words.joiners | words.contrasts | words.held_against | words.opposing | words.filling | words.articles
    return len(between) <= MOST_BETWEEN and joints.issuperset(between)


def _whole(tokens: Sequence[str], one: PeriodMention, other: PeriodMention) -> PeriodMention | None:
    """From one period to the next, where nothing else stands between them; of years only what is said as a range."""
    words = english()
    between = tokens[one.end : other.start]
    places, ends = (range(one.start, one.end), range(other.start, other.end)), list(product(one.ranges, other.ranges))
    if one.counted or other.counted or not words.joiners.issuperset(between) or are_apart(tokens, *places, ends):
        return None
    if not words.adding.isdisjoint(between) and _days(one.ranges[0]) >= PART_OF_A_YEAR:
        return None
    ranges = [
        (begins[0], end)
        for start, end in other.ranges
        if (begins := [a for a, b in one.ranges if a < start and b <= end])
    ]
    relative = one.relative or other.relative
    return PeriodMention(one.start, other.end, tuple(ranges), relative, narrow=True) if ranges else None


def _days(found: Range) -> int:
    return (found[1] - found[0]).days


def _with_year(tokens: Sequence[str], one: PeriodMention, other: PeriodMention, until: date) -> PeriodMention:
    """A period without its year in the year of the one beside it, or in the year beside that where the two then touch
    ("December against January 2024"), or a range would else run backward ("Oct to March 2024")."""
    first = one.start < other.start
    begin, end = (one.end, other.start) if first else (other.end, one.start)
    said = not other.yearless or other.lent
    if not said or other.relative or _days(other.ranges[0]) >= PART_OF_A_YEAR:
        return one
    if not _is_joint(tokens[begin:end]) and not is_opposed(tokens, begin, end):
        return one
    if is_opposed(tokens, begin, end) and any(map(_is_year, other.ranges)):
        return one  # "July to September against 2024": the other is that part of its year
    known = other.ranges[0]
    same, before, after = (in_year(one.ranges[0], known[0].year + years) for years in (0, -1, 1))
    if known[0] <= same[0] and same[1] <= known[1]:
        own = same  # "summer 2025 (June to August)"
    elif english().ranging.issuperset(tokens[begin:end]):
        forward = same[0] < known[0] if first else known[0] < same[0]
        own = same if forward else before if first else after
    else:
        own = before if same[0] > until or (first and before[1] == known[0]) else same
    if own == known:  # nothing is held against itself
        return one
    others = () if is_opposed(tokens, begin, end) else one.ranges
    return replace(one, ranges=tuple(dict.fromkeys((own, *others))), lent=True)
