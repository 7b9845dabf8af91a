"""Questions that can be answered: to start with, to go on with, and instead of one that could not be read.

Each is made from the catalog and kept only if it reads back surely and its plan holds: nothing is offered that fails.
Verified questions are kept per catalog and table, because people wait for an answer, not for suggestions.
"""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice, zip_longest

from apps.analyst.computing.compile.walk import references
from apps.analyst.computing.metrics.questions import sales_questions
from apps.analyst.conversation.explaining_plans import explaining_plan
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.types import TableMeaning
from apps.analyst.dictionary.words import words as known_words
from apps.analyst.errors import AnalystError
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.language.morphology import is_word
from apps.analyst.plan import Aggregate, Between, Clarify, Comparison, Describe, Drivers, Plan, Query
from apps.analyst.plan.sentence import date_range, span_words
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.telling.evidence import every_query, tables_of
from apps.analyst.telling.formats import rows_noun, spoken, thing
from apps.analyst.telling.labelling import labels_of, once, rows_of
from apps.analyst.telling.wording import be, the
from apps.analyst.types import Column, Question, Table

MOST_PER_TABLE = 12
READ_AT_MOST = 15_000
"""Columns that are gone through for the questions of a table: each question is read over all of the catalog's, so that
of a catalog with very many fewer questions are tried."""
MOST_TABLES, FEWEST_TABLES = 8, 2
WHY = "Why did it change?"
"""Asked of the comparison before it, with all its conditions."""
MOST_KEPT = 256
_kept: OrderedDict[tuple[str, str], tuple[Offer, ...]] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Offer:
    """A verified question with what it is about."""

    question: str
    plan: Plan
    columns: frozenset[str]


def suggest(catalog: Catalog, count: int) -> list[str]:
    """Up to `count` questions to start with, from all tables in turn, those with most to ask about first.

    Beside the product's examples, what people brought themselves comes first.
    """
    tables = sorted(catalog.tables(), key=lambda table: (not table.example, _promise(table)), reverse=True)
    most = MOST_TABLES * READ_AT_MOST // max(1, _width(catalog))
    tables = tables[: max(FEWEST_TABLES, min(MOST_TABLES, most))]
    own = [offers_for(table, catalog) for table in tables if not table.example]
    examples = [offers_for(table, catalog) for table in tables if table.example]
    verified = {offer.question for made in (*own, *examples) for offer in made}
    sales = [question for question in sales_questions(catalog) or () if question in verified]
    mixed = [*_in_turn(own), *sales, *_in_turn(examples)] if own and examples else [*sales, *_in_turn(own or examples)]
    plain = [offer.question for made in (*own, *examples) for offer in made if isinstance(offer.plan, Describe)]
    return list(dict.fromkeys((*(question for question in mixed if question not in plain), *plain)))[:count]


def _in_turn(offers: Sequence[Sequence[Offer]]) -> list[str]:
    return [offer.question for layer in zip_longest(*offers) for offer in layer if offer is not None]


def follow_ups(plan: Plan, catalog: Catalog, asked: str, count: int = 3) -> tuple[str, ...]:
    """Up to `count` questions that go on from an answered one: why it changed, then the same table in other cuts."""
    why = _why(plan, catalog)
    return tuple(dict.fromkeys((*why, *_other_cuts(plan, catalog, asked, count))))[:count]


def _why(plan: Plan, catalog: Catalog) -> tuple[str, ...]:
    """The question why a compared figure changed, where it can be answered."""
    if not isinstance(plan, Comparison) or plan.query.groups or len(plan.query.measures) != 1:
        return ()
    spans = [date_range(side) if isinstance(side, Between) else None for side in (plan.baseline, plan.current)]
    if spans[0] is None or spans[1] is None:
        return ()
    measure, source = plan.query.measures[0], plan.query.source
    name = spoken(measure.label)
    if isinstance(measure.expr, Aggregate) and measure.expr.fn == "count" and isinstance(source, str):
        name = f"number of {plan.query.noun or rows_of(source, catalog)}"
    then, now = (span_words(*span).removeprefix("in ").removeprefix("from ") for span in spans if span is not None)
    question = f"Why did the {name} change from {then} to {now}?"

    def same_rows(found: Plan) -> bool:
        """Words for the figure leave out what is told apart by conditions; those rows are another figure's."""
        return isinstance(found, Drivers) and found.comparison.query.where == plan.query.where

    if readable(question, catalog, same_rows) is not None:
        return (question,)
    why = explaining_plan(plan, Reading(plan, 1.0), Question(text=WHY, today=_newest(catalog)), catalog)
    return (WHY,) if why is not None and isinstance(why.plan, Drivers) else ()


