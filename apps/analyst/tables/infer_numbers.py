"""Decides whether a column holds numbers, and how they are written."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from apps.analyst.tables import numbers
from apps.analyst.tables.infer_dates import date_number
from apps.analyst.tables.plans import MAX_DECIMAL_PLACES, MAX_DIGITS, CellValue, ColumnPlan, FileHints, tolerated
from apps.analyst.tables.wording import counted, was
from apps.analyst.tables.words import MISSING_AMONG_VALUES


def plain_number(filled: Mapping[str, int], name: str, hints: FileHints) -> ColumnPlan | None:
    """Numbers written with nothing but digits, a sign and a decimal point; every cell is one (stray words come
    later)."""
    integer = numbers.PLAIN_INTEGER.fullmatch
    texts = [text for text in filled if integer(text)]
    if tolerated(sum(filled[text] for text in texts), sum(filled.values()), share=0.9):
        if has_leading_zeros(texts):
            return None
        dated = date_number(filled, texts, name, hints.workbook)
        if dated is not None:
            return dated
    if len(texts) == len(filled):
        return _integer_plan()
    if any(len(digits) > MAX_DIGITS and digits.isdigit() for digits in (text.lstrip("+-") for text in filled)):
        return None
    decimal = numbers.PLAIN_DECIMAL.fullmatch
    if all(decimal(text) for text in filled):
        texts = list(filled)
        if hints.decimal_comma and all(numbers.mark_evidence(text.lstrip("+-")) in ("eu?", "none") for text in texts):
            return None
        return None if has_leading_zeros(texts) else _decimal_plan(texts)
    scientific = numbers.SCIENTIFIC.fullmatch
    if all(scientific(text) for text in filled):
        return ColumnPlan("float", _read_float, missing_words=MISSING_AMONG_VALUES, native=True, evidence="us")
    return None


def has_leading_zeros(texts: Iterable[str]) -> bool:
    """True where a number is written with zeros in front, as ids and codes are ("00123")."""
    for text in texts:
        digits = text.lstrip("+-")
        if len(digits) > 1 and digits[0] == "0" and digits[1].isdigit():
            return True
    return False


def _integer_plan() -> ColumnPlan:
    return ColumnPlan("integer", _read_integer, missing_words=MISSING_AMONG_VALUES, native=True)


def _read_integer(text: str) -> CellValue:
    try:
        return int(text)
    except ValueError:
        return None


def _read_float(text: str) -> CellValue:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _decimal_plan(texts: list[str]) -> ColumnPlan:
    """DECIMAL where few places are used, DOUBLE where it is a measurement, integer where every fraction is zero."""
    whole_digits = places = 0
    fraction_seen = False
    for text in texts:
        whole, _, fraction = text.lstrip("+-").partition(".")
        whole_digits = max(whole_digits, len(whole))
        places = max(places, len(fraction))
        fraction_seen = fraction_seen or bool(fraction.strip("0"))
    if not fraction_seen and whole_digits <= MAX_DIGITS:
        return ColumnPlan("integer", _read_whole, missing_words=MISSING_AMONG_VALUES, evidence="us")
    if places > MAX_DECIMAL_PLACES or whole_digits + places > MAX_DIGITS:
        return ColumnPlan("float", _read_float, missing_words=MISSING_AMONG_VALUES, native=True, evidence="us")
    return ColumnPlan(
        "decimal", numbers.read_plain, places=places, missing_words=MISSING_AMONG_VALUES, native=True, evidence="us"
    )


def _read_whole(text: str) -> CellValue:
    value = numbers.read_plain(text)
    return int(value) if value is not None and value == value.to_integral_value() else None


@dataclass(slots=True)
class _Marks:
    """Counts over a column's number shapes."""

    evidence: Counter[str] = field(default_factory=Counter)
    currencies: Counter[str] = field(default_factory=Counter)
    units: Counter[str] = field(default_factory=Counter)
    percents: int = 0
    signs: set[str] = field(default_factory=set)
    complex: int = 0
    """With a magnitude, a currency code, an exponent or in words."""
    bracketed: int = 0
    plain: int = 0
    words: int = 0
    total: int = 0


