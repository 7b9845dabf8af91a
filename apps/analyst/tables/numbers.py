"""Reads one cell as a number: plain, grouped, with currency, percent, magnitude, unit, brackets, or in words.

A cell is first taken apart without deciding what "." and "," mean (`take_apart`); the column decides that once for
all its
cells (`inference`), and `NumberStyle.read` applies it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from functools import lru_cache

from apps.analyst.tables.words import (
    CURRENCY_CODES,
    CURRENCY_SIGNS,
    MAGNITUDES,
    NUMBER_SCALES,
    NUMBER_WORDS,
    UNIT_WORDS,
)

PLAIN_INTEGER = re.compile(r"[-+]?\d{1,18}")
PLAIN_DECIMAL = re.compile(r"[-+]?(?:\d{1,18}(?:\.\d*)?|\.\d+)")
SCIENTIFIC = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")

_SIGNS = "|".join(sorted((re.escape(sign) for sign in CURRENCY_SIGNS), key=len, reverse=True))
_CODES = "|".join(sorted(CURRENCY_CODES))
_CURRENCY = rf"(?:{_SIGNS}|{_CODES})"
_SHAPE = re.compile(
    rf"(?P<open>\()?\s*(?P<sign1>[-+−–])?\s*(?P<before>{_CURRENCY})?\s*(?P<sign2>[-+−–])?\s*"
    r"(?P<body>\d[\d.,'’\s]*|[.,]\d+)(?P<exponent>[eE][-+]?\d{1,3})?\s*"
    rf"(?:(?P<percent>%)|(?P<after>{_CURRENCY})|(?P<word>[A-Za-z°µ][A-Za-z/²³° 2]{{0,11}}?\.?))?"
    rf"\s*(?P<after2>{_CURRENCY})?\s*(?P<sign3>[-−])?\s*(?P<close>\))?"
)
_SPACES = re.compile(r"[\s'’]+")
_GROUPED_BY_SPACE = re.compile(r"[1-9]\d{0,2}(?:[\s'’]\d{3})+(?:[.,]\d+)?")


@dataclass(frozen=True, slots=True)
class NumberShape:
    """A cell taken apart: digits with their marks as written, and everything around them."""

    body: str
    negative: bool
    exponent: str = ""
    currency: str | None = None
    percent: bool = False
    magnitude: int = 0
    unit: str | None = None
    bracketed: bool = False
    simple_currency: bool = True
    """False where the currency is written as a code or a sign of several letters."""

    @property
    def plain(self) -> bool:
        """True where nothing but digits and marks was there."""
        return self.currency is None and not self.percent and not self.magnitude and self.unit is None


@lru_cache(maxsize=65_536)
def take_apart(text: str) -> NumberShape | None:
    """The parts of a numeric cell, or None where the cell is not one number with something known around it."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        return None
    part = match.groupdict()
    if bool(part["open"]) != bool(part["close"]):
        return None
    signs = [part[key] for key in ("sign1", "sign2", "sign3") if part[key]]
    currencies = [part[key] for key in ("before", "after", "after2") if part[key]]
    if len(signs) > 1 or len(currencies) > 1 or (part["open"] and signs):
        return None
    body = part["body"].strip()
    if _SPACES.search(body):
        if not _GROUPED_BY_SPACE.fullmatch(body):
            return None
        body = _SPACES.sub("", body)
    magnitude, unit = 0, None
    if part["word"]:
        written = part["word"].strip().rstrip(".")
        word = written.casefold()
        if word in MAGNITUDES and (currencies or word not in UNIT_WORDS or written in ("M", "MM")):
            magnitude = MAGNITUDES[word]
        elif word in UNIT_WORDS and not currencies:
            unit = UNIT_WORDS[word]
        else:
            return None
    currency = CURRENCY_SIGNS.get(currencies[0], currencies[0]) if currencies else None
    negative = bool(part["open"]) or bool(signs and signs[0] in "-−–")
    return NumberShape(
        body,
        negative,
        part["exponent"] or "",
        currency,
        bool(part["percent"]),
        magnitude,
        unit,
        bool(part["open"]),
        not currencies or (len(currencies[0]) == 1 and currencies[0] in "$€£¥₹"),
    )


_US_BODY = re.compile(r"(?:\d+|\d{1,3}(?:,\d{2,3})*,\d{3})(?:\.\d*)?|\.\d+")
_EU_BODY = re.compile(r"(?:\d+|\d{1,3}(?:\.\d{2,3})*\.\d{3})(?:,\d*)?|,\d+")


def mark_evidence(body: str) -> str:
    """What one number says about its marks: "us", "eu", "us?" (1,234), "eu?" (1.234), "none", or "bad"."""
    us, eu = bool(_US_BODY.fullmatch(body)), bool(_EU_BODY.fullmatch(body))
    if us and eu:
        if "," in body:
            return "us?"
        return "eu?" if "." in body else "none"
    if us:
        return "us"
    return "eu" if eu else "bad"


@dataclass(frozen=True, slots=True)
class NumberStyle:
    """How a column writes its numbers: which mark is the decimal one, and whether some are written in words."""

    decimal_comma: bool = False
    words: bool = False

    def read(self, text: str) -> Decimal | None:
        """The cell's value, or None where it is not a number of this style."""
        shape = take_apart(text)
        if shape is None:
            return words_to_number(text) if self.words else None
        pattern = _EU_BODY if self.decimal_comma else _US_BODY
        if not pattern.fullmatch(shape.body):
            return None
        if self.decimal_comma:
            digits = shape.body.replace(".", "").replace(",", ".")
        else:
            digits = shape.body.replace(",", "")
        try:
            value = Decimal(digits + shape.exponent)
        except InvalidOperation:
            return None
        if shape.magnitude:
            value = value.scaleb(shape.magnitude)
        return -value if shape.negative else value


def words_to_number(text: str) -> Decimal | None:
    """An English number in words ("two hundred and five") as a number, or None."""
    total, current, seen = 0, 0, False
    for word in text.casefold().replace("-", " ").split():
        if word in NUMBER_WORDS:
            current += NUMBER_WORDS[word]
        elif word in NUMBER_SCALES:
            scale = NUMBER_SCALES[word]
            if scale == 100:
                current = max(current, 1) * scale
            else:
                total, current = total + max(current, 1) * scale, 0
        elif not (word == "and" and seen) and not (word == "a" and not seen):
            return None
        seen = True
    return Decimal(total + current) if seen and (total or current or "zero" in text.casefold()) else None


def read_plain(text: str) -> Decimal | None:
    """A number written with digits, an optional sign and a decimal point."""
    return Decimal(text) if PLAIN_DECIMAL.fullmatch(text) else None
