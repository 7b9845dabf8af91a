"""Sheets in which time runs along the row: a column for each month, quarter or year, and the stretches of it that a
question names ("in the second quarter", "from March to June", "in the first half of the year")."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from apps.analyst.telling.formats import MONTH_NAMES
from apps.analyst.types import Table

Kind = Literal["month", "quarter", "year"]
FEWEST = 3
"""So many columns of one kind make a row of time."""
_MONTH = "|".join(rf"{name[:3]}(?:{name[3:]})?" if len(name) > len("May") else name for name in MONTH_NAMES)
_MONTH_NAME = re.compile(rf"(?:{_MONTH}|sept)\.?", re.IGNORECASE)
_QUARTER_NAME = re.compile(r"q ?([1-4])|([1-4]) ?q|quarter ?([1-4])|([1-4])(?:st|nd|rd|th) quarter", re.IGNORECASE)
_YEAR_NAME = re.compile(r"(1[89]\d\d|20\d\d)")
_ORDINALS = ("first|1st", "second|2nd", "third|3rd", "fourth|4th|last|final")
_PREFIX = r"(?:\b(?:in|during|for|of|over|throughout|across)\s+)?(?:the\s+)?"
_TO = r"\s*(?:to|and|until|till|through|-|\u2013)\s*"
_SPAN = re.compile(
    rf"\b(?:from|between)?\s*\b({_MONTH})\b{_TO}(?:the end of\s+)?\b({_MONTH})\b",
    re.IGNORECASE,
)
_LIST = re.compile(rf"{_PREFIX}\b(?:{_MONTH})\b(?:\s*(?:,|,?\s*and|,?\s*or|\+)\s*\b(?:{_MONTH})\b)*", re.IGNORECASE)
_YEARS = re.compile(
    rf"\b(?:from|between)\s+{_YEAR_NAME.pattern}\s*(?:to|and|until|till|through|-|\u2013)\s*{_YEAR_NAME.pattern}\b",
    re.I,
)
_WHOLE = re.compile(
    rf"{_PREFIX}(?:(?:whole|entire|full|all)\s+)(?:the\s+)?(?:year|months|quarters|years)\b"
    r"|\b(?:over|throughout|across|during) the year\b",
    re.IGNORECASE,
)
_MONTHS_OF_QUARTER, _MONTHS_OF_HALF, _HALVES = 3, 6, 2


@dataclass(frozen=True, slots=True)
class Wide:
    """The columns of a table that stand for successive times, by number: month 1 to 12, quarter 1 to 4, or the year."""

    table: str
    kind: Kind
    columns: dict[int, str]


@dataclass(frozen=True, slots=True)
class Stretch:
    """Some of these columns, in order, and where the question says so (nothing of it where the whole row is meant)."""

    numbers: tuple[int, ...]
    start: int = 0
    end: int = 0
    label: str = ""


def wide_columns(table: Table) -> Wide | None:
    """The table's row of time; None where it has none, or where two columns stand for one time."""
    found: dict[Kind, dict[int, str]] = {"month": {}, "quarter": {}, "year": {}}
    for column in table.columns:
        named = _time_of(column.name.strip().replace("_", " "))
        if named is None or column.type not in ("integer", "decimal", "float"):
            continue
        kind, number = named
        if number in found[kind]:
            return None
        found[kind][number] = column.name
    kind = max(found, key=lambda each: len(found[each]))
    return Wide(table.name, kind, dict(sorted(found[kind].items()))) if len(found[kind]) >= FEWEST else None


def _time_of(name: str) -> tuple[Kind, int] | None:
    if _MONTH_NAME.fullmatch(name):
        return "month", month_number(name)
    quarter = _QUARTER_NAME.fullmatch(name)
    if quarter is not None:
        return "quarter", int(next(group for group in quarter.groups() if group))
    return ("year", int(name)) if _YEAR_NAME.fullmatch(name) else None


def month_number(name: str) -> int:
    """1 to 12 by the first three letters of a month's name."""
    return next(i for i, month in enumerate(MONTH_NAMES, start=1) if month[:3].lower() == name[:3].lower())


def stretch_of(text: str, wide: Wide) -> Stretch | None:
    """The part of the row that the question names; the whole row where it names none."""
    if wide.kind == "year":
        years = _YEARS.search(text)
        if years is None:
            return _whole(text, wide)
        return _told(years, wide, range(int(years[1]), int(years[2]) + 1))
    part = _part_of_year(text, wide)
    if part is not None:
        return part
    if wide.kind == "month":
        span = _SPAN.search(text)
        if span is not None and re.search(r"from|to|until|till|through|-|\u2013|between", span[0], re.IGNORECASE):
            return _told(span, wide, range(month_number(span[1]), month_number(span[2]) + 1))
        listed = _LIST.search(text)
        if listed is not None:
            numbers = [month_number(name) for name in re.findall(_MONTH_NAME.pattern, listed[0], re.IGNORECASE)]
            return _told(listed, wide, numbers)
    return _whole(text, wide)


def _part_of_year(text: str, wide: Wide) -> Stretch | None:
    for place, said in enumerate(_ORDINALS, start=1):
        named = rf"\b(?:{said})\s+quarter\b|\b(?:q\s?{place}|quarter\s+{place})\b"
        quarter = re.search(rf"{_PREFIX}(?:{named})", text, re.IGNORECASE)
        if quarter is not None and wide.kind == "month":
            first = _MONTHS_OF_QUARTER * (place - 1) + 1
            return _told(quarter, wide, range(first, first + _MONTHS_OF_QUARTER))
        if quarter is not None:
            return _told(quarter, wide, (place,))
        named = rf"\b(?:{said})\s+half(?:\s+of\s+(?:the|that|this)\s+year)?\b|\bh{place}\b"
        half = re.search(rf"{_PREFIX}(?:{named})", text, re.IGNORECASE) if place <= _HALVES else None
        if half is not None:
            size = _MONTHS_OF_HALF if wide.kind == "month" else _HALVES
            return _told(half, wide, range(size * (place - 1) + 1, size * place + 1))
    return None


def _whole(text: str, wide: Wide) -> Stretch:
    said = _WHOLE.search(text)
    numbers = tuple(wide.columns)
    return Stretch(numbers) if said is None else Stretch(numbers, said.start(), said.end())


def _told(said: re.Match[str], wide: Wide, numbers: range | list[int] | tuple[int, ...]) -> Stretch | None:
    known = tuple(dict.fromkeys(number for number in numbers if number in wide.columns))
    whole = len(known) == len(set(numbers)) or (wide.kind == "year" and bool(known))
    label = re.sub(r"^(?:in|during|for|of|over|throughout|across)\s+|\bthe\s+", "", said[0].strip(), flags=re.I)
    return Stretch(known, said.start(), said.end(), label) if known and whole else None
