"""Questions that compare two periods or follow a figure along time: the plain question is read, then its plan changed.

"Amount by owner, 2025 against 2024" is "amount by owner in 2025" and "amount by owner in 2024" side by side; "running
total of amount by month" is "total amount by month", added up. What the plain question means stays the readers' matter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date

from apps.analyst.computing.compile.walk import windowed
from apps.analyst.computing.metrics.running import beside, dated_column, days_of
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.choose import read
from apps.analyst.plan import (
    CHANGE,
    CHANGE_PCT,
    Between,
    Comparison,
    Expr,
    Order,
    Output,
    Part,
    Period,
    Predicate,
    Query,
    Window,
    WindowName,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.spans import date_range
from apps.analyst.ports import Catalog
from apps.analyst.types import Question

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)"
)
_YEAR = r"(?:19|20)\d\d"
_DAY = r"\d{4}-\d\d-\d\d"
PERIOD = (
    rf"(?:(?:the )?(?:this|last|previous|prior|current) (?:day|week|month|quarter|year)|q[1-4](?: ?(?:of )?{_YEAR})?"
    rf"|(?:the )?(?:first|second|third|fourth|last) (?:quarter|half) (?:of |in )?{_YEAR}|h[12] ?(?:of )?{_YEAR}"
    rf"|{_MONTH}(?: (?:of )?{_YEAR})?|{_DAY} until {_DAY}|{_YEAR})"
)
_IN = r"(?:in |for |during |of )?(?:the )?"
AGAINST = r"(?:compared? (?:to|with|against)|compares? (?:to|with)|vs\.?|versus|against|relative to)"
_GRAIN = r"(day|week|month|quarter|year)"
_SIDES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"compare (?:the )?(?P<head>.+?) (?:in |for |of |during |between )?(?P<a>{PERIOD})"
        rf" (?:and|with|to|vs\.?|versus|against) {_IN}(?P<b>{PERIOD})(?P<tail>.*)",
        rf"(?:how (?:does|do|did|is|was) )?(?:the )?(?P<head>.+?),? {_IN}(?P<a>{PERIOD}),? {AGAINST}"
        rf" (?:that of )?{_IN}(?P<b>{PERIOD})(?P<tail>.*)",
        rf"(?:what (?:is|was) )?(?:the )?(?:change|difference|growth|increase|decrease) (?:of|in) (?:the )?"
        rf"(?P<head>.+?)"
        rf" (?:from|between) (?P<a>{PERIOD}) (?:to|and) (?P<b>{PERIOD})(?P<tail>.*)",
        rf"how (?:much )?(?:did|has|have) (?:the )?(?P<head>.+?) (?:change|grow|develop|increase|decrease)[a-z]*"
        rf" (?:from|between) (?P<a>{PERIOD}) (?:to|and) (?P<b>{PERIOD})(?P<tail>.*)",
    )
)
_MOVED_MOST = re.compile(
    rf"(?:which|what) (?P<group>.+?)"
    rf" (?P<way>grew|increased|rose|gained|improved|declined|decreased|fell|dropped|lost|shrank)"
    rf"(?: the)? (?:most|fastest)(?: (?:in|by) (?:the )?(?P<head>.+?))? (?:from|between) (?P<a>{PERIOD}) (?:to|and)"
    rf" (?P<b>{PERIOD})"
)
_DOWN = {"declined", "decreased", "fell", "dropped", "lost", "shrank"}
_RUNNING = re.compile(
    r"\b(?:running (?P<kind>totals?|sums?)|running (?=count|number)"
    r"|(?:cumulative|cumulated|accumulated)(?P<more> totals?| sums?)?)(?: of)?(?: the)? ?"
)
_MOVING = re.compile(rf"\b(?:(?P<span>\d+)[- ]{_GRAIN}s? )?(?:moving|rolling) (?:average|mean)(?: of)?(?: the)? ?")
_OVER = re.compile(
    r"\b(?:(?P<grain>week|month|quarter|year)[- ](?:over|on|to)[- ](?P=grain)|(?P<short>wow|mom|qoq|yoy))"
    r"(?: (?:growth|change|increase|development))?(?: rate)?(?: (?:of|in|for))?(?: the)? ?"
)
_GROWTH = re.compile(
    r"\b(?:percentage |per cent |percent |relative )?(?:(?:growth|change)(?: rates?)? (?:of|in)(?: the)? "
    r"|(?:growth|(?<=%) change)(?: rates?)?(?: |$))"
)
_GREW_EACH = re.compile(
    r"(?:how|by how much) (?:much |fast )?(?:did|do|does|has|have|is|was|were) (?:the |our )?(?P<head>.+?)"
    r" (?:grow|grown|growing|change|changed|changing|develop|developed|evolve|evolved)"
    r" (?:from (?P<one>day|week|month|quarter|year) to (?P=one)"
    r"|(?P<two>day|week|month|quarter|year)[ -](?:by|over|on|after)[ -](?P=two)"
    r"|(?:each|every|per|by) (?P<three>day|week|month|quarter|year))(?P<tail>.*)"
)
_GREW_IN = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:what (?:is|was) )?(?:the |our )?(?P<head>.+?) growth(?: rate)? (?:in|for|during) "
        r"(?P<year>\d{4})(?P<tail>.*)",
        r"(?:what (?:is|was) )?(?:the |our )?growth(?: rate)? (?:of|in) (?:the |our )?(?P<head>.+?) (?:in|for|during) "
        r"(?P<year>\d{4})(?P<tail>.*)",
        r"(?:how|by how much) (?:much )?(?:did|has|have) (?:the |our )?(?P<head>.+?) (?:grow|grown) (?:in|during) "
        r"(?P<year>\d{4})(?P<tail>.*)",
    )
)
_YEAR_BEFORE = re.compile(
    rf",? {AGAINST} (?:the )?(?:(?:same|corresponding) (?:week|month|quarter|period)s? (?:of |in )?(?:the )?"
    r"(?:last|previous|prior) year|year before|previous year|last year|a year (?:ago|earlier|before))$"
)
_BY_GRAIN = re.compile(rf"\b(?:by|per|each|every|a) {_GRAIN}\b|\b(?:daily|weekly|monthly|quarterly|yearly|annual)\b")
_SHORT = {"wow": "week", "mom": "month", "qoq": "quarter", "yoy": "year"}
_A_YEAR = {"week": 52, "month": 12, "quarter": 4, "year": 1}


@dataclass(frozen=True, slots=True)
class _Along:
    """A figure followed along time: the plain question, the windows to add, and how many periods back they look."""

    question: str
    windows: tuple[tuple[str, WindowName], ...]
    span: int | None = None
    year_before: bool = False


def comparing(question: Question, catalog: Catalog, *, only_along_time: bool = False) -> Reading | None:
    """The reading of a question that compares periods or follows a figure along time, else None."""
    asked = re.sub(r"\s+", " ", question.text.strip().lower().rstrip("?.! "))
    for side in _sides(asked) if not only_along_time else ():
        reading = compared_periods(question, catalog, *side)
        if reading is not None:
            return reading
    along = _along(asked)
    return _followed(question, catalog, along) if along is not None else None


# ---------------------------------------------------------------- two periods
def _sides(asked: str) -> Iterator[tuple[str, str, bool | None]]:
    """Pairs of plain questions, and whether the largest rise (True) or fall (False) comes first."""
    moved = _MOVED_MOST.fullmatch(asked)
    if moved is not None and moved["head"]:
        head = f"{moved['head']} by {moved['group']}"
        yield f"{head} {within(moved['a'])}", f"{head} {within(moved['b'])}", moved["way"] not in _DOWN
    for pattern in _GREW_IN:
        grew = pattern.fullmatch(asked)
        if grew is not None:
            head, year = f"{grew['head']}{grew['tail']}", int(grew["year"])
            yield f"{head} in {year}", f"{head} in {year - 1}", None
    for pattern in _SIDES:
        found = pattern.fullmatch(asked)
        if found is not None:
            head, tail = found["head"], found["tail"].rstrip()
            yield f"{head}{tail} {within(found['a'])}", f"{head}{tail} {within(found['b'])}", None


def within(period: str) -> str:
    return period if re.match(r"(?:the )?(?:this|last|previous|prior|current) ", period) else f"in {period}"


def compared_periods(
    question: Question, catalog: Catalog, one: str, other: str, rising: bool | None = None
) -> Reading | None:
    """Two plain questions that differ in their period, side by side; `rising` puts the largest rise or fall first."""
    first, second = (plain_figures(text, question, catalog) for text in (one, other))
    if first is None or second is None:
        return None
    query, sides = two_sides(*(unnamed(figures.query) for figures in (first, second)))
    if query is None or sides is None:
        return None
    (now, current), (then, baseline) = sides
    order = (Order(by=CHANGE, descending=rising),) if rising is not None and query.groups else ()
    even = beside(now, then, question.today, dated_column(current, catalog), text=question.text)
    plan = Comparison(
        query=query.model_copy(update={"order": order, "ties": False, **shared_words(first.query, second.query)}),
        current=days_of(current, even.now),
        baseline=days_of(baseline, even.then),
        current_label=even.labels[0],
        baseline_label=even.labels[1],
    )
    assumed = [*first.reading.assumptions, *([even.told] if even.told else [])]
    return replace(
        first.reading,
        plan=plan,
        score=round(0.99 * min(first.reading.score, second.reading.score), 4),
        chart=None,
        asked=(),
        assumptions=tuple(dict.fromkeys(assumed)),
        reader="comparing",
        wording=question.text.strip(),
    )


@dataclass(frozen=True, slots=True)
class Figures:
    """A plain question's reading as figures over one query."""

    reading: Reading
    query: Query


