"""Time phrases: "in 2017", "last quarter", "since March", "between 5 May 2020 and June 2021", "the 1990s", "by month".

Everything becomes a half-open range of days. Relative phrases need an anchor: the day "today" stands for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.analyst.language.tokens import Token
from apps.analyst.plan import DatePart, Grain

MONTHS = (
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTH = r"(?P<month>" + "|".join(f"{name}|{name[:3]}|{name[:4]}" for name in MONTHS) + r")"
_UNIT = r"(?P<unit>day|week|month|quarter|year)s?"
_FIRST, _TO = _MONTH.replace("<month>", "<first>"), r"(?:to|through|until|till|-|\u2013)"
_YEAR = r"(?P<year>1[5-9]\d\d|20\d\d)"
_PLACES = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}


@dataclass(frozen=True, slots=True)
class PeriodMention:
    """A time phrase at tokens [start, end): the days from `low` up to but without `high`; None is open.

    `relative` marks phrases that depend on today; `month_only` a month named without its year.
    """

    start: int
    end: int
    low: date | None
    high: date | None
    label: str
    relative: bool = False
    month_only: int | None = None
    weekday: int | None = None
    bare: bool = False
    """A year on its own, with no word that makes it a time: it may as well be a number or a name."""
    closed: bool = False
    """True where it was said as a range ("March to May"), which no word before it opens."""


def month_start(year: int, month: int) -> date:
    """The first day of a month; months past 12 run into later years."""
    year, month = year + (month - 1) // 12, (month - 1) % 12 + 1
    return date(min(max(year, 1), 9998), month, 1)


def period_of(day: date, unit: str, shift: int = 0) -> tuple[date, date]:
    """The unit-long period around a day, moved by `shift` periods: [first day, day after the last)."""
    if unit == "day":
        start = day + timedelta(days=shift)
        return start, start + timedelta(days=1)
    if unit == "week":
        start = day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
        return start, start + timedelta(weeks=1)
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    first = (day.month - 1) // months * months + 1
    start = month_start(day.year, first + months * shift)
    return start, month_start(start.year, start.month + months)


def find_periods(tokens: Sequence[Token], today: date) -> list[PeriodMention]:
    """The time phrases of a question, left to right, without overlaps; longer ones win."""
    text, places = _joined(tokens)
    found: list[PeriodMention] = []
    taken = [False] * len(tokens)
    for pattern, make in _PATTERNS:
        for match in pattern.finditer(text):
            span = _token_span(match, places)
            if span is None or any(taken[span[0] : span[1]]):
                continue
            try:
                mention = make(match, today)
            except (ValueError, OverflowError):
                continue
            if mention is not None:
                found.append(replace(mention, start=span[0], end=span[1]))
                taken[span[0] : span[1]] = [True] * (span[1] - span[0])
    found.sort(key=lambda mention: mention.start)
    return _ranges(found, tokens, today)


def _joined(tokens: Sequence[Token]) -> tuple[str, dict[int, int]]:
    pieces, places, length = [], {}, 0
    for index, token in enumerate(tokens):
        places[length] = index
        word = token.norm if not token.quoted else "\u0000"
        if token.number is not None and not token.quoted and token.number == int(token.number) and token.words <= 2:
            word = str(int(token.number)) if "%" not in token.text and "$" not in token.text else "\u0000"
        pieces.append(word)
        length += len(word) + 1
    places[length] = len(tokens)
    return " ".join(pieces) + " ", places


def _token_span(match: re.Match[str], places: dict[int, int]) -> tuple[int, int] | None:
    """Token indexes of a match; None where it cuts a token in two."""
    start, end = match.start(), match.end() + (0 if match.group().endswith(" ") else 1)
    if start not in places or end not in places:
        return None
    return places[start], places[end]


def _month_number(name: str) -> int:
    return next(number for number, full in enumerate(MONTHS, start=1) if full.startswith(name[:3]))


def _range(low: date | None, high: date | None, label: str, **more: object) -> PeriodMention:
    return replace(PeriodMention(0, 0, low, high, label), **more)  # type: ignore[arg-type]


def _day(match: re.Match[str], today: date) -> PeriodMention:
    day = date(int(match["year"]), _month_number(match["month"]), int(re.sub(r"\D", "", match["day"])))
    return _range(day, day + timedelta(days=1), day.isoformat())


def _iso(match: re.Match[str], today: date) -> PeriodMention:
    parts = [int(part) for part in re.split(r"[-/]", match["iso"])]
    if len(parts) == 2:
        low = date(parts[0], parts[1], 1)
        return _range(low, month_start(low.year, low.month + 1), match["iso"])
    if parts[0] > 31:
        day = date(parts[0], parts[1], parts[2])
    else:
        year = parts[2] + (2000 if parts[2] < 70 else 1900 if parts[2] < 100 else 0)
        day = date(year, parts[0], parts[1]) if parts[0] <= 12 else date(year, parts[1], parts[0])
    return _range(day, day + timedelta(days=1), day.isoformat())


def _month_year(match: re.Match[str], today: date) -> PeriodMention:
    low = date(int(match["year"]), _month_number(match["month"]), 1)
    return _range(low, month_start(low.year, low.month + 1), f"{low:%B %Y}")


def _quarter(match: re.Match[str], today: date) -> PeriodMention:
    groups = match.groupdict()
    number = int(groups["q"]) if groups.get("q") else _PLACES[groups["place"]]
    year = int(groups["year"]) if groups.get("year") else today.year
    low = date(year, 3 * number - 2, 1)
    return _range(low, month_start(year, 3 * number + 1), f"Q{number} {year}", relative=not groups.get("year"))


def _half(match: re.Match[str], today: date) -> PeriodMention:
    second = match["place"] in ("second", "2nd", "last", "2")
    year = int(match["year"])
    low = date(year, 7 if second else 1, 1)
    return _range(low, month_start(year, 13 if second else 7), f"the {'second' if second else 'first'} half of {year}")


def _year(match: re.Match[str], today: date) -> PeriodMention:
    year = int(match["year"])
    return _range(date(year, 1, 1), date(year + 1, 1, 1), str(year), bare=not match.groupdict().get("lead"))


def _decade(match: re.Match[str], today: date) -> PeriodMention:
    year = int(match["year"])
    if year % 10:
        return _range(date(year, 1, 1), date(year + 1, 1, 1), str(year))  # "1997's revenue"
    century = year % 100 == 0 and year < 2000
    return _range(date(year, 1, 1), date(year + (100 if century else 10), 1, 1), f"the {year}s")


def _relative(match: re.Match[str], today: date) -> PeriodMention:
    shift = {"this": 0, "current": 0, "last": -1, "previous": -1, "past": -1, "next": 1, "coming": 1}[match["which"]]
    low, high = period_of(today, match["unit"], shift)
    return _range(low, high, f"{match['which']} {match['unit']}", relative=True)


def _last_n(match: re.Match[str], today: date) -> PeriodMention:
    count, unit = int(match["n"]), match["unit"]
    if not 0 < count <= 1000:
        raise ValueError(count)
    label = f"{match['which']} {count} {unit}s"
    if match["which"] == "next":
        return _range(
            today,
            period_of(today, unit, count)[0] if unit != "day" else today + timedelta(days=count + 1),
            label,
            relative=True,
        )
    if unit in ("day", "week"):
        return _range(
            today - timedelta(days=count * (7 if unit == "week" else 1)),
            today + timedelta(days=1),
            label,
            relative=True,
        )
    months = count * {"month": 1, "quarter": 3, "year": 12}[unit]
    start = month_start(today.year, today.month - months)
    return _range(start.replace(day=min(today.day, 28)), today + timedelta(days=1), label, relative=True)


def _to_date(match: re.Match[str], today: date) -> PeriodMention:
    unit = match.groupdict().get("unit") or {"y": "year", "q": "quarter", "m": "month", "w": "week"}[match["short"]]
    return _range(period_of(today, unit)[0], today + timedelta(days=1), f"{unit} to date", relative=True)


def _named_day(match: re.Match[str], today: date) -> PeriodMention:
    shift = {"today": 0, "yesterday": -1, "tomorrow": 1}[match["day"]]
    low, high = period_of(today, "day", shift)
    return _range(low, high, match["day"], relative=True)


def _month_alone(match: re.Match[str], today: date) -> PeriodMention | None:
    name = match["month"]
    if name in ("may", "mar", "sep", "dec", "march") and not match["lead"]:
        return None
    number = _month_number(name)
    return _range(None, None, MONTHS[number - 1].capitalize(), month_only=number)


def _weekday(match: re.Match[str], today: date) -> PeriodMention:
    number = WEEKDAYS.index(match["weekday"]) + 1
    return _range(None, None, f"{WEEKDAYS[number - 1].capitalize()}s", weekday=number)


def _months(match: re.Match[str], today: date) -> PeriodMention:
    """ "from March to May 2024"; "November to February 2024" begins in the year before.

    Without a year the last such months that have begun are meant.
    """
    first, last = _month_number(match["first"]), _month_number(match["month"])
    if "year" not in match.groupdict():
        year = today.year - ((last if first > last else first) > today.month)
    else:
        year = int(match["year"])
    low = date(year - (first > last), first, 1)
    names = f"{MONTHS[first - 1].capitalize()} to {MONTHS[last - 1].capitalize()} {year}"
    return _range(low, month_start(year, last + 1), names, closed=True, relative="year" not in match.groupdict())


def _quarters(match: re.Match[str], today: date) -> PeriodMention:
    year, first, last = int(match["year"]), int(match["first"]), int(match["q"])
    low = date(year - (first > last), 3 * first - 2, 1)
    return _range(low, month_start(year, 3 * last + 1), f"Q{first} to Q{last} {year}", closed=True)


_Maker = Callable[[re.Match[str], date], PeriodMention | None]
_B, _E = r"(?:(?<=\s)|^)", r"(?=\s)"
_PATTERNS: tuple[tuple[re.Pattern[str], _Maker], ...] = tuple(
    (re.compile(_B + pattern + _E), make)
    for pattern, make in (
        (rf"(?:from )?{_FIRST} {_TO} {_MONTH} (?:, |of |in )?{_YEAR}", _months),
        (rf"between {_FIRST} and {_MONTH} (?:, |of |in )?{_YEAR}", _months),
        (rf"from {_FIRST} {_TO} {_MONTH}(?! ?\d)", _months),
        (rf"between {_FIRST} and {_MONTH}(?! ?\d)", _months),
        (rf"(?:from )?q ?(?P<first>[1-4]) {_TO} q ?(?P<q>[1-4]) (?:of |in |, )?{_YEAR}", _quarters),
        (rf"{_MONTH} \.? ?(?P<day>\d{{1,2}}(?:st|nd|rd|th)?) (?:, )?(?:of )?{_YEAR}", _day),
        (rf"(?P<day>\d{{1,2}}(?:st|nd|rd|th)?) (?:of )?{_MONTH} (?:, )?{_YEAR}", _day),
        (r"(?P<iso>\d{4}-\d{1,2}-\d{1,2}|\d{1,2}/\d{1,2}/\d{2,4}|\d{4}-\d{2})", _iso),
        (rf"{_MONTH} (?:, |of |in )?{_YEAR}", _month_year),
        (rf"q(?: )?(?P<q>[1-4]) (?:of |in |, )?{_YEAR}", _quarter),
        (rf"{_YEAR} (?:- )?q(?: )?(?P<q>[1-4])", _quarter),
        (
            rf"(?:the )?(?P<place>first|second|third|fourth|last|1st|2nd|3rd|4th) quarter (?:of |in )?(?:the year "
            rf")?{_YEAR}",
            _quarter,
        ),
        (rf"(?:the )?(?P<place>first|second|1st|2nd|last) half (?:of |in )?(?:the year )?{_YEAR}", _half),
        (rf"h (?P<place>[12]) (?:of )?{_YEAR}", _half),
        (rf"(?:the )?{_YEAR} ?(?:'s|s)", _decade),
        (rf"(?:the )?(?P<which>last|past|previous|next) (?P<n>\d{{1,4}}) {_UNIT}", _last_n),
        (r"(?P<short>[yqmw])td", _to_date),
        (rf"(?:the )?{_UNIT} to date", _to_date),
        (rf"(?:the )?(?P<which>this|current|last|previous|past|next|coming) {_UNIT}", _relative),
        (r"(?P<day>today|yesterday|tomorrow)", _named_day),
        (r"q(?: )?(?P<q>[1-4])", _quarter),
        (
            rf"(?:(?P<lead>in|during|since|after|before|until|by|year|years|for|from|of|on|between) )(?:the )?(?:year "
            rf")?{_YEAR}",
            _year,
        ),
        (rf"{_YEAR}", _year),
        (rf"(?P<lead>in |during |for |of |since |after |before )?{_MONTH}", _month_alone),
        (rf"(?:on )?(?P<weekday>{'|'.join(WEEKDAYS)})s?", _weekday),
    )
)

_OPENERS = {
    "since": "from",
    "after": "after",
    "from": "from",
    "starting": "from",
    "before": "before",
    "until": "until",
    "till": "until",
    "through": "until",
    "prior": "before",
    "by": "until",
    "than": "",
}


_OPEN_MONTHS = frozenset(("since", "after", "before", "until", "till", "prior", "starting"))


def _ranges(found: list[PeriodMention], tokens: Sequence[Token], today: date) -> list[PeriodMention]:
    """Joins "between A and B", "from A to B", "A - B" into one range and applies "since", "before" and the like."""
    made: list[PeriodMention] = []
    index = 0
    while index < len(found):
        mention = _of_that_year(found, index, tokens)
        follower = found[index + 1] if index + 1 < len(found) else None
        before = [token.norm for token in tokens[max(0, mention.start - 2) : mention.start]]
        inside = tokens[mention.start].norm
        if follower is not None and mention.low and follower.high and _links(tokens, mention, follower, before, inside):
            start = mention.start - (1 if before[-1:] and before[-1] in ("between", "from") else 0)
            made.append(
                replace(
                    mention,
                    start=start,
                    end=follower.end,
                    high=follower.high,
                    label=f"{mention.label} to {follower.label}",
                    bare=False,
                )
            )
            index += 2
            continue
        made.append(_opened(_last_such_month(mention, before, inside, today), before, inside))
        index += 1
    return made


def _of_that_year(found: list[PeriodMention], index: int, tokens: Sequence[Token]) -> PeriodMention:
    """ "in March and May 2024": the year behind the last month is that of the months before it."""
    mention, last = found[index], index
    while found[last].month_only and last + 1 < len(found):
        if [t.norm for t in tokens[found[last].end : found[last + 1].start]] not in (["and"], ["or"], [","]):
            return mention
        last += 1
    low, number = found[last].low, mention.month_only
    if number is None or low is None or found[last].high != month_start(low.year, low.month + 1):
        return mention
    low = date(low.year, number, 1)
    return replace(
        mention, low=low, high=month_start(low.year, number + 1), month_only=None, label=f"{mention.label} {low.year}"
    )


def _last_such_month(mention: PeriodMention, before: list[str], inside: str, today: date) -> PeriodMention:
    """ "since August": of all Augusts the last one that has begun. "In August" stays that of any year."""
    opener = inside if inside in _OPENERS else (before[-1] if before else "")
    if mention.month_only is None or opener not in _OPEN_MONTHS:
        return mention
    year = today.year if mention.month_only <= today.month else today.year - 1
    low, high = month_start(year, mention.month_only), month_start(year, mention.month_only + 1)
    label = f"{mention.label} {year}"
    return replace(mention, low=low, high=high, month_only=None, label=label, relative=True)


def _links(tokens: Sequence[Token], one: PeriodMention, two: PeriodMention, before: list[str], inside: str) -> bool:
    between = [token.norm for token in tokens[one.end : two.start]]
    opened = ([*before[-1:], inside])[0 if before[-1:] else -1 :]
    opener = "between" if "between" in opened else "from" if "from" in opened else ""
    if between in (["-"], ["to"], ["through"], ["until"], ["till"], ["up", "to"], ["\u2013"]) or (
        not between and tokens[two.start].norm in ("until", "to")
    ):
        return True
    return opener == "between" and between in (["and"], ["and", "the", "year"], ["and", "the"])


def _opened(mention: PeriodMention, before: list[str], inside: str) -> PeriodMention:
    if mention.closed:
        return mention
    word = inside if inside in _OPENERS else (before[-1] if before else "")
    size = 0 if inside in _OPENERS else 1
    if word == "to" and before[:-1] == ["prior"]:
        word, size = "before", 2
    if word == "than" and before[:1] in (["later"], ["earlier"]):
        word, size = ("after" if before[0] == "later" else "before"), 2
    way = _OPENERS.get(word, "")
    if not way or mention.low is None:
        return mention
    start = mention.start - size
    if way == "from":
        return replace(mention, start=start, high=None, label=f"since {mention.label}", bare=False)
    if way == "after":
        return replace(mention, start=start, low=mention.high, high=None, label=f"after {mention.label}", bare=False)
    if way == "before":
        return replace(mention, start=start, low=None, high=mention.low, label=f"before {mention.label}", bare=False)
    if word == "by":
        return mention
    return replace(mention, start=start, low=None, label=f"until {mention.label}", bare=False)


GRAIN_WORDS: dict[str, Grain] = {
    "hour": "hour",
    "hourly": "hour",
    "day": "day",
    "daily": "day",
    "week": "week",
    "weekly": "week",
    "month": "month",
    "monthly": "month",
    "quarter": "quarter",
    "quarterly": "quarter",
    "year": "year",
    "yearly": "year",
    "annual": "year",
    "annually": "year",
}
PART_WORDS: dict[str, DatePart] = {
    "weekday": "weekday_name",
    "weekdays": "weekday_name",
    "day of week": "weekday_name",
    "day of the week": "weekday_name",
    "days of the week": "weekday_name",
    "week day": "weekday_name",
    "month of the year": "month_name",
    "decade": "decade",
    "hour of the day": "hour",
    "hour of day": "hour",
}