def _other_cuts(plan: Plan, catalog: Catalog, asked: str, count: int) -> tuple[str, ...]:
    names = tables_of(plan)
    read_columns = _columns(plan)
    groups = {_expr for query in every_query(plan) for _expr in map(str, query.groups)}
    measured = _measured(plan)
    scored: list[tuple[int, int, str]] = []
    for table in catalog.tables():
        if table.name not in names:
            continue
        for place, offer in enumerate(offers_for(table, catalog)):
            if offer.plan == plan or offer.question.casefold() == asked.strip().casefold():
                continue
            cuts = {str(group) for query in every_query(offer.plan) for group in query.groups}
            if cuts and cuts <= groups and _measured(offer.plan) == measured:
                continue  # the same figures once more, the first of them alone
            same_cut = bool(cuts & groups)
            shared = len(offer.columns & read_columns)
            scored.append((2 * same_cut - shared - 3 * (_measured(offer.plan) == measured), place, offer.question))
    scored.sort()
    return tuple(dict.fromkeys(question for _, _, question in scored))[:count]


def _measured(plan: Plan) -> frozenset[str]:
    """What a plan's figures are made of: what goes on from a number of rows is that number in other cuts."""
    return frozenset(str(output.expr) for query in every_query(plan) for output in query.measures)


def answerable(text: str, catalog: Catalog) -> bool:
    """Whether a question reads back surely as a plan that holds: its answer is a figure, and no question back."""
    return readable(text, catalog, lambda plan: not isinstance(plan, Clarify)) is not None


def offers_for(table: Table, catalog: Catalog) -> tuple[Offer, ...]:
    """The verified questions about a table."""
    key = (catalog.version, table.name)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    offers: list[Offer] = []
    sold = sales_questions(catalog, table)
    tried = islice(_wordings(table, catalog) if sold is None else ((q,) for q in sold), _may_try(catalog))
    for wordings in tried:
        offer = next(filter(None, (_offer(question, table, catalog) for question in wordings)), None)
        if offer is not None:
            offers.append(offer)
        if len(offers) >= MOST_PER_TABLE:
            break
    with _lock:
        _kept[key] = tuple(offers)
        while len(_kept) > MOST_KEPT:
            _kept.popitem(last=False)
    return tuple(offers)


def _offer(question: str, table: Table, catalog: Catalog) -> Offer | None:
    plan = readable(question, catalog, lambda plan: table.name in tables_of(plan))
    return Offer(question, plan, _columns(plan)) if plan is not None else None


def wordings(table: Table, catalog: Catalog) -> list[str]:
    """The questions that are worth asking about a table in their first wording, before any is tried out."""
    return [tried[0] for tried in _wordings(table, catalog)]


