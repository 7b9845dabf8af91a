"""Questions why a figure changed: "why did revenue fall in Q2", "what drove the increase in orders from 2023 to 2024".

The figure and its rows are read by the readers of plain questions; here the two row sets are put side by side and the
columns are found by which the change may be told apart. Where no baseline is named it is the period before, where no
period is named the last whole one of the data; either is said. What cannot be explained is declined with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Literal

from apps.analyst.comparing import (
    AGAINST,
    PERIOD,
    Figures,
    conjuncts,
    plain_figures,
    shared_words,
    span_of,
    two_sides,
    unnamed,
    within,
)
from apps.analyst.drivers import refusal
from apps.analyst.formats import day, spoken
from apps.analyst.language import Reading, lexicon
from apps.analyst.language.periods import period_of
from apps.analyst.language.scan import join_of
from apps.analyst.language.schema import Schema
from apps.analyst.plan import (
    AllOf,
    Among,
    Between,
    Clarify,
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Cut,
    Drivers,
    Join,
    Output,
    Period,
    Predicate,
    Query,
)
from apps.analyst.ports import Catalog
from apps.analyst.sentence import span_words
from apps.analyst.types import Column, Question, Scalar

Direction = Literal["", "up", "down"]

_DOWN = (
    r"fall(?:en)?|fell|drop(?:ped)?|declined?|decreased?|shr[aiu]nk|(?:go|went|gone|going) down|c[ao]me down|down|lower"
    r"|sink|sank|sunk|dip(?:ped)?|slump(?:ed)?|worsen(?:ed)?|get worse|got worse|worse|falling|dropping|declining"
    r"|decreasing|shrinking|slip(?:ped)?"
)
_UP = (
    r"rise|rose|risen|gr[eo]w[n]?|increased?|improved?|(?:go|went|gone|going) up|come up|came up|up|higher|climb(?:ed)?"
    r"|jump(?:ed)?|surged?|better|get better|got better|rising|growing|increasing|improving"
)
_CHANGED = r"changed?|differ(?:ent)?|moved?|developed?|develop|the way (?:it is|they are)|changing"
_HOW_MUCH = r"(?: (?:so )?(?:much|strongly|sharply|a lot|significantly))?"
_DOWN_NOUN = r"drop|fall|decline|decrease|dip|slump|reduction|loss|shrinkage"
_UP_NOUN = r"rise|increase|growth|jump|surge|improvement|gain"
_CHANGE_NOUN = r"change|difference|development|movement|variation|shift"
_NOUN = rf"(?:(?P<downs>{_DOWN_NOUN})|(?P<ups>{_UP_NOUN})|(?P<moves>{_CHANGE_NOUN}))s?"
_CAUSE = (
    r"(?:what|which (?P<group>.+?)) (?:has |have |had |is |are |was |were )?(?:caused?|causing|drove|drives?|driven"
    r"|driving|explains?|explained|explaining|(?:lead|led) to|behind|contribut(?:ed?|es|ing)(?: (?:the )?most)? to"
    r"|responsible for|account(?:ed|s)? for|due to|made up)"
)
_QUESTIONS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"why (?:did|do|does|has|have|had|is|are|was|were) (?P<head>.+?) (?:been )?"
        rf"(?:(?P<down>{_DOWN})|(?P<up>{_UP})|(?P<move>{_CHANGED})){_HOW_MUCH}(?P<tail>(?: .*)?)",
        rf"{_CAUSE} (?:the |this |our )?{_NOUN} (?:in|of) (?P<head>.+)",
        rf"(?:please )?(?:explain|analy[sz]e|decompose|break down|split up)(?: to me| me)? (?:the |our )?{_NOUN}"
        rf" (?:in|of) (?P<head>.+)",
        rf"(?:what (?:are|were|is|was) )?(?:the )?(?:main |biggest |root |key )?(?:reasons?|causes?|drivers?)"
        rf"(?: for| of| behind) (?:the |our )?{_NOUN} (?:in|of) (?P<head>.+)",
    )
)
_TIMES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<head>.*?),? (?:from|between) (?:the )?(?P<b>{PERIOD}) (?:to|and) (?:the )?(?P<a>{PERIOD})(?P<rest>.*)",
        rf"(?P<head>.*?),? (?:in |for |during |of )?(?:the )?(?P<a>{PERIOD}),? (?:{AGAINST}|over|from|on|than(?: in)?)"
        rf" (?:that of |in )?(?:the )?(?P<b>{PERIOD})(?P<rest>.*)",
        rf"(?P<head>.*?),? (?:{AGAINST}|over|from|since|than(?: in)?) (?:that of |in )?(?:the )?(?P<b>{PERIOD})"
        rf"(?P<rest>.*)",
        rf"(?P<head>.*?),? (?:in |for |during |of )?(?:the )?(?P<a>{PERIOD})(?P<rest>.*)",
    )
)
NO_HISTORY = (
    "Your data hold what is open now, not what was open before, so I cannot say why that changed. I can explain "
    "changes of what was created, won or lost in two periods."
)
MOST_CUTS = 12
MOST_VALUES = 200
"""Distinct values of a column by which a change may be split; beyond, no group is a reason."""
_COMPLETE = 0.1
"""The data may end so much of a period before its end, and it still counts as whole."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question's parts: the figure with its conditions, the later and the earlier period, the direction."""

    head: str
    current: str
    baseline: str
    expected: Direction
    group: str = ""


