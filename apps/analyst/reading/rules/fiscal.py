"""Fiscal years: when the organization's year starts, and questions that speak of its quarters and years.

The start stands in the organization's context or in a keyword ("Our fiscal year starts in February"). A fiscal year is
named after the calendar year in which it ends. Fiscal phrases are written out as days, which every reader of plain
questions understands; quarters and years that rows are told apart by start when the fiscal ones do. The answer says so.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from apps.analyst.computing.compile.walk import rewrite
from apps.analyst.language.periods import month_start
from apps.analyst.language.reading import Reading
from apps.analyst.plan import Node, Output, Part, Period, Query
from apps.analyst.reading.keywords.patching import changed
from apps.analyst.telling.formats import MONTH_NAMES, MONTHS, fiscal_year
from apps.analyst.types import Question

Unit = Literal["quarter", "half", "year"]
_SIZE: dict[str, int] = {"quarter": 3, "half": 6, "year": 12}

_NAMES = "|".join(f"{name.lower()}|{name[:3].lower()}|{name[:4].lower()}" for name in MONTH_NAMES)
_MONTH = rf"(?P<month>{_NAMES})\b\.?"
_YEAR_WORDS = r"(?:fiscal|financial|business|accounting) years?|fys?\b|fiscal calendar"
_STARTS = re.compile(
    rf"\b(?:{_YEAR_WORDS})(?: 20\d\d)?(?: \([^)]*\))?[ :=]*(?:that |which )?(?:always |usually )?"
    rf"(?:starts?|begins?|starting|beginning|runs?|goes|is|from|of)?(?: in| on| from| at)?(?: the)?"
    rf"(?: (?:start|beginning|first(?: day)?|1st|1)(?: of)?)?(?: the)? ?{_MONTH}",
    re.IGNORECASE,
)
_ENDS = re.compile(
    rf"\b(?:{_YEAR_WORDS})(?: 20\d\d)? (?:ends?|ending|closes?)(?: in| on| at)?(?: the)?"
    rf"(?: (?:end of|last day of|\d+(?:st|nd|rd|th)?))?(?: of)? ?{_MONTH}",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?:fiscal|financial|business|accounting) year(?: start\w*)?|fy(?: start\w*)?|year start", re.IGNORECASE
)
_FISCAL = r"(?:fiscal|financial)"
_Y = r"(?:fy ?|(?:fiscal|financial)(?: year)? )'?(?P<fy>20\d\d|\d\d)(?:[/-]\d{2,4})?"
_PATTERNS: tuple[tuple[str, bool], ...] = (
    # Each with whether it is fiscal in so many words.
    (rf"(?:{_FISCAL} )?q ?(?P<q>[1-4]) (?:of |in )?{_Y}", True),
    (rf"{_Y} ?-? ?q ?(?P<q>[1-4])", True),
    (rf"(?:{_FISCAL} )?h ?(?P<h>[12]) (?:of |in )?{_Y}", True),
    (rf"(?:the )?(?P<place>first|second|third|fourth|last) (?P<unit>quarter|half) (?:of |in )?{_Y}", True),
    (rf"{_Y}", True),
    (rf"{_FISCAL} q ?(?P<q>[1-4])(?: (?:of |in )?(?P<year>20\d\d))?", True),
    (rf"(?:{_FISCAL} year to date|fytd|{_FISCAL} ytd)(?P<todate>)", True),
    (rf"(?:the )?(?P<which>this|current|last|previous|past|next) {_FISCAL} (?P<unit>quarter|half|year)", True),
    (r"(?P<ytd>ytd|year to date)", False),
    (r"(?P<qtd>qtd|quarter to date)", False),
    (r"q ?(?P<q>[1-4])(?: (?:of |in )?(?P<year>20\d\d))?", False),
    (r"(?P<year>20\d\d) ?-? ?q ?(?P<q>[1-4])", False),
    (r"(?:the )?(?P<which>this|current|last|previous|past|next) (?P<unit>quarter|year)", False),
)
_PHRASES = tuple((re.compile(rf"(?<![\w-]){pattern}(?![\w-])", re.IGNORECASE), sure) for pattern, sure in _PATTERNS)
_GROUPS = re.compile(rf"\b{_FISCAL} (?P<unit>quarters?|years?|halves)\b", re.IGNORECASE)
_PLACES = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SHIFTS = {"this": 0, "current": 0, "last": -1, "previous": -1, "past": -1, "next": 1}


@dataclass(frozen=True, slots=True)
class Calendar:
    """A question in calendar days: its text, the month years start in, and what is taken for granted by that."""

    text: str
    first_month: int
    told: tuple[str, ...] = ()
    grouped: bool = False
    """True where rows may be told apart by fiscal periods."""


def first_month(question: Question) -> int | None:
    """The month in which the organization's fiscal year starts, as its keywords or its context say, else None."""
    texts = [f"{term} {text}" for term, text in question.keywords.items() if _NAMED.fullmatch(term.strip())]
    for text in (*texts, question.context):
        ends = _ENDS.search(text)
        if ends is not None:
            return _month(ends["month"]) % 12 + 1
        starts = _STARTS.search(text)
        if starts is not None:
            return _month(starts["month"])
    return None


def with_fiscal_years(question: Question, read: Callable[[Question], list[Reading]]) -> list[Reading]:
    """The question's readings, its fiscal periods as the organization has them."""
    calendar = calendar_of(question)
    if calendar is None:
        return read(question)
    readings = read(replace(question, text=calendar.text))
    return [in_fiscal_years(reading, calendar, question) for reading in readings]


