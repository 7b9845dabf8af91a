"""The scalar functions of the algebra, value by value."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

import pandas as pd

from apps.analyst.computing.compile.clocks import CLOCK_PATTERN
from apps.analyst.computing.compile.functions import NUMBER_PATTERN, TIME_PATTERN
from apps.analyst.computing.compile.scope import Shape
from apps.analyst.computing.executor.scans import Cells
from apps.analyst.plan import FunctionName
from apps.analyst.tables.folding import key_part

_NUMBER = re.compile(NUMBER_PATTERN)
_TIME = re.compile(TIME_PATTERN)
_CLOCK = re.compile(CLOCK_PATTERN)


def call(name: FunctionName, args: Sequence[Cells], shapes: Sequence[Shape]) -> Cells:
    """The function over series; missing arguments make a missing value, save for those that choose among values."""
    if name in ("least", "greatest", "coalesce", "concat"):
        choose = {"least": _least, "greatest": _greatest, "coalesce": _coalesce, "concat": _concat}[name]
        rows = zip(*args, strict=True)
        made = [choose([value for value in row if not _gone(value)]) for row in rows]
        return pd.Series(made, index=args[0].index, dtype="object")
    if name == "nullif":
        pairs = zip(args[0], args[1], strict=True)
        made = [None if _gone(a) or (not _gone(b) and a == b) else a for a, b in pairs]
        return pd.Series(made, index=args[0].index, dtype="object")
    function = _FUNCTIONS[name] if not (name == "number" and shapes[0].numeric) else float
    if name in _OF_CLOCKS and shapes[0].type == "text":
        function = _OF_CLOCKS[name]
    made = [None if any(map(_gone, row)) else function(*row) for row in zip(*args, strict=True)]
    return pd.Series(made, index=args[0].index, dtype="object")


def _gone(value: Any) -> bool:
    return value is None or bool(pd.isna(value))


def _least(values: list[Any]) -> Any:
    return min(values, default=None)


def _greatest(values: list[Any]) -> Any:
    return max(values, default=None)


def _coalesce(values: list[Any]) -> Any:
    return values[0] if values else None


def _concat(values: list[Any]) -> str:
    return "".join(str(value) for value in values)


def rounded(value: Any, digits: Any = 0) -> float:
    """Rounded half away from zero, as people do it."""
    power = 10.0 ** int(digits)
    size = math.floor(abs(float(value)) * power + 0.5) / power
    return math.copysign(size, float(value))


def _power(base: Any, exponent: Any) -> float | None:
    try:
        raised = float(base) ** float(exponent)
    except (OverflowError, ZeroDivisionError):
        return None
    return raised if isinstance(raised, float) and math.isfinite(raised) else None


def _days(start: Any, end: Any) -> int:
    return int((end.normalize() - start.normalize()).days)


def _hours(start: Any, end: Any) -> int:
    return int((end.floor("h") - start.floor("h")) // pd.Timedelta(hours=1))


def _minutes(start: Any, end: Any) -> int:
    return int((end.floor("min") - start.floor("min")) // pd.Timedelta(minutes=1))


def _clock(text: Any) -> tuple[int, int] | None:
    """The hour and the minute of a time of day."""
    said = str(text).strip(" ").lower()
    if _CLOCK.fullmatch(said) is None:
        return None
    hour, minute = int(said.split(":")[0]), int(said.split(":")[1][:2])
    if said[-1].isdigit():
        return hour, minute
    return hour % 12 + (12 if "p" in said else 0), minute


def clock_hour(text: Any) -> int | None:
    """The hour of a time of day that is written as text."""
    found = _clock(text)
    return found[0] if found is not None else None


def _clock_hours(start: Any, end: Any) -> int | None:
    a, b = _clock(start), _clock(end)
    return None if a is None or b is None else b[0] - a[0]


def _clock_minutes(start: Any, end: Any) -> int | None:
    a, b = _clock(start), _clock(end)
    return None if a is None or b is None else (b[0] - a[0]) * 60 + b[1] - a[1]


def months(start: Any, end: Any) -> int:
    """Whole months from one day to another."""
    a, b = _day(start), _day(end)
    apart = (b.year - a.year) * 12 + b.month - a.month
    if b >= a and b.day < a.day:
        return apart - 1
    return apart + 1 if b < a and b.day > a.day else apart


def _day(moment: Any) -> date:
    day: date = moment.date()
    return day


def _years(start: Any, end: Any) -> int:
    return int(months(start, end) / 12)


def _number(text: Any) -> float | None:
    found = _NUMBER.search(str(text).replace("\u2212", "-"))
    return float(found.group().replace(",", "")) if found else None


def _seconds(text: Any) -> float | None:
    found = _TIME.search(str(text))
    parts = found.group().replace(",", ".").split(":") if found else []
    return sum(float(part) * 60**place for place, part in enumerate(reversed(parts))) if parts else None


def _split_part(text: Any, mark: Any, place: Any) -> str:
    parts = str(text).split(str(mark)) if mark else [str(text)]
    index = int(place) - 1 if place > 0 else int(place)
    return parts[index] if -len(parts) <= index < len(parts) and place != 0 else ""


def _key_part(text: Any, start: Any, length: Any) -> str:
    return key_part(str(text), int(start), int(length))


_FUNCTIONS: dict[FunctionName, Callable[..., Any]] = {
    "abs": abs, "round": rounded, "floor": math.floor, "ceil": math.ceil,
    "sqrt": lambda v: math.sqrt(v) if v >= 0 else None, "ln": lambda v: math.log(v) if v > 0 else None,
    "log10": lambda v: math.log10(v) if v > 0 else None, "exp": lambda v: math.exp(v) if v < 700 else None,
    "power": _power, "lower": lambda v: str(v).lower(), "upper": lambda v: str(v).upper(),
    "trim": lambda v: str(v).strip(" "), "length": lambda v: len(str(v)), "words": lambda v: len(str(v).split()),
    "split_part": _split_part, "key_part": _key_part, "days_between": _days, "months_between": months,
    "years_between": _years, "hours_between": _hours, "minutes_between": _minutes, "number": _number,
    "seconds": _seconds,
}  # fmt: skip
_OF_CLOCKS: dict[FunctionName, Callable[..., Any]] = {"hours_between": _clock_hours, "minutes_between": _clock_minutes}
"""What is told of texts that are times of day."""
