"""How values are written for people: money, per cent, counts, dates and periods, names out of column names.

Signs are typographic (a true minus), months are short, nothing is rounded away that a reader would miss. Text out, no
reading back: exact values travel beside the text.
"""

from __future__ import annotations

import math
import re
from datetime import date, datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import TypeGuard

from apps.analyst.knowledge.folding import plural_word
from apps.analyst.tables.roles import BRACKETS, unit_in_name
from apps.analyst.telling.brackets import in_words
from apps.analyst.types import POINTS, ResultColumn, Scalar

MINUS = "\u2212"
NO_VALUE = "\u2013"
SYMBOLS = {
    "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "CNY": "CN¥", "AUD": "A$", "CAD": "C$", "NZD": "NZ$",
    "BRL": "R$", "KRW": "₩", "MXN": "MX$", "ILS": "₪", "TRY": "₺",
}  # fmt: skip
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
MONTH_NAMES = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
)  # fmt: skip
_NAMES_OF_MONTHS = frozenset((*MONTHS, *MONTH_NAMES))
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_UNIT_IN_NAME = re.compile(r"\s*[(\[]\s*(?:[A-Z]{3}|[$€£¥₹%])\s*(?:[)\]]|$)|(?<=\w)\s+%\s*$")
"""A unit that a column's name carries along; figures show it themselves."""
_UNCOUNTED = frozenset(
    ("staff", "equipment", "personnel", "people", "data", "information", "stock", "feedback", "series")
)
_OPEN_ENDS = frozenset(("at", "by", "for", "from", "in", "of", "on", "to", "via", "with"))
"""Words with which a name ends that is no noun: "paid by"."""
_NAME_BREAK, _LONG_TAIL = re.compile(r"\s+[-\u2013\u2014]\s+|\s*[,(]\s*"), 4
"""Where a file's name may end that goes on with so many words."""
_PART_OF_NAME = re.compile(r"(?:first|last|middle|full|given|family|user|file|nick|domain)? ?name")
_YEAR_NAME = re.compile(r"\byears?\b|\byr\b", re.IGNORECASE)
_CURRENCY = re.compile(r"[A-Z]{3}")


Number = int | float | Decimal
_SCALES = ((10**12, "trillion"), (10**9, "billion"), (10**6, "million"))
_DIGITS = 3
MINUTE = 60
"""Seconds of a minute, minutes of an hour."""


def magnitude(value: Number) -> Number:
    """The number without its sign."""
    return -value if value < 0 else value


