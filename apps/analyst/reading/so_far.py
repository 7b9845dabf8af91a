"""This month, quarter or year runs up to today where what happened is asked for and the data hold later days, too."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.dictionary.words import words
from apps.analyst.knowledge.english import english
from apps.analyst.reading.calendars import unit_range
from apps.analyst.reading.joining import Schema
from apps.analyst.reading.linking import Linked
from apps.analyst.reading.sketch import Sketch

UNITS = ("week", "month", "quarter", "year")


def so_far(sketch: Sketch, linked: Linked, schema: Schema, known: Mapping[str, TableMeaning]) -> Sketch:
    """The sketch (its leaves by name) with the unit of the calendar that today lies in cut to what is over."""
    if not english().coming.isdisjoint(linked.tokens):
        return sketch
    running = {unit_range(linked.today, unit) for unit in UNITS}
    said = {period.ranges[0] for period in linked.periods if period.relative} & running

    def cut(part: Sketch) -> Sketch:
        if part[0] == "dates" and part[2:] in said and _goes_on(part[1], linked.today, schema, known):
            return (*part[:3], linked.today + timedelta(1))
        return (part[0], *(cut(p) if isinstance(p, tuple) else p for p in part[1:]))

    return cut(sketch) if said else sketch


def _goes_on(column: Sketch, today: date, schema: Schema, known: Mapping[str, TableMeaning]) -> bool:
    """Whether a date that is of what happened has days after today."""
    last = schema.column(column).maximum
    last = last.date() if isinstance(last, datetime) else last
    meaning = known[column[1]].column(column[2]) if column[1] in known else None
    event = meaning.event if meaning is not None else ""
    return (
        isinstance(last, date) and last > today and bool({event, event.split()[-1] if event else ""} & words().happened)
    )
