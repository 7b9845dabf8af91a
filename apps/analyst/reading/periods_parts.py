"""Periods that are named by a longer one, by a day or by their place in the year: the first ten days of March, the last
quarter of 2024, early June, the week of 12 May, week 12 of 2025, summer, this week last year, last year's Q4.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from apps.analyst.reading.calendars import Range, moved, shifted, unit_range
from apps.analyst.reading.periods_beside import QUARTER, YEAR, PeriodMention, may_be_year
from apps.analyst.reading.periods_counted import Counted

_DAY = timedelta(1)
_MONTH = timedelta(28), timedelta(31)
_SATURDAY = 5


def _half(month: Range, number: int) -> Range:
    middle = month[0] + 15 * _DAY
    return (month[0], middle) if number == 1 else (middle, month[1])


def _third(whole: Range, number: int) -> Range:
    """The first, second or last third: of a month ten days, of a longer period whole months."""
    months = (whole[1].year - whole[0].year) * 12 + whole[1].month - whole[0].month
    ends = [whole[0] + 10 * n * _DAY if months < 3 else shifted(whole[0], n * months // 3) for n in (0, 1, 2)]
    return [*ends, whole[1]][number - 1], [*ends, whole[1]][number]


def _weekday(month: Range, day: int, number: int) -> Range:
    """A weekday (0 for Monday) of a month by its number, 0 for the last."""
    if number:
        first = month[0] + (day - month[0].weekday()) % 7 * _DAY + 7 * (number - 1) * _DAY
    else:
        first = month[1] - _DAY - (month[1] - _DAY - day * _DAY).weekday() * _DAY
    return first, first + _DAY


class Parts(Counted):
    """Ways to name a period by what it is a part of."""

    def within(self, place: int) -> PeriodMention | None:
        """The first week of March, the first ten days of April, the second half of October 2025, the last quarter of
        2024; mid June, early 2024: weeks count from the first day on, halves part after the 15th, and what is early,
        mid or late is a third."""
        third = self.words.vague.get(self.token(place))
        if third is not None:
            return self._cut(place, place + 1, lambda whole: _third(whole, third))
        last = self.token(place) in self.words.final
        number = 0 if last else self.words.ordinals.get(self.token(place), 0)
        count = self.number(place + 1) if number < 2 else None
        if count is not None and self.token(place + 2) in self.words.of_whole:  # "a couple of weeks"
            return None
        unit = place + 1 + (count is not None)
        at = self.behind(unit + 1, self.words.filling)
        if not number and not (last and at > unit + 1):  # "last week, March" names two periods
            return None
        if self.token(unit) in self.words.halves and number in (1, 2):
            return self._cut(place, at, lambda whole: _half(whole, number), months=True)
        weekday = self.weekday(unit)
        if weekday is not None and count is None:
            return self._cut(place, at, lambda whole: _weekday(whole, weekday, number), months=True)
        found = self.unit(unit)
        if found is None:
            return None
        return self._cut(place, at, lambda whole: _piece(whole, found[0], number, (count or 1) * found[1]))

    def _cut(
        self, place: int, at: int, part: Callable[[Range], Range], *, months: bool = False
    ) -> PeriodMention | None:
        """A part of the period that begins at a token and is longer than a day; with `months` of a month. None where
        the part is not inside it, or is all of it."""
        whole = self.at(at)
        if whole is None or whole.counted or whole.ranges[0][1] - whole.ranges[0][0] <= _MONTH[0] - _DAY:
            return None
        if whole.relative and self.token(at) not in self.words.this | self.words.last | self.words.next:
            return None
        if months and whole.ranges[0][1] - whole.ranges[0][0] > _MONTH[1]:
            return None
        made = [(part(one), one) for one in whole.ranges]
        ranges = [own for own, one in made if one[0] <= own[0] < own[1] <= one[1] and own != one]
        return self.whole(place, whole.end - place, ranges, narrow=True, yearless=whole.yearless)

    def around(self, place: int) -> PeriodMention | None:
        """The week of 12 May, the week beginning 6 October, w/c 6 October, w/e 12 October, the weekend of 11 May."""
        short = self.words.week_in_short.get(self.token(place), "")
        weekend = self.token(place) in self.words.weekend
        begins = bool(short) or self.token(place + 1) in self.words.beginning
        if not (short or weekend or self.units.get(self.token(place)) == "week"):
            return None
        if not begins and self.token(place + 1) not in self.words.of_whole:
            return None
        at = self.behind(place + (1 if short else 2), self.words.filling)
        day = self.at(at + (self.weekday(at) is not None))
        if day is None or day.ranges[0][1] - day.ranges[0][0] != _DAY:
            return None
        starts = [start for start, _ in day.ranges]
        if weekend:
            ranges = [(s, s + 2 * _DAY) for s in (s - (s.weekday() - _SATURDAY) * _DAY for s in starts)]
        elif short in self.words.ends:
            ranges = [(s - 6 * _DAY, s + _DAY) for s in starts]
        elif begins:
            ranges = [(s, s + 7 * _DAY) for s in starts]
        else:
            ranges = [unit_range(s, "week") for s in starts]
        return self.whole(place, day.end - place, ranges, narrow=True, yearless=day.yearless)

    def week_number(self, place: int) -> PeriodMention | None:
        """Week 12 of 2025, by ISO 8601."""
        if self.units.get(self.token(place)) != "week" or not self.token(place + 1).isdecimal():
            return None
        year, number = self.year_at(place + 2), int(self.token(place + 1))
        if year is None:
            return None
        start = date.fromisocalendar(year[0], number, 1)
        return self.whole(place, 2 + year[1], [(start, start + 7 * _DAY)], narrow=True)

    def season(self, place: int) -> PeriodMention | None:
        """Summer 2025, the winter of 2024, last spring, in the autumn: three whole months. "The fall in sales" and
        "the spring sale" are none."""
        first = self.words.seasons.get(self.token(place))
        if first is None:
            return None
        at = place + 1 + (self.token(place + 1) in self.words.of_whole)

        def made(year: int) -> Range:
            start = date(year, first, 1)
            return start, shifted(start, 3)

        before = self.token(place - 1)
        if YEAR.fullmatch(self.token(at)) or may_be_year(self.token(at)):
            year = int(self.token(at)) % 100 + int(self.token(at)[:-2] or 20) * 100
            ranges = [made(year), made(year - 1)] if first == 12 else [made(year)]
            return self.whole(place, at + 1 - place, ranges, narrow=True)
        if at > place + 1:
            return None
        if before in self.words.this:
            return self.whole(place, 1, [made(self.today.year)], narrow=True)
        if before in self.words.last:
            return self.whole(place, 1, self.latest(made, over=True), narrow=True)
        if before in self.words.definite:
            before = self.token(place - 2)
        return self.whole(place, 1, self.latest(made), narrow=True) if before in self.words.during else None

    def last_year(self, place: int) -> PeriodMention | None:
        """Last year's Q4, last year in March."""
        now_or_last = self.token(place) in self.words.last | self.words.this
        year = self.year_at(place) if now_or_last and self.units.get(self.token(place + 1)) == "year" else None
        at = self.behind(place + 2, self.words.filling)
        if year is None or not (QUARTER.fullmatch(self.token(at)) or self.month_of(self.token(at))):
            return None
        part = self.at(at)
        if part is None or part.relative:
            return None
        ranges = [one for one in part.ranges if one[0].year == year[0]]
        return self.whole(place, part.end - place, ranges, narrow=True)

    def other_year(self, place: int) -> PeriodMention | None:
        """This week last year, the same quarter last year: of now."""
        unit = self.units.get(self.token(place + 1))
        if self.token(place) not in self.words.this | self.words.same or unit not in ("week", "month", "quarter"):
            return None
        year = self.year_at(place + 2)
        if year is None or year[0] >= self.today.year or (self.token(place) in self.words.same and self.found):
            return None
        then = shifted(self.today, 12 * (year[0] - self.today.year))
        one = self.token(place) in self.words.this  # "by quarter, against the same quarter last year" holds many
        return self.whole(place, 2 + year[1], [unit_range(then, unit)], relative=True, narrow=one)

    def named_day(self, place: int) -> PeriodMention | None:
        """Yesterday, the day before yesterday; last Friday, since Monday; last weekend."""
        offset = self.words.days.get(self.token(place))
        now = self.token(place) in self.words.present and self.token(place - 1) in self.words.beginning
        if now and self.token(place + 1) in self.words.ending:
            offset = 0  # "from now to the end of March"
        if offset is not None:
            return self.whole(place, 1, [unit_range(self.today + timedelta(offset), "day")], relative=True)
        offset = self.words.days.get(self.token(place + 2))
        if self.units.get(self.token(place)) == "day" and offset:
            way = -1 if self.token(place + 1) in self.words.before else 1
            ranges = [unit_range(self.today + timedelta(offset + way), "day")]
            beside = self.token(place + 1) in self.words.before | self.words.following and way * offset > 0
            return self.whole(place, 3, ranges, relative=True) if beside else None
        day = self.weekday(place)
        if day is not None and self.token(place - 1) in self.words.since:
            return self._days_off(place, 1, -((self.today.weekday() - day) % 7))
        word, day = self.token(place), self.weekday(place + 1)
        weekend = self.token(place + 1) in self.words.weekend
        if day is None and not weekend:
            return None
        days = 2 if weekend else 1
        ahead = (_SATURDAY if day is None else day) - self.today.weekday()
        if word in self.words.this:
            return self._days_off(place, 2, ahead, days)
        if word in self.words.last:
            return self._days_off(place, 2, ahead - 7 if ahead + days > 0 else ahead, days)
        return self._days_off(place, 2, ahead + 7 if ahead <= 0 else ahead, days) if word in self.words.next else None

    def weekday(self, place: int) -> int | None:
        """The weekday that stands at a place, 0 for Monday."""
        return next((n for n, names in enumerate(self.words.weekdays) if self.token(place) in names), None)

    def _days_off(self, place: int, length: int, off: int, days: int = 1) -> PeriodMention | None:
        start = self.today + timedelta(off)
        return self.whole(place, length, [(start, start + timedelta(days))], relative=True)


def _piece(whole: Range, unit: str, number: int, count: int) -> Range:
    """Of a period so many units from its first day on, or before its end (`number` 0), or the unit of that number."""
    if not number:
        return moved(whole[1], unit, -count), whole[1]
    start = moved(whole[0], unit, number - 1)
    return start, moved(start, unit, count)