def calendar_of(question: Question) -> Calendar | None:
    """The question in calendar days; None where it speaks of no fiscal period."""
    return in_calendar(question.text, first_month(question), question.today)


def in_calendar(text: str, known: int | None, today: date) -> Calendar | None:
    """The question with its fiscal phrases written out; None where it speaks of no quarter or year of them."""
    month = known or 1
    spans: list[tuple[date, date, str]] = []
    said = False

    def written(match: re.Match[str], sure: bool) -> str:
        nonlocal said
        span = _span(match.groupdict(), month, today)
        if span is None or (not sure and month == 1):
            return match.group()
        said = said or sure
        spans.append((*span, match.group().strip()))
        return f"{span[0].isoformat()} until {(span[1] - timedelta(days=1)).isoformat()}"

    made = text
    for pattern, sure in _PHRASES:
        made = pattern.sub(lambda match, sure=sure: written(match, sure), made)  # type: ignore[misc]
    grouped = _GROUPS.search(made) is not None
    made = _GROUPS.sub(lambda match: match["unit"], made)
    by_period = re.search(r"\b(?:quarter(?:s|ly)?|years?|yearly|annual(?:ly)?)\b", made, re.IGNORECASE) is not None
    if not spans and not grouped and not (month != 1 and by_period):
        return None
    return Calendar(made, month, tuple(_told(spans, known, said or grouped)), grouped or month != 1)


def _told(spans: list[tuple[date, date, str]], known: int | None, said: bool) -> list[str]:
    told = []
    for low, high, name in spans:
        last = high - timedelta(days=1)
        months = f"{MONTHS[low.month - 1]} {low.year} to {MONTHS[last.month - 1]} {last.year}"
        plain = re.match(r"q ?\d|\d|(?:this|last|previous|next|current) [qy]|ytd|qtd", name.lower()) is not None
        label = f"fiscal {name}" if plain and "f" not in name.lower() else name
        told.append(f"{label[:1].upper()}{label[1:]} is {months}")
    if known is None and said:
        told.append(
            "I know of no fiscal year of your organization, so fiscal years are calendar years; write into the company "
            "context in which month yours starts"
        )
    elif known not in (None, 1):
        told.append(
            f"Your fiscal year starts in {MONTH_NAMES[(known or 1) - 1]} and is named after the year in which it ends"
        )
    return list(dict.fromkeys(told))


def _span(groups: dict[str, str | None], month: int, today: date) -> tuple[date, date] | None:
    """First day and the day after the last of a phrase's period."""
    unit: Unit = "year"
    place = 1
    if groups.get("q") or groups.get("unit") == "quarter":
        unit, place = "quarter", int(groups.get("q") or _PLACES.get((groups.get("place") or "first").lower(), 4))
    elif groups.get("h") or groups.get("unit") == "half":
        unit, place = "half", int(groups.get("h") or (1 if (groups.get("place") or "").lower() == "first" else 2))
    which = (groups.get("which") or "").lower()
    if which:
        return _around(today, unit, month, _SHIFTS[which])
    if "todate" in groups or groups.get("ytd"):
        return _around(today, "year", month, 0)[0], today + timedelta(days=1)
    if groups.get("qtd"):
        return _around(today, "quarter", month, 0)[0], today + timedelta(days=1)
    said = groups.get("fy") or groups.get("year")
    year = int(said) if said else fiscal_year(today, month)
    year += 2000 if year < 100 else 0
    start = month_start(year if month == 1 else year - 1, month + _SIZE[unit] * (place - 1))
    return start, month_start(start.year, start.month + _SIZE[unit])


def _around(day: date, unit: Unit, month: int, shift: int) -> tuple[date, date]:
    size = _SIZE[unit]
    into = (day.month - month) % 12 % size
    start = month_start(day.year + (0 if day.month > into else -1), (day.month - into - 1) % 12 + 1)
    start = _moved(start, size * shift)
    return start, _moved(start, size)


def _moved(start: date, months: int) -> date:
    index = start.year * 12 + start.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def _month(name: str) -> int:
    return next(i for i, full in enumerate(MONTH_NAMES, start=1) if full.lower().startswith(name.lower()[:3]))


# ---------------------------------------------------------------- the plan
def in_fiscal_years(reading: Reading, calendar: Calendar, question: Question) -> Reading:
    """A reading of the question in calendar days, its groups by quarter or year as the organization counts them."""
    plan = reading.plan
    told = calendar.told
    if calendar.grouped and calendar.first_month != 1:
        shifted = changed(plan, lambda query: _shifted(query, calendar.first_month))
        if shifted is not None and shifted != plan:
            plan = shifted
        elif not any(" is " in text for text in told):
            told = ()  # Neither a period nor a group of the plan is fiscal.
    assumptions = tuple(dict.fromkeys((*reading.assumptions, *told)))
    wording = question.text if reading.wording == calendar.text else reading.wording
    return replace(reading, plan=plan, assumptions=assumptions, wording=wording)


def _shifted(query: Query, month: int) -> Query:
    def change(part: Node) -> Node | None:
        if isinstance(part, Period) and part.grain in ("quarter", "year") and part.first_month == 1:
            return part.model_copy(update={"first_month": month})
        return None

    def of_years(group: Output) -> Output:
        if isinstance(group.expr, Part) and group.expr.part == "year":
            return group.model_copy(update={"expr": Period(grain="year", of=group.expr.of, first_month=month)})
        return rewrite(group, change)

    groups = tuple(map(of_years, query.groups))
    measures = tuple(rewrite(measure, change) for measure in query.measures)
    source = _shifted(query.source, month) if isinstance(query.source, Query) else query.source
    return query.model_copy(update={"groups": groups, "measures": measures, "source": source})