def _wordings(table: Table, catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """Each question with readable names of columns, then, where that differs, with those of the file."""
    meaning, noun = dictionary_of(catalog)[table.name], rows_of(table.name, catalog)
    people = _Said(table, meaning, labels_of(table, catalog), noun)
    file = _Said(table, meaning, {}, rows_noun(table.name))
    for readable_ones, own in zip(_candidates(people), _candidates(file), strict=True):
        tried = (way for one in (*readable_ones, *own) for way in (one, *_in_singular(one)))
        yield tuple(dict.fromkeys(tried))


def _in_singular(question: str) -> tuple[str, ...]:
    """The same question with an article and a verb for one, where it stands in the plural: some read only so."""
    what, _, rest = question.partition("What are ")
    if what or not rest:
        return ()
    bare = rest.removeprefix("the ")
    return (f"What are {bare}", f"What is the {bare}")


def _may_try(catalog: Catalog) -> int:
    return max(1, READ_AT_MOST // max(1, _width(catalog)))


def _width(catalog: Catalog) -> int:
    return sum(len(table.columns) for table in catalog.tables())


def readable(text: str, catalog: Catalog, fits: Callable[[Plan], bool]) -> Plan | None:
    """The plan of a question that reads back surely and holds, else None."""
    readings = understood(Question(text=text, today=_newest(catalog)), catalog)
    if not readings or readings[0].score < ANSWER_THRESHOLD or readings[0].unused:
        return None
    try:
        validate(readings[0].plan, catalog)
    except AnalystError:
        return None
    return readings[0].plan if fits(readings[0].plan) else None


def _newest(catalog: Catalog) -> date:
    """A day to read questions on that needs no clock: the newest in the data."""
    days = [c.maximum for t in catalog.tables() for c in t.columns if isinstance(c.maximum, date)]
    plain = [day.date() if isinstance(day, datetime) else day for day in days]
    return max(plain, default=date(2000, 1, 1))


# ---------------------------------------------------------------- candidates
_MONEY = re.compile(r"amount|revenue|sales|value|total|profit|spend|cost|budget|income|price|fee|pay")
_TIMED = re.compile(r"\b(duration|overtime|downtime) (?:seconds|minutes|hours|days)$")
"""Units behind a length of time, which the figures themselves show."""
_AVERAGED = re.compile(
    r"rate|price|age\b|score|ratio|probab|percent|pct|%|days|duration|minutes|hours|time|per\b|margin"
)


@dataclass(frozen=True, slots=True)
class _Said:
    """A table with the names that its questions use."""

    table: Table
    meaning: TableMeaning
    labels: Mapping[str, str]
    """Readable names of columns; those that have none are called as in the file."""
    noun: str
    """What the rows are called."""

    def figure(self, column: Column) -> str:
        """A figure's name; lengths of time without their unit."""
        return _TIMED.sub(r"\1", self.labels.get(column.name, spoken(column.name)))

    def thing(self, column: Column, *, own: bool = False) -> str:
        """What a column tells of the rows; `own`: without the table's noun."""
        return thing(self.labels.get(column.name, column.name), self.table.name if own else "")

    def added(self, column: Column) -> str:
        """A figure as it is put together over rows: "total fee", "average price"."""
        found = self.meaning.column(column.name)
        averaged = column.unit == "%" or _AVERAGED.search(column.name.lower()) is not None
        averaged = averaged or (found is not None and found.adds == "average")
        return once(f"{'average' if averaged else 'total'} {self.figure(column)}")

    def measures(self) -> list[Column]:
        """The figures that are worth asking for: what can be said in words, money and what adds up first."""
        means = {column.name: column for column in self.meaning.columns}

        def worth(column: Column) -> tuple[bool, ...]:
            name = f"{means[column.name].label} {column.name.lower()}"
            cryptic = not all(map(is_word, re.findall(r"[a-z]{2,}", means[column.name].label)))
            money = means[column.name].money or _MONEY.search(name) is not None
            return cryptic, not money, column.unit == "%", column.unit is None

        return sorted((c for c in self.table.columns if c.role == "measure" and _is_figure(c)), key=worth)

    def is_flag(self, column: Column) -> bool:
        found = self.meaning.column(column.name)
        return found is not None and found.kind == "flag"


def _candidates(said: _Said) -> Iterator[tuple[str, ...]]:
    """Questions worth asking about a table, the most telling first, each in the ways it may be worded."""
    table = said.table
    measures = said.measures()
    names = [c for c in table.columns if c.role == "dimension" and c.type == "text" and c.distinct >= 2]
    groups = [c for c in names if c.distinct <= 40 and c.distinct * 2 <= table.rows and not said.is_flag(c)]
    things = [c for c in names if c.unique or c.name.lower().endswith("name")][:1] or groups[:1]
    times = [c for c in table.columns if c.role == "time" and c.type in ("date", "datetime")]
    rows = said.noun if said.noun != "rows" else f"rows of {table.name}"
    counted = dict.fromkeys((said.meaning.rows if said.noun == "rows" and said.labels else rows, rows))
    for measure in measures[:1]:
        for group in groups[:2]:
            yield (f"{_what(said.added(measure))} by {said.thing(group, own=True)}?",)
        for time in times[:1]:
            yield tuple(f"{_what(said.added(measure))} by {period}?" for period in _periods(time, times, said))
    for group in groups[:3]:
        yield tuple(f"How many {noun} are there by {said.thing(group, own=True)}?" for noun in counted)
    for measure in measures[:1]:
        for each in things:
            name = said.figure(measure)
            kinds = (name,) if each.unique else (said.added(measure), name)
            yield tuple(f"Which {said.thing(each)} has the highest {kind}?" for kind in kinds)
        yield (f"{_what(f'average {said.figure(measure)}')}?",)
    for measure in measures[1:3]:
        for group in groups[:1]:
            yield (f"{_what(f'average {said.figure(measure)}')} by {said.thing(group, own=True)}?",)
    for time in times[:1]:
        if _named_grain(time) is None:  # so many rows for each period: their number tells nothing
            per = _periods(time, times, said)
            yield tuple(f"How many {noun} are there per {period}?" for noun in counted for period in per)
    for state in filter(None, map(_state, table.columns)):
        yield (f"How many {rows} are {state}?",)
    if not measures and not groups:
        yield tuple(f"How many {noun} are there?" for noun in counted)
    yield (f"What is in {table.name}?",)
    yield (f"Show the first 5 {rows}",)
    yield (f"List all {rows}",)


def _periods(time: Column, times: Sequence[Column], said: _Said) -> tuple[str, ...]:
    """A period of a date as questions name it: alone where the only date says when a row came about."""
    named = _named_grain(time)
    if named is not None:
        return (named,)
    grain = _grain(time)
    dated = f"{grain} of {said.labels.get(time.name, spoken(time.name))}"
    meant = said.meaning.column(time.name)
    began = meant is not None and meant.event in known_words().beginning - known_words().standing
    return (grain, dated) if began and len(times) == 1 else (dated,)


_STATE = re.compile(r"\w+ed|won|lost|paid|sent|sold|met|kept|done|open|active|overdue")


def _state(column: Column) -> str | None:
    """What a yes-or-no column says of a row where its name tells ("won", "is_active"); groups of it tell less."""
    name = spoken(column.name)
    state = name.removeprefix("is ")
    said = state != name or _STATE.fullmatch(state) is not None
    return state if column.type == "boolean" and column.distinct == 2 and said else None


def _is_figure(column: Column) -> bool:
    """True for figures worth adding up; few small whole numbers without a unit are codes more often than not."""
    code = column.type == "integer" and column.distinct <= 12 and column.unit is None
    return column.type in ("integer", "decimal", "float") and (
        not code or _MONEY.search(column.name.lower()) is not None
    )


def _what(figure: str) -> str:
    """The beginning of a question for a figure: "What are total sales", "What is the average price"."""
    name = once(figure)
    return f"What {be(name)} {f'the {name}' if name.startswith('average ') else the(name)}"


_GRAIN = re.compile(r"\b(year|quarter|month|week)\b")


def _named_grain(time: Column) -> str | None:
    """The period that each value of the column stands for, where its name says so: "quarter start", "month"."""
    named = _GRAIN.search(spoken(time.name).lower())
    return named.group() if named else None


def _grain(time: Column) -> str:
    low, high = time.minimum, time.maximum
    if not isinstance(low, date) or not isinstance(high, date):
        return "month"
    days = (high.year - low.year) * 365 + (high.month - low.month) * 30
    return "year" if days > 365 * 6 else "month" if days > 45 else "day"


def _promise(table: Table) -> tuple[int, int]:
    """How much there is to ask: tables with figures and time before plain lists."""
    roles = {column.role for column in table.columns}
    return (2 * ("measure" in roles) + ("time" in roles) + ("dimension" in roles), table.rows)


def _columns(plan: Plan) -> frozenset[str]:
    found: set[str] = set()
    for query in every_query(plan):
        for output in (*query.columns, *query.groups, *query.measures):
            found |= {ref.column for ref in references(output.expr)}
        if isinstance(query, Query) and query.where is not None:
            found |= {ref.column for ref in references(query.where)}
    return frozenset(found)
