"""What one table says and another says as well: the region of sales and the region of targets, the date of each.

In: a key or a condition of a sketch, and a table that its own tables do not lead to. Out: the same key or condition by
the columns of that table, or of one that its rows belong to. Raises Unfit where it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta

from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.folding import content_words, singular
from apps.analyst.reading.composing_rows import GRAINS
from apps.analyst.reading.joining import Schema, Unfit, leads_to, tables_in
from apps.analyst.reading.sketch import Sketch, walk
from apps.analyst.tables.folding import fold
from apps.analyst.types import Column

_DATED = ("date", "datetime")
_ORDER = ("day", "month", "quarter", "year")
"""Grains from the finest to the coarsest, as far as a column of dates may have no finer ones."""
_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_ALIKE = 0.5
"""The share of all days of two columns that both must have to tell the same groups apart as they are."""


def key_of(key: Sketch, table: str, schema: Schema) -> Sketch:
    """The key as the rows of a table tell it."""
    if set(tables_in(key)) <= leads_to(schema, table):
        return key
    if key[0] == "C":
        return _column_of(key, table, schema)
    if key[0] not in GRAINS:
        raise Unfit("a key that no other table has")
    other = date_of(key[1], table, schema)
    if any(_is_finer(key[0], stride(schema.column(one))) for one in (key[1], other)):
        raise Unfit("days of what stands in months")
    return (key[0], other)


def condition_of(p: Sketch, table: str, schema: Schema) -> Sketch:
    """The condition as it holds for the rows of a table."""
    if set(tables_in(p)) <= leads_to(schema, table):
        return p
    match p[0]:
        case "and" | "or":
            return (p[0], *(condition_of(part, table, schema) for part in p[1:]))
        case "dates" | "years":
            other = date_of(p[1], table, schema)
            ends = [end for part in walk(p) for end in part[1:] if isinstance(end, date)]
            if not all(_begins_both(end, schema.column(p[1]), schema.column(other)) for end in ends):
                raise Unfit("a period that cuts through what stands in months")
            return (p[0], other, *p[2:])
        case "is" | "isnt" | "in" | "notin" | "has" | "hasnt":
            return (p[0], *(_value_of(value, table, schema) for value in p[1:]))
    raise Unfit("a condition that the other table cannot keep")


def date_of(node: Sketch, table: str, schema: Schema) -> Sketch:
    """The date of a table that goes with a date of another: that of its name, else the date that each goes by."""
    mine = schema.known.get(node[1])
    if schema.column(node).type not in _DATED or mine is None:
        raise Unfit("no date")
    for home in (table, *sorted(leads_to(schema, table) - {table})):
        dates = [c for c in schema.tables[home].columns if c.type in _DATED]
        if not dates:
            continue
        same = next((c.name for c in dates if fold(c.name) == fold(node[2])), None)
        known = schema.known.get(home)
        own = known.date_column if known is not None and mine.date_column == node[2] else None
        if same is None and known is not None and known.name_column is not None:
            break  # people and things came at some time; what happens in a period is not asked of that
        if same is not None or own is not None:
            return ("C", home, same or own)
        break
    raise Unfit("a period of one table alone")


def stride(column: Column) -> str:
    """How far apart the dates of a column lie: "month" where all are first (or all last) days of months."""
    known = [v.value for v in column.values] if column.values_complete else [column.minimum, column.maximum]
    days = [day for value in known if (day := _day(value)) is not None]
    if not days or len(days) < len(known):
        return "day"
    if not all(day.day == 1 for day in days):
        days = [day + timedelta(1) for day in days]
    months = (max(days).year - min(days).year) * 12 + max(days).month - min(days).month
    for grain, step in reversed(_MONTHS.items()):
        if all(_begins(day, grain) for day in days) and column.distinct <= months // step + 1:
            return grain
    return "day"


def contains(whole: Column, part: Column) -> bool:
    """Whether every value of a column stands in another, too; False where that is not known."""
    if not (whole.values_complete and part.values_complete and part.values):
        return False
    return {v.value for v in part.values} <= {v.value for v in whole.values}


def _column_of(key: Sketch, table: str, schema: Schema) -> Sketch:
    """The one column of what the table leads to that says the same with the same values."""
    mine = schema.column(key)
    found = [
        ("C", home, column.name)
        for home in (table, *sorted(leads_to(schema, table) - {table}))
        for column in schema.tables[home].columns
        if column.type == mine.type
        and (contains(mine, column) or contains(column, mine))
        and (mine.type not in _DATED or _has_same_days(mine, column))
        and _says_same(key, ("C", home, column.name), schema)
    ]
    own = [one for one in found if one[1] == table] or found
    named = [one for one in own if fold(one[2]) == fold(key[2])] or own
    if len(named) != 1:
        raise Unfit("a key that no other table has")
    return named[0]


def _says_same(one: Sketch, other: Sketch, schema: Schema) -> bool:
    """Whether two columns are called the same or mean the same."""
    if fold(one[2]) == fold(other[2]):
        return True
    mine, theirs = (schema.known.get(node[1]) for node in (one, other))
    here = mine.column(one[2]) if mine is not None else None
    there = theirs.column(other[2]) if theirs is not None else None
    if here is None or there is None:
        return False
    names = [frozenset(_telling(meaning.label)) for meaning in (here, there)]
    alike = names[0] == names[1] != frozenset()
    return alike or (here.concept is not None and here.concept == there.concept)


def _telling(label: str) -> Iterator[str]:
    """The words of a label that say what it is about: "region" of "region name"."""
    said = [singular(word) for word in content_words(label)]
    return (word for word in said if word not in words().identifying and word not in words().naming)


def _value_of(value: Sketch, table: str, schema: Schema) -> Sketch:
    """A stored value as another table has it."""
    _, home, column = _column_of(("C", value[1], value[2]), table, schema)
    stored = schema.column(("C", home, column)).values
    spelled = next((v.value for v in stored if fold(v.value) == fold(str(value[3]))), None)
    if spelled is None:
        raise Unfit("a value that the other table has not")
    return ("W", home, column, spelled)


def _has_same_days(one: Column, other: Column) -> bool:
    mine, theirs = ({v.value for v in column.values} for column in (one, other))
    return len(mine & theirs) >= _ALIKE * len(mine | theirs)


def _is_finer(grain: str, step: str) -> bool:
    """Whether groups of a grain are finer than dates that lie a step apart."""
    if step == "day":
        return grain == "hour"
    return grain not in _ORDER or _ORDER.index(grain) < _ORDER.index(step)


def _begins_both(day: date, one: Column, other: Column) -> bool:
    """Whether a period that begins or ends with a day takes the same rows by both columns: it cuts through none of
    their months, or both stand in the same ones, or the day lies behind all."""
    mine, theirs = stride(one), stride(other)
    if mine == theirs:
        return True
    coarser = mine if mine != "day" and _is_finer(theirs, mine) else theirs
    return _begins(day, coarser) or all((last := _day(c.maximum)) is not None and last < day for c in (one, other))


def _begins(day: date, grain: str) -> bool:
    return grain == "day" or (day.day == 1 and (day.month - 1) % _MONTHS[grain] == 0)


def _day(value: object) -> date | None:
    """The day of a column's first or last moment."""
    if isinstance(value, str):
        try:
            return date.fromisoformat(value[:10])
        except ValueError:
            return None
    return date(value.year, value.month, value.day) if isinstance(value, date) else None