def is_number(value: object) -> TypeGuard[Number]:
    """True for figures; truth values are none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def is_money(unit: str | None) -> bool:
    """True for a currency code."""
    return unit is not None and _CURRENCY.fullmatch(unit) is not None


def names_year(name: str, value: int) -> bool:
    """Whether a number is a year, as the name of its column says ("YEAR_ID"): it has no separator."""
    return 1_000 <= value < 3_000 and _YEAR_NAME.search(spoken(name)) is not None


def figure(value: Scalar, unit: str | None = None, *, exact: bool = False) -> str:
    """A number with its unit: "$1,238,485", "24.6%", "81 days". `exact` keeps cents also in large amounts."""
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return "no value"
    if not is_number(value):
        return cell_text(value)
    sign = MINUS if value < 0 else ""
    size = magnitude(value)
    if unit == "%":
        return f"{sign}{_percent(float(size))}%"
    if unit == POINTS:
        return f"{sign}{_percent(float(size))} {_unit_word(size, unit)}"
    if is_money(unit):
        amount = _money(size, exact=exact)
        symbol = SYMBOLS.get(unit or "")
        return f"{sign}{symbol}{amount}" if symbol else f"{sign}{unit} {amount}"
    text = f"{sign}{plain_number(size)}"
    if unit == "seconds" and size >= MINUTE:
        return f"{text} seconds ({sign}{clock(size)})"
    return f"{text} {_unit_word(size, unit)}" if unit else text


def clock(seconds: Number) -> str:
    """A length of time as a clock shows it: "4:32", "1:02:15", "0:59.8"."""
    whole, hundredths = divmod(round(float(seconds) * 100), 100)
    minutes, left = divmod(whole, MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    told = f"{hours}:{minutes:02d}:{left:02d}" if hours else f"{minutes}:{left:02d}"
    return _trimmed(f"{told}.{hundredths:02d}")


def plain_number(size: Number) -> str:
    """A number without sign and unit: thousands separators, as many decimals as tell something."""
    if isinstance(size, int) or (size == int(size) and size < 10**15):
        return f"{int(size):,}"
    if size >= 1000:
        return _rounded(size, 0 if size >= 10_000 else 1)
    if size >= 1:
        return _trimmed(_rounded(size, 2))
    if size >= 0.0001:
        return _trimmed(_rounded(size, 4)) if size >= 0.01 else f"{float(size):.3g}"
    return f"{float(size):.2e}"


def scaled(size: Number) -> str | None:
    """Three digits and a word from a million on: "24.6 billion"; None below."""
    for scale, word in _SCALES:
        rounded = significant(Decimal(str(size)) / scale)
        if rounded >= 1:
            return f"{plain_number(rounded)} {word}"
    return None


def is_short(size: Number) -> bool:
    """Whether a number ends with two decimals at most, but for what binary fractions leave."""
    return abs(float(size) - round(float(size), 2)) <= 1e-9 * max(1.0, float(size))


def significant(size: Number) -> Decimal:
    """Rounded half up to three significant digits, whole digits kept."""
    exact = Decimal(str(size))
    decimals = max(0, _DIGITS - 1 - exact.adjusted())
    return exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP)


def _rounded(size: Number, decimals: int) -> str:
    """Rounded half up, as people do it, with thousands separators."""
    exact = size if isinstance(size, Decimal) else Decimal(repr(size))
    return f"{exact.quantize(Decimal(1).scaleb(-decimals), rounding=ROUND_HALF_UP):,f}"


def _money(size: Number, *, exact: bool) -> str:
    whole = size == int(size) or (size >= 10_000 and not exact)
    return _rounded(size, 0 if whole else 2)


def _percent(size: float) -> str:
    if size >= 1000:
        return _rounded(size, 0)
    text = _rounded(size, 1) if size >= 0.1 or size == 0 else f"{size:.2g}"
    return text[:-2] if text.endswith(".0") and size >= 10 and size == int(size) else text


def _trimmed(text: str) -> str:
    return text.rstrip("0").rstrip(".") if "." in text else text


def _unit_word(size: int | float | Decimal, unit: str) -> str:
    if size == 1 and unit in ("days", "weeks", "months", "years", "hours", "minutes", "seconds", POINTS):
        return unit[:-1]
    return unit


def signed(value: Scalar, unit: str | None = None) -> str:
    """A change with its sign: "+24.6%", "−$1,200"."""
    text = figure(value, unit)
    return text if text.startswith(MINUS) or value is None or value == 0 else f"+{text}"


def cell(value: Scalar, column: ResultColumn, *, exact: bool = False) -> str:
    """A result's value as people write it in a sentence or on an axis."""
    if value is None:
        return NO_VALUE
    if column.grain is not None:
        return period(value, column.grain)
    if is_number(value) and (column.kind == "measure" or column.unit):
        return figure(value, column.unit, exact=exact)
    return cell_text(value)


def cell_text(value: Scalar) -> str:
    """A dimension's value: names as they are, numbers without thousands separators (ids, years), dates short."""
    if value is None:
        return NO_VALUE
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, datetime):
        return f"{day(value)}, {value:%H:%M}" if (value.hour or value.minute) else day(value)
    if isinstance(value, date):
        return day(value)
    if is_number(value):
        text = str(int(value)) if value == int(value) else _trimmed(f"{float(value):.6f}")
        return text.replace("-", MINUS)
    return str(value)


