"""The first sentence of answers about change: a figure over time."""

from __future__ import annotations

from apps.analyst.plan import SO_FAR, Window
from apps.analyst.telling import wording
from apps.analyst.telling.formats import capital, is_number, magnitude
from apps.analyst.telling.narrate.phrases import (
    cell,
    dimension_name,
    measure_name,
    points,
)
from apps.analyst.telling.narrate.rows import leading_figure, number_at, scope_of_rows
from apps.analyst.telling.narrate.times import unfinished, whole_periods
from apps.analyst.telling.narrate.view import View
from apps.analyst.telling.wording import BOLD as B
from apps.analyst.telling.wording import is_plural, opening, signed

_CHANGES = ("change", "change_pct")
_A_YEAR = {"week": 52, "month": 12, "quarter": 4}


def series(view: View) -> str:
    """A figure over time: from where to where, and its peak. A period that is not over is no end to compare with."""
    place = leading_figure(view)
    rows = _along(view, place)
    if len(rows) < 2:
        return ""
    whole = whole_periods(view, rows)
    if isinstance(figure := view.expr(place), Window) and figure.fn in _CHANGES and len(whole) > 1:
        return _extremes(view, whole, place)
    first, last = whole[0], whole[-1]
    peak = max(rows, key=lambda i: number_at(view, i, place))
    name = measure_name(view, place)
    start, end = number_at(view, first, place), number_at(view, last, place)
    text = f"{opening(name)}{scope_of_rows(view, name)} "
    were = "were" if is_plural(name) else "was"
    if len(whole) == len(rows) and view.additive(place) and unfinished(view) is not None:
        # A part of a period beside a whole one shows no trend.
        text += f"{were} {cell(view, first, place)} {_when(view, first)} and "
        return f"{text}{B}{cell(view, last, place)}{B} {_when(view, last)}{SO_FAR}."
    if end == start:
        both = f"{_word(view)} both {_time(view, first)} and {_time(view, last)}"
        text += f"{were} {B}{cell(view, last, place)}{B} {both}"
    else:
        text += f"{'rose' if end > start else 'fell'} from {cell(view, first, place)} {_when(view, first)} "
        text += f"to {B}{cell(view, last, place)}{B} {_when(view, last)}"
    if start and end != start and view.columns[place].unit != "%":
        text += f" ({signed(100 * (end - start) / abs(start), '%')})"
    if peak in (first, last):
        return f"{text}."
    return f"{text}, with a peak of {cell(view, peak, place)} {_when(view, peak)}."


def _extremes(view: View, rows: list[int], place: int) -> str:
    """Where a change along time was highest and where lowest: a change of changes says nothing."""
    name = measure_name(view, place)
    high, low = (pick(rows, key=lambda i: number_at(view, i, place)) for pick in (max, min))
    were = "were" if is_plural(name) else "was"
    text = f"{opening(name)}{scope_of_rows(view, name)} {were} "
    if number_at(view, high, place) == number_at(view, low, place):
        return f"{text}{B}{cell(view, high, place)}{B} throughout."
    text += f"highest {_when(view, high)} at {B}{cell(view, high, place)}{B} "
    return f"{text}and lowest {_when(view, low)} at {B}{cell(view, low, place)}{B}."


def along_time(view: View) -> list[str]:
    """What a running total, a moving average or a change says of the last whole period of a series."""
    if view.shape != "series":
        return []
    time = view.dimensions[0]
    rows = _along(view, leading_figure(view))
    last = whole_periods(view, rows)[-1] if len(rows) > 1 else None
    found = {part.fn: (i, part) for i in view.figures if isinstance(part := view.expr(i), Window)}
    if last is None or not found:
        return []
    told: list[str] = []
    if "running_total" in found:
        total = cell(view, rows[-1], found["running_total"][0])
        told.append(f"The running total reaches {total} by {_time(view, rows[-1])}.")
    if "moving_average" in found:
        place, window = found["moving_average"]
        name = f"{window.span or 3}-{dimension_name(view, time)} average"
        told.append(f"The {name} is {cell(view, last, place)} {_when(view, last)}.")
    if "change_pct" in found and is_number(relative := view.rows[last][found["change_pct"][0]]):
        grain = dimension_name(view, time) if view.columns[time].grain is not None else "date"
        before = _before(grain, found["change_pct"][1].span or 1)
        way = "up" if relative > 0 else "down"
        size = f"{way} {_points_moved(view, last) or wording.told(magnitude(relative), '%')}"
        told.append(f"{capital(_time(view, last))} was {size if relative else 'no change'} from {before}.")
    return told


def _points_moved(view: View, row: int) -> str:
    """By how many points a rate moved, from what stands beside it: its change, or the figure before; "" for others."""
    place = leading_figure(view)
    if view.columns[place].unit != "%":
        return ""
    for other in view.figures:
        window, value = view.expr(other), view.rows[row][other]
        if isinstance(window, Window) and window.of == view.expr(place) and is_number(value):
            if window.fn == "change":
                return points(value)
            if window.fn == "previous":
                return points(number_at(view, row, place) - float(value))
    return ""


def _time(view: View, row: int) -> str:
    """The period or the day of a row of a series as a sentence names it: "Mar 2026", "the week of 2 Mar 2026"."""
    told = cell(view, row, view.dimensions[0])
    return f"the {told}" if view.columns[view.dimensions[0]].grain == "week" else told


def _word(view: View) -> str:
    """What stands before the time of a series: a day is one that things happen on."""
    column = view.columns[view.dimensions[0]]
    return "on" if column.type in ("date", "datetime") and column.grain in (None, "day", "hour") else "in"


def _when(view: View, row: int) -> str:
    """ "in Mar 2026", "on 3 Mar 2026"."""
    return f"{_word(view)} {_time(view, row)}"


def _along(view: View, place: int) -> list[int]:
    """The rows that have a time and a figure, in the order of time."""
    time = view.dimensions[0]
    rows = [i for i, row in enumerate(view.rows) if row[time] is not None and is_number(row[place])]
    return sorted(rows, key=lambda i: _moment(view.rows[i][time]))


def _before(grain: str, back: int) -> str:
    """The period that a change looks back to."""
    if back == 1:
        return f"the {grain} before"
    return f"the {grain} a year before" if back == _A_YEAR.get(grain) else f"{back} {grain}s before"


def _moment(value: object) -> str:
    return f"{value:>12}" if isinstance(value, int) else str(value)
