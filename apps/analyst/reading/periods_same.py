"""Periods that are said by another one: the same months of 2024, the same stretch of last month, the year before, the
two months before; and times that run up to today ("YTD 2024", "December so far").
"""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

from apps.analyst.reading.calendars import Range, in_year, moved, shifted, unit_range
from apps.analyst.reading.periods_beside import PART_OF_A_YEAR, YEAR, PeriodMention, Said
from apps.analyst.reading.periods_compared import is_opposed

_DAY = timedelta(1)
_A_YEAR = 366


class Same(Said):
    """Ways to name a period by one that was said, or by today."""

    def same(self, place: int) -> PeriodMention | None:
        """The same months of 2024, the same stretch of last month, those of 2024: of a part of a year that was
        said."""
        at, part = place + 1, False
        if self.token(place) in self.words.same:
            part = self.token(at) in self.words.stretches
            at += self.number(at) is not None
            at += self.token(at) in self.units or self.token(at) in self.words.stretches
        elif self.token(place) not in self.words.stand_ins or self.token(at) not in self.words.filling:
            return None
        whole = self.span()
        said = self.so_far_of(whole) if whole is not None and part else whole
        if said is None or (said[1] - said[0]).days > _A_YEAR or said == unit_range(said[0], "year"):
            return None
        found = self.other_time(at, said)
        if found is None:
            return None
        ranges = found[0] if said == whole else found[0][:1]
        return self.whole(place, found[1] - place, ranges)

    def so_far_of(self, said: Range) -> Range:
        """Of a running year, quarter, month or week the part that is over: that is what "the same period last year" is
        held against."""
        running = any(said == unit_range(self.today, unit) for unit in ("year", "quarter", "month", "week"))
        return (said[0], min(said[1], self.today + _DAY)) if running else said

    def other_time(self, at: int, said: Range) -> tuple[list[Range], int] | None:
        """What was said in another year, month or week, and the place after its words: "of 2024", "last month", "a
        year earlier", "the year before"."""
        start = self.behind(at, self.words.filling)
        unit, last = self.units.get(self.token(start + 1)), self.token(start) in self.words.last
        own, year = (said[1] - _DAY).year, self.year_at(at) or self.short_year(at, start)
        before_it = unit == "year" and self.token(start) in self.words.previous
        if last and unit is not None and self.year_at(start + 2) is not None:
            return None  # "those in the last quarter of 2024"
        if unit is not None and (before_it or (last and unit in ("week", "month", "quarter"))):
            return [_back(said, unit, 1)], start + 2
        if year is not None:
            other = own - 1 if last and year[0] == own else year[0]
            return [in_year(said, other), unit_range(said[0].replace(year=other, day=1), "year")], at + year[1]
        count = 1 if self.token(start) in self.words.articles else self.number(start)
        start += count is not None
        found, behind = self.unit(start), self.token(start + 1)
        if found is None or found[0] == "day" or behind not in self.words.before | self.words.ago:
            return None
        return [_back(said, found[0], (count or 1) * found[1])], start + 2

    def short_year(self, at: int, start: int) -> tuple[int, int] | None:
        """The year of two digits ("of 24") that stands at `start`, and how many tokens it takes from `at` on."""
        year = self.year_at(start, short=True)
        return (year[0], start - at + year[1]) if year is not None else None

    def before(self, place: int) -> PeriodMention | None:
        """The month before, the quarter prior to it, the one before that, a year earlier, the two months before: of
        what was said, else of now."""
        count = self.number(place)
        if count is not None and self.token(place) not in self.words.ones:
            return self.many_before(place, count)
        word, unit = self.token(place), self.units.get(self.token(place))
        after = place + 1
        if self.token(after) not in self.words.before or not (unit or word in self.words.ones):
            return None
        said = self.span() or (unit_range(self.today, unit) if unit else None)
        unit = unit or next((u for u in ("month", "quarter", "year") if said and unit_range(said[0], u) == said), None)
        if said is None or unit in (None, "day"):
            return None
        after += 1
        after += self.token(after) in self.words.joiners
        last = self.behind(after, self.words.filling)
        twice = self.token(last) in self.words.last
        if twice:  # "the week before the last week"
            after = last + 1 + (self.units.get(self.token(last + 1)) == unit)
        after = self.behind(after, self.words.pointing)
        if not self.held_before(place) and self.token(after) not in ("", *self.words.contrasts, *self.words.filling):
            return None  # "the month before departure"
        if twice:
            return self.whole(place, after - place, [unit_range(moved(self.today, unit, -2), unit)], relative=True)
        return self.whole(place, after - place, [_back(said, unit, 1)], relative=True)

    def held_before(self, place: int) -> bool:
        """Whether what stands at a place is held against what was said before it: "vs a year earlier"."""
        at = place - (self.token(place - 1) in self.words.definite | self.words.articles)
        return self.token(at - 1) in self.words.held_against

    def many_before(self, place: int, count: int) -> PeriodMention | None:
        """ "Nov and Dec vs the two months before": so many right before what they are held against; "two years
        earlier", "two years before" are the same time then."""
        said, held = self.span(), bool(self.found) and is_opposed(self.tokens, self.found[-1].end, place)
        if said is None or not held:
            return None
        named = self.unit(place + 1)
        unit = named or self.unit(self.found[-1].end - 1)  # "the last three months vs the three before"
        at = place + 1 + (named is not None)
        if unit is None or self.token(at) not in self.words.before:
            return None
        after = self.behind(at + 1, self.words.pointing)
        if self.token(after) not in ("", *self.words.contrasts, *self.words.filling):
            return None
        units = count * unit[1]
        right_before = self.token(place - 1) in self.words.definite
        found = (moved(said[0], unit[0], -units), said[0]) if right_before else _back(said, unit[0], units)
        return self.whole(place, after - place, [found], relative=True)

    def against(self, place: int) -> PeriodMention | None:
        """ "January to June 2025 against 2024", "October, last year and this year": the same months."""
        last, said = self.found[-1] if self.found else None, self.span()
        other = self.number(place) is not None and self.unit(place + 1) is not None
        other = other or not self.words.entire.isdisjoint(self.tokens[place : place + 3])
        if last is None or said is None or not self.is_held(last.end, place) or other:
            return None
        year = self.year_at(place, short=True)
        if year is None or (said[1] - said[0]).days >= PART_OF_A_YEAR or year[0] == (said[1] - _DAY).year:
            return None
        whole = unit_range(said[0].replace(day=1, year=year[0]), "year")
        return self.whole(place, year[1], [in_year(said, year[0]), whole])

    def is_held(self, begin: int, end: int) -> bool:
        """Whether one word or "compared with" holds what follows against what was said, or adds to it where that ends
        with "last year"."""
        between = self.tokens[begin:end]
        if len(between) == 1 and between[0] in self.words.held_against:
            return True
        if len(between) == 1 and between[0] in self.words.adding:
            by_name = self.units.get(self.token(begin - 1)) == "year"  # "in March 2025 and 2024" may mean all of 2024
            return by_name and begin - self.found[-1].start > len(("last", "year"))
        joints = self.words.opposing | self.words.contrasts | self.words.joiners | self.words.filling
        return joints.issuperset(between) and is_opposed(self.tokens, begin, end)

    # ---------------------------------------------------------------- up to today, and from today on
    def ahead(self, unit: str, count: int, after: int) -> Range:
        """So many of a unit from now on: today is among them, where the words behind do not leave it out."""
        behind = [" ".join(self.tokens[after : after + length]) for length in (2, 3)]
        begins = self.today + _DAY * (not self.words.after_today.isdisjoint(behind))
        return begins, moved(self.today, unit, count) + _DAY

    def to_date(self, place: int) -> PeriodMention | None:
        """Year to date, YTD 2024, last YTD."""
        unit, length = self.phrase(place)
        if unit:
            return self.running(place, length, unit)
        unit, length = self.phrase(place + 1)
        if not unit or self.token(place) not in self.words.last:
            return None
        found = _back((unit_range(self.today, unit)[0], self.today + _DAY), unit, 1)
        return self.whole(place, 1 + length, [found], relative=True)

    def phrase(self, place: int) -> tuple[str, int]:
        """The unit that runs up to today by the words at a place, and how many words; none where they say no such."""
        for unit, phrases in self.words.to_date.items():
            for phrase in phrases:
                said = phrase.split()
                if self.tokens[place : place + len(said)] == said:
                    return unit, len(said)
        return "", 0

    def running(self, place: int, length: int, unit: str) -> PeriodMention | None:
        """A unit of the calendar up to today, or a year up to the same day where another one is named behind it."""
        year = self.year_at(place + length, short=True) if unit == "year" else None
        back, start = self.today.year - (year[0] if year else self.today.year), unit_range(self.today, unit)[0]
        found = shifted(start, -12 * back), shifted(self.today, -12 * back) + _DAY
        return self.whole(place, length + (year[1] if year else 0), [found], relative=not back)

    def to_now(self, found: PeriodMention) -> PeriodMention:
        """A period that runs up to today by the words behind it ("December so far", "2025 to date"), or up to the same
        day of another year ("last year to date"); as it is where none stand there."""
        at = found.end
        last = self.found[-1] if self.found else None
        if last is not None and self.is_said_again(last, found):
            return replace(found, ranges=(last.ranges[0], *found.ranges))
        phrase = next((p for p in self.words.so_far if self.tokens[at : at + len(p.split())] == p.split()), None)
        since = self.token(found.start - 1) in self.words.since | self.words.beginning
        if phrase is None or since or found.counted:
            return found
        tomorrow = self.today + _DAY
        meant = found.ranges[:1] if found.relative else found.ranges
        now = [(start, tomorrow) for start, end in meant if start <= self.today < end]
        end = at + len(phrase.split())
        if now:
            return replace(found, end=end, ranges=(*now[:1],), yearless=False)
        start, whole = found.ranges[0][0], found.ranges[0]
        unit = next((u for u in ("year", "quarter", "month", "week") if whole == unit_range(start, u)), None)
        if unit is None or start > self.today or not (found.relative or unit == "year"):
            return found
        if unit == "year" and not found.relative and phrase in self.words.until_now and start.year < self.today.year:
            return replace(found, end=end, ranges=((start, tomorrow),))
        gone = self.today - unit_range(self.today, unit)[0]
        day = shifted(self.today, 12 * (start.year - self.today.year)) if unit == "year" else start + gone
        return replace(found, end=end, ranges=((start, min(day + _DAY, whole[1])),))

    def is_said_again(self, last: PeriodMention, found: PeriodMention) -> bool:
        """Whether a year is the running one, up to today, that was said before: "YTD sales 2025"."""
        running = unit_range(self.today, "year")
        if found.ranges[0] != running or last.ranges[0] != (running[0], self.today + _DAY):
            return False
        return not is_opposed(self.tokens, last.end, found.start)

    def year_to_date(self, place: int) -> PeriodMention | None:
        """2024 YTD, last year to date: the year with words behind it that run up to a day of it."""
        year = self.year_at(place)
        if year is None or self.token(place) in self.words.filling or not YEAR.search(self.token(place)):
            return None
        whole = self.whole(place, year[1], [unit_range(self.today.replace(year=year[0], day=1), "year")])
        found = self.to_now(whole) if whole is not None else None
        return found if found is not whole else None


def _back(said: Range, unit: str, count: int) -> Range:
    """The same time so many units earlier."""
    return moved(said[0], unit, -count), moved(said[1], unit, -count)
