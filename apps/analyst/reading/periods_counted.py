"""Periods that are counted from a day or month ("the 90 days to 14 November", "the year to March", "three weeks ago",
"older than a year"), ends of the running year or month, and parts of a year held against another year.
"""

from __future__ import annotations

from datetime import timedelta

from apps.analyst.reading.calendars import in_year, moved, unit_range
from apps.analyst.reading.periods_beside import PeriodMention
from apps.analyst.reading.periods_same import Same

_DAY = timedelta(1)
MANY_DAYS = 13
"""Days from which on "so many days ago" is a stretch; "two days ago" is a day."""
THIS_YEAR = 3
"""Words of a month with its year: "August this year"."""


def _is(found: PeriodMention, unit: str) -> bool:
    """Whether the likeliest of what is named is one unit of the calendar."""
    return found.ranges[0] == unit_range(found.ranges[0][0], unit)


class Counted(Same):
    """Ways to name a period by another one, or by how far off it is."""

    def length(self, place: int) -> tuple[int, str, int] | None:
        """So many of a unit, and the place after it: "90 days", "a year"."""
        count = 1 if self.token(place) in self.words.articles else self.number(place)
        unit = self.unit(place + 1)
        return (count * unit[1], unit[0], place + 2) if count is not None and unit is not None else None

    def counted(self, place: int) -> PeriodMention | None:
        """Three weeks ago; older than 90 days, 45 days old; the 90 days to 14 November 2025."""
        aged = self.token(place) in self.words.older and self.token(place + 1) in self.words.holding
        found = self.length(place + 2 if aged else place)
        if found is None:
            return self.lone(place)
        count, unit, after = found
        begins, tomorrow = moved(self.today, unit, -count), self.today + _DAY
        if aged:
            return PeriodMention(place, after, ((begins, tomorrow),), relative=True, counted=True)
        if self.token(after) in self.words.old:
            return PeriodMention(place, after + 1, ((begins, tomorrow),), relative=True, counted=True)
        bound = self.token(place - 1) in self.words.holding | self.words.since
        if self.lasts(place):
            return PeriodMention(place, after, ((begins, tomorrow),), relative=True, counted=True)
        if self.token(after) in self.words.beginning and self.from_now(after):  # "in the 90 days from now"
            return PeriodMention(place, after + 2, (self.ahead(unit, count, after),), relative=True)
        if self.token(place - 1) in self.words.inside:
            if self.token(after) in self.words.following | self.words.of_whole and not self.from_now(after):
                return None  # "within 30 days of sign-up"
            ahead = self.ahead(unit, count, after)
            return PeriodMention(place, after, (ahead, (begins + _DAY, tomorrow)), relative=True, counted=True)
        if self.token(after) in self.words.ago:
            rolling, whole = (begins, tomorrow), unit_range(begins, unit)
            far = unit == "day" and count > MANY_DAYS
            ranges = (rolling, whole) if bound or far else (whole, rolling)
            return self.whole(place, after + 1 - place, ranges, relative=True)
        if self.token(place) in self.words.articles or bound:
            return None
        return self.up_to(place, count, unit, after) or self.beside(place, count, unit, after)

    def from_now(self, place: int) -> bool:
        """Whether "from now", "of today" stands at a place."""
        return self.token(place + 1) in self.words.present

    def lasts(self, place: int) -> bool:
        """Whether "for", "for over", "for more than" stands before a length of time: what has lasted since then."""
        before = place - 1
        while before > 0 and self.token(before) in self.words.holding | self.words.longer:
            before -= 1
        return self.token(before) in self.words.lasting

    def lone(self, place: int) -> PeriodMention | None:
        """The year to March 2025, the week ending 12 October, the quarter ended June: one of a unit."""
        unit, said = self.unit(place), self.token(place + 1)
        led = self.token(place - 1) in self.words.filling or not self.token(place - 1) or said in self.words.ended
        grouped = self.token(place - 1) in self.words.cues["grouped"]
        if unit is None or unit[0] == "day" or grouped or not (led or unit[0] == "year"):
            return None
        return self.up_to(place, unit[1], unit[0], place + 1)

    def up_to(self, place: int, count: int, unit: str, after: int) -> PeriodMention | None:
        """So many of a unit that end with a day, or with a month where the unit is longer than days."""
        if self.token(after) not in self.words.ending:
            return None
        last = self.at(self.behind(after + 1, self.words.ending | self.words.filling))
        if last is None or not (_is(last, "day") or (_is(last, "month") and unit not in ("day", "week"))):
            return None
        ranges = [(moved(end, unit, -count), end) for _, end in last.ranges]
        return self.whole(place, last.end - place, ranges, relative=last.relative, narrow=True)

    def beside(self, place: int, count: int, unit: str, after: int) -> PeriodMention | None:
        """The 30 days before 15 March, the two weeks after 1 June, the three months from April."""
        said = self.token(after)
        if said not in self.words.before | self.words.following:
            return None
        other = self.at(self.behind(after + 1, self.words.filling))
        if other is None or not (_is(other, "day") or _is(other, "month")):
            return None
        if said in self.words.before:
            ranges = [(moved(start, unit, -count), start) for start, _ in other.ranges]
        elif said in self.words.beginning:
            ranges = [(start, moved(start, unit, count)) for start, _ in other.ranges]
        else:
            ranges = [(end, moved(end, unit, count)) for _, end in other.ranges]
        return self.whole(
            place, other.end - place, ranges, relative=other.relative, narrow=True, yearless=other.yearless
        )

    def so_far(self, place: int) -> PeriodMention | None:
        """Up to August this year: from the year's first day on."""
        joined = self.found and self.found[-1].end == place  # "from March to August this year"
        at = self.ends_with(place, self.words.ranging)
        last = self.at(at) if at is not None and not joined else None
        if last is None or not _is(last, "month") or last.end - last.start < THIS_YEAR:
            return None
        now = self.token(last.end - 2) in self.words.this and self.units.get(self.token(last.end - 1)) == "year"
        if not now:
            return None
        ranges = [(unit_range(self.today, "year")[0], last.ranges[0][1])]
        return self.whole(place, last.end - place, ranges, relative=True, narrow=True)

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

    def last_of_two(self, place: int) -> PeriodMention | None:
        """The last one, behind "this year", "this month": the one before; behind a part of this year ("January to
        August this year against last") the same part of last year."""
        last = self.found[-1] if self.found else None
        joints = self.words.held_against | self.words.adding | self.words.holding
        if last is None or last.end != place - 1 or self.token(place - 1) not in joints:
            return None
        alone = self.token(place) in self.words.last and self.token(place + 1) not in self.units
        unit, said = self.units.get(self.token(last.end - 1)), self.span()
        if not alone or unit is None or said is None or self.token(last.end - 2) not in self.words.this:
            return None
        if last.end - 2 > last.start or said != last.ranges[0]:
            return self.whole(place, 1, [in_year(said, (said[1] - _DAY).year - 1)], relative=True)
        return self.whole(place, 1, [unit_range(moved(said[0], unit, -1), unit)], relative=True)
