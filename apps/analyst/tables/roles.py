"""What a column is for, judged from its name, its type and its values: measured, grouped by, a time axis, an id, or
read.

The one mistake that must not happen: an id, a code or a year that is added up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.knowledge.loader import knowledge
from apps.analyst.tables.names import fused_id, words_of
from apps.analyst.tables.role_words import (
    ANYWHERE_ID,
    CALENDAR_WORDS,
    CENTERS,
    COUNT_PREFIX,
    FLAG_WORDS,
    LAST_WORD_ID,
    LENGTH_WORDS,
    MEASURE_WORDS,
    ORDINAL_WORDS,
    PLACE_WORDS,
    SHORT_UNITS,
    TRAILING_UNITS,
    YEAR_WORDS,
)
from apps.analyst.tables.words import CURRENCY_CODES, CURRENCY_SIGNS, UNIT_WORDS
from apps.analyst.types import ColumnType, Role, Scalar

_FUSED_CODE = re.compile(r"[a-z]{3,}(?:number|code)")
BRACKETS = re.compile(r"[(\[]\s*([^)\]]{1,20}?)\s*[)\]]")
MAX_CODES = 50
"""A code with at most so many values that repeat is something to group by, not an id."""
MANY_ROWS = 30
"""Nothing but 0 and 1 is a flag in tables of so many rows; in short ones it may well be a count."""
MAX_ORDINAL = 1_000
"""Ranks, levels and the like stay below; what is larger under such a name ("volume") is an amount."""
_CODE_ENDINGS = frozenset(("code", "codes", "no", "number", "ref", *(center for _, center in CENTERS)))


@dataclass(frozen=True, slots=True)
class Facts:
    """What profiling found out about a column, as far as its role depends on it."""

    name: str
    type: ColumnType
    rows: int
    distinct: int
    missing: int
    minimum: Scalar
    maximum: Scalar
    average_length: float = 0.0
    """Of text values, in characters."""
    position: int = 0


def named_id(name: str) -> bool:
    """Whether the name alone says that the column identifies things."""
    words = words_of(name)
    if not words:
        return name.strip() == "#"
    if words[0] in COUNT_PREFIX and len(words) > 1:
        return words[-1] in ("id", "key", "code")
    if tuple(words[-2:]) in CENTERS:
        return True
    if any(word in ANYWHERE_ID for word in words):
        return not any(word in MEASURE_WORDS for word in words)
    last = words[-1]
    if last in LAST_WORD_ID or words[0] == "id" or _FUSED_CODE.fullmatch(last):
        return not (len(words) > 1 and words[-2] in CALENDAR_WORDS | YEAR_WORDS)
    return fused_id(last)


def named_measure(name: str) -> bool:
    """Whether the name alone says that the column measures something."""
    return any(word in MEASURE_WORDS for word in words_of(name))


def says_measure(name: str) -> bool:
    """Whether the name says a figure, also by a word that shortens nothing else ("amt"; "cst" may be a customer)."""
    shortened = (knowledge().abbreviations.get(word, ()) for word in words_of(name))
    return named_measure(name) or any(
        meant and all(named_measure(full.split()[-1]) for full in meant) for meant in shortened
    )


def role_of(facts: Facts) -> Role:
    """The column's role."""
    words = words_of(facts.name)
    if facts.type in ("date", "datetime"):
        return "time"
    if facts.type == "boolean":
        return "dimension"
    if facts.type == "text":
        return _text_role(facts)
    if any(word in PLACE_WORDS for word in words):
        return "dimension"
    if facts.type in ("decimal", "float"):
        return "id" if named_id(facts.name) and words[-1:] == ("id",) else "measure"
    return _integer_role(facts, words)


def _text_role(facts: Facts) -> Role:
    filled = facts.rows - facts.missing
    if named_id(facts.name):
        few = facts.distinct <= MAX_CODES and facts.distinct < 0.5 * filled
        return "dimension" if few and _CODE_ENDINGS.intersection(words_of(facts.name)[-1:]) else "id"
    if facts.average_length > 50 and facts.distinct > 0.5 * max(filled, 1):
        return "text"
    return "dimension"


def _integer_role(facts: Facts, words: Sequence[str]) -> Role:
    if named_id(facts.name):
        return "id"
    low, high = facts.minimum, facts.maximum
    if not isinstance(low, int) or not isinstance(high, int):
        return "measure"
    measure_named = named_measure(facts.name)
    if _is_year(facts, words, low, high, measure_named):
        return "time"
    lasting = [word for word in words if not word.isdigit() and word not in ("id", "number", "no", "num", "nr")][-1:]
    if not measure_named and lasting and lasting[0] in CALENDAR_WORDS and low >= 0 and high <= 53:
        return "dimension"
    filled = facts.rows - facts.missing
    counted = filled >= 5 and facts.distinct == filled and high - low + 1 == filled and low in (0, 1)
    if counted and not measure_named and (words[:1] or ("",))[0] not in COUNT_PREFIX:
        return "id"
    ordinal = lasting and lasting[0] in ORDINAL_WORDS and not measure_named
    if (ordinal and high <= MAX_ORDINAL) or words[:1] in (("rank",), ("ranking",)):
        return "dimension"
    flag = filled >= MANY_ROWS or any(word in FLAG_WORDS for word in words)
    if low == 0 and high == 1 and flag and not measure_named:
        return "dimension"
    return "measure"


def _is_year(facts: Facts, words: Sequence[str], low: int, high: int, measure_named: bool) -> bool:
    """Whether whole numbers are years: by name (also of two digits), or because all look like recent years."""
    named = any(word in YEAR_WORDS or word.endswith("year") for word in words)
    if named and low >= 1800 and high <= 2100:
        return True
    if named and not measure_named:
        return (low >= 1000 and high <= 2999) or (low >= 50 and high <= 99)
    return low >= 1850 and high <= 2100 and not measure_named and facts.rows >= 3


_SIGNS = tuple((sign, code) for sign, code in CURRENCY_SIGNS.items() if not sign[0].isalpha())


def unit_in_name(name: str) -> str | None:
    """The unit a name states, as in "price (USD)", "weight_kg", "% of vote" or "revenue in $"."""
    words = words_of(name)
    for match in BRACKETS.finditer(name):
        text = match.group(1)
        if text in SHORT_UNITS and not any(word in LENGTH_WORDS for word in words):
            continue
        unit = _as_unit(text, loose=True)
        if unit:
            return unit
    if "%" in name:
        return "%"
    for sign, code in _SIGNS:
        if sign in name:
            return code
    if len(words) > 1 and words[-1] in TRAILING_UNITS and not any(mark in name for mark in "/(["):
        return None if "per" in words else _as_unit(words[-1], loose=False)
    if words and words[-1] in ("percent", "percentage", "pct"):
        return "%"
    return None


def _as_unit(text: str, *, loose: bool) -> str | None:
    if text in CURRENCY_SIGNS:
        return CURRENCY_SIGNS[text]
    if text.upper() in CURRENCY_CODES:
        return text.upper()
    lowered = text.casefold()
    if lowered in ("percent", "percentage", "pct", "%"):
        return "%"
    if loose or lowered in TRAILING_UNITS:
        return UNIT_WORDS.get(lowered)
    return None
