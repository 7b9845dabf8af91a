"""Periods that two mentions say together: July to September, 1 January to 8 October 2025, and a part of a year in a
year that is said elsewhere ("July to September, last year against this year").

They stand beside the mentions that they are made of: "from September 2024 to September 2025" is one stretch where
orders are counted and two months where one is held against the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product

from apps.analyst.knowledge.english import english
from apps.analyst.reading import periods_compared
from apps.analyst.reading.calendars import Range, in_year, shifted
from apps.analyst.reading.periods_beside import PART_OF_A_YEAR, PeriodMention

MOST = 8
"""Of a question's stretches."""
A_YEAR = 366
"""Days up to which something is held against the same time a year earlier."""


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens that name one of `ranges` together, the likeliest first."""

    places: tuple[int, ...]
    ranges: tuple[Range, ...]
    relative: bool = False


def dated(tokens: Sequence[str], mentions: Sequence[PeriodMention]) -> list[Stretch]:
    """The mentions of a question (tokens in lower case) in their order, then what they say together, no more than
    `MOST`."""
    named = [Stretch(tuple(range(m.start, m.end)), m.ranges, m.relative) for m in mentions]
    plain = [one for one, mention in zip(named, mentions, strict=True) if not mention.counted]
    spans = list(_spans(tokens, plain))
    known = {one.ranges[0] for one in named}
    found: list[Stretch] = []
    for one in [*spans, *_in_years(plain, spans), *_year_on_year(tokens, plain, spans)]:
        if one.ranges[0] not in known:
            known.add(one.ranges[0])
            found.append(one)
    return [*named, *found[:MOST]]


def are_apart(tokens: Sequence[str], one: Stretch, other: Stretch) -> bool:
    """Whether two periods are said as two, not as the ends of one."""
    places = range(one.places[0], one.places[-1] + 1), range(other.places[0], other.places[-1] + 1)
    return periods_compared.are_apart(tokens, *places, list(product(one.ranges, other.ranges)))


def _spans(tokens: Sequence[str], named: Sequence[Stretch]) -> Iterator[Stretch]:
    """From one period to the next, where nothing else stands between them."""
    run: Stretch | None = None
    for one, other in pairwise(named):
        pair = _span(tokens, one, other)
        if pair is not None:
            yield pair
        longer = _span(tokens, run, other) if pair is not None and run is not None else None
        if longer is not None:
            yield longer
        run = longer or pair


def _span(tokens: Sequence[str], one: Stretch, other: Stretch) -> Stretch | None:
    """From one period to the next; None where something else stands between them. A year is said of the part of it that
    ends it: "2025 up to the end of September"."""
    words = english()
    joining = words.joiners | words.ending | words.either
    between = tokens[one.places[-1] + 1 : other.places[0]]
    joined = joining.issuperset(word for word in between if word not in words.within_ends)
    joined = joined and (not between or not joining.isdisjoint(between))
    if not joined or are_apart(tokens, one, other):
        return None
    open_year = len(other.ranges) > 1 and not _is_year(other.ranges[0])
    year = one.ranges[0][0].year if open_year and _is_year(one.ranges[0]) else None
    ends = [in_year(found, year) if year is not None else found for found in other.ranges]
    ranges = [
        (begins[0], end)
        for start, end in ends
        if (begins := [a for a, b in one.ranges if a < start and (b <= end or year is not None)])
    ]
    ranges = list(dict.fromkeys(ranges))
    places = tuple(range(one.places[0], other.places[-1] + 1))
    return Stretch(places, tuple(ranges), one.relative or other.relative) if ranges else None


def _in_years(named: Sequence[Stretch], spans: Sequence[Stretch]) -> Iterator[Stretch]:
    """Parts of a year in the years that are said apart from them."""
    years = [one for one in named if _is_year(one.ranges[0])]
    for part in [*spans, *named]:
        start, end = part.ranges[0]
        if (end - start).days >= PART_OF_A_YEAR or (end - start).days < 2:
            continue
        for year in years:
            if not set(year.places) & set(part.places):
                made = in_year((start, end), year.ranges[0][0].year)
                yield Stretch((*part.places, *year.places), (made,), part.relative or year.relative)


def _year_on_year(tokens: Sequence[str], named: Sequence[Stretch], spans: Sequence[Stretch]) -> Iterator[Stretch]:
    """The same time a year earlier, where the words ask for growth over the year and name one period alone."""
    said = english().year_on_year
    places = [
        tuple(range(start, start + length))
        for length in (1, 3)
        for start in range(len(tokens) - length + 1)
        if " ".join(tokens[start : start + length]) in said
    ]
    whole = spans[0] if len(spans) == 1 and len(named) == 2 else named[0] if len(named) == 1 else None
    if not places or whole is None or (whole.ranges[0][1] - whole.ranges[0][0]).days > A_YEAR:
        return
    earlier = tuple((shifted(start, -12), shifted(end, -12)) for start, end in whole.ranges)
    yield Stretch(places[0], earlier, whole.relative)


def _is_year(found: Range) -> bool:
    start, end = found
    return (start.month, start.day, end.month, end.day, end.year - start.year) == (1, 1, 1, 1, 1)