@dataclass(frozen=True, slots=True)
class _Sides:
    """What is compared: the query of both sides, the date, the spans (first and last day), what is assumed."""

    reading: Reading
    query: Query
    of: Between
    now: tuple[date, date]
    then: tuple[date, date]
    assumed: tuple[str, ...]


def explaining(question: Question, catalog: Catalog) -> Reading | None:
    """The reading of a question why a figure changed, else None."""
    text = re.sub(r"\s+", " ", question.text.strip().lower().rstrip("?.! "))
    asked = _asked(text)
    if asked is None:
        return None
    sides = _sides(asked, question, catalog)
    if sides is None:
        return _declined(
            question,
            f"You ask why “{asked.head}” changed. I could not find that figure with a date to tell periods apart by, "
            f"so I cannot explain it.",
        )
    if sides.query.noun.startswith("open "):
        return _declined(question, NO_HISTORY)
    reason = refusal(sides.query.measures[0], sides.query)
    if reason:
        return _declined(question, reason)
    built = lexicon.build(catalog)
    cuts = _named_cuts(sides.query) or tuple(_cuts(sides.query, built.schema))
    if not cuts:
        return _declined(question, "Your data has no column with a few values to tell the change apart by.")
    return _reading(question, asked, sides, cuts)


def _declined(question: Question, reason: str) -> Reading:
    return Reading(Clarify(question=reason, options=()), 1.0, reader="explaining", wording=question.text.strip())


def _reading(question: Question, asked: _Asked, sides: _Sides, cuts: tuple[Cut, ...]) -> Reading:
    comparison = Comparison(
        query=sides.query.model_copy(update={"groups": (), "order": (), "limit": None, "ties": False}),
        current=_within_days(sides.of, sides.now),
        baseline=_within_days(sides.of, sides.then),
        current_label=_label(sides.now),
        baseline_label=_label(sides.then),
    )
    return replace(
        sides.reading,
        plan=Drivers(comparison=comparison, cuts=cuts, expected=asked.expected),
        score=max(0.6, round(0.99 * sides.reading.score, 4)),
        chart=None,
        asked=(),
        assumptions=tuple(dict.fromkeys((*sides.reading.assumptions, *sides.assumed))),
        reader="explaining",
        wording=question.text.strip(),
    )


def _label(span: tuple[date, date]) -> str:
    return span_words(*span).removeprefix("in ").removeprefix("from ").removeprefix("on ")


# ---------------------------------------------------------------- the words
def _asked(text: str) -> _Asked | None:
    for pattern in _QUESTIONS:
        found = pattern.fullmatch(text)
        if found is None:
            continue
        groups = found.groupdict()
        down, up = groups.get("down") or groups.get("downs"), groups.get("up") or groups.get("ups")
        expected: Direction = "down" if down else "up" if up else ""
        head, current, baseline = _timed(f"{groups['head']}{groups.get('tail') or ''}".strip())
        head = re.sub(r"^(?:the|our|my|their) ", "", head)
        group = groups.get("group") or ""
        if head:
            return _Asked(f"{head} by {group}" if group else head, current, baseline, expected, group)
    return None


