"""Periods of a series that are not over in the data: no trend is read into half a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from apps.analyst.computing.compile.walk import within
from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.computing.metrics.running import is_running, last_of, newest
from apps.analyst.plan import AnyOf, Between, ColumnRef, Expr, Part, Period, Window
from apps.analyst.plan.spans import date_range
from apps.analyst.telling import formats, wording
from apps.analyst.telling.formats import capital, is_number
from apps.analyst.telling.narrate.view import View
from apps.analyst.types import Column, Scalar

_CHANGES = ("change", "change_pct")
_UNEVEN = "Its change sets part of a {} against a whole one."


@dataclass(frozen=True, slots=True)
class OpenPeriod:
    """The last period of a series, with the last day of it that the data hold."""

    start: date
    grain: str
    data_end: date


def unfinished(view: View) -> OpenPeriod | None:
    """The period of a series of which the data lack more than little, or None."""
    if view.shape != "series":
        return None
    place = view.dimensions[0]
    along = _along(view.expr(place))
    if along is None or along.grain in ("hour", "day"):
        return None
    column = _stored(view, along)
    known = _known(view, column)
    starts = [start for row in view.rows if (start := _start(row[place])) is not None]
    if known is None or not starts:
        return None
    start = max(starts)
    # A day that the plan names is the present one: what is still to come is no gap between dates.
    sparse = None if view.query is not None and view.query.known_until else column
    whole = start, last_of(start, along.grain)
    asked = max(_asked(view, along), default=whole)
    if not is_running((max(whole[0], asked[0]), min(whole[1], asked[1])), known, sparse):
        return None
    return OpenPeriod(start, view.columns[place].grain or along.grain, known)


def values_before(view: View, place: int, last: OpenPeriod) -> list[float]:
    """The figures of the periods of a series that are over, of the column at `place`."""
    closed = (row[place] for row in view.rows if _start(row[view.dimensions[0]]) != last.start)
    return [float(value) for value in closed if is_number(value)]


def _along(expr: Expr | None) -> Period | None:
    """The periods that a series runs along; years told as numbers are periods too."""
    if isinstance(expr, Part) and expr.part == "year":
        return Period(grain="year", of=expr.of)
    return expr if isinstance(expr, Period) else None


def _start(value: Scalar) -> date | None:
    """The first day of a period as a result tells it, years also as numbers."""
    if isinstance(value, int) and not isinstance(value, bool) and 0 < value < date.max.year:
        return date(value, 1, 1)
    return day_of(value)


def _stored(view: View, period: Period) -> Column | None:
    stored = view.stored(period.of) if isinstance(period.of, ColumnRef) else None
    return stored[1] if stored is not None else None


def _known(view: View, column: Column | None) -> date | None:
    """The last day the figures know of: as the plan says, else the newest stored date."""
    if view.query is not None and view.query.known_until:
        return date.fromisoformat(view.query.known_until)
    return newest(column) if column is not None else None


def whole_periods(view: View, rows: list[int]) -> list[int]:
    """The rows, in their order, without first and last periods that the data or a filter cut: no trend ends in them."""
    place = view.dimensions[0]
    along = _along(view.expr(place))
    kept = list(rows)
    if unfinished(view) is not None:
        kept = kept[:-1]
    spans = _asked(view, along) if along is not None else []
    if len(spans) == 1 and along is not None:
        first, last = spans[0]
        starts = {row: start for row in kept if (start := _start(view.rows[row][place])) is not None}
        kept = [r for r in kept if r in starts and starts[r] >= first and last_of(starts[r], along.grain) <= last]
    return kept if len(kept) >= 2 else rows


def _asked(view: View, period: Period) -> list[tuple[date, date]]:
    """The stretches of days that a condition on the same date lets through, first and last day of each; none where it
    lets through others, too."""
    scan = view.scan
    for part in within(scan.where) if scan is not None and scan.where is not None else ():
        ranges = part.of if isinstance(part, AnyOf) else (part,)
        spans = [date_range(one) for one in ranges if isinstance(one, Between) and one.of == period.of]
        if len(spans) == len(ranges):
            return [] if None in spans else sorted(span for span in spans if span is not None)
    return []


def still_open(view: View, found: OpenPeriod) -> str:
    """That the period is not over, and where its figure stands."""
    name = ("the " if found.grain == "week" else "") + formats.period(found.start, found.grain)
    place = view.figures[0]
    at = next((i for i, row in enumerate(view.rows) if _start(row[view.dimensions[0]]) == found.start), None)
    stands = view.rows[at][place] if at is not None else None
    so_far = f"it stands at {wording.cell(stands, view.columns[place])}, with" if is_number(stands) else "there is"
    told = f"{capital(name)} is not complete: {so_far} data up to {formats.day(found.data_end)}."
    looks_back = any(isinstance(part := view.expr(i), Window) and part.fn in _CHANGES for i in view.figures)
    return f"{told} {_UNEVEN.format(found.grain)}" if looks_back and at is not None else told
