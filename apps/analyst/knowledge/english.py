"""Function words of English, read from english.yaml once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

import yaml

from apps.analyst.knowledge.folding import folded

FIGURES = ("mean", "median", "total", "count", "highest", "lowest")
"""The cues that ask for a common figure."""


@dataclass(frozen=True)
class StatisticWords:
    """The words that ask for a statistic, and by what of a plan it is told."""

    words: frozenset[tuple[str, ...]]
    studies: frozenset[str]
    figures: frozenset[str]
    shows: frozenset[str]


@dataclass(frozen=True, eq=False)
class English:
    """Words of time and number, and words without content. All lower case."""

    months: tuple[tuple[str, ...], ...]
    weekdays: tuple[tuple[str, ...], ...]
    weekend: frozenset[str]
    units: Mapping[str, tuple[str, ...]]
    halves: frozenset[str]
    fortnights: frozenset[str]
    seasons: Mapping[str, int]
    during: frozenset[str]
    """Words before a season that is no name: "in summer"."""
    definite: frozenset[str]
    this: frozenset[str]
    last: frozenset[str]
    next: frozenset[str]
    days: Mapping[str, int]
    to_date: Mapping[str, tuple[str, ...]]
    fiscal_prefixes: tuple[str, ...]
    calendar: frozenset[str]
    """Words that ask for a unit of the calendar as a whole."""
    same: frozenset[str]
    year_on_year: frozenset[str]
    previous: frozenset[str]
    stretches: frozenset[str]
    """Words for a time of any length."""
    stand_ins: frozenset[str]
    """Words that stand for a time that was said."""
    one_among: frozenset[str]
    lowest_first: frozenset[str]
    """Words that name the end of an order, whatever it is ordered by."""
    worst: frozenset[str]
    joiners: frozenset[str]
    """Words between the first and the last of several days or months."""
    before: frozenset[str]
    ones: frozenset[str]
    pointing: frozenset[str]
    """Words that point at a time that was said: "the month before that"."""
    contrasts: frozenset[str]
    """Words between two times that are held against each other."""
    held_against: frozenset[str]
    """Words by which one period is held against another, not added to it."""
    opposing: frozenset[str]
    """Words between two periods that hold one against the other, whatever else stands there."""
    comparing: frozenset[str]
    """Words before two periods that ask to hold one against the other."""
    pairing: frozenset[str]
    """Words between two such periods."""
    ranging: frozenset[str]
    """Words between the first and the last of a stretch."""
    so_far: frozenset[str]
    """Phrases behind a running time that end it today."""
    reference: frozenset[str]
    """Phrases before a day that takes today's place."""
    single: frozenset[str]
    """Words before the one of its kind that something is told for."""
    after_today: frozenset[str]
    """Phrases behind a length of time that begins tomorrow."""
    on_day: frozenset[str]
    """Words before a day that may take today's place."""
    since: frozenset[str]
    excluding: frozenset[str]
    """Words right before a period that is left out."""
    coming: frozenset[str]
    """Words that speak of days to come."""
    one_sided: frozenset[str]
    """Words that leave a time open at one end: "since March", "by June"."""
    one_sided_behind: frozenset[str]
    """Such words behind the time: "2025 or later", where "in 2025 by region" is a whole one."""
    ago: frozenset[str]
    until_now: frozenset[str]
    rest: frozenset[str]
    planned: frozenset[str]
    real: frozenset[str]
    lasting_figures: frozenset[str]
    later: frozenset[str]
    onward: frozenset[str]
    past: frozenset[str]
    within_ends: frozenset[str]
    """Words that may stand between the two ends of a time beside those that join them."""
    older: frozenset[str]
    old: frozenset[str]
    ending: frozenset[str]
    """Words between a length of time and its last day."""
    ended: frozenset[str]
    until: frozenset[str]
    """Words before the last day of a stretch whose first is not said."""
    beginning: frozenset[str]
    """Words between a week and its first day."""
    week_in_short: Mapping[str, str]
    """Short for a week by its first or its last day, which follows: whether that is its beginning or its end."""
    following: frozenset[str]
    """Words between a length of time and what it comes after, or begins with."""
    ends: frozenset[str]
    final: frozenset[str]
    """Words for the last of the weeks of a month."""
    everyday: frozenset[str]
    as_it_stands: frozenset[str]
    drawn: frozenset[str]
    pictures: frozenset[str]
    exact: frozenset[str]
    """Words before a number that is meant exactly: "only one"."""
    vague: Mapping[str, int]
    """Which third of a period is meant: "mid June"."""
    short_units: Mapping[str, str]
    """Units of time by the letter after a number: "90d"."""
    short_periods: Mapping[str, str]
    along_time: Mapping[str, str]
    """How figures along time are asked for without a length of period, and with a usual one, in as many words."""
    filling: frozenset[str]
    ordinals: Mapping[str, int]
    entire: frozenset[str]
    """Words before a period that is meant whole."""
    moments: frozenset[str]
    """Words before a number that says when."""
    newcomers: frozenset[str]
    numbers: Mapping[str, float]
    factors: Mapping[str, float]
    """How many times of what follows: "double"."""
    multiplying: frozenset[str]
    """Words behind a number that is a multiple: "three times"."""
    bounding: frozenset[str]
    """Words before a number that means the number itself, too."""
    own: frozenset[str]
    """Words before what each one belongs to: "the average of their own department"."""
    scales: Mapping[str, float]
    articles: frozenset[str]
    percents: frozenset[str]
    scales_alone: frozenset[str]
    """Scales that are numbers by themselves: "over a million"."""
    fractions: Mapping[str, float]
    """Parts of a whole by what stands after "a" or "two": "fifth", "thirds"."""
    of_whole: frozenset[str]
    sequence: frozenset[str]
    above: frozenset[str]
    below: frozenset[str]
    """What the row is called that others of its table belong to ("manager"), and what those others are called."""
    answering: frozenset[str]
    leading: frozenset[str]
    """Verbs of those below ("report to") and of the one above ("manage")."""
    led_by: frozenset[str]
    holding_rows: frozenset[str]
    parents: frozenset[str]
    children: frozenset[str]
    """The same of things that lie within each other."""
    adding: frozenset[str]
    """Words between a number and what is added to it: "a hundred and twenty"."""
    either: frozenset[str]
    between: frozenset[str]
    """Words before the two ends of a stretch: "between March and May" is one, "March and May" are two months."""
    on_top: frozenset[str]
    """Words behind a superlative that asks for an order: "oldest first"."""
    newest: frozenset[str]
    oldest: frozenset[str]
    inside: frozenset[str]
    """Words before a length of time that ends or begins now: "due within 30 days"."""
    present: frozenset[str]
    lasting: frozenset[str]
    """Words before a length of time that something has lasted: "on hold for over 30 days"."""
    longer: frozenset[str]
    extremes: Mapping[str, str]
    """Words for the highest and the lowest -> "max", "min"."""
    holding: frozenset[str]
    """Words that hold something against what follows: "over a week"."""
    stopwords: frozenset[str]
    affirmed: frozenset[str]
    denied: frozenset[str]
    general: frozenset[str]
    """Words for whoever or whatever it is about: nobody means a column by them."""
    together: frozenset[str]
    """Words that ask for several at once, not for any of them."""
    falling: frozenset[str]
    """Words and phrases by which the change that ranks is one downwards: "the biggest drop"."""
    rising: frozenset[str]
    """Those by which it is one upwards."""
    durations: Mapping[str, float]
    """Seconds by the words for a length of time."""
    signs: Mapping[str, str]
    """Signs that people type, and the words that they stand for."""
    slash: tuple[str, ...]
    """The words that a slash stands for: between a figure and what it is for, and between two that are alike."""
    cues: Mapping[str, frozenset[str]]
    """Words and phrases, in lower case, by the form of answer that they ask for."""
    statistics: Mapping[str, StatisticWords]

    @cached_property
    def figure_words(self) -> frozenset[str]:
        """Words and phrases by which a question asks for a common figure: "total", "average", "how many"."""
        return frozenset(chain.from_iterable(self.cues[form] for form in FIGURES))

    @cached_property
    def form_words(self) -> frozenset[str]:
        """The single words, folded, of all that asks for a form of answer, a picture included, or names a grain of
        time."""
        phrases = chain.from_iterable((*self.cues.values(), *self.units.values(), self.drawn))
        return frozenset(word for phrase in phrases for word in folded(phrase.replace("_", " ")).split())

    @cached_property
    def statistic_words(self) -> frozenset[str]:
        """The single words of all that asks for a statistic."""
        return frozenset(word for asked in self.statistics.values() for phrase in asked.words for word in phrase)


