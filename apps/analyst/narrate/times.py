"""Periods of a series that are not over in the data: no trend is read into half a month."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from apps.analyst import formats, wording
from apps.analyst.compile.walk import within
from apps.analyst.formats import capital, is_number
from apps.analyst.narrate.view import View
from apps.analyst.plan import Between, ColumnRef, Period
from apps.analyst.sentence import date_range

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class OpenPeriod:
    """The last period of a series, with the last day of it that the data hold."""

    start: date
    grain: str
    data_end: date


def unfinished(view: View) -> OpenPeriod | None:
    """The period of a series that the data only begin, or None."""
    if view.shape != "series":
        return None
    place = view.dimensions[0]
    expr = view.expr(place)
    if not isinstance(expr, Period) or expr.grain in ("hour", "day"):
        return None
    newest = _newest(view, expr)
    starts = [value for row in view.rows if isinstance(value := row[place], date)]
    if newest is None or not starts:
        return None
    start = max(map(_day, starts))
    over = end_of(start, expr.grain) - timedelta(days=1)
    return OpenPeriod(start, view.columns[place].grain or expr.grain, newest) if start <= newest < over else None


def _newest(view: View, period: Period) -> date | None:
    """The last day the figures know of: as the plan says, else the newest stored date."""
    if view.query is not None and view.query.known_until:
        return date.fromisoformat(view.query.known_until)
    stored = view.stored(period.of) if isinstance(period.of, ColumnRef) else None
    return _day(stored[1].maximum) if stored is not None and isinstance(stored[1].maximum, date) else None


def whole_periods(view: View, rows: list[int]) -> list[int]:
    """The rows, in their order, without first and last periods that the data or a filter cut: no trend ends in them."""
    place = view.dimensions[0]
    expr = view.expr(place)
    kept = list(rows)
    if unfinished(view) is not None:
        kept = kept[:-1]
    span = _filtered(view, expr) if isinstance(expr, Period) else None
    if span is not None and isinstance(expr, Period):
        first, last = span
        starts = {row: _day(value) for row in kept if isinstance(value := view.rows[row][place], date)}
        kept = [r for r in kept if r in starts and starts[r] >= first and end_of(starts[r], expr.grain) <= last + _DAY]
    return kept if len(kept) >= 2 else rows


def _filtered(view: View, period: Period) -> tuple[date, date] | None:
    """The first and the last day that a condition on the same date lets through."""
    scan = view.scan
    for part in within(scan.where) if scan is not None and scan.where is not None else ():
        if isinstance(part, Between) and part.of == period.of:
            return date_range(part)
    return None


def still_open(view: View, found: OpenPeriod) -> str:
    """That the period is not over, and where its figure stands."""
    name = formats.period(found.start, found.grain)
    place = view.figures[0]
    at = next((i for i, row in enumerate(view.rows) if row[view.dimensions[0]] == found.start), None)
    stands = view.rows[at][place] if at is not None else None
    so_far = f"it stands at {wording.cell(stands, view.columns[place])}, with" if is_number(stands) else "there is"
    return f"{capital(name)} is not complete: {so_far} data up to {formats.day(found.data_end)}."


def _day(value: date) -> date:
    return value.date() if isinstance(value, datetime) else value


def end_of(start: date, grain: str) -> date:
    """The day after a period's last."""
    if grain == "week":
        return start + timedelta(days=7)
    months = {"month": 1, "quarter": 3, "year": 12}.get(grain, 0)
    if not months:
        return start + timedelta(days=1)
    month = start.month - 1 + months
    return date(start.year + month // 12, month % 12 + 1, 1)
