"""Questions worth asking about a table, in the words of its dictionary; whether they read back is seen elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.dictionary.words import words as known_words
from apps.analyst.language.morphology import is_word
from apps.analyst.telling.formats import spoken, thing
from apps.analyst.telling.labelling import once
from apps.analyst.telling.wording import be, the
from apps.analyst.types import Column, Table

_MONEY = re.compile(r"amount|revenue|sales|value|total|profit|spend|cost|budget|income|price|fee|pay")
_TIMED = re.compile(r"\b(duration|overtime|downtime) (?:seconds|minutes|hours|days)$")
"""Units behind a length of time, which the figures themselves show."""
_AVERAGED = re.compile(
    r"rate|price|age\b|score|ratio|probab|percent|pct|%|days|duration|minutes|hours|time|per\b|margin"
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
        return thing(self.labels.get(column.name, column.name), self.table.name if own else "")

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
            return cryptic, not (money and self.adds_up(column)), not money, column.unit == "%", column.unit is None

        return sorted((c for c in self.table.columns if c.role == "measure" and _is_figure(c)), key=worth)

    def rows(self) -> str:
        """What the rows are called in a question: a table's own where they have no name."""
        return self.noun if self.noun != "rows" else f"rows of {self.table.name}"

    def is_flag(self, column: Column) -> bool:
        found = self.meaning.column(column.name)
        return found is not None and found.kind == "flag"


def candidates(said: Said) -> Iterator[tuple[str, ...]]:
    """Questions worth asking about a table, the most telling first, each in the ways it may be worded."""
    table = said.table
    measures = said.measures()
    names, groups = _names(table), _groups(said)
    things = [c for c in names if c.unique or c.name.lower().endswith("name")][:1] or groups[:1]
    times = _times(table)
    rows = said.rows()
    counted = dict.fromkeys((said.meaning.rows if said.noun == "rows" and said.labels else rows, rows))
    for measure in measures[:1]:
        for group in groups[:2]:
            yield (f"{_what(said.added(measure))} by {said.thing(group, own=True)}?",)
        for time in times[:1]:
            yield tuple(f"{_what(said.added(measure))} by {period}?" for period in _periods(time, times, said))
    for group in groups[:3]:
        yield tuple(f"How many {noun} are there by {said.thing(group, own=True)}?" for noun in counted)
    for measure in measures[:1]:
        for each in things:
            name = said.figure(measure)
            kinds = (name,) if each.unique else (said.added(measure), name)
            yield tuple(f"Which {said.thing(each)} has the highest {kind}?" for kind in kinds)
        yield (f"{_what(f'average {said.figure(measure)}')}?",)
    for measure in measures[1:3]:
        for group in groups[:1]:
            yield (f"{_what(f'average {said.figure(measure)}')} by {said.thing(group, own=True)}?",)
    for time in times[:1]:
        if _named_grain(time) is None:  # so many rows for each period: their number tells nothing
            per = _periods(time, times, said)
            yield tuple(f"How many {noun} are there per {period}?" for noun in counted for period in per)
    for state in filter(None, map(_state, table.columns)):
        yield (f"How many {rows} are {state}?",)
    if not measures and not groups:
        yield tuple(f"How many {noun} are there?" for noun in counted)
    yield (f"What is in {table.name}?",)
    yield (f"Show the first 5 {rows}",)
    yield (f"List all {rows}",)


def _names(table: Table) -> list[Column]:
    return [c for c in table.columns if c.role == "dimension" and c.type == "text" and c.distinct >= 2]


def _groups(said: Said) -> list[Column]:
    """The columns of few names by which rows are worth telling apart."""
    few = [c for c in _names(said.table) if c.distinct <= 40 and c.distinct * 2 <= said.table.rows]
    return [column for column in few if not said.is_flag(column)]


def _times(table: Table) -> list[Column]:
    return [c for c in table.columns if c.role == "time" and c.type in ("date", "datetime")]


def _periods(time: Column, times: Sequence[Column], said: Said) -> tuple[str, ...]:
    """A period of a date as questions name it: alone where the only date says when a row came about."""
    named = _named_grain(time)
    if named is not None:
        return (named,)
    grain = _grain(time)
    dated = f"{grain} of {said.labels.get(time.name, spoken(time.name))}"
    meant = said.meaning.column(time.name)
    began = meant is not None and meant.event in known_words().beginning - known_words().standing
    return (grain, dated) if began and len(times) == 1 else (dated,)


_STATE = re.compile(r"\w+ed|won|lost|paid|sent|sold|met|kept|done|open|active|overdue")


def _state(column: Column) -> str | None:
    """What a yes-or-no column says of a row where its name tells ("won", "is_active"); groups of it tell less."""
    name = spoken(column.name)
    state = name.removeprefix("is ")
    said = state != name or _STATE.fullmatch(state) is not None
    return state if column.type == "boolean" and column.distinct == 2 and said else None


def _is_figure(column: Column) -> bool:
    """True for figures worth adding up; few small whole numbers without a unit are codes more often than not."""
    code = column.type == "integer" and column.distinct <= 12 and column.unit is None
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


def _grain(time: Column) -> str:
    low, high = time.minimum, time.maximum
    if not isinstance(low, date) or not isinstance(high, date):
        return "month"
    days = (high.year - low.year) * 365 + (high.month - low.month) * 30
    return "year" if days > 365 * 6 else "month" if days > 45 else "day"


def telling(said: Said) -> Iterator[str]:
    """What somebody looks for first in a table: shares, what changed, who leads."""
    groups, times = _groups(said), _times(said.table)
    measure = next((column for column in said.measures() if said.adds_up(column)), None)
    figure = said.added(measure) if measure is not None else ""
    for group in groups[:1]:
        of = said.thing(group, own=True)
        share = f"What share of {the(figure)} comes from each {of}?"
        yield share if measure is not None else f"What is the share of {said.rows()} by {of}?"
    for time in times[:1]:
        for period in _periods(time, times, said):
            counted = f"How many {said.rows()} are there per {period}?"
            yield f"{_what(figure)} by {period}?" if measure is not None else counted
    for group in [*groups[1:3], *groups[:1]]:
        leads = f"the highest {figure}" if measure is not None else f"the most {said.rows()}"
        yield f"Which {said.thing(group, own=True)} has {leads}?"
    for other in [column for column in said.measures() if not said.adds_up(column)][:1]:
        for group in groups[:1]:
            yield f"Which {said.thing(group, own=True)} has the highest {said.added(other)}?"
