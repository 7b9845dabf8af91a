"""Days and parts of days in SQL: what is written, what is counted from today, and what a date is cut to."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, timedelta

from sqlglot import exp

from learning.lifting.trees import number_of, unwrap

GRAINS = ("day", "week", "month", "quarter", "year")
_TRUNCATED = frozenset({*GRAINS, "hour"})
_NODES: Mapping[type[exp.Expression], str] = {
    exp.Year: "year",
    exp.Month: "monthof",
    exp.Quarter: "quarterof",
    exp.DayOfWeek: "weekday",
    exp.DayOfWeekIso: "weekday",
    exp.Dayname: "weekday",
    exp.Hour: "hourof",
    exp.Monthname: "monthof",
}
_EXTRACTED = {
    "year": "year",
    "month": "monthof",
    "quarter": "quarterof",
    "dow": "weekday",
    "isodow": "weekday",
    "hour": "hourof",
}
_FUNCTIONS = {
    "dayname": "weekday",
    "isodow": "weekday",
    "dayofweek": "weekday",
    "monthname": "monthof",
    "hour": "hourof",
    "weekday": "weekday",
}
_FORMATS = {
    "%Y-%m": "month",
    "%Y": "year",
    "%A": "weekday",
    "%B": "monthof",
    "%m": "monthof",
    "%Y-%m-%d": "day",
    "%H": "hourof",
    "%b": "monthof",
    "%a": "weekday",
}
Cut = tuple[str, exp.Expression]
"""What a date is cut to, and the date."""


def cut_of(e: exp.Expression) -> Cut | None:
    """The part of a date that the expression takes, also of one that was cut before; None where it takes none."""
    found = _cut_of(unwrap(e))
    inner = unwrap(found[1]) if found is not None else None
    if isinstance(inner, exp.TimestampTrunc | exp.DateTrunc) and found is not None and found[0] != "day":
        return found[0], inner.this
    return found


def _cut_of(e: exp.Expression) -> Cut | None:
    if isinstance(e, exp.TimestampTrunc | exp.DateTrunc):
        unit = str(e.args["unit"]).lower().strip("'")
        return (unit, e.this) if unit in _TRUNCATED else None
    if type(e) in _NODES:
        return (_NODES[type(e)], e.this)
    if isinstance(e, exp.Extract):
        return _known(_EXTRACTED, str(e.this).lower(), e.expression)
    if isinstance(e, exp.Anonymous) and e.expressions:
        return _known(_FUNCTIONS, e.name.lower(), e.expressions[0])
    if isinstance(e, exp.TimeToStr):
        return _known(_FORMATS, str(e.args["format"].this), e.this)
    if isinstance(e, exp.DPipe | exp.Concat):
        return _year_and_quarter(e)
    return None


def _known(parts: Mapping[str, str], name: str, of: exp.Expression) -> Cut | None:
    return (parts[name], of) if name in parts else None


def _year_and_quarter(e: exp.Expression) -> Cut | None:
    """A year and a quarter put together as a text."""
    years = list(e.find_all(exp.Year))
    if isinstance(e, exp.DPipe):
        text = e.sql(dialect="duckdb").lower()
        quarter = "quarter(" in text or "quarter from" in text
    else:
        quarter = e.find(exp.Quarter) is not None
    return ("quarter", years[0].this) if quarter and years else None


def day_of(e: exp.Expression | None, today: date | None) -> date | None:
    """The day that is written there, or counted from one."""
    if e is None:
        return None
    e = unwrap(e)
    if isinstance(e, exp.CurrentDate):
        return today
    if isinstance(e, exp.Literal) and e.is_string:
        m = re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)([ T]\d\d:\d\d(:\d\d)?)?", e.this)
        return date(*map(int, m.groups()[:3])) if m else None
    if isinstance(e, exp.Sub | exp.Add):
        base = day_of(e.left, today)
        return _counted(base, unwrap(e.right), 1 if isinstance(e, exp.Add) else -1) if base is not None else None
    return None


def _counted(base: date, by: exp.Expression, sign: int) -> date | None:
    """A day so many days or so long an interval later."""
    number = number_of(by)
    if number is not None:
        return base + timedelta(sign * int(number))
    if not isinstance(by, exp.Interval):
        return None
    number = number_of(by.this) if by.this is not None else None
    if number is None and isinstance(by.this, exp.Literal):
        number = float(str(by.this.this).split()[0])
    unit = str(by.args.get("unit") or str(by.this.this).split()[-1]).lower().rstrip("s").strip("'")
    if number is None:
        return None
    count = int(number) * sign
    if unit in ("day", "week"):
        return base + timedelta(count * (7 if unit == "week" else 1))
    return _months_later(base, count * (12 if unit == "year" else 1)) if unit in ("month", "year") else None


def _months_later(day: date, count: int) -> date:
    """The same day of another month, else its last."""
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    for number in range(day.day, 27, -1):
        try:
            return date(year, month + 1, number)
        except ValueError:
            continue
    return date(year, month + 1, day.day)


def span_written(text: str, grain: str) -> tuple[date, date] | None:
    """The days of a period that is written as "2024-05" or "2024-Q2"."""
    if grain == "month" and (m := re.fullmatch(r"(\d{4})-(\d\d)", text)):
        start = date(int(m[1]), int(m[2]), 1)
    elif grain == "quarter" and (m := re.fullmatch(r"(\d{4})-Q(\d)", text)):
        start = date(int(m[1]), 3 * int(m[2]) - 2, 1)
    else:
        return None
    return start, next_period(start, grain)


def next_period(day: date, grain: str) -> date:
    """The first day of the period after the one that begins on a day."""
    if grain == "day":
        return day + timedelta(1)
    if grain == "week":
        return day + timedelta(7)
    months = {"month": 1, "quarter": 3, "year": 12}[grain] + day.year * 12 + day.month - 1
    return date(months // 12, months % 12 + 1, 1)
