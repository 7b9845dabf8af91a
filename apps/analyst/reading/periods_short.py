"""Periods that are written in short ("LQ", "L12M", "90d", "24 vs 25"), and the previous one of what was named."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta

from apps.analyst.reading.calendars import Range, moved, unit_range
from apps.analyst.reading.periods_beside import PeriodMention, may_be_year
from apps.analyst.reading.periods_compared import is_opposed
from apps.analyst.reading.periods_parts import Parts

COUNTED = re.compile(r"(\d{1,3})([a-z]{1,6})")
"""So many of a unit, written together."""
_LAST = re.compile(r"[lt](\d{1,2})([a-z])")
_FEW_DAYS = 7
"""Days up to which "5d" is a length of time and no stretch up to today."""


class Short(Parts):
    """Ways to name a period by few letters."""

    def in_short(self, place: int) -> PeriodMention | None:
        """LQ, ty, L12M, T12M, 90d, 60d+, since 1/25, 24 vs 25: as they are written out."""
        text = self.token(place)
        spelled = self.words.short_periods.get(text)
        if spelled is None and (match := _LAST.fullmatch(text)) and match[2] in self.words.short_units:
            spelled = f"last {match[1]} {self.words.short_units[match[2]]}"
        if spelled is not None:
            found = type(self)(spelled.split(), self.today, self.until).at(0)
            # Narrow: nobody else hears it, and "ty" or "lq" is never said of anything else.
            return replace(found, start=place, end=place + 1, narrow=True) if found is not None else None
        days = COUNTED.fullmatch(text)
        follows = self.token(place - 1) in self.words.last | self.words.next | self.words.holding
        in_days = days is not None and self.words.short_units.get(days[2]) == "day"
        if days and in_days and int(days[1]) > _FEW_DAYS and not follows:
            tomorrow = self.today + timedelta(1)
            rolling = moved(tomorrow, "day", -int(days[1])), tomorrow
            return PeriodMention(place, place + 1, (rolling,), relative=True, counted=True)
        since, year = self.token(place - 1) in self.words.since, self.token(place + 1)
        if since and text.isdecimal() and 1 <= int(text) <= 12 and may_be_year(year):
            return self.whole(place, 2, [unit_range(date(2000 + int(year), int(text), 1), "month")])
        return self.year_of_two(place)

    def year_of_two(self, place: int) -> PeriodMention | None:
        """24 and 25 of "24 vs 25": years that follow each other."""
        text, joint = self.token(place), self.words.held_against
        beside = [self.token(place + step) for step in (2, -2) if self.token(place + step // 2) in joint]
        if not may_be_year(text) or not any(may_be_year(b) and abs(int(b) - int(text)) == 1 for b in beside):
            return None
        return self.whole(place, 1, [unit_range(date(2000 + int(text), 1, 1), "year")])

    def one_before(self, place: int, unit: str) -> list[Range]:
        """The previous one of a unit behind one that is named, which need not be the running one: "2024 compared with
        the previous year"."""
        last = self.found[-1] if self.found else None
        if last is None or self.token(place) not in self.words.previous or last.end == place:
            return []
        between = set(self.tokens[last.end : place])
        start = last.ranges[0][0]
        if not between <= self.words.contrasts | self.words.holding | self.words.stopwords | self.words.cues["change"]:
            return []
        return [unit_range(moved(start, unit, -1), unit)] if last.ranges[0] == unit_range(start, unit) else []

    def many_previous(self, place: int, count: int, unit: str) -> list[Range]:
        """ "The last 30 days vs the previous 30": so many of a unit right before what they are held against."""
        said = self.span()
        held = bool(self.found) and is_opposed(self.tokens, self.found[-1].end, place)
        if said is None or not held or not (self.token(place) in self.words.previous or self.lasted(said, count, unit)):
            return []
        return [(moved(said[0], unit, -count), said[0])]

    def lasted(self, said: Range, count: int, unit: str) -> bool:
        """Whether so many of a unit up to today are what was said: nothing is held against itself."""
        tomorrow = self.today + timedelta(1)
        return said == (moved(self.today, unit, -count) + timedelta(1), tomorrow)
