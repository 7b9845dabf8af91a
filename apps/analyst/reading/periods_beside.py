"""Periods that are said by a year or by another period: the first ten months of 2025, "and the first"; and what all
ways to name a period stand on.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache

from apps.analyst.knowledge.english import English, english
from apps.analyst.reading.calendars import Range, moved, shifted, unit_range

YEAR = re.compile(r"(?:19|20)\d\d")
QUARTER = re.compile(r"q([1-4])")
PART = re.compile(r"q[1-4]|h[12]")
_SHORT_YEAR = re.compile(r"['’]?\d\d")
PART_OF_A_YEAR = 350
"""Days up to which what was said is a part of a year."""


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """Tokens `start` to `end` (exclusive) name one of `ranges`, the likeliest first."""

    start: int
    end: int
    ranges: tuple[Range, ...]
    relative: bool = False
    counted: bool = False
    """Its words also say a number: what is "older than five years" may be by its date or by its age."""
    ends: bool = False
    """It is the last of what is meant, whose first day is not said: "up to March"."""
    narrow: bool = False
    """Its words hold those of another period in them: who reads "march" in "the first week of march" misreads it."""
    yearless: bool = False
    """It is a part of a year whose year is not said."""
    lent: bool = False
    """Its year is that of a period beside it."""


@cache
def _units(words: English) -> dict[str, str]:
    return {word: unit for unit, forms in words.units.items() for word in forms}


def may_be_year(text: str) -> bool:
    """Whether two digits may stand for a year."""
    return text.isdecimal() and 15 <= int(text) <= 39


class Said(ABC):
    """The tokens of a question (lower case) on a day, and the periods that were found in them so far."""

    def __init__(self, tokens: Sequence[str], today: date, until: date) -> None:
        self.tokens = [token.removesuffix("'s").removesuffix("’s") for token in tokens]
        self.today = today
        self.found: list[PeriodMention] = []
        self.until = min(until, today)
        self.words = english()
        self.units = _units(self.words)
        self.coming = not self.words.coming.isdisjoint(tokens)

    def token(self, place: int) -> str:
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""

    def whole(
        self,
        place: int,
        length: int,
        ranges: Sequence[Range | None],
        *,
        relative: bool = False,
        narrow: bool = False,
        yearless: bool = False,
    ) -> PeriodMention | None:
        kept = tuple(dict.fromkeys(r for r in ranges if r is not None and r[0] < r[1]))
        if not kept:
            return None
        return PeriodMention(place, place + length, kept, relative, narrow=narrow, yearless=yearless)

    def behind(self, place: int, words: frozenset[str]) -> int:
        """The first place from here on that holds none of the words."""
        while self.token(place) in words:
            place += 1
        return place

    def ends_with(self, place: int, also: frozenset[str] = frozenset()) -> int | None:
        """The place of the period that ends what is meant, where the words at a place say so, or are one of `also`: "up
        to the end of March" but not "signed up in March"."""
        two, until = f"{self.token(place)} {self.token(place + 1)}", self.words.until | also
        length = 2 if two in until else 1 if self.token(place) in until else 0
        skipped = self.words.definite | self.words.ends | self.words.of_whole
        return self.behind(place + length, skipped) if length else None

    def unit(self, place: int) -> tuple[str, int] | None:
        """The unit of time that stands at a place, and how many of it: a fortnight is two weeks."""
        if self.token(place) in self.words.fortnights:
            return "week", 2
        unit = self.units.get(self.token(place))
        return (unit, 1) if unit is not None else None

    def number(self, place: int) -> int | None:
        text = self.token(place)
        if text.isdecimal() and len(text) <= 3:
            return int(text)
        found = self.words.numbers.get(text)
        return int(found) if found is not None and found == int(found) and found >= 1 else None

    def year_at(self, place: int, *, short: bool = False) -> tuple[int, int] | None:
        """The year that stands at `place`, after words that say nothing, and how many tokens it takes."""
        at = place
        while self.token(at) in self.words.filling:
            at += 1
        text = self.token(at)
        for prefix in self.words.fiscal_prefixes:
            rest = text[len(prefix) :]
            if text.startswith(prefix) and rest.isdecimal():
                text = f"20{rest}" if len(rest) == 2 else rest
        if YEAR.fullmatch(text):
            return int(text), at + 1 - place
        named = text[:1] in ("'", "’") or may_be_year(text)
        free = not self.month_of(self.token(at + 1)) or self.is_year_of_two(at)
        if short and _SHORT_YEAR.fullmatch(text) and at == place and named and free:
            return 2000 + int(text.lstrip("'’")), at + 1 - place
        word = self.token(at)
        if self.units.get(self.token(at + 1)) == "year":
            years = (
                0
                if word in self.words.this
                else -1
                if word in self.words.last
                else 1
                if word in self.words.next
                else None
            )
            if years is not None:
                return self.today.year + years, at + 2 - place
        return None

    def is_year_of_two(self, place: int) -> bool:
        """True for 24 in "Oct 24 to Sep 25" and "Jan 25 to Mar 25", which as days would run backward or stand still."""
        one, other = self.token(place), self.token(place + 2)
        first, second = self.month_of(self.token(place - 1)), self.month_of(self.token(place + 1))
        if first is None or second is None or not (may_be_year(one) and may_be_year(other)):
            return False
        return (one == other and first < second) or (int(other) == int(one) + 1 and second <= first)

    def latest(self, made: Callable[[int], Range | None], *, over: bool = False) -> list[Range | None]:
        """Of a part of a year without the year: the latest that has begun in the data (with `over`, is over today), of
        what will be the first that is not over, then those of years around it."""
        if self.coming:
            ahead = [r for r in (made(self.today.year), made(self.today.year + 1)) if r is not None]
            return [*[r for r in ahead if r[1] > self.today][:1], *[r for r in ahead if r[1] <= self.today]]
        years = [self.until.year, self.until.year - 1, self.until.year + 1]
        ranges = [made(year) for year in years]
        begun = [r for r in ranges if r is not None and (r[1] <= self.today if over else r[0] <= self.until)]
        return [*begun[:1], *[r for r in ranges if r not in begun[:1]]]

    def month_of(self, text: str) -> int | None:
        return next((n for n, names in enumerate(self.words.months, 1) if text in names), None)

    def first_of(self, place: int) -> PeriodMention | None:
        """The first ten months of 2025, the first two quarters this year, the last two months of 2024."""
        begins, ends = self.words.ordinals.get(self.token(place)) == 1, self.token(place) in self.words.last
        count = self.number(place + 1)
        at = place + 1 + (count is not None)
        unit = self.units.get(self.token(at))
        if not (begins or ends) or unit not in ("week", "month", "quarter"):
            return None
        year = self.year_at(at + 1)
        if year is None and (ends or count is None):
            return None
        first = date(year[0] if year is not None else self.until.year, 1, 1)
        last = shifted(first, 12)
        found = (first, moved(first, unit, count or 1)) if begins else (moved(last, unit, -(count or 1)), last)
        return self.whole(place, at + 1 - place + (year[1] if year is not None else 0), [found])

    def elided(self, place: int) -> PeriodMention | None:
        """The first, in "the second quarter of 2025 compared with the first": of what was said in the same way."""
        last = self.found[-1] if self.found else None
        number = self.words.ordinals.get(self.token(place), 0)
        if number and (ahead := self.elided_ahead(place, number)) is not None:
            return ahead
        if (
            last is None
            or not number
            or self.token(place + 1) not in ("", *self.words.contrasts, *self.words.stopwords)
        ):
            return None
        said = self.words.ordinals.get(self.token(last.start), 0)
        unit = self.units.get(self.token(last.start + 1))
        start = last.ranges[0][0]
        if not said or unit not in ("month", "quarter") or last.ranges[0] != unit_range(start, unit):
            return None
        return self.whole(place, 1, [unit_range(moved(start, unit, number - said), unit)])

    def elided_ahead(self, place: int, number: int) -> PeriodMention | None:
        """The first, in "from the first to the second quarter of 2025"."""
        counted = {word for phrase in self.words.cues["count"] for word in phrase.split()}
        at = self.behind(place + 1, self.words.stopwords | self.words.contrasts | counted)
        said = self.words.ordinals.get(self.token(at), 0)
        unit = "half" if self.token(at + 1) in self.words.halves else self.units.get(self.token(at + 1))
        if at == place + 1 or not said or unit not in ("month", "quarter", "half"):
            return None
        other = self.at(at)
        if other is None or other.ranges[0] != unit_range(other.ranges[0][0], unit):
            return None
        return self.whole(place, 1, [unit_range(moved(r[0], unit, number - said), unit) for r in other.ranges])

    @abstractmethod
    def at(self, place: int) -> PeriodMention | None:
        """The period that begins at a token."""

    def span(self) -> Range | None:
        """From the beginning to the end of what was said last: "January to May 2025" is one."""
        if not self.found:
            return None
        last = self.found[-1]
        start, end = last.ranges[0]
        if len(self.found) > 1:
            before = self.found[-2]
            between = self.tokens[before.end : last.start]
            if all(word in self.words.joiners for word in between) and before.ranges[0][0] < start:
                start = before.ranges[0][0]
        return start, end
