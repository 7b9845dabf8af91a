"""Questions that can be answered: to start with, to go on with, and instead of one that could not be read.

Each is made from the catalog and kept only if it reads back surely and its plan holds: nothing is offered that fails.
Verified questions are kept per catalog and table, because people wait for an answer, not for suggestions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import islice, zip_longest

from apps.analyst.computing.compile.walk import references
from apps.analyst.computing.metrics.questions import sales_questions
from apps.analyst.conversation.explaining_plans import explaining_plan
from apps.analyst.conversation.readas.elsewhere import alike
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.errors import AnalystError
from apps.analyst.kept import Kept
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.plan import Aggregate, Between, Clarify, Comparison, Describe, Drivers, Period, Plan, Query
from apps.analyst.plan.spans import date_range, span_words
from apps.analyst.plan.validate import validate
from apps.analyst.ports import Catalog
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.telling.asking import Said, candidates, said_of, telling
from apps.analyst.telling.evidence import every_query, tables_of
from apps.analyst.telling.formats import rows_noun, singular, spoken
from apps.analyst.telling.labelling import labels_of, rows_of
from apps.analyst.telling.onward import onward
from apps.analyst.types import Question, Table

MOST_PER_TABLE = 12
READ_AT_MOST = 15_000
"""Columns that are gone through for the questions of a table: each question is read over all of the catalog's, so that
of a catalog with very many fewer questions are tried."""
MOST_TABLES, FEWEST_TABLES = 8, 2
WHY = "Why did it change?"
"""Asked of the comparison before it, with all its conditions."""
FEWEST_ONWARD = 2
"""Ways to go on with the same figure from which on no other figures are offered."""
MOST_KEPT = 256
_kept: Kept[tuple[str, str], tuple[Offer, ...]] = Kept(MOST_KEPT)


@dataclass(frozen=True, slots=True)
class Offer:
    """A verified question with what it is about."""

    question: str
    plan: Plan
    columns: frozenset[str]


def suggest(catalog: Catalog, count: int) -> list[str]:
    """Up to `count` questions to start with, from all tables in turn, those with most to ask about first.

    Beside the product's examples, what people brought themselves comes first; of files alike one is asked about.
    """
    tables = sorted(catalog.tables(), key=lambda table: (not table.example, _promise(table)), reverse=True)
    tables = [t for n, t in enumerate(tables) if not any(alike(t, before) for before in tables[:n])]
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
    """Up to `count` questions that go on from an answered one: why it changed, then the same figure in other cuts, then
    others of the same table."""
    why = _why(plan, catalog)
    same = onward(plan, catalog, asked, _newest(catalog))
    others = _other_cuts(plan, catalog, asked, count) if len(same) < FEWEST_ONWARD else ()
    return tuple(dict.fromkeys((*why, *same, *others)))[:count]


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
    scored: list[tuple[bool, int, int, str]] = []
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
            alike = 2 * same_cut - shared - 3 * (_measured(offer.plan) == measured)
            scored.append((not _measured(offer.plan), alike, place, offer.question))
    scored.sort()
    figures = [question for lists, _, _, question in scored if not lists]
    rows = [question for lists, _, _, question in scored if lists]
    return tuple(dict.fromkeys(figures or rows))[:count]  # rows as they are go on from nothing


def _measured(plan: Plan) -> frozenset[str]:
    """What a plan's figures are made of: what goes on from a number of rows is that number in other cuts."""
    return frozenset(str(output.expr) for query in every_query(plan) for output in query.measures)


def answerable(text: str, catalog: Catalog) -> bool:
    """Whether a question reads back surely as a plan that holds: its answer is a figure, and no question back."""
    return readable(text, catalog, lambda plan: not isinstance(plan, Clarify)) is not None


def offers_for(table: Table, catalog: Catalog) -> tuple[Offer, ...]:
    """The verified questions about a table."""
    return _kept.get((catalog.version, table.name), lambda: tuple(_verified(table, catalog)))


def _verified(table: Table, catalog: Catalog) -> Iterator[Offer]:
    sold = sales_questions(catalog, table)
    tried = islice(_wordings(table, catalog) if sold is None else ((q,) for q in sold), _may_try(catalog))
    found = 0
    for wordings in tried:
        made = (_offer(question, table, catalog, dated=sold is None) for question in wordings)
        offer = next(filter(None, made), None)
        if offer is not None:
            yield offer
            found += 1
        if found >= MOST_PER_TABLE:
            return


def telling_offers(table: Table, catalog: Catalog) -> Iterator[Offer]:
    """Verified questions about what somebody looks for first in a table: shares, what changed, who leads."""
    for wordings in telling(said_of(table, catalog)):
        offer = next(filter(None, (_offer(question, table, catalog) for question in wordings)), None)
        if offer is not None:
            yield offer


def _offer(question: str, table: Table, catalog: Catalog, *, dated: bool = True) -> Offer | None:
    """`dated`: periods are those of the table's own date; figures of a CRM have each the date of their definition."""

    def fits(plan: Plan) -> bool:
        by_date = not dated or _goes_by_its_date(plan, question, table, catalog)
        return table.name in tables_of(plan) and by_date

    plan = readable(question, catalog, fits)
    return Offer(question, plan, _columns(plan)) if plan is not None else None


def _goes_by_its_date(plan: Plan, question: str, table: Table, catalog: Catalog) -> bool:
    """Whether periods that are named without a date are those of the date that the table's rows go by."""
    date_column, labels = dictionary_of(catalog)[table.name].date_column, labels_of(table, catalog)
    periods = [g.expr for query in every_query(plan) for g in query.groups if isinstance(g.expr, Period)]
    dates = {ref.column for period in periods for ref in references(period) if ref.table == table.name}
    named = {date for date in dates if labels.get(date, spoken(date)) in question}
    return date_column is None or dates - named <= {date_column}


def wordings(table: Table, catalog: Catalog) -> list[str]:
    """The questions that are worth asking about a table in their first wording, before any is tried out."""
    return [tried[0] for tried in _wordings(table, catalog)]


def _wordings(table: Table, catalog: Catalog) -> Iterator[tuple[str, ...]]:
    """Each question with readable names of columns, then, where that differs, with those of the file; of a file that
    others look like first with its name, without which it would be asked which one is meant."""
    people, own = said_of(table, catalog), rows_noun(table.name)
    line = bool(people.meaning.whole) or people.noun.startswith(f"{singular(own)} ")  # a line is no order
    file = Said(table, people.meaning, {}, people.noun if line else own)
    among_others = any(alike(table, other) for other in catalog.tables() if other.name != table.name)
    for readable_ones, plain in zip(candidates(people), candidates(file), strict=True):
        ways = [way for one in (*readable_ones, *plain) for way in (one, *_in_singular(one))]
        named = [f"{way.removesuffix('?')} in {table.name}?" for way in ways if way.endswith("?")]
        yield tuple(dict.fromkeys((*(named if among_others else ()), *ways)))


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
