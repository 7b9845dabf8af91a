"""Dates: fixed days, periods, parts, differences, and the texts that stand for them. Nothing here compares."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, datetime, time, timedelta

from sqlglot import exp

from apps.analyst.computing.compile.scope import TEMPORAL
from apps.analyst.plan import Arithmetic, Call, Compare, Conditional, Constant, DatePart, Expr, Grain, Part, Period
from apps.analyst.plan.lift.reader import Reader
from apps.analyst.plan.lift.reasons import NotLifted
from apps.analyst.plan.lift.syntax import bare, cast_to, number_of, text_of

_GRAINS: dict[str, Grain] = {
    "hour": "hour", "day": "day", "week": "week", "month": "month", "quarter": "quarter", "year": "year",
}  # fmt: skip
_PARTS: dict[str, DatePart] = {
    "year": "year", "quarter": "quarter", "month": "month", "week": "week", "day": "day", "hour": "hour",
    "isodow": "weekday", "dayofweekiso": "weekday", "dayname": "weekday_name", "monthname": "month_name",
    "dayofmonth": "day", "weekofyear": "week", "decade": "decade",
}  # fmt: skip
_PERIOD_FORMATS: dict[str, Grain] = {
    "%Y-%m": "month", "%Y/%m": "month", "%b %Y": "month", "%B %Y": "month", "%m/%Y": "month", "%Y%m": "month",
    "%Y-%m-%d": "day", "%Y-W%V": "week", "%G-W%V": "week", "%Y-%W": "week", "YYYY-MM": "month", "YYYY-MM-DD": "day",
    "%Y-%m-01": "month", "%d/%m/%Y": "day", "%x": "day", "%Y-%m-%d %H:00": "hour",
}  # fmt: skip
_PART_FORMATS: dict[str, DatePart] = {
    "%Y": "year", "%m": "month", "%-m": "month", "%d": "day", "%-d": "day", "%H": "hour", "%-H": "hour",
    "%u": "weekday", "%A": "weekday_name", "%a": "weekday_name", "%B": "month_name", "%b": "month_name", "%V": "week",
    "YYYY": "year", "MM": "month", "Month": "month_name", "Mon": "month_name", "Day": "weekday_name", "DD": "day",
}  # fmt: skip
_PART_NODES = (
    exp.Year, exp.Quarter, exp.Month, exp.Week, exp.WeekOfYear, exp.Day, exp.DayOfMonth, exp.Hour, exp.DayOfWeekIso,
    exp.Dayname, exp.Monthname,
)  # fmt: skip
_READ_AS_DATE = (exp.StrToTime, exp.StrToDate, exp.TsOrDsToDate, exp.Date, exp.TsOrDsToTimestamp, exp.Timestamp)
_TODAY = ("now", "getdate", "today", "sysdate", "get_current_timestamp", "current_localtimestamp")
_ISO = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?")


class Moments(Reader):
    """Reads what gives or takes dates."""

    def moment(self, e: exp.Expr) -> Expr | None:
        """The expression where it is about dates, else None."""
        fixed = self.fixed(e)
        if fixed is not None:
            return day_constant(fixed)
        if isinstance(e, exp.TimestampTrunc | exp.DateTrunc):
            return self._period(_unit(e), e.this)
        if isinstance(e, exp.DayOfWeek):
            return _sunday_first(Part(part="weekday", of=self.dated(e.this)))
        if isinstance(e, _PART_NODES):
            return Part(part=_PARTS[type(e).__name__.lower()], of=self.dated(e.this))
        if isinstance(e, exp.Extract):
            return self._part(str(e.this.name).lower(), e.expression)
        if isinstance(e, exp.TimeToStr | exp.ToChar):
            return self._written(e)
        if isinstance(e, _READ_AS_DATE) or _called(e, "try_strptime", "to_date", "to_timestamp"):
            return self.dated(e.this if not isinstance(e, exp.Anonymous) else e.expressions[0])
        if isinstance(e, exp.DateDiff):
            return self._apart(_unit(e), e.expression, e.this)
        if isinstance(e, exp.Anonymous):
            return self._called_moment(e)
        if isinstance(e, exp.DPipe | exp.Concat):
            return self._quarter(e)
        return None

    def dated(self, e: exp.Expr) -> Expr:
        """The expression as a moment. A stored date is one, however its text would have to be read."""
        found = self.value(e)
        if self.shape(found).type in TEMPORAL:
            return found
        if isinstance(found, Constant) and (day := iso_day(str(found.value))) is not None:
            return day_constant(day)
        raise NotLifted("text read as a date")

    def as_day(self, e: exp.Expr) -> Expr:
        """The day of a moment."""
        found = self.dated(e)
        if isinstance(found, Constant):
            return Constant(value=str(found.value)[:10], type="date")
        return found if self.shape(found).type == "date" else Period(grain="day", of=found)

    def _period(self, unit: str, e: exp.Expr) -> Expr:
        if unit not in _GRAINS:
            raise NotLifted(f"period of a {unit}")
        return Period(grain=_GRAINS[unit], of=self.dated(e))

    def _part(self, unit: str, e: exp.Expr) -> Expr:
        if unit in ("dow", "dayofweek", "weekday"):
            return _sunday_first(Part(part="weekday", of=self.dated(e)))
        if unit == "epoch":
            raise NotLifted("seconds of a time")
        if unit not in _PARTS:
            raise NotLifted(f"part {unit}")
        return Part(part=_PARTS[unit], of=self.dated(e))

    def _written(self, e: exp.Expr) -> Expr:
        form, of = text_of(e.args["format"]), e.this
        if form is None and text_of(of) is not None:  # the other way round, as SQLite has it
            form, of = text_of(of), e.args["format"]
        form = (form or "").strip()
        if form in _PERIOD_FORMATS:
            found = self.dated(of)
            grain = _PERIOD_FORMATS[form]
            return found if grain == "day" and self.shape(found).type == "date" else Period(grain=grain, of=found)
        if form in ("%w",):
            return _sunday_first(Part(part="weekday", of=self.dated(of)))
        if form in _PART_FORMATS:
            return Part(part=_PART_FORMATS[form], of=self.dated(of))
        raise NotLifted(f"date written as {form}")

    def _called_moment(self, e: exp.Anonymous) -> Expr | None:
        name, args = e.name.lower(), e.expressions
        if name in ("date_part", "datepart") and len(args) == 2:
            return self._part((text_of(args[0]) or args[0].name).lower(), args[1])
        if name in ("date_sub", "datesub") and len(args) == 3:
            return self._full((text_of(args[0]) or "").lower(), args[1], args[2])
        if name in _PARTS and len(args) == 1:
            return Part(part=_PARTS[name], of=self.dated(args[0]))
        if name == "julianday" and len(args) == 1:
            return Call(name="days_between", args=(day_constant(date(1970, 1, 1)), self.dated(args[0])))
        return None

    def _full(self, unit: str, early: exp.Expr, late: exp.Expr) -> Expr:
        """Full units from one moment to another."""
        both = (self.dated(early), self.dated(late))
        match unit.rstrip("s"):
            case "day":
                return Call(name="days_between", args=both)
            case "month":
                return Call(name="months_between", args=both)
            case "year":
                return Call(name="years_between", args=both)
        raise NotLifted(f"{unit} between moments")

    def _apart(self, unit: str, early: exp.Expr, late: exp.Expr) -> Expr:
        """How many units begin between two moments, as `date_diff` counts them."""
        a, b = self.dated(early), self.dated(late)
        unit = unit.rstrip("s")
        if unit == "day":
            return Call(name="days_between", args=(a, b))
        if unit == "week":
            weeks = (Period(grain="week", of=a), Period(grain="week", of=b))
            return Arithmetic(op="/", left=Call(name="days_between", args=weeks), right=number(7))
        if unit not in ("month", "quarter", "year"):
            raise NotLifted(f"{unit}s between moments")
        years = Arithmetic(op="-", left=Part(part="year", of=b), right=Part(part="year", of=a))
        if unit == "year":
            return years
        many, part = (12, _PARTS["month"]) if unit == "month" else (4, _PARTS["quarter"])
        rest = Arithmetic(op="-", left=Part(part=part, of=b), right=Part(part=part, of=a))
        return Arithmetic(op="+", left=Arithmetic(op="*", left=number(many), right=years), right=rest)

    def _quarter(self, e: exp.Expr) -> Expr | None:
        """A year and its quarter put together ("2025-Q1") are the quarter."""
        years, quarters = list(e.find_all(exp.Year)), list(e.find_all(exp.Quarter))
        marks = "".join(part.name for part in e.find_all(exp.Literal) if part.is_string)
        if len(years) == len(quarters) == 1 and years[0].this == quarters[0].this and marks.strip("- /").lower() == "q":
            return Period(grain="quarter", of=self.dated(years[0].this))
        return None

    # ------------------------------------------------------------ fixed days
    def fixed(self, e: exp.Expr) -> date | None:
        """The day or moment that is written there, worked out where it is."""
        e = bare(e)
        if isinstance(e, exp.CurrentDate | exp.CurrentTimestamp) or _called(e, *_TODAY):
            if self.desk.today is None:
                raise NotLifted("today's date")
            return self.desk.today
        if isinstance(e, exp.Cast | exp.TryCast) and cast_to(e) in ("date", "datetime"):
            text = text_of(e.this)
            inner = iso_day(text) if text is not None else self.fixed(e.this)
            return inner.date() if cast_to(e) == "date" and isinstance(inner, datetime) else inner
        if isinstance(e, exp.TimestampTrunc | exp.DateTrunc):
            day = self.fixed(e.this)
            return start_of(day, _unit(e)) if day is not None else None
        if isinstance(e, exp.DateFromParts):
            year, month, day_ = (number_of(e.args.get(name)) for name in ("year", "month", "day"))
            return date(int(year), int(month), int(day_)) if year and month and day_ else None
        if isinstance(e, exp.Add | exp.Sub):
            day, step = self.fixed(e.left), interval_of(e.right)
            return moved(day, step, 1 if isinstance(e, exp.Add) else -1) if day is not None and step else None
        if isinstance(e, exp.DateAdd | exp.DateSub):
            day, step = self.fixed(e.this), interval_of(e.expression)
            return moved(day, step, 1 if isinstance(e, exp.DateAdd) else -1) if day is not None and step else None
        return None


def day_constant(day: date) -> Constant:
    """A fixed day or moment as a literal of the plan."""
    if isinstance(day, datetime):
        return Constant(value=day.isoformat(), type="datetime")
    return Constant(value=day.isoformat(), type="date")


def number(value: int | float) -> Constant:
    """A number as a literal of the plan."""
    return Constant(value=value, type="number")


def iso_day(text: str) -> date | None:
    """The day or moment that an ISO text says."""
    found = _ISO.fullmatch(text.strip())
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part) if part else 0 for part in found.groups())
    try:
        plain = date(year, month, day)
        clock = time(hour, minute, second)
        return datetime.combine(plain, clock) if clock != time() else plain
    except ValueError:
        return None


def interval_of(e: exp.Expr) -> tuple[int, str] | None:
    """How many of which unit is added: an interval, a number of days."""
    e = bare(e)
    if isinstance(e, exp.Interval) and e.this is not None:
        words = (text_of(e.this) or str(number_of(e.this) or "")).split()
        unit = str(e.args["unit"].name) if e.args.get("unit") is not None else words[-1]
        whole = words[0].lstrip("-").isdigit() if words else False
        return (int(words[0]), unit.lower().rstrip("s")) if whole else None
    if isinstance(e, exp.ToDays):
        count = number_of(e.this)
        return (int(count), "day") if count is not None else None
    count = number_of(e)
    return (int(count), "day") if count is not None and count == int(count) else None


def moved(day: date, step: tuple[int, str], sign: int) -> date:
    """The day so many units later; a month's end stays one."""
    count, unit = step[0] * sign, step[1]
    if unit in ("day", "week"):
        return day + timedelta(days=count * (7 if unit == "week" else 1))
    if unit in ("hour", "minute", "second"):
        base = day if isinstance(day, datetime) else datetime.combine(day, time())
        return base + timedelta(**{f"{unit}s": count})
    if unit not in ("month", "quarter", "year"):
        raise NotLifted(f"interval of a {unit}")
    months = day.year * 12 + day.month - 1 + count * {"month": 1, "quarter": 3, "year": 12}[unit]
    year, month = divmod(months, 12)
    return day.replace(year=year, month=month + 1, day=min(day.day, monthrange(year, month + 1)[1]))


def start_of(day: date, unit: str) -> date:
    """The first day of the period."""
    plain = date(day.year, day.month, day.day)
    match unit:
        case "day":
            return plain
        case "week":
            return plain - timedelta(days=plain.weekday())
        case "month":
            return plain.replace(day=1)
        case "quarter":
            return plain.replace(month=(plain.month - 1) // 3 * 3 + 1, day=1)
        case "year":
            return plain.replace(month=1, day=1)
    raise NotLifted(f"start of a {unit}")


def _unit(e: exp.Expr) -> str:
    unit = e.args.get("unit")
    return str(unit.name).lower() if unit is not None else "day"


def _called(e: exp.Expr, *names: str) -> bool:
    return isinstance(e, exp.Anonymous) and e.name.lower() in names


def _sunday_first(weekday: Expr) -> Expr:
    """The weekday with Sunday as 0."""
    sunday = Compare(op="=", left=weekday, right=number(7))
    return Conditional(when=sunday, then=number(0), otherwise=weekday)
