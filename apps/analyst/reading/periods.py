"""Periods that a question names, as half-open ranges of days. The words stand in knowledge/english.yaml.

Each mention covers a stretch of the question's tokens. One that leaves something open (a month without its year,
"the last three months") has several ranges, the likeliest first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from apps.analyst.reading.calendars import Range, in_year, moved, shifted, unit_range
from apps.analyst.reading.periods_beside import QUARTER, YEAR, PeriodMention, may_be_year
from apps.analyst.reading.periods_compared import in_both_years, merged, with_years
from apps.analyst.reading.periods_short import COUNTED, Short
from apps.analyst.reading.reference import reference

_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_ISO_MONTH = re.compile(r"(\d{4})[-/](\d\d)")
_SLASHED = re.compile(r"(\d{1,2})[/.](\d{1,2})[/.](\d{2,4})")
_HALF = re.compile(r"h([12])")
_DAY = re.compile(r"(\d{1,2})(?:st|nd|rd|th)?")
_RANGE_OF_YEARS = re.compile(r"((?:19|20)\d\d)[-–/]((?:19|20)?\d\d)")
_YEAR_GLUED = re.compile(r"(?:20)?(\d\d)([qh])([1-4])")
_GLUED = re.compile(r"(q[1-4]|h[12]|[a-z]{3,9})[-'’/]?((?:20)?\d\d)")


def periods(tokens: Sequence[str], today: date, until: date) -> list[PeriodMention]:
    """The periods that the tokens (lower case) name. `until` is the newest day of the data, for months without a
    year. What is counted from today ("last 12 months as of 30 June 2024") is counted from a day of reference."""
    found = _Reader(tokens, today, until).read()
    known = reference(tokens, found, today)
    if known is None or not known.sure or found[known.place].relative:
        return found
    made = _Reader(tokens, known.day, until).read()
    if len(made) == len(found):  # who heeds what is counted from the day heeds the day
        counted = [one.ranges[0] for one, before in zip(made, found, strict=True) if one.ranges != before.ranges]
        day = unit_range(known.day, "day")
        made[known.place] = replace(found[known.place], ranges=(*found[known.place].ranges, day, *counted))
    return made


class _Reader(Short):
    """All ways to name a period."""

    def read(self) -> list[PeriodMention]:
        place, ending = 0, None
        while place < len(self.tokens):
            joined = self.found and self.found[-1].end == place
            ending = self.ends_with(place) if ending is None and not joined else ending
            found = self.at(place)
            if found is None:
                place += 1
                continue
            found = self.to_now(found)
            self.found.append(replace(found, ends=found.start == ending))
            with_years(self.tokens, self.found, self.until)
            place, ending = found.end, None
        return in_both_years(self.tokens, merged(self.tokens, self.found))

    def at(self, place: int) -> PeriodMention | None:
        ways = (
            self.exact,
            self.in_short,
            self.year_to_date,
            self.against,
            self.last_of_two,
            self.to_date,
            self.within,
            self.around,
            self.week_number,
            self.season,
            self.so_far,
            self.year_end,
            self.counted,
            self.first_of,
            self.last_year,
            self.other_year,
            self.same,
            self.before,
            self.relative,
            self.quarter,
            self.elided,
            self.days_of,
            self.month,
            self.year,
            self.named_day,
        )
        for way in ways:
            try:
                found = way(place)
            except (ValueError, OverflowError):  # a day before or after all calendars
                continue
            if found is not None:
                return found
        return None

    def exact(self, place: int) -> PeriodMention | None:
        """2025-03-05, 05/03/2025, 2025-03, 03/2025, 2023-2024."""
        text = self.token(place)
        if match := _ISO.fullmatch(text):
            return self.whole(place, 1, [self.day(*map(int, match.groups()))])
        if match := _SLASHED.fullmatch(text):
            a, b, year = map(int, match.groups())
            year += 2000 if year < 100 else 0
            return self.whole(place, 1, [self.day(year, b, a), self.day(year, a, b)])
        if (match := _ISO_MONTH.fullmatch(text)) and 1 <= int(match[2]) <= 12:
            return self.whole(place, 1, [unit_range(date(int(match[1]), int(match[2]), 1), "month")])
        in_words = len(text) == 2 and (text[0] == "0" or self.token(place - 1) in self.words.filling)
        behind = self.token(place + 1)
        if in_words and text.isdecimal() and (YEAR.fullmatch(behind) or (text[0] == "0" and may_be_year(behind))):
            return self.whole(
                place, 2, [unit_range(date(int(behind) + 2000 * (len(behind) == 2), int(text), 1), "month")]
            )
        if match := _RANGE_OF_YEARS.fullmatch(text):
            last = int(match[2]) + (int(match[1]) // 100 * 100 if int(match[2]) < 100 else 0)
            if last > int(match[1]):
                return self.whole(place, 1, [(date(int(match[1]), 1, 1), date(last + 1, 1, 1))])
        return None

    def day(self, year: int, month: int, day: int) -> Range | None:
        try:
            start = date(year, month, day)
        except ValueError:
            return None
        return start, start + timedelta(1)

    def relative(self, place: int) -> PeriodMention | None:
        """this month, last 90 days, the next two weeks, 3 months ago, the last month."""
        word = self.token(place)
        back, ahead, now = word in self.words.last, word in self.words.next, word in self.words.this
        if not (back or ahead or now):
            return None
        count, unit, end = self.stretch(place + 1)
        if unit is None:
            return None
        length = end - place
        if back and count is not None and (ended := self.up_to(place, count, unit, end)):
            return ended
        if back and count is not None and (right_before := self.many_previous(place, count, unit)):
            return self.whole(place, length, right_before, relative=True)
        if now and count is None:
            return self.whole(place, length, [unit_range(self.today, unit)], relative=True)
        if count is None:
            start, _ = unit_range(moved(self.today, unit, -1 if back else 1), unit)
            calendar = unit_range(start, unit)
            rolling = self.rolling(unit, 1, back=back, after=end)
            return self.whole(place, length, [*self.one_before(place, unit), calendar, rolling], relative=True)
        if now:
            return None
        begins, _ = unit_range(self.today, unit)
        full = (
            (moved(begins, unit, -count), begins) if back else (moved(begins, unit, 1), moved(begins, unit, count + 1))
        )
        with_running = (moved(begins, unit, 1 - count), moved(begins, unit, 1)) if back else full
        ranges = (
            [self.rolling(unit, count, back=back, after=end)]
            if unit in ("day", "week")
            else [self.rolling(unit, count, back=back, after=end), full, with_running]
        )
        if unit == "week":
            ranges += [full]
        if unit in ("quarter", "year") or self.words.calendar.intersection(self.tokens[place:end]):
            ranges = [full, ranges[0], with_running]
        return self.whole(place, length, ranges, relative=True)

    def stretch(self, at: int) -> tuple[int | None, str | None, int]:
        """So many of a unit and the place after them: "3 full months", "90d", "fortnight", "year and a half", "half";
        no number where none is said, no unit where there is none."""
        at += self.token(at) in self.words.calendar
        count, glued = self.number(at), COUNTED.fullmatch(self.token(at))
        if count is not None:
            at += 1 + (self.token(at + 1) in self.words.of_whole)  # "a couple of weeks"
        at += self.token(at) in self.words.calendar
        more = self.and_half(at) if count is not None else at
        unit, times = self.unit(more) or (None, 1)
        behind = self.and_half(more + 1)
        if unit == "year" and (more > at or behind > more + 1):
            return 12 * (count or 1) + 6, "month", behind
        if glued and unit is None:
            count, unit = int(glued[1]), self.words.short_units.get(glued[2], self.units.get(glued[2]))
        if unit is None and self.token(at) in self.words.halves:
            unit = "half"
        if unit is None and count is None:
            unit = self.words.short_units.get(self.token(at))  # "last q"
        return (times * (count or 1) if times > 1 else count), unit, at + 1

    def and_half(self, place: int) -> int:
        """The place behind "and a half", else the same place."""
        said = self.token(place) in self.words.adding and self.token(place + 1) in self.words.articles
        return place + 3 if said and self.token(place + 2) in self.words.halves else place

    def rolling(self, unit: str, count: int, *, back: bool, after: int) -> Range:
        """So many of a unit up to today, or from today on; the words end at `after`."""
        if back:
            return moved(self.today, unit, -count) + timedelta(1), self.today + timedelta(1)
        return self.ahead(unit, count, after)

    def quarter(self, place: int) -> PeriodMention | None:
        """q3 2024, 2024 q3, 24q3, the third quarter of 2024, h1, first half of the year."""
        length = 1
        text = self.token(place)
        if ahead_of := _YEAR_GLUED.fullmatch(text):
            return self.whole(place, 1, [self.part_of(2000 + int(ahead_of[1]), ahead_of[2], int(ahead_of[3]))])
        glued = _GLUED.fullmatch(text)
        if glued and glued[1][0] in "qh" and glued[1][1:].isdecimal():
            glued_year = int(glued[2]) + (2000 if len(glued[2]) == 2 else 0)
            return self.whole(place, 1, [self.part_of(glued_year, glued[1][0], int(glued[1][1]))])
        match, half = QUARTER.fullmatch(text), _HALF.fullmatch(text)
        number = self.words.ordinals.get(text, 0)
        if match:
            kind, number = "q", int(match[1])
        elif half:
            kind, number = "h", int(half[1])
        elif number and self.units.get(self.token(place + 1)) == "quarter":
            kind, length = "q", 2
        elif number in (1, 2) and self.token(place + 1) in self.words.halves:
            kind, length = "h", 2
        else:
            return None
        year = self.year_at(place + length, short=True)
        if year is not None:
            part = [self.part_of(year[0], kind, number)]
            return self.whole(place, length + year[1], part, narrow=kind == "h")  # the rules hear its year alone
        before = self.token(place - 1)
        if YEAR.fullmatch(before):
            return self.whole(place, length, [self.part_of(int(before), kind, number)])
        open_year = self.latest(lambda y: self.part_of(y, kind, number), over=before in self.words.last)
        return self.whole(place, length, open_year, yearless=before not in self.words.last)

    def part_of(self, year: int, kind: str, number: int) -> Range:
        size = 3 if kind == "q" else 6
        start = date(year, (number - 1) * size + 1, 1)
        return start, shifted(start, size)

    def days_of(self, place: int) -> PeriodMention | None:
        """1-14 November 2025, between 20 and 26 October, July 1 to 14, 2025."""
        number = self.month_of(self.token(place))
        first = place + (number is not None)
        joined = self.token(first + 1) in self.words.joiners
        last = first + 1 + joined
        last += joined and self.weekday(last) is not None  # "Monday 1 to Sunday 7 September"
        days = [int(m[1]) for n in (first, last) if (m := _DAY.fullmatch(self.token(n))) and 1 <= int(m[1]) <= 31]
        at = last + 1
        if number is None:
            at += self.token(at) in self.words.filling
            number = self.month_of(self.token(at))
            at += 1
        if number is None or len(days) < 2 or days[0] >= days[1]:
            return None
        month, (begin, end) = number, days
        year = self.year_at(at, short=True)
        if year is None and first > place and not joined:
            return None

        def made(of: int) -> Range | None:
            one, other = self.day(of, month, begin), self.day(of, month, end)
            return (one[0], other[1]) if one is not None and other is not None else None

        if year is not None:
            return self.whole(place, at - place + year[1], [made(year[0])])
        return self.whole(place, at - place, self.latest(made), yearless=True)

    def month(self, place: int) -> PeriodMention | None:
        """March 2025, mar 25, March, 5 March 2025, March 5th."""
        text = self.token(place)
        glued = _GLUED.fullmatch(text)
        if glued and (number := self.month_of(glued[1])) is not None:
            glued_year = int(glued[2]) + (2000 if len(glued[2]) == 2 else 0)
            return self.whole(place, 1, [unit_range(date(glued_year, number, 1), "month")])
        day = _DAY.fullmatch(text)
        if day and 1 <= int(day[1]) <= 31:
            at = place + 1 + (self.token(place + 1) in self.words.filling)
            number = self.month_of(self.token(at))
            if number is None:
                return None
            return self.dated(place, at + 1, number, int(day[1]))
        number = self.month_of(text)
        if number is None:
            return None
        if self.token(place + 1) in self.words.before and self.found:  # "in March 2025 than the March before"
            last = self.found[-1].ranges[0]
            if last[0].month == number and last == unit_range(last[0], "month"):
                return self.whole(place, 2, [in_year(last, last[0].year - 1)])
        at = place + 1
        at += self.token(at) in self.words.filling and _DAY.fullmatch(self.token(at + 1)) is not None
        day = _DAY.fullmatch(self.token(at))
        numeric = self.token(at)
        if (
            day
            and 1 <= int(day[1]) <= 31
            and not (self.year_at(place + 1, short=True) and not numeric[-1].isalpha() and not self.year_at(at + 1))
        ):
            return self.dated(place, at + 1, number, int(day[1]))
        year = self.year_at(place + 1, short=True)
        if year is not None:
            return self.whole(place, 1 + year[1], [unit_range(date(year[0], number, 1), "month")])
        before = self.token(place - 1)
        if YEAR.fullmatch(before):
            return self.whole(place, 1, [unit_range(date(int(before), number, 1), "month")])
        open_year = self.latest(lambda y: unit_range(date(y, number, 1), "month"), over=before in self.words.last)
        return self.whole(place, 1, open_year, yearless=before not in self.words.last)

    def dated(self, place: int, at: int, month: int, day: int) -> PeriodMention | None:
        year = self.year_at(at, short=True)
        if year is not None:
            return self.whole(place, at - place + year[1], [self.day(year[0], month, day)])
        return self.whole(place, at - place, self.latest(lambda y: self.day(y, month, day)), yearless=True)

    def year(self, place: int) -> PeriodMention | None:
        cut = self.token(place)[:1] == "'"
        year = self.year_at(place, short=cut)
        if year is None or self.token(place) in self.words.filling:
            return None
        fiscal = self.token(place).startswith(self.words.fiscal_prefixes)
        if not (cut or fiscal or YEAR.search(self.token(place))):
            return None
        return self.whole(place, year[1], [(date(year[0], 1, 1), date(year[0] + 1, 1, 1))])