def plain_figures(text: str, question: Question, catalog: Catalog) -> Figures | None:
    """The surest reading of a plain question, as it stands or asked for its total."""
    for said in (text, f"total {text}"):
        readings = read(replace(question, text=said), catalog)
        best = readings[0] if readings else None
        if best is None or best.score < ANSWER_THRESHOLD or best.unused or not isinstance(best.plan, Query):
            continue
        query = best.plan
        plain = bool(query.measures) and query.having is None and query.limit is None
        if plain and not any(windowed(measure.expr) for measure in query.measures):
            return Figures(best, query)
    return None


_Side = tuple[tuple[date, date], Predicate]


def unnamed(query: Query) -> Query:
    """The query without its own words for its rows, which name the period that is compared; of a metric, which comes
    with what it is made of, only the figure itself."""
    measures = query.measures[:1] if query.noun else query.measures
    return query.model_copy(update={"noun": "", "scope": "", "known_until": "", "measures": measures})


_JOINTS = frozenset(("with", "in", "created", "closing", "since", "before", "and", "on", "from", "without"))


def shared_words(one: Query, other: Query) -> dict[str, str]:
    """The words for their rows that two queries share: the noun, and what of their conditions both say."""
    if not one.noun or one.noun != other.noun:
        return {"noun": "", "scope": ""}
    mine, theirs = one.scope.split(), other.scope.split()
    start = next((i for i, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]), None)
    if start is None:
        start = min(len(mine), len(theirs))
    rest, others = mine[start:], theirs[start:]
    end = next((i for i, pair in enumerate(zip(rest[::-1], others[::-1], strict=False)) if pair[0] != pair[1]), None)
    end = min(len(rest), len(others)) if end is None else end
    prefix, suffix = mine[:start], rest[len(rest) - end :]
    if rest or others:  # what differs began with its joint: " with owner Ada", " in 2024"
        joints = [i for i, word in enumerate(prefix) if word in _JOINTS]
        starts_anew = (rest or others)[0] in _JOINTS
        prefix = prefix if starts_anew else prefix[: joints[-1]] if joints else []
    joints = [i for i, word in enumerate(suffix) if word in _JOINTS]
    suffix = suffix[joints[0] :] if joints else []
    words = " ".join([*prefix, *suffix])
    return {"noun": one.noun, "scope": f" {words}" if words else ""}