def _count_marks(filled: Mapping[str, int]) -> _Marks:
    marks = _Marks()
    for text, count in filled.items():
        shape = numbers.take_apart(text)
        if shape is None:
            if numbers.words_to_number(text) is not None:
                marks.words += count
                marks.total += count
            continue
        marks.total += count
        marks.evidence[numbers.mark_evidence(shape.body)] += count
        if shape.currency:
            marks.currencies[shape.currency] += count
        if shape.unit:
            marks.units[shape.unit] += count
        marks.percents += count if shape.percent else 0
        marks.complex += count if shape.magnitude or shape.exponent or shape.unit or not shape.simple_currency else 0
        marks.signs.update(ch for ch in text if ch not in "0123456789.,+-")
        marks.bracketed += count if shape.bracketed else 0
        marks.plain += count if shape.plain and shape.body.strip("0.,") else 0
    return marks


def marked_number(filled: Mapping[str, int], name: str, hints: FileHints) -> ColumnPlan | None:
    """Numbers with currency, per cent, grouping, magnitudes, units or brackets around them, or in words."""
    if any(len(digits) > MAX_DIGITS and digits.isdigit() for digits in (text.lstrip("+-") for text in filled)):
        return None
    total = sum(filled.values())
    marks = _count_marks(filled)
    if not tolerated(marks.total, total, share=0.98) or marks.words > 0.5 * total:
        return None
    if len(marks.currencies) > 1 or len(marks.units) > 1 or (marks.currencies and marks.units):
        return None
    if marks.percents and (marks.plain or marks.currencies or marks.units):
        return None
    if marks.bracketed == marks.total or (marks.units and sum(marks.units.values()) < 0.5 * total):
        return None
    comma = _decimal_comma(marks.evidence, hints)
    if comma is None:
        return None
    if has_leading_zeros(text for text in filled if numbers.PLAIN_DECIMAL.fullmatch(text)):
        return None
    style = numbers.NumberStyle(decimal_comma=comma, words=bool(marks.words))
    values = {text: style.read(text) for text in filled}
    if not tolerated(sum(filled[text] for text, value in values.items() if value is not None), total, share=0.98):
        return None
    unit = next(iter(marks.currencies), None) or next(iter(marks.units), None) or ("%" if marks.percents else None)
    return _marked_plan([value for value in values.values() if value is not None], style, unit, marks, hints)


def _decimal_comma(evidence: Counter[str], hints: FileHints) -> bool | None:
    """Whether the comma is the decimal mark; None where the cells contradict each other."""
    if evidence["bad"] and evidence["bad"] > 0.02 * evidence.total():
        return None
    us, eu = evidence["us"], evidence["eu"]
    if us and eu:
        rare, common = sorted((us, eu))
        return None if rare > 0.01 * common else eu > us
    if us or eu:
        return bool(eu)
    if evidence["us?"] and evidence["eu?"]:
        return None
    return bool(hints.decimal_comma)


def _marked_plan(
    values: list[Decimal], style: numbers.NumberStyle, unit: str | None, marks: _Marks, hints: FileHints
) -> ColumnPlan:
    notes = []
    if style.decimal_comma:
        notes.append("the comma was read as the decimal mark")
    if marks.words:
        notes.append(f"{counted(marks.words, 'number')} in words {was(marks.words)} read as figures")
    if marks.bracketed:
        notes.append("figures in brackets were read as negative")
    places, whole = 0, 1
    for value in values:
        exponent = value.normalize().as_tuple().exponent
        places = max(places, -exponent if isinstance(exponent, int) else 0)
        whole = max(whole, value.adjusted() + 1)
    evidence = "eu" if marks.evidence["eu"] else "us" if marks.evidence["us"] or marks.evidence["us?"] else ""
    common = {
        "unit": unit,
        "missing_words": MISSING_AMONG_VALUES,
        "number_style": style,
        "notes": tuple(notes),
        "evidence": evidence,
        "marks": None if marks.complex or marks.words else "".join(sorted(marks.signs)),
    }
    money = bool(marks.currencies)
    if money:
        places = max(places, 2)
    if not places and whole <= MAX_DIGITS:
        return ColumnPlan("integer", _whole_reader(style), **common)  # type: ignore[arg-type]
    if places > (6 if money else MAX_DECIMAL_PLACES) or whole + places > MAX_DIGITS:
        return ColumnPlan("float", _float_reader(style), **common)  # type: ignore[arg-type]
    return ColumnPlan("decimal", style.read, places=places, **common)  # type: ignore[arg-type]


def _whole_reader(style: numbers.NumberStyle) -> Callable[[str], CellValue]:
    def read(text: str) -> CellValue:
        value = style.read(text)
        return int(value) if value is not None and value == value.to_integral_value() else None

    return read


def _float_reader(style: numbers.NumberStyle) -> Callable[[str], CellValue]:
    def read(text: str) -> CellValue:
        value = style.read(text)
        return None if value is None else float(value)

    return read
