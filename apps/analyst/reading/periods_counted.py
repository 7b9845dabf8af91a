"""Periods that are counted from a day ("the 90 days to 14 November", "three weeks ago", "older than a year"), ends of
the running year or month, parts of a year held against another year, and weeks, halves and thirds of a month.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from apps.analyst.reading.calendars import Range, in_year, moved, shifted, unit_range
from apps.analyst.reading.periods_beside import PART_OF_A_YEAR, PeriodMention, Said

_DAY = timedelta(1)
_MONTH = timedelta(28), timedelta(31)
WEEKS = 4
"""Weeks that every month has."""


def _week(month: Range, number: int) -> Range:
    """A week of a month by its number, 0 for the last."""
    start = month[0] + 7 * (number - 1) * _DAY if number else month[1] - 7 * _DAY
    return start, start + 7 * _DAY


def _half(month: Range, number: int) -> Range:
    middle = month[0] + 15 * _DAY
    return (month[0], middle) if number == 1 else (middle, month[1])


def _third(whole: Range, number: int) -> Range:
    """The first, second or last third: of a month ten days, of a longer period whole months."""
    months = (whole[1].year - whole[0].year) * 12 + whole[1].month - whole[0].month
    ends = [whole[0] + 10 * n * _DAY if months < 3 else shifted(whole[0], n * months // 3) for n in (0, 1, 2)]
    return [*ends, whole[1]][number - 1], [*ends, whole[1]][number]


class Counted(Said):
    """Ways to name a period by another one, or by how far off it is."""

    def at(self, place: int) -> PeriodMention | None:
        """The period that begins at a token."""
        raise NotImplementedError

    def length(self, place: int) -> tuple[int, str, int] | None:
        """So many of a unit, and the place after it: "90 days", "a year"."""
        count = 1 if self.token(place) in self.words.articles else self.number(place)
        unit = self.units.get(self.token(place + 1))
        return (count, unit, place + 2) if count is not None and unit is not None else None

    def counted(self, place: int) -> PeriodMention | None:
        """Three weeks ago; older than 90 days, 45 days old; the 90 days to 14 November 2025."""
        aged = self.token(place) in self.words.older and self.token(place + 1) in self.words.holding
        found = self.length(place + 2 if aged else place)
        if found is None:
            return None
        count, unit, after = found
        begins, tomorrow = moved(self.today, unit, -count), self.today + _DAY
        if aged:
            return PeriodMention(place, after, ((begins, tomorrow),), relative=True, counted=True)
        if self.token(after) in self.words.old:
            return PeriodMention(place, after + 1, ((begins, tomorrow),), relative=True, counted=True)
        if self.token(after) in self.words.ago:
            rolling, whole = (begins, tomorrow), unit_range(begins, unit)
            bound = self.token(place - 1) in self.words.holding | self.words.since
            ranges = (rolling, whole) if bound or unit == "day" else (whole, rolling)
            return self.whole(place, after + 1 - place, ranges, relative=True)
        return self.up_to(place, count, unit, after)

    def up_to(self, place: int, count: int, unit: str, after: int) -> PeriodMention | None:
        """So many days, weeks or months that end with a day."""
        if self.token(place) in self.words.articles or self.token(after) not in self.words.ending:
            return None
        at = after + 1
        while self.token(at) in self.words.ending | self.words.filling:
            at += 1
        last = self.at(at)
        if last is None or last.ranges[0][1] - last.ranges[0][0] != _DAY:
            return None
        end = last.ranges[0][1]
        return self.whole(place, last.end - place, [(moved(end, unit, -count), end)], relative=last.relative)

    def within(self, place: int) -> PeriodMention | None:
        """The first week of March, the second half of October 2025; mid June, early 2024: a week counts from the first
        day on, halves part after the 15th, and what is early, mid or late is a third."""
        third = self.words.vague.get(self.token(place))
        if third is not None:
            return self._cut(place, place + 1, lambda whole: _third(whole, third))
        last = self.token(place) in self.words.final
        number = 0 if last else self.words.ordinals.get(self.token(place), 0)
        unit, at = self.token(place + 1), place + 2
        while self.token(at) in self.words.filling:
            at += 1
        if not number and not (last and at > place + 2):  # "last week, March" names two periods
            return None
        if unit in self.words.halves and number in (1, 2):
            return self._cut(place, at, lambda whole: _half(whole, number), months=True)
        if self.units.get(unit) == "week" and number <= WEEKS:
            return self._cut(place, at, lambda whole: _week(whole, number), months=True)
        return None

    def _cut(
        self, place: int, at: int, part: Callable[[Range], Range], *, months: bool = False
    ) -> PeriodMention | None:
        """A part of the period that begins at a token and is longer than a day; with `months` of a month."""
        whole = self.at(at)
        if whole is None or whole.relative or whole.ranges[0][1] - whole.ranges[0][0] <= _MONTH[0] - _DAY:
            return None
        if months and whole.ranges[0][1] - whole.ranges[0][0] > _MONTH[1]:
            return None
        return self.whole(place, whole.end - place, [part(one) for one in whole.ranges])

    def year_end(self, place: int) -> PeriodMention | None:
        """Year end, the end of the month: the running one."""
        first, second = self.token(place), self.token(place + 1)
        if first in self.units and second in self.words.ends:
            return self.whole(place, 2, [unit_range(self.today, self.units[first])], relative=True)
        at = place + 1
        while self.token(at) in self.words.filling | self.words.this:
            at += 1
        unit = self.units.get(self.token(at))
        if first not in self.words.ends or at == place + 1 or unit is None or self.year_at(at + 1):
            return None
        return self.whole(place, at + 1 - place, [unit_range(self.today, unit)], relative=True)

    def against(self, place: int) -> PeriodMention | None:
        """ "January to June 2025 against 2024": the same months; "this month vs last": the one before."""
        if not self.found or self.token(place - 1) not in self.words.held_against:
            return None
        said, last = self.span(), self.found[-1]
        if said is None or last.end != place - 1:
            return None
        year = self.year_at(place, short=True)
        if year is not None and (said[1] - said[0]).days < PART_OF_A_YEAR and year[0] != (said[1] - _DAY).year:
            whole = unit_range(said[0].replace(year=year[0]), "year")
            return self.whole(place, year[1], [in_year(said, year[0]), whole])
        unit = self.units.get(self.token(last.end - 1))
        alone = self.token(place) in self.words.last and self.token(place + 1) not in self.units
        if not alone or unit is None or self.token(last.start) not in self.words.this:
            return None
        return self.whole(place, 1, [unit_range(moved(said[0], unit, -1), unit)], relative=True)
