"""Numbers that a question says, in figures or words, as the words stand in knowledge/english.yaml."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from apps.analyst.knowledge.english import english
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.reading.periods_beside import PeriodMention

_FIGURES = re.compile(r"[$€£]?(\d[\d,]*(?:\.\d+)?|\.\d+)(k|m|mn|bn)?(%?)")
_WITH_UNIT = re.compile(r"(\d+(?:\.\d+)?)([a-z]{1,7})")
_TENS = range(20, 100, 10)


@dataclass(frozen=True, slots=True)
class Amount:
    """Tokens `place` to `end` (exclusive) say the number, without the article before it. `unit` is the word for what is
    counted that follows or is written with it ("3 weeks", "48h"), "%" included; a `part` is said as a part of a whole
    ("a fifth")."""

    place: int
    end: int
    value: float
    unit: str = ""
    part: bool = False

    def spellings(self) -> Iterator[float]:
        """The number as a condition may hold it: in any unit, and as a share of one or in percent."""
        lengths = english().durations
        yield self.value
        if self.part:
            yield self.value * 100
        if self.unit in english().percents:
            yield self.value / 100
        if self.unit in lengths:
            yield from (self.value * lengths[self.unit] / own for own in set(lengths.values()))


def amounts(tokens: Sequence[str], named: Sequence[PeriodMention]) -> list[Amount]:
    """The numbers that the tokens (lower case) say, where they say no period."""
    return list(_Reader(tokens, named).read())


def glued_unit(text: str) -> str:
    """The unit that is written together with a number, as columns state theirs: kg of "20kg"; "" where none is."""
    glued = _WITH_UNIT.fullmatch(text)
    return glued[2] if glued and glued[2] in knowledge().units.ending else ""


class _Reader:
    def __init__(self, tokens: Sequence[str], named: Sequence[PeriodMention]) -> None:
        self.tokens, self.words = tokens, english()
        self.taken = {place for mention in named for place in range(mention.start, mention.end) if not mention.counted}
        self.seconds = self.words.durations

    def token(self, place: int) -> str:
        return self.tokens[place] if 0 <= place < len(self.tokens) else ""

    def read(self) -> Iterator[Amount]:
        place = 0
        while place < len(self.tokens):
            found = self.at(place)
            if found is None:
                place += 1
                continue
            year = len(self.token(place)) == 4 and self.token(place).isdigit()
            if place not in self.taken or year:
                yield replace(found, place=place + (self.token(place) in self.words.articles))
            place = found.end

    def at(self, place: int) -> Amount | None:
        for way in (self.fraction, self.figures, self.spelled, self.lone):
            found = way(place)
            if found is not None:
                return found
        return None

    def made(self, place: int, end: int, value: float, *, part: bool = False) -> Amount:
        """The amount with the unit that follows it; after "a quarter of an" that of the whole."""
        after = self.token(end)
        if part and after in self.words.of_whole and self.token(end + 1) in self.words.articles:
            scale, unit = self.words.scales.get(self.token(end + 2)), self.token(end + 2)
            if scale is not None and unit in self.words.scales_alone:
                return Amount(place, end + 3, value * scale)
            if unit in self.seconds:
                return Amount(place, end + 3, value, unit)
        unit = after if after in self.seconds or after in self.words.percents else ""
        return Amount(place, end, value, unit, part and not unit)

    def figures(self, place: int) -> Amount | None:
        """1,200, 3.5k, 40%, 48h, 20kg, 9 and a half."""
        text = self.token(place)
        if match := _FIGURES.fullmatch(text):
            value = float(match[1].replace(",", "")) * self.words.scales.get(match[2] or "", 1.0)
            end, value = self.scaled(place + 1, value, short=False)
            if match[3]:
                return Amount(place, end, value, match[3])
            return self.made(place, *self.and_part(end, value))
        glued = _WITH_UNIT.fullmatch(text)
        if glued and glued[2] in self.seconds:
            unit = "" if glued[2] in self.words.stopwords else glued[2]  # "the over 65s" are people
            return Amount(place, place + 1, float(glued[1]), unit)
        return Amount(place, place + 1, float(glued[1])) if glued and glued_unit(text) else None

    def spelled(self, place: int) -> Amount | None:
        """Three, twenty-one, a hundred and twenty, thirty-five thousand, nine and a half, half a million."""
        lead = self.token(place) in self.words.articles and self.token(place + 1) in self.words.scales_alone
        begun = (1.0, place + 1) if lead else self.small(place)
        if begun is None and self.token(place) in self.words.scales_alone:
            begun = (1.0, place)  # "over a million"
        if begun is None:
            return None
        value, end = begun
        if value == 0.5 and self.token(end) in self.words.articles and self.token(end + 1) in self.words.scales_alone:
            end += 1
        end, value = self.scaled(end, value, short=True)
        if value != 0.5 and self.token(end - 1) in self.words.scales_alone:
            end, value = self.and_more(end, value)
        return self.made(place, *self.and_part(end, value))

    def small(self, place: int) -> tuple[float, int] | None:
        """A word for a number, two where they are one ("twenty one"), and what follows it."""
        value = self.words.numbers.get(self.token(place))
        if value is None:
            return None
        more = self.words.numbers.get(self.token(place + 1), 0)
        if value in _TENS and 1 <= more <= 9:
            return value + more, place + 2
        return value, place + 1

    def scaled(self, end: int, value: float, *, short: bool) -> tuple[int, float]:
        """The number times the scales that follow: "two hundred thousand". After figures a single letter is none where
        it stands alone; `short` allows it."""
        while self.token(end) in self.words.scales and (short or len(self.token(end)) > 1):
            value *= self.words.scales[self.token(end)]
            end += 1
        return end, value

    def and_more(self, end: int, value: float) -> tuple[int, float]:
        """With the smaller number that follows a scale: "a hundred and twenty", "two thousand five hundred"."""
        at = end + (self.token(end) in self.words.adding)
        more = self.small(at)
        if more is None or more[0] < 1:
            return end, value
        after, added = self.scaled(more[1], more[0], short=True)
        return (after, value + added) if added < value and float(added).is_integer() else (end, value)

    def and_part(self, end: int, value: float) -> tuple[int, float]:
        """With the half that follows: "three and a half"."""
        if self.token(end) in self.words.adding and self.token(end + 1) in self.words.articles:
            part = self.words.numbers.get(self.token(end + 2), self.words.fractions.get(self.token(end + 2), 1.0))
            if 0 < part < 1:
                return end + 3, value + part
        return end, value

    def fraction(self, place: int) -> Amount | None:
        """A fifth, two thirds, a quarter of a million, half; no "third quarter"."""
        if self.words.numbers.get(self.token(place)) == 0.5:
            if self.token(place + 1) in self.words.articles:
                unit = self.token(place + 2)
                return Amount(place, place + 3, 0.5, unit) if unit in self.seconds else None
            return self.made(place, place + 1, 0.5, part=True)
        count = 1.0 if self.token(place) in self.words.articles else self.words.numbers.get(self.token(place), 0.0)
        part = self.words.fractions.get(self.token(place + 1))
        if not 1 <= count <= 9 or part is None or count * part >= 1:
            return None
        return self.made(place, place + 2, count * part, part=True)

    def lone(self, place: int) -> Amount | None:
        """One of a unit that something is held against: "over a week", "beyond a day"."""
        held = self.token(place - 1) in self.words.holding
        if not held or self.token(place) not in self.words.articles or self.token(place + 1) not in self.seconds:
            return None
        return Amount(place, place + 2, 1.0, self.token(place + 1))