@cache
def english() -> English:
    """The words, the same object at each call."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    raw = yaml.load((Path(__file__).parent / "english.yaml").read_text(encoding="utf-8"), loader)  # noqa: S506
    sets = (known.name for known in fields(English) if known.type == "frozenset[str]")
    made = {name: frozenset(map(str, raw[name])) for name in sets}
    return English(
        months=tuple(map(tuple, raw["months"])),
        weekdays=tuple(map(tuple, raw["weekdays"])),
        units={unit: tuple(words) for unit, words in raw["units"].items()},
        days=raw["days"],
        extremes=raw["extremes"],
        to_date={unit: tuple(words) for unit, words in raw["to_date"].items()},
        short_units=raw["short_units"],
        week_in_short=raw["week_in_short"],
        short_periods=raw["short_periods"],
        along_time=raw["along_time"],
        vague=raw["vague"],
        seasons=raw["seasons"],
        fiscal_prefixes=tuple(raw["fiscal_prefixes"]),
        ordinals={str(k): int(v) for k, v in raw["ordinals"].items()},
        numbers={str(k): float(v) for k, v in raw["numbers"].items()},
        fractions={str(k): 1.0 / v for k, v in raw["fractions"].items()},
        factors={str(k): float(v) for k, v in raw["factors"].items()},
        scales={str(k): float(v) for k, v in raw["scales"].items()},
        durations={str(name): entry["seconds"] for entry in raw["durations"] for name in entry["names"]},
        signs={str(k): str(v) for k, v in raw["signs"].items()},
        slash=tuple(map(str, raw["slash"])),
        cues={form: frozenset(map(str, phrases)) for form, phrases in raw["cues"].items()},
        statistics={name: _statistic(entry) for name, entry in raw["statistics"].items()},
        **made,
    )


def _statistic(entry: Mapping[str, Sequence[str]]) -> StatisticWords:
    words = frozenset(tuple(phrase.split()) for phrase in entry["words"])
    told_by = (frozenset(entry.get(key, ())) for key in ("studies", "figures", "shows"))
    return StatisticWords(words, *told_by)
