"""Single cells as a spreadsheet computes them: one row in, one value out, in plain Python.

Shares the plan algebra with the other executors and none of their computing. A blank cell is a value here: it is
"not won", it is not "won", and arithmetic with it stays blank.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from apps.analyst.computing.compile.clocks import CLOCK_PATTERN
from apps.analyst.computing.compile.functions import NUMBER_PATTERN, TIME_PATTERN
from apps.analyst.computing.compile.kinds import constant_value
from apps.analyst.computing.compile.outputs import group_columns
from apps.analyst.computing.compile.walk import references
from apps.analyst.errors import PlanRejected
from apps.analyst.plan import (
    AllOf,
    Among,
    AnyOf,
    Arithmetic,
    Between,
    Bin,
    Call,
    ColumnRef,
    Compare,
    Conditional,
    Constant,
    Expr,
    InQuery,
    JoinKey,
    Missing,
    Not,
    Part,
    Period,
    Predicate,
    Query,
    ScalarQuery,
    TextMatch,
)

Row = Mapping[tuple[str, str], Any]
"""A row of the flat sheet: (alias, column) to cell."""
_NUMBER, _TIME, _CLOCK = re.compile(NUMBER_PATTERN), re.compile(TIME_PATTERN), re.compile(CLOCK_PATTERN)
_MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
           "November", "December")  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass
class Cells:
    """Evaluates expressions over one row. `values_of` gives an inner query's only column.

    `blanks_kept` counts the rows that passed a test only because a blank is none of the excluded values.
    """

    values_of: Callable[[Query], list[Any]]
    blanks_kept: int = 0

    def value(self, expr: Expr, row: Row) -> Any:
        """The cell."""
        match expr:
            case ColumnRef():
                return row.get((expr.table, expr.column))
            case Constant():
                return constant_value(expr)
            case Arithmetic():
                return _arithmetic(expr.op, self.value(expr.left, row), self.value(expr.right, row))
            case Call():
                return _call(expr.name, [self.value(arg, row) for arg in expr.args])
            case Period():
                return period_start(self.value(expr.of, row), expr.grain, expr.first_month)
            case Part():
                return _part(self.value(expr.of, row), expr.part)
            case Bin():
                of, width = self.value(expr.of, row), float(expr.width or 1)
                return None if of is None else math.floor(float(of) / width) * width
            case Conditional():
                if self.holds(expr.when, row):
                    return self.value(expr.then, row)
                return None if expr.otherwise is None else self.value(expr.otherwise, row)
            case ScalarQuery():
                return self._value_of(expr, row)
            case _:
                raise PlanRejected("A figure over rows stands where single rows are computed.")

    def _value_of(self, expr: ScalarQuery, row: Row) -> Any:
        if expr.own is None:
            found = self.values_of(expr.query)
            return found[0] if found else None
        keys, figures = (self.values_of(column) for column in group_columns(expr.query))
        own = comparable(self.value(expr.own, row))
        named = zip(keys, figures, strict=True)
        return None if own is None else next((figure for name, figure in named if comparable(name) == own), None)

    # ------------------------------------------------------------ tests: true or false, never unknown
    def holds(self, predicate: Predicate, row: Row) -> bool:
        """Whether the row passes."""
        match predicate:
            case AllOf():
                return all(self.holds(part, row) for part in predicate.of)
            case AnyOf():
                return any(self.holds(part, row) for part in predicate.of)
            case Not():
                held = self.holds(predicate.of, row)
                self.blanks_kept += not held and any(self.value(ref, row) is None for ref in references(predicate))
                return not held
            case Missing():
                return (self.value(predicate.of, row) is None) != predicate.negated
            case Compare():
                return self._compare(predicate, row)
            case Among():
                of = self.value(predicate.of, row)
                wanted = {_folded(constant_value(value), predicate.fold) for value in predicate.values}
                return self._unless(of, _folded(of, predicate.fold) in wanted, predicate.negated)
            case Between():
                of, low, high = (self.value(part, row) for part in (predicate.of, predicate.low, predicate.high))
                if of is None or low is None or high is None:
                    return False
                of, low, high = comparable(of), comparable(low), comparable(high)
                return bool(low <= of and (of < high if predicate.half_open else of <= high))
            case TextMatch():
                of = self.value(predicate.of, row)
                return self._unless(of, of is not None and _matches(predicate, str(of).lower()), predicate.negated)
            case InQuery():
                of = self.value(predicate.of, row)
                keys = {_join_key(value, predicate.fold) for value in self.values_of(predicate.query)}
                return self._unless(of, of is not None and _join_key(of, predicate.fold) in keys, predicate.negated)

    def _unless(self, of: Any, hit: bool, negated: bool) -> bool:
        if negated and of is None:
            self.blanks_kept += 1
        return hit != negated

    def _compare(self, predicate: Compare, row: Row) -> bool:
        left, right = self.value(predicate.left, row), self.value(predicate.right, row)
        if predicate.op == "!=":
            return self._unless(left, _folded(left, predicate.fold) == _folded(right, predicate.fold), negated=True)
        if left is None or right is None:
            return False
        if predicate.op == "=":
            return bool(_folded(left, predicate.fold) == _folded(right, predicate.fold))
        one, other = _folded(left, predicate.fold), _folded(right, predicate.fold)
        tests = {"<": one < other, "<=": one <= other, ">": one > other, ">=": one >= other}
        return bool(tests[predicate.op])


def comparable(value: Any) -> Any:
    """A value as it is compared and sorted: numbers as floats, days as moments."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, int | float | Decimal):
        return float(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        return datetime.combine(value, time())
    return value


def _folded(value: Any, fold: bool) -> Any:
    return value.strip(" ").lower() if fold and isinstance(value, str) else comparable(value)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_KEY_LETTERS = frozenset(_LETTERS + "0123456789")


def _join_key(value: Any, fold: bool) -> Any:
    if not fold:
        return comparable(value)
    text = value.isoformat()[:10] if isinstance(value, date) else str(value)
    bare = "".join(letter for letter in text.lower() if letter in _KEY_LETTERS)
    number = bare.lstrip(_LETTERS)
    return (number if len(number) >= 3 and number.isdigit() else bare).lstrip("0")


def key_of(value: Any, on: JoinKey, side: str) -> Any:
    """A join key as it is compared on its side of the join; None meets nothing."""
    if value is None or on.part is None:
        return None if value is None else _join_key(value, on.fold)
    return _stretch(value, on.part.start, on.part.length or 0) if on.part.side == side else _stretch(value, 0, 0)


def _stretch(text: Any, start: Any, length: Any) -> str:
    bare = "".join(letter for letter in str(text).lower() if letter in _KEY_LETTERS)
    return bare[int(start) :][: int(length) or None]


def _matches(predicate: TextMatch, text: str) -> bool:
    wanted = predicate.value.lower()
    match predicate.op:
        case "contains":
            return wanted in text
        case "starts":
            return text.startswith(wanted)
        case "ends":
            return text.endswith(wanted)
        case "word":
            words = r"\s+".join(re.escape(word) for word in wanted.split())
            return re.search(rf"(?:^|\W){words}(?:$|\W)", text) is not None
        case "entry":
            return any(entry.split() == wanted.split() for entry in text.split(predicate.separator))
        case "like":
            marks = {"%": ".*", "_": "."}
            return re.fullmatch("".join(marks.get(c, re.escape(c)) for c in wanted), text, re.DOTALL) is not None


def _arithmetic(op: str, left: Any, right: Any) -> float | None:
    if left is None or right is None:
        return None
    a, b = float(left), float(right)
    if op == "/":
        return a / b if b else None
    return a * b if op == "*" else a + b if op == "+" else a - b


# ---------------------------------------------------------------- dates
def period_start(value: Any, grain: str, first_month: int = 1) -> Any:
    """The first moment of the period; quarters and years count from `first_month`."""
    if value is None:
        return None
    moment: datetime = comparable(value)
    if grain == "hour":
        return moment.replace(minute=0, second=0, microsecond=0)
    day = moment.date()
    if grain == "week":
        return day - timedelta(days=day.weekday())
    if grain == "month":
        return day.replace(day=1)
    if grain not in ("quarter", "year"):
        return day
    into = (day.month - first_month) % (3 if grain == "quarter" else 12)
    year, month = (day.year, day.month - into) if day.month > into else (day.year - 1, day.month - into + 12)
    return date(year, month, 1)


def _part(value: Any, part: str) -> Any:
    found = None if value is None else _moment(value)
    if found is None:
        return None
    moment: datetime = found
    match part:
        case "quarter":
            return (moment.month - 1) // 3 + 1
        case "month_name":
            return _MONTHS[moment.month - 1]
        case "weekday_name":
            return _DAYS[moment.weekday()]
        case "week":
            return moment.isocalendar().week
        case "weekday":
            return moment.isoweekday()
        case "decade":
            return moment.year // 10 * 10
        case _:
            return getattr(moment, part)


def _months(start: Any, end: Any) -> int:
    a, b = comparable(start), comparable(end)
    apart = int((b.year - a.year) * 12 + b.month - a.month)
    if b >= a and b.day < a.day:
        return apart - 1
    return apart + 1 if b < a and b.day > a.day else apart


def _days_between(start: Any, end: Any) -> int:
    return int((comparable(end).date() - comparable(start).date()).days)


def _clock(text: str) -> datetime | None:
    """A time of day that is written as text, on no day in particular."""
    said = text.strip(" ").lower()
    if _CLOCK.fullmatch(said) is None:
        return None
    numbers = [int(number) for number in re.findall(r"\d+", said)]
    afternoon = 12 if "p" in said else 0
    hour = numbers[0] % 12 + afternoon if said[-1] in "m." else numbers[0]
    return datetime(1, 1, 1, hour, numbers[1])  # noqa: DTZ001 - a time of day has no zone


def _moment(value: Any) -> Any:
    return _clock(value) if isinstance(value, str) else comparable(value)


def _hours_between(start: Any, end: Any) -> int | None:
    start, end = _moment(start), _moment(end)
    if start is None or end is None:
        return None
    return int((period_start(end, "hour") - period_start(start, "hour")) // timedelta(hours=1))


def _minutes_between(start: Any, end: Any) -> int | None:
    first, last = _moment(start), _moment(end)
    if first is None or last is None:
        return None
    first, last = (moment.replace(second=0, microsecond=0) for moment in (first, last))
    return int((last - first) // timedelta(minutes=1))


# ---------------------------------------------------------------- functions
def _call(name: str, args: list[Any]) -> Any:
    known = [value for value in args if value is not None]
    match name:
        case "coalesce":
            return known[0] if known else None
        case "least":
            return min(known, key=comparable, default=None)
        case "greatest":
            return max(known, key=comparable, default=None)
        case "concat":
            return "".join(str(value) for value in known)
        case "nullif":
            return None if args[0] is None or comparable(args[0]) == comparable(args[1]) else args[0]
        case "number":
            return _first_number(args[0])
    if len(known) < len(args):
        return None
    try:
        return _FUNCTIONS[name](*args)
    except (ValueError, OverflowError, ZeroDivisionError):
        return None


def _first_number(value: Any) -> float | None:
    if value is None or isinstance(value, int | float | Decimal):
        return None if value is None else float(value)
    found = _NUMBER.search(str(value).replace("\u2212", "-"))
    return float(found.group().replace(",", "")) if found else None


def _length_of_time(value: Any) -> float | None:
    found = _TIME.search(str(value))
    total = 0.0
    for part in found.group().replace(",", ".").split(":") if found is not None else ():
        total = 60 * total + float(part)
    return total if found is not None else None


def _rounded(value: Any, digits: Any = 0) -> float:
    power = 10.0 ** int(digits)
    return math.copysign(math.floor(abs(float(value)) * power + 0.5) / power, float(value))


def _split_part(text: Any, mark: Any, place: Any) -> str:
    parts = str(text).split(str(mark)) if mark else [str(text)]
    index = int(place) - 1 if place > 0 else int(place)
    return parts[index] if -len(parts) <= index < len(parts) and place != 0 else ""


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "abs": lambda v: abs(float(v)), "round": _rounded, "floor": lambda v: math.floor(v), "ceil": lambda v: math.ceil(v),
    "sqrt": lambda v: math.sqrt(float(v)), "ln": lambda v: math.log(float(v)), "log10": lambda v: math.log10(float(v)),
    "exp": lambda v: math.exp(float(v)), "power": lambda a, b: math.pow(float(a), float(b)),
    "lower": lambda v: str(v).lower(), "upper": lambda v: str(v).upper(), "trim": lambda v: str(v).strip(" "),
    "length": lambda v: len(str(v)), "words": lambda v: len(str(v).split()), "split_part": _split_part,
    "key_part": _stretch, "seconds": _length_of_time,
    "minutes_between": _minutes_between, "hours_between": _hours_between,
    "days_between": _days_between, "months_between": _months, "years_between": lambda a, b: int(_months(a, b) / 12),
}  # fmt: skip
