"""Questions worth asking about a table, in the words of its dictionary; whether they read back is seen elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.rows import plural
from apps.analyst.dictionary.types import FIRST_NAME, LAST_NAME, TableMeaning
from apps.analyst.dictionary.words import words as known_words
from apps.analyst.language.morphology import is_word
from apps.analyst.ports import Catalog
from apps.analyst.telling.formats import singular, spoken, thing
from apps.analyst.telling.labelling import labels_of, once, rows_of
from apps.analyst.telling.wording import be, the
from apps.analyst.types import Column, Table

_MONEY = re.compile(r"amount|revenue|sales|value|total|profit|spend|cost|budget|income|price|fee|pay")
MOST_MISSING = 0.2
"""What share of a column's rows may say nothing: groups of the few that do tell of the gaps."""
MOST_ALIKE = 0.9
"""What share of a table's rows one value may hold, for groups by it to tell them apart."""
HANGS = " by"
"""The end of a name by which nobody groups: "how many are there by paid by?"."""
_COMING = frozenset(("order", "booking", "request", "submission", "application"))
"""Events by which something comes to those who ask: "How many orders did we get each month?"."""
_HAPPENED = {
    "hire": "were hired", "creation": "were created", "opening": "were opened", "start": "started",
    "joining": "joined", "sign-up": "signed up", "registration": "registered", "issue": "were issued",
    "purchase": "were purchased", "sale": "were sold", "launch": "were launched", "raising": "were raised",
    "report": "were reported", "listing": "were listed", "admission": "were admitted",
}  # fmt: skip
"""What rows did, or what was done to them, by the event of the date that they go by."""
_TIMED = re.compile(r"\b(duration|overtime|downtime) (?:seconds|minutes|hours|days)$")
"""Units behind a length of time, which the figures themselves show."""
_LESSER = re.compile(r"discount|tax|fee|freight|shipping|refund|lost|cost")
"""Money that is asked for after what was earned."""
_AVERAGED = re.compile(
    r"rate|price|age\b|score|ratio|probab|percent|pct|%|days|duration|minutes|hours|time|per\b|margin|odometer|mileage"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A table with the names that its questions use."""

    table: Table
    meaning: TableMeaning
    labels: Mapping[str, str]
    """Readable names of columns; those that have none are called as in the file."""
    noun: str
    """What the rows are called."""

    def figure(self, column: Column) -> str:
        """A figure's name; lengths of time without their unit."""
        return _TIMED.sub(r"\1", self.labels.get(column.name, spoken(column.name)))

    def thing(self, column: Column, *, own: bool = False) -> str:
        """What a column tells of the rows; `own`: without the table's noun."""
        return thing(self.labels.get(column.name, column.name), self.table.name if own else "").rstrip("?")

    def added(self, column: Column) -> str:
        """A figure as it is put together over rows: "total fee", "average price"."""
        return once(f"{'total' if self.adds_up(column) else 'average'} {self.figure(column)}")

    def adds_up(self, column: Column) -> bool:
        """Whether a figure is added up over rows."""
        found = self.meaning.column(column.name)
        averaged = column.unit == "%" or _AVERAGED.search(column.name.lower()) is not None
        return not averaged and (found is None or found.adds != "average")

    def measures(self) -> list[Column]:
        """The figures that are worth asking for: what can be said in words, money and what adds up first."""
        means = {column.name: column for column in self.meaning.columns}

        def worth(column: Column) -> tuple[bool, ...]:
            name = f"{means[column.name].label} {column.name.lower()}"
            cryptic = not all(map(is_word, re.findall(r"[a-z]{2,}", means[column.name].label)))
            money = means[column.name].money or _MONEY.search(name) is not None
            lesser = _LESSER.search(name) is not None
            adds = money and self.adds_up(column)
            return cryptic, not adds, not money, lesser, column.unit == "%", column.unit is None

        return sorted((c for c in self.table.columns if c.role == "measure" and _is_figure(c)), key=worth)

    def rows(self) -> str:
        """What the rows are called in a question: a table's own where they have no name."""
        return self.noun if self.noun != "rows" else f"rows of {self.table.name}"

    def things(self) -> str:
        """What is counted: what rows are lines of, else the rows."""
        return plural(self.meaning.whole) if self.meaning.whole else self.rows()

    def date(self, time: Column) -> str:
        """What a date is called."""
        return self.labels.get(time.name, spoken(time.name))

    def event(self, time: Column) -> str:
        """What happened on a date, as a noun; "" where nothing says."""
        found = self.meaning.column(time.name)
        return found.event if found is not None else ""

    def is_plain(self, time: Column) -> bool:
        """Whether a date is called no more than that, or is the only one and says when a row came about."""
        dates = [column for column in self.table.columns if column.role == "time"]
        began = self.event(time) in known_words().beginning - known_words().standing
        named = self.date(time) in ("date", "day") or self.are(self.event(time))
        return named or (began and len(dates) == 1)

    def are(self, event: str) -> bool:
        """Whether the rows are called by an event: of hires, the day on which they were hired is theirs."""
        return singular(self.noun.split()[-1]) == event

    def lasts(self, column: Column) -> bool:
        """Whether a figure adds up over things but not over time, as stock does."""
        found = self.meaning.column(column.name)
        return found is not None and found.adds == "last"

    def is_flag(self, column: Column) -> bool:
        found = self.meaning.column(column.name)
        return found is not None and found.kind == "flag"

    def is_half_a_name(self, column: Column) -> bool:
        """Whether a column holds first names or last names alone: those of several people tell nothing together."""
        found = self.meaning.column(column.name)
        return found is not None and found.concept in (FIRST_NAME, LAST_NAME)


def said_of(table: Table, catalog: Catalog) -> Said:
    """A table with the readable names that its dictionary and its people gave it."""
    return Said(table, dictionary_of(catalog)[table.name], labels_of(table, catalog), rows_of(table.name, catalog))


def candidates(said: Said) -> Iterator[tuple[str, ...]]:
    """Questions worth asking about a table, the most telling first, each in the ways it may be worded."""
    table = said.table
    measures = said.measures()
    names, groups = _names(table), groups_of(said)
    things = [c for c in names if c.unique or c.name.lower().endswith("name")][:1] or groups[:1]
    times = times_of(said)
    rows, wholes = said.rows(), said.things()
    counted = dict.fromkeys((said.meaning.rows if said.noun == "rows" and said.labels else wholes, wholes))
    for measure in measures[:1]:
        for group in groups[:2]:
            yield (f"{_what(said.added(measure))} by {said.thing(group, own=True)}?",)
        for time in times[:1]:
            yield tuple(f"{_what(said.added(measure))} by {period}?" for period in _periods(time, said))
    for group in groups[:3]:
        yield tuple(f"How many {noun} are there by {said.thing(group, own=True)}?" for noun in counted)
    for measure in measures[:1]:
        for each in things:
            name = said.figure(measure)
            kinds = (name,) if each.unique else (said.added(measure), name)
            yield tuple(f"Which {said.thing(each)} has the highest {kind}?" for kind in kinds)
        if not (said.adds_up(measure) and (groups or times)):
            yield (f"{_what(f'average {said.figure(measure)}')}?",)
    for measure in measures[1:3]:
        for group in groups[:1]:
            yield (f"{_what(f'average {said.figure(measure)}')} by {said.thing(group, own=True)}?",)
    for time in times[:1]:
        if _named_grain(time) is None:  # so many rows for each period: their number tells nothing
            yield tuple(way for noun in counted for way in _counted_over(noun, time, said))
    for state in filter(None, map(_state, table.columns)):
        yield (f"How many {wholes} are {state}?",)
    if not measures and not groups:
        yield tuple(f"How many {noun} are there?" for noun in counted)
    yield (f"What is in {table.name}?",)
    yield (f"Show the first 5 {rows}",)
    yield (f"List all {rows}",)


def _names(table: Table) -> list[Column]:
    return [c for c in table.columns if c.role == "dimension" and c.type == "text" and c.distinct >= 2]


def groups_of(said: Said) -> list[Column]:
    """The columns of few names by which rows are worth telling apart: gaps and one name nearly everywhere tell less."""
    few = [c for c in _names(said.table) if c.distinct <= 40 and c.distinct * 2 <= said.table.rows]
    told = [column for column in few if not (said.is_flag(column) or said.is_half_a_name(column))]
    told = [column for column in told if not said.thing(column).endswith(HANGS)]
    apart = [column for column in told if _tells_apart(column, said.table.rows)]
    return apart or [column for column in told if column.missing * 2 <= said.table.rows]


def _tells_apart(column: Column, rows: int) -> bool:
    most = max((one.count for one in column.values), default=0)
    return column.missing <= MOST_MISSING * rows and most <= MOST_ALIKE * rows


def times_of(said: Said) -> list[Column]:
    """The date that a table's rows go by; none where all it has are dates of persons' lives."""
    dates = [c for c in said.table.columns if c.role == "time" and c.type in ("date", "datetime")]
    dates = [c for c in dates if said.event(c) not in known_words().personal]
    return sorted(dates, key=lambda column: column.name != said.meaning.date_column)[:1]


def _periods(time: Column, said: Said) -> tuple[str, ...]:
    """A period of a date as questions name it: alone where no other date could be meant."""
    named = _named_grain(time)
    if named is not None:
        return (named,)
    grain = grain_of(time)
    dated = f"{grain} of {said.date(time)}"
    return (grain, dated) if said.is_plain(time) else (dated,)


def _counted_over(noun: str, time: Column, said: Said) -> Iterator[str]:
    """The ways to ask how many rows there were in each period, as a person would first."""
    grain = grain_of(time)
    if said.event(time) in _HAPPENED and not said.are(said.event(time)):
        yield f"How many {noun} {_HAPPENED[said.event(time)]} each {grain}?"
    if said.event(time) in _COMING:
        yield f"How many {noun} did we get each {grain}?"
    if said.is_plain(time):
        yield f"How many {noun} were there each {grain}?"
    yield f"How many {noun} are there per {grain} of {said.date(time)}?"


_STATE = re.compile(r"\w+ed|won|lost|paid|sent|sold|met|kept|done|open|active|overdue")


def _state(column: Column) -> str | None:
    """What a yes-or-no column says of a row where its name tells ("won", "is_active"); groups of it tell less."""
    name = spoken(column.name)
    state = name.removeprefix("is ")
    said = state != name or _STATE.fullmatch(state) is not None
    return state if column.type == "boolean" and column.distinct == 2 and said else None


def _is_figure(column: Column) -> bool:
    """True for figures worth adding up; few small whole numbers without a unit are codes more often than not."""
    few = 12 if column.unit is None else 4  # terms of 30, 60 and 90 days
    code = column.type == "integer" and column.distinct <= few
    return column.type in ("integer", "decimal", "float") and (
        not code or _MONEY.search(column.name.lower()) is not None
    )


def _what(figure: str) -> str:
    """The beginning of a question for a figure: "What are total sales", "What is the average price"."""
    name = once(figure)
    return f"What {be(name)} {f'the {name}' if name.startswith('average ') else the(name)}"


_GRAIN = re.compile(r"\b(year|quarter|month|week)\b")


def _named_grain(time: Column) -> str | None:
    """The period that each value of the column stands for, where its name says so: "quarter start", "month"."""
    named = _GRAIN.search(spoken(time.name).lower())
    return named.group() if named else None


def grain_of(time: Column) -> str:
    low, high = time.minimum, time.maximum
    if not isinstance(low, date) or not isinstance(high, date):
        return "month"
    days = (high.year - low.year) * 365 + (high.month - low.month) * 30
    return "year" if days > 365 * 6 else "month" if days > 45 else "day"


def telling(said: Said) -> Iterator[tuple[str, ...]]:
    """What somebody looks for first in a table, each in the ways it may be worded: shares, what changed, who leads."""
    groups, times = groups_of(said), times_of(said)
    measure = _first_figure(said)
    figure = said.added(measure) if measure is not None else ""
    for group in groups[:1]:
        of = said.thing(group, own=True)
        share = f"What is the share of {said.things()} by {of}?"
        split = (f"How are {said.things()} split by {of}?", share)
        yield (f"What share of {the(figure)} comes from each {of}?",) if figure else split
    for time in times[:1]:
        counted = tuple(_counted_over(said.things(), time, said))
        lasts = said.event(time) in known_words().standing or (measure is not None and said.lasts(measure))
        yield tuple(f"{_what(figure)} by {one}?" for one in _periods(time, said)) if figure and not lasts else counted
    for group in [*groups[1:3], *groups[:1]]:
        leads = f"the highest {figure}" if figure else f"the most {said.things()}"
        yield (f"Which {said.thing(group, own=True)} has {leads}?",)
    for other in [column for column in said.measures() if not said.adds_up(column)][:1]:
        for group in groups[:1]:
            yield (f"Which {said.thing(group, own=True)} has the highest {said.added(other)}?",)
    if figure and not groups and not times:
        yield (f"{_what(figure)}?",)


def _first_figure(said: Said) -> Column | None:
    """The figure that somebody looks for first: what a table adds up. Things with names of their own (customers,
    products) are counted rather: but for money, what they add up is a trait of each."""
    added = next((column for column in said.measures() if said.adds_up(column)), None)
    found = said.meaning.column(added.name) if added is not None else None
    money = added is not None and ((found is not None and found.money) or _MONEY.search(added.name.lower()) is not None)
    return added if money or said.meaning.name_column is None else None