def day(value: date) -> str:
    """A date: "12 Mar 2026"."""
    return f"{value.day} {MONTHS[value.month - 1]} {value.year}"


def fiscal_grain(unit: str, first_month: int) -> str:
    """The grain of a column of fiscal periods, e.g. "fiscal quarter 2" where years start in February."""
    return f"fiscal {unit} {first_month}"


def fiscal(grain: str | None) -> tuple[str, int] | None:
    """The unit and the first month of a fiscal grain, None for others."""
    found = re.fullmatch(r"fiscal (quarter|year) (\d{1,2})", grain or "")
    return (found[1], int(found[2])) if found is not None else None


def fiscal_year(value: date, first_month: int) -> int:
    """The fiscal year a day is in, named after the calendar year in which it ends."""
    return value.year + (first_month != 1 and value.month >= first_month)


def _fiscal_period(value: date, unit: str, first_month: int) -> str:
    year = f"FY{fiscal_year(value, first_month)}"
    return year if unit == "year" else f"Q{(value.month - first_month) % 12 // 3 + 1} {year}"


def period(value: Scalar, grain: str) -> str:
    """A period by its start, or a part of dates by its number: "Mar 2026", "Q1 2026", "week of 5 Jan 2026", "Q3"."""
    if (found := fiscal(grain)) is not None and isinstance(value, date):
        return _fiscal_period(value, *found)
    if isinstance(value, date):
        match grain:
            case "year":
                return str(value.year)
            case "quarter":
                return f"Q{(value.month - 1) // 3 + 1} {value.year}"
            case "month":
                return f"{MONTHS[value.month - 1]} {value.year}"
            case "week":
                return f"week of {day(value)}"
            case "hour" if isinstance(value, datetime):
                return f"{day(value)}, {value:%H}:00"
            case _:
                return day(value)
    if isinstance(value, int) and not isinstance(value, bool):
        match grain:
            case "quarter":
                return f"Q{value}"
            case "month" if 1 <= value <= 12:
                return MONTH_NAMES[value - 1]
            case "weekday" if 1 <= value <= 7:
                return WEEKDAYS[value - 1]
            case "week":
                return f"week {value}"
            case "hour":
                return f"{value:02d}:00"
            case "decade":
                return f"{value}s"
    return cell_text(value)


def spoken(name: str) -> str:
    """A column's or label's name as people say it: "create_date" is "create date", "Amount (USD)" "amount"."""
    return in_words(name, _spoken) if " (" in name else _spoken(name)


def _spoken(name: str) -> str:
    text = re.sub(r"[_\s]+", " ", _UNIT_IN_NAME.sub(" ", _without_unit(name))).strip() or name
    text = re.sub(r"(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[a-z])(?=[A-Z])", " ", text)
    words = [word if _acronym(word) or _names_month(word) else word.lower() for word in text.split(" ")]
    return " ".join(words) or name


def _names_month(word: str) -> bool:
    """Whether a word is the name of a month or two of them, with its punctuation: "(Jan–Jun"."""
    return not _NAMES_OF_MONTHS.isdisjoint(re.split(r"[^A-Za-z]+", word))


def _without_unit(name: str) -> str:
    """The name without the brackets from which its column has its unit ("Consumption (kWh)")."""
    unit = unit_in_name(name) if "(" in name or "[" in name else None
    if unit is None:
        return name
    bare = [name.replace(match[0], " ") for match in BRACKETS.finditer(name)]
    return next((one for one in bare if one.strip() and unit_in_name(one) != unit), name)