def _timed(text: str) -> tuple[str, str, str]:
    """The figure, the later and the earlier period as said, "" for those that are not."""
    for pattern in _TIMES:
        found = pattern.fullmatch(f" {text}")
        if found is None:
            continue
        groups = found.groupdict()
        head = f"{groups['head'].strip()}{groups['rest'] or ''}".strip()
        head = re.sub(r" (?:so much|strongly|sharply|a lot)\b", "", head)
        current, baseline = groups.get("a") or "", groups.get("b") or ""
        if not current and re.fullmatch(r"(?:last|previous|prior) \w+", baseline):
            current = f"this {baseline.split()[-1]}"
        return head, current, baseline
    return text, "", ""


# ---------------------------------------------------------------- the two row sets
def _sides(asked: _Asked, question: Question, catalog: Catalog) -> _Sides | None:
    if asked.current and asked.baseline:
        first, second = (
            plain_figures(f"{asked.head} {within(period)}", question, catalog)
            for period in (asked.current, asked.baseline)
        )
        if first is None or second is None:
            return None
        query, spans = two_sides(unnamed(first.query), unnamed(second.query))
        if query is None or spans is None:
            return None
        (now, current), (then, _) = spans
        assert isinstance(current, Between)
        query = query.model_copy(update=shared_words(first.query, second.query))
        return _alike_in_length(_Sides(first.reading, query, current, now, then, ()), question, catalog)
    told: list[str] = []
    if asked.current:
        first = plain_figures(f"{asked.head} {within(asked.current)}", question, catalog)
    else:
        first = _newest_period(asked.head, question, catalog)
        told.append("No period was named, so the last whole one in the data is explained")
    found = _one_span(first.query) if first is not None else None
    if first is None or found is None:
        return None
    query, current, now = found
    then = _before(now)
    told.append(f"{_label(now)} is compared with the period before, {_label(then)}")
    return _alike_in_length(_Sides(first.reading, query, current, now, then, tuple(told)), question, catalog)


def _one_span(query: Query) -> tuple[Query, Between, tuple[date, date]] | None:
    """A query without its only range of dates, and that range."""
    parts = conjuncts(query.where)
    dated = [part for part in parts if isinstance(part, Between) and span_of(part) is not None]
    if len(dated) != 1:
        return None
    rest = [part for part in parts if part is not dated[0]]
    where: Predicate | None = None if not rest else rest[0] if len(rest) == 1 else AllOf(of=tuple(rest))
    span = span_of(dated[0])
    assert span is not None
    # The period stands at the end of what the query says of its rows.
    words = re.sub(r"(?: (?:created|closing|closed))?$", "", query.scope.removesuffix(f" {span_words(*span)}"))
    told = {"noun": query.noun, "scope": words if words != query.scope else ""}
    return unnamed(query).model_copy(update={"where": where, **told}), dated[0], span