def two_sides(one: Query, other: Query) -> tuple[Query | None, tuple[_Side, _Side] | None]:
    """What two queries share, and the ranges of dates in which alone they differ, the later one first."""
    common, mine, theirs = difference(one.where, other.where)
    spans = span_of(mine), span_of(theirs)
    if not _alike(one, other) or mine is None or theirs is None or spans[0] is None or spans[1] is None:
        return None, None
    if spans[0] == spans[1]:
        return None, None
    first, second = (spans[0], mine), (spans[1], theirs)
    sides = (first, second) if first[0] > second[0] else (second, first)
    return one.model_copy(update={"where": common, "order": ()}), sides


def _alike(one: Query, other: Query) -> bool:
    """True where two queries differ in their conditions at most."""
    same = {"where": None, "order": ()}
    return one.model_copy(update=same) == other.model_copy(update=same)


def difference(
    one: Predicate | None, other: Predicate | None
) -> tuple[Predicate | None, Predicate | None, Predicate | None]:
    """The conditions of both, and the one condition in which each differs; None where it is not just one."""
    mine, theirs = conjuncts(one), conjuncts(other)
    common = [part for part in mine if part in theirs]
    left, right = [part for part in mine if part not in theirs], [part for part in theirs if part not in mine]
    shared = together(common)
    alone = len(left) == 1 and len(right) == 1
    return shared, left[0] if alone else None, right[0] if alone else None