def thing(name: str, table: str = "") -> str:
    """What a column tells of its table's rows: "deal_stage" of deals is "stage", "company_name" "company"."""
    words = spoken(name)
    noun = singular(rows_noun(table)) if table else ""
    if noun and words.startswith(f"{noun} ") and words != f"{noun} name":
        words = words.removeprefix(f"{noun} ")
    return words if _PART_OF_NAME.fullmatch(words) else words.removesuffix(" name") or words


def _acronym(word: str) -> bool:
    return len(word) > 1 and word.isupper()


def capital(text: str) -> str:
    """The text with its first letter large, the rest as it is."""
    return text[:1].upper() + text[1:]


def listed(items: list[str], last: str = "and", most: int = 0) -> str:
    """ "a, b and c"; beyond `most` items "a, b, c and 4 more"."""
    if most and len(items) > most:
        return f"{', '.join(items[:most])} {last} {len(items) - most:,} more"
    if len(items) <= 1:
        return items[0] if items else ""
    return f"{', '.join(items[:-1])} {last} {items[-1]}"


def head_of_name(table: str) -> str:
    """What a file's long name begins with: "calls 2026 - all regions and their partners" is about calls."""
    head, *tail = _NAME_BREAK.split(table, maxsplit=1)
    return head if tail and len(tail[0].split()) >= _LONG_TAIL and any(map(str.isalpha, head)) else table


def rows_noun(table: str, count: int | None = None) -> str:
    """What the rows of a table are called: "deals" for `hubspot_deals.csv`, "rows" where the name says nothing."""
    plain = re.sub(r"(?<=\w\w)-(?=\w\w)", "_", table)  # "hubspot-deals.csv", as exports are called
    words = spoken(re.split("__tab__| - ", re.sub(r"^(hubspot|googlesheets)_", "", head_of_name(plain)))[-1]).split()
    if len(words) > 1 and words[-1].isdigit():
        words.pop()  # "calls 2026"
    if len(words) > 1 and words[-1].lower() == "dates":
        return "row" if count == 1 else "rows"  # "sales mixed dates" says how the rows are dated
    last = re.sub(r"\W", "", words[-1]) if words else ""
    plural = last.isalpha() and len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is"))
    if not plural:
        return "row" if count == 1 else "rows"
    noun = " ".join([*words[-2:-1], last]) if len(words) == 2 and words[0].isalpha() else last
    return singular(noun) if count == 1 else noun


def singular(noun: str) -> str:
    """The singular of a regular English plural."""
    if noun.endswith("ies"):
        return noun[:-3] + "y"
    if noun.endswith(("sses", "ches", "shes", "xes")):
        return noun[:-2]
    return noun[:-1] if noun.endswith("s") else noun


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


def ordinal(number: int) -> str:
    """A place in an order: "third", "21st"."""
    if 1 <= number <= len(_ORDINALS):
        return _ORDINALS[number - 1]
    teen = number % 100 in (11, 12, 13)
    return f"{number}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def plural(noun: str) -> str:
    """The plural of an English noun; what is no noun gets one that can be counted ("nm values", "paid by values")."""
    last = noun.split(" ")[-1]
    if last.lower().endswith("us"):
        return f"{noun}es"
    if noun.endswith("s") or not noun[-1:].isalpha() or last.lower() in _UNCOUNTED:
        return noun
    if last.lower() in _OPEN_ENDS or _acronym(last) or not re.search("[aeiouy]", last, re.IGNORECASE):
        return f"{noun} values"
    return noun.removesuffix(last) + plural_word(last)


def counted_by(name: str, table: str = "") -> str:
    """What is counted by a column: "customers" by "customer_id", what the rows are called by a mere "id"."""
    words = spoken(name).split(" ")
    if words[-1].lower().rstrip(".") not in ("id", "key", "no", "nr"):
        return plural(" ".join(words))
    return plural(" ".join(words[:-1])) if len(words) > 1 else rows_noun(table)


def counted(count: int, table: str) -> str:
    """ "240 deals", "1 deal"."""
    return f"{count:,} {rows_noun(table, count)}"