def _before(span: tuple[date, date]) -> tuple[date, date]:
    """The period of the same kind just before: whole months for whole months, else as many days."""
    first, after = span[0], span[1] + timedelta(days=1)
    if first.day == 1 and after.day == 1:
        months = (after.year - first.year) * 12 + after.month - first.month
        begin = first.year * 12 + first.month - 1 - months
        return date(begin // 12, begin % 12 + 1, 1), first - timedelta(days=1)
    return first - (after - first), first - timedelta(days=1)


def _newest_period(head: str, question: Question, catalog: Catalog) -> Figures | None:
    """The figure in the last whole quarter of the data, or month where the data do not reach over two quarters."""
    days = [c.maximum for t in catalog.tables() for c in t.columns if c.role == "time"]
    newest = max((min(d, question.today) for v in days if (d := _day(v)) is not None), default=None)
    probe = plain_figures(f"{head} in {newest.year}", question, catalog) if newest is not None else None
    found = _one_span(probe.query) if probe is not None else None
    if probe is None or found is None:
        return None
    query, part, _ = found
    column = _column(part, catalog)
    low, high = (_day(column.minimum), _day(column.maximum)) if column is not None else (None, None)
    if low is None or high is None:
        return None
    high = min(high, question.today)
    unit = "quarter" if (high - low).days >= 180 else "month"
    last = period_of(high, unit)
    whole = last if high >= last[1] - timedelta(days=4) else period_of(high, unit, -1)
    chosen = _within_days(part, (whole[0], whole[1] - timedelta(days=1)))
    where: Predicate = chosen if query.where is None else AllOf(of=(query.where, chosen))
    return Figures(probe.reading, query.model_copy(update={"where": where}))


def _alike_in_length(sides: _Sides, question: Question, catalog: Catalog) -> _Sides:
    """A period that is not over is held against as much of the earlier one."""
    newest = min(_newest(sides, catalog) or question.today, question.today)
    first, last = sides.now
    length = (last - first).days + 1
    if not first <= newest < last or (last - newest).days <= _COMPLETE * length or sides.then[1] >= first:
        return sides
    days = (newest - first).days
    then = sides.then[0], min(sides.then[0] + timedelta(days=days), sides.then[1])
    told = f"{_label(sides.now)} is known up to {day(newest)}, so it is held against as much of {_label(sides.then)}"
    return replace(sides, now=(first, newest), then=then, assumed=(*sides.assumed, told))


def _newest(sides: _Sides, catalog: Catalog) -> date | None:
    """The newest day of the date that tells the periods apart."""
    column = _column(sides.of, catalog)
    return _day(column.maximum) if column is not None else None


def _column(part: Between, catalog: Catalog) -> Column | None:
    if not isinstance(part.of, ColumnRef):
        return None
    name = part.of.table
    table = next((t for t in catalog.tables() if t.name == name), None)
    return table.column(part.of.column) if table is not None else None


def _day(value: Scalar) -> date | None:
    return value.date() if isinstance(value, datetime) else value if isinstance(value, date) else None


def _within_days(part: Between, span: tuple[date, date]) -> Between:
    low = Constant(value=span[0].isoformat(), type="date")
    high = Constant(value=(span[1] + timedelta(days=1)).isoformat(), type="date")
    return part.model_copy(update={"low": low, "high": high, "half_open": True})


# ---------------------------------------------------------------- what to tell it apart by
def _named_cuts(query: Query) -> tuple[Cut, ...]:
    """The groups that the question names itself."""
    return tuple(Cut(by=group) for group in query.groups if not isinstance(group.expr, Period))


def _cuts(query: Query, schema: Schema) -> Iterator[Cut]:
    """The columns that may explain: few values, not fixed by a condition; the table's own first, then those that each
    of its rows reaches once."""
    if not isinstance(query.source, str):
        return
    fixed = {ref.column for part in conjuncts(query.where) for ref in _fixed(part)}
    rows = schema.tables[query.source].table.rows
    made: list[str] = []
    for table, joins in _reached(query.source, schema):
        for column in schema.tables[table].table.columns:
            label = column.name if column.name not in made else f"{spoken(table)}: {column.name}"
            names = bool(joins) and column in schema.name_columns(table)
            if len(made) < MOST_CUTS and column.name not in fixed and _tells(column, rows, names) and label not in made:
                made.append(label)
                yield Cut(by=Output(label=label, expr=ColumnRef(table=table, column=column.name)), joins=joins)


def _fixed(part: Predicate) -> Iterator[ColumnRef]:
    """Columns of which a condition leaves one value."""
    if isinstance(part, Compare) and part.op == "=" and isinstance(part.left, ColumnRef):
        yield part.left
    if isinstance(part, Among) and len(part.values) == 1 and not part.negated and isinstance(part.of, ColumnRef):
        yield part.of


def _tells(column: Column, rows: int, names: bool) -> bool:
    """True for columns of few values among the rows told apart; `names` says it names the rows of a joined table."""
    fits = names or (column.role in ("dimension", "text") and not column.unique)
    few = 2 <= column.distinct <= MOST_VALUES and column.distinct * 2 <= max(rows, 8)
    return column.type in ("text", "boolean") and fits and few


def _reached(source: str, schema: Schema) -> Iterator[tuple[str, tuple[Join, ...]]]:
    yield source, ()
    for edge in schema.edges.get(source, ()):
        if not edge.one or edge.target == source:
            continue
        yield edge.target, (join_of(edge, "left"),)
