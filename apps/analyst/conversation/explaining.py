"""Questions why a figure changed: "why did revenue fall in Q2", "what drove the increase in orders from 2023 to 2024".

The figure and its rows are read by the readers of plain questions; here the two row sets are put side by side and the
columns are found by which the change may be told apart. Where no baseline is named it is the period before, where no
period is named the last whole one of the data; either is said. What cannot be explained is declined with its reason.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from apps.analyst.computing.drivers import refusal
from apps.analyst.computing.metrics.rhythms import day_of
from apps.analyst.computing.metrics.running import beside, dated_column, days_of, is_running, known_to, label_of
from apps.analyst.conversation.explaining_words import Asked, Direction, asked_why
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
    Cut,
    Drivers,
    Join,
    Output,
    Period,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.plan.spans import span_words
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.comparing import (
    Figures,
    plain_figures,
    shared_words,
    span_of,
    two_sides,
    unnamed,
    within,
)
from apps.analyst.tables.entries import separator_of
from apps.analyst.telling.formats import spoken
from apps.analyst.types import Column, Question

NO_HISTORY = (
    "Your data hold what is open now, not what was open before, so I cannot say why that changed. I can explain "
    "changes of what was created, won or lost in two periods."
)
MOST_CUTS = 12
MOST_VALUES = 200
"""Distinct values of a column by which a change may be split; beyond, no group is a reason."""


@dataclass(frozen=True, slots=True)
class Sides:
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
    asked = asked_why(text)
    if asked is None:
        return None
    sides = _sides(asked, question, catalog)
    if sides is None:
        return declined(
            question,
            f"You ask why “{asked.head}” changed. I could not find that figure with a date to tell periods apart by, "
            f"so I cannot explain it.",
        )
    return explained(sides, question, catalog, asked.expected)


def explained(sides: Sides, question: Question, catalog: Catalog, expected: Direction = "") -> Reading:
    """The reading of why the figure differs between the two sides, or of why that cannot be said."""
    if sides.query.noun.startswith("open "):
        return declined(question, NO_HISTORY)
    reason = refusal(sides.query.measures[0], sides.query)
    if reason:
        return declined(question, reason)
    built = lexicon.build(catalog)
    cuts = _named_cuts(sides.query) or tuple(cuts_of(sides.query, built.schema))
    if not cuts:
        return declined(question, "Your data has no column with a few values to tell the change apart by.")
    return _reading(question, expected, sides, cuts)


def declined(question: Question, reason: str) -> Reading:
    """The reading that says why nothing can be explained."""
    return Reading(Clarify(question=reason, options=()), 1.0, reader="explaining", wording=question.text.strip())


def _reading(question: Question, expected: Direction, sides: Sides, cuts: tuple[Cut, ...]) -> Reading:
    comparison = Comparison(
        query=sides.query.model_copy(update={"groups": (), "order": (), "limit": None, "offset": 0, "ties": False}),
        current=days_of(sides.of, sides.now),
        baseline=days_of(sides.of, sides.then),
        current_label=label_of(sides.now),
        baseline_label=label_of(sides.then),
    )
    return replace(
        sides.reading,
        plan=Drivers(comparison=comparison, cuts=cuts, expected=expected),
        score=max(0.6, round(0.99 * sides.reading.score, 4)),
        chart=None,
        asked=(),
        assumptions=tuple(dict.fromkeys((*sides.reading.assumptions, *sides.assumed))),
        reader="explaining",
        wording=question.text.strip(),
    )


# ---------------------------------------------------------------- the two row sets
def _sides(asked: Asked, question: Question, catalog: Catalog) -> Sides | None:
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
        return alike_in_length(Sides(first.reading, query, current, now, then, ()), question, catalog)
    told: list[str] = []
    if asked.current:
        first = plain_figures(f"{asked.head} {within(asked.current)}", question, catalog)
    else:
        first = _newest_period(asked.head, question, catalog)
        told.append("No period was named, so the last whole one in the data is explained")
    found = one_span(first.query) if first is not None else None
    if first is None or found is None:
        return None
    query, current, now = found
    then = period_before(now)
    told.append(f"{label_of(now)} is compared with the period before, {label_of(then)}")
    return alike_in_length(Sides(first.reading, query, current, now, then, tuple(told)), question, catalog)


def one_span(query: Query) -> tuple[Query, Between, tuple[date, date]] | None:
    """A query without its only range of dates, and that range."""
    parts = conjuncts(query.where)
    dated = [part for part in parts if isinstance(part, Between) and span_of(part) is not None]
    if len(dated) != 1:
        return None
    rest = [part for part in parts if part is not dated[0]]
    where = together(rest)
    span = span_of(dated[0])
    assert span is not None
    # The period stands at the end of what the query says of its rows.
    words = re.sub(r"(?: (?:created|closing|closed))?$", "", query.scope.removesuffix(f" {span_words(*span)}"))
    told = {"noun": query.noun, "scope": words if words != query.scope else ""}
    return unnamed(query).model_copy(update={"where": where, **told}), dated[0], span


def period_before(span: tuple[date, date]) -> tuple[date, date]:
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
    latest = max((min(d, question.today) for v in days if (d := day_of(v)) is not None), default=None)
    probe = plain_figures(f"{head} in {latest.year}", question, catalog) if latest is not None else None
    found = one_span(probe.query) if probe is not None else None
    if probe is None or found is None:
        return None
    query, part, _ = found
    column = dated_column(part, catalog)
    low = day_of(column.minimum) if column is not None else None
    if low is None or column is None:
        return None
    high = known_to(column, question.today)
    unit = "quarter" if (high - low).days >= 180 else "month"
    last = period_of(high, unit)
    is_whole = not is_running((last[0], last[1] - timedelta(days=1)), high, column)
    whole = last if is_whole else period_of(high, unit, -1)
    chosen = days_of(part, (whole[0], whole[1] - timedelta(days=1)))
    where: Predicate = chosen if query.where is None else AllOf(of=(query.where, chosen))
    return Figures(probe.reading, query.model_copy(update={"where": where}))


def alike_in_length(sides: Sides, question: Question, catalog: Catalog) -> Sides:
    """A period that is not over is held against as much of the earlier one."""
    column = dated_column(sides.of, catalog)
    even = beside(sides.now, sides.then, question.today, column)
    told = (even.told,) if even.told else ()
    return replace(sides, now=even.now, then=even.then, assumed=(*sides.assumed, *told))


# ---------------------------------------------------------------- what to tell it apart by
def _named_cuts(query: Query) -> tuple[Cut, ...]:
    """The groups that the question names itself."""
    return tuple(Cut(by=group) for group in query.groups if not isinstance(group.expr, Period))


def cuts_of(query: Query, schema: Schema) -> Iterator[Cut]:
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
            if any(key.right.column == column.name and not key.part for join in joins for key in join.on):
                continue  # it tells the same rows apart as the column that it is joined by
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
    """True for columns of few values among the rows told apart; `names` says it names the rows of a joined table. Lists
    are none: their entries share rows, so that what they account for does not add up."""
    if separator_of(column) is not None:
        return False
    fits = names or (column.role in ("dimension", "text") and not column.unique)
    few = 2 <= column.distinct <= MOST_VALUES and column.distinct * 2 <= max(rows, 8)
    return column.type in ("text", "boolean") and fits and few


def _reached(source: str, schema: Schema) -> Iterator[tuple[str, tuple[Join, ...]]]:
    yield source, ()
    for edge in schema.edges.get(source, ()):
        if not edge.one or edge.target == source:
            continue
        yield edge.target, (join_of(edge, "left"),)
