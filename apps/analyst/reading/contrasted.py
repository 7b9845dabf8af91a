"""Groups of the calendar beside the periods that a question names: "Q2 against Q3 2025" is not told apart by year."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from apps.analyst.reading.calendars import Range, unit_range
from apps.analyst.reading.joining import Unfit
from apps.analyst.reading.sketch import Sketch

UNITS = ("year", "quarter", "month", "week", "day")
"""Units of the calendar that rows are grouped by, the longest first."""


def told_apart(keys: Sketch, pred: Sketch) -> Sketch:
    """The keys of groups, with a unit of the calendar that tells the periods of the conditions apart where the one that
    was written puts two of them into one group.

    Raises Unfit where no unit does, and where the only period lies inside of one unit: nobody asks for one group.
    """
    return (keys[0], *(_apart(key, pred) for key in keys[1:]))


def _apart(key: Sketch, pred: Sketch) -> Sketch:
    if key[0] not in UNITS:
        return key
    spans = list(dict.fromkeys(_spans(pred, key[1])))
    own = _own_unit(spans)
    shorter = UNITS[UNITS.index(key[0]) + 1 :]
    if own in shorter and key[0] != "year":
        return (own, key[1])
    if not spans or _tells(key[0], spans):
        return key
    found = own or next((unit for unit in shorter if _tells(unit, spans) and _holds(unit, spans)), None)
    if found not in shorter or len(spans) == 1:
        raise Unfit(f"groups by {key[0]} of periods inside of one")
    return (found, key[1])


def _own_unit(spans: list[Range]) -> str | None:
    """The unit of which each of several periods is one: July against July is told by month, not by quarter."""
    whole = (unit for unit in UNITS if all(unit_range(start, unit) == (start, end) for start, end in spans))
    return next(whole, None) if len(spans) > 1 else None


def _spans(pred: Sketch, column: Sketch) -> Iterator[Range]:
    """The periods of a date of which rows have to lie in one."""
    if pred[0] in ("and", "or"):
        for part in pred[1:]:
            yield from _spans(part, column)
    elif pred[0] == "dates" and pred[1] == column and None not in pred[2:]:
        yield pred[2], pred[3]
    elif pred[0] == "years" and pred[1] == column:
        yield from ((part[1], part[2]) for part in pred[2:])


def _tells(unit: str, spans: list[Range]) -> bool:
    """Whether the periods begin in different units, or the only one is longer than one."""
    if len(spans) == 1:
        return not _holds(unit, spans)
    return len({unit_range(start, unit) for start, _ in spans}) == len(spans)


def _holds(unit: str, spans: list[Range]) -> bool:
    """Whether each of the periods lies inside of one unit."""
    return all(unit_range(start, unit) == unit_range(end - timedelta(1), unit) for start, end in spans)
