"""Reads one cell as a date or a moment. Which of two numbers is the day is settled once for the whole column.

`take_apart` splits a cell without deciding day against month; `DateStyle.read` applies the column's decision.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import Literal

from apps.analyst.tables.words import MONTHS, WEEKDAYS

DateOrder = Literal["mdy", "dmy"]

_TIME = (
    r"(?:[T\s,]+(?:at\s+)?(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,](?P<fraction>\d{1,9}))?)?"
    r"\s*(?P<half>[AaPp]\.?[Mm]\.?)?\s*(?P<zone>Z|UTC|GMT|[+-]\d{2}:?\d{2}|[+-]\d{2})?)?"
)
_YEAR_FIRST = re.compile(r"(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})" + _TIME)
_YEAR_LAST = re.compile(r"(?P<a>\d{1,2})(?P<sep>[-/.])(?P<b>\d{1,2})(?P=sep)(?P<y>\d{4}|\d{2})" + _TIME)
_MONTH_NAME = r"(?P<name>[^\W\d_]{3,10})\.?"
_DAY = r"(?P<a>\d{1,2})(?:st|nd|rd|th)?"
_DAY_NAME = re.compile(_DAY + r"\.?[\s\-/,]*" + _MONTH_NAME + r"[\s\-/,]*(?P<y>\d{4}|'?\d{2})" + _TIME)
_NAME_DAY = re.compile(_MONTH_NAME + r"[\s\-/]+" + _DAY + r"(?:\s*,\s*|[\s\-/]+)(?P<y>\d{4})" + _TIME)
_YEAR_NAME_DAY = re.compile(r"(?P<y>\d{4})[\s\-/]+(?P<name>[^\W\d_]{3,10})\.?[\s\-/]+(?P<a>\d{1,2})" + _TIME)
_NAME_YEAR = re.compile(r"(?P<name>[^\W\d_]{3,10})\.?(?:[\s\-/,]+(?P<y>\d{4})|(?:\s*'|-)(?P<yy>\d{2}))")
_YEAR_MONTH = re.compile(r"(?P<y>\d{4})[-/](?P<m>\d{1,2})")
_WEEKDAY = re.compile(r"(?P<word>[A-Za-z]{3,9})\.?,?\s+(?=\S)")
COMPACT = re.compile(r"(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")


@dataclass(frozen=True, slots=True)
class DateShape:
    """A cell taken apart. With `ambiguous`, `first` and `second` are day and month in an order still open."""

    year: int
    first: int
    second: int
    ambiguous: bool
    separator: str = ""
    time: tuple[int, int, int, int] | None = None
    """Hour, minute, second, microsecond."""
    offset: int | None = None
    """Minutes east of UTC where the cell names a zone."""
    month_only: bool = False


def _full_year(text: str) -> int:
    digits = text.lstrip("'")
    year = int(digits)
    if len(digits) == 2:
        return year + (2000 if year < 69 else 1900)
    return year


def _time_of(part: dict[str, str | None]) -> tuple[tuple[int, int, int, int] | None, int | None] | None:
    """Time and zone of a match; None where they are impossible."""
    hour_text = part.get("hour")
    if hour_text is None:
        return None, None
    hour, minute, second = int(hour_text), int(part["minute"] or 0), int(part["second"] or 0)
    half = part["half"]
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half[0] in "pP" else 0)
    if hour == 24 and minute == 0 and second == 0:
        return None
    if hour > 23 or minute > 59 or second > 59:
        return None
    micro = int((part["fraction"] or "0")[:6].ljust(6, "0"))
    zone = part["zone"]
    offset: int | None = None
    if zone:
        if zone in ("Z", "UTC", "GMT"):
            offset = 0
        else:
            digits = zone[1:].replace(":", "").ljust(4, "0")
            offset = (int(digits[:2]) * 60 + int(digits[2:])) * (-1 if zone[0] == "-" else 1)
    return (hour, minute, second, micro), offset


@lru_cache(maxsize=65_536)
def take_apart(text: str) -> DateShape | None:
    """The parts of a date cell, or None where the cell is no date."""
    if not text or len(text) > 48 or not any(ch.isdigit() for ch in text):
        return None
    lead = _WEEKDAY.match(text)
    if lead and lead["word"].casefold() in WEEKDAYS:
        text = text[lead.end() :]
    if text[0].isdigit():
        return _numeric_first(text)
    match = _NAME_DAY.fullmatch(text)
    if match:
        return _named(match)
    match = _NAME_YEAR.fullmatch(text)
    if match and (month := MONTHS.get(match["name"].casefold())):
        return DateShape(_full_year(match["y"] or match["yy"]), month, 1, False, month_only=True)
    return None


def _numeric_first(text: str) -> DateShape | None:
    match = _YEAR_FIRST.fullmatch(text)
    if match:
        time = _time_of(match.groupdict())
        if time is None:
            return None
        return DateShape(int(match["y"]), int(match["m"]), int(match["d"]), False, match["sep"], *time)
    match = _YEAR_LAST.fullmatch(text)
    if match:
        time = _time_of(match.groupdict())
        if time is None:
            return None
        return DateShape(_full_year(match["y"]), int(match["a"]), int(match["b"]), True, match["sep"], *time)
    match = _DAY_NAME.fullmatch(text) or _YEAR_NAME_DAY.fullmatch(text)
    if match:
        return _named(match)
    match = _YEAR_MONTH.fullmatch(text)
    if match and 1 <= int(match["m"]) <= 12:
        return DateShape(int(match["y"]), int(match["m"]), 1, False, month_only=True)
    return None


def _named(match: re.Match[str]) -> DateShape | None:
    month = MONTHS.get(match["name"].casefold())
    time = _time_of(match.groupdict())
    if month is None or time is None:
        return None
    return DateShape(_full_year(match["y"]), month, int(match["a"]), False, "", *time)


def moment(shape: DateShape, order: DateOrder) -> datetime | None:
    """The moment of a shape under an order of day and month (UTC where a zone was named); None where there is none."""
    month, day = shape.first, shape.second
    if shape.ambiguous and order == "dmy":
        month, day = day, month
    if shape.ambiguous and month > 12 >= day:
        month, day = day, month
    try:
        value = datetime(shape.year, month, day, *(shape.time or ()))  # noqa: DTZ001 - stored without a zone, in UTC
    except ValueError:
        return None
    if shape.offset:
        try:
            value -= timedelta(minutes=shape.offset)
        except OverflowError:
            return None
    return value


@dataclass(frozen=True, slots=True)
class DateStyle:
    """How a column writes its dates, and whether times of day are kept."""

    order: DateOrder = "mdy"
    keep_time: bool = False
    compact: bool = False
    """Whole numbers such as 20101229."""
    epoch: Literal["", "s", "ms"] = ""
    day_number: bool = False
    """Days since the end of 1899, as spreadsheets count them."""

    def read(self, text: str) -> date | datetime | None:
        """The cell's date (or moment), or None where it is none of this style."""
        if self.day_number:
            return date(1899, 12, 30) + timedelta(days=int(text)) if text.isdigit() and len(text) <= 6 else None
        if self.epoch:
            return _from_epoch(text, self.epoch)
        if self.compact and COMPACT.fullmatch(text):
            try:
                return date(int(text[:4]), int(text[4:6]), int(text[6:]))
            except ValueError:
                return None
        shape = take_apart(text)
        if shape is None:
            return None
        value = moment(shape, self.order)
        if value is None:
            return None
        return value if self.keep_time else value.date()


def _from_epoch(text: str, unit: str) -> datetime | None:
    try:
        number = int(text) if unit == "s" else int(text) / 1000
        return datetime(1970, 1, 1) + timedelta(seconds=number)  # noqa: DTZ001 - stored without a zone, in UTC
    except (ValueError, OverflowError):
        return None