def span_of(part: Predicate | None) -> tuple[date, date] | None:
    return date_range(part) if isinstance(part, Between) else None


# ---------------------------------------------------------------- along time
def _along(asked: str) -> _Along | None:
    """What is to be followed along time, and how."""
    changes: tuple[tuple[str, WindowName], ...] = ((CHANGE, "change"), (CHANGE_PCT, "change_pct"))
    grew = _GREW_EACH.fullmatch(asked)
    if grew is not None:
        grain = grew["one"] or grew["two"] or grew["three"]
        return _Along(_with_grain(f"{grew['head']}{grew['tail']}", grain), changes)
    before = _YEAR_BEFORE.search(asked)
    if before is not None and _BY_GRAIN.search(asked[: before.start()]):
        windows: tuple[tuple[str, WindowName], ...] = (("Year before", "previous"), (CHANGE_PCT, "change_pct"))
        return _Along(asked[: before.start()], windows, year_before=True)
    running = _RUNNING.search(asked)
    if running is not None:
        summed = running["kind"] or running["more"]
        plain = _RUNNING.sub("total " if summed else "", asked, count=1)
        return _Along(plain, (("Running total", "running_total"),))
    moving = _MOVING.search(asked)
    if moving is not None:
        grain = moving[2]
        text = _with_grain(_MOVING.sub("", asked, count=1), grain)
        return _Along(text, (("Moving average", "moving_average"),), span=int(moving["span"]) if moving["span"] else 3)
    over = _OVER.search(asked)
    if over is not None:
        grain = over["grain"] or _SHORT[over["short"]]
        text = _with_grain(_OVER.sub("", asked, count=1), grain)
        return _Along(text, changes, year_before=grain == "year")
    growth = _GROWTH.search(asked)
    if growth is not None and _BY_GRAIN.search(asked):
        return _Along(_GROWTH.sub("", asked, count=1), changes)
    return None


def _grain_of(expr: Expr) -> str | None:
    """The grain of a dimension that runs along time."""
    if isinstance(expr, Part):
        return "year" if expr.part == "year" else None
    return expr.grain if isinstance(expr, Period) else None


def _with_grain(text: str, grain: str | None) -> str:
    return text if grain is None or _BY_GRAIN.search(text) else f"{text} by {grain}"


def _followed(question: Question, catalog: Catalog, along: _Along) -> Reading | None:
    base = plain_figures(along.question, question, catalog)
    if base is None or len(base.query.measures) != 1:
        return None
    plan, measure = base.query, base.query.measures[0]
    times = [(group.label, grain) for group in plan.groups if (grain := _grain_of(group.expr)) is not None]
    if len(times) != 1:
        return None
    time, grain = times[0]
    span = _A_YEAR.get(grain) if along.year_before else along.span
    if along.year_before and span is None:
        return None
    others = tuple(group.label for group in plan.groups if group.label != time)
    added = tuple(
        Output(
            label=label,
            expr=Window(fn=fn, of=measure.expr, partition=others, order=time, span=span),
            unit="%" if fn == "change_pct" else measure.unit,
        )
        for label, fn in along.windows
    )
    order = (*(Order(by=label) for label in others), Order(by=time))
    explicit = base.reading.chart is not None and base.reading.chart.explicit
    return replace(
        base.reading,
        plan=plan.model_copy(update={"measures": (measure, *added), "order": order}),
        score=round(0.99 * base.reading.score, 4),
        chart=base.reading.chart if explicit else None,
        asked=(),
        reader="comparing",
        wording=question.text.strip(),
    )
