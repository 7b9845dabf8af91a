"""That another file holds the figure that was told, too, where the question says nothing of which one is meant: spend
lies in the exports of two platforms, and one of them was added up."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from apps.analyst.computing.compile.walk import references
from apps.analyst.conversation.readas.elsewhere import alike
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.dictionary.tied import SURE
from apps.analyst.dictionary.types import ColumnMeaning, TableMeaning
from apps.analyst.knowledge.loader import knowledge
from apps.analyst.language.twins import TAKEN
from apps.analyst.plan import Aggregate, ColumnRef, Comparison, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.reading.coverage import THERE
from apps.analyst.reading.linking import CALLED, Linked, link
from apps.analyst.telling.evidence import tables_of
from apps.analyst.telling.formats import listed
from apps.analyst.types import Answer, Question

MOST_NAMED = 3
_SPELLED = (0, 1, CALLED)
"""How a word names a table to the letter, or as people call it; not by lying near."""
ALSO = TAKEN + "{} alone; {} {} {}, too"
_ANYWHERE = frozenset(("general", "time", "money", "finance"))
"""Trades whose figures stand in tables of every kind: an amount here is no other source of an amount there."""


def with_others(made: Answer, question: Question, catalog: Catalog) -> Answer:
    """The answer, which says of the file that it was taken from that others hold the same figure, if any do."""
    said = also_held(question, made.plan, catalog) if made.status == "answered" and made.plan is not None else ""
    return replace(made, assumptions=(*made.assumptions, said)) if said else made


def also_held(question: Question, plan: Plan, catalog: Catalog) -> str:
    """That other tables could have answered; "" where none could, or the question or its thread says which is meant."""
    query = plan.query if isinstance(plan, Comparison) else plan
    if question.offered or not isinstance(query, Query) or not isinstance(query.source, str) or query.joins:
        return ""
    if any(turn.plan is not None and query.source in tables_of(turn.plan) for turn in question.turns):
        return ""
    meant = dictionary_of(catalog)
    own, figure = meant.get(query.source), _figure(query)
    told = own.column(figure.column) if own is not None and figure is not None else None
    if own is None or figure is None or told is None or told.adds != "sum":
        return ""
    found = {
        other.table: column.label
        for other in meant.values()
        for column in reversed(other.columns)  # the first one is told
        if column.adds == "sum" and _certain(column) & _certain(told)
        if _could(plan, query, figure, own, other, catalog)
    }
    linked = link(question, catalog) if found else None
    named = [name for name in found if linked is not None and not _is_named(linked, query.source, name)]
    if not named:
        return ""
    others = listed(named, most=MOST_NAMED)
    return ALSO.format(query.source, others, "has" if len(named) == 1 else "have", found[named[0]])


def _figure(query: Query) -> ColumnRef | None:
    """The one column that a query adds up."""
    figures = [output.expr for output in query.measures]
    read = [f.of for f in figures if isinstance(f, Aggregate) and f.fn == "sum"]
    return read[0] if len(figures) == 1 and len(read) == 1 and isinstance(read[0], ColumnRef) else None


def _certain(column: ColumnMeaning) -> frozenset[str]:
    """The concepts of a trade that a column surely is."""
    known = knowledge().concepts
    sure = (name for name, confidence in column.concepts if confidence >= SURE)
    return frozenset(name for name in sure if name in known and known[name].domain not in _ANYWHERE)


def _could(
    plan: Plan, query: Query, figure: ColumnRef, own: TableMeaning, other: TableMeaning, catalog: Catalog
) -> bool:
    """Whether another table has what the plan reads beside its figure: a date for a date, else the same concept. Files
    alike are asked about; what rows are joined to is no other source."""
    tables = {table.name: table for table in catalog.tables()}
    one, two = tables[own.table], tables[other.table]
    joined = any({path.left_table, path.right_table} == {one.name, two.name} for path in catalog.joins())
    if one.name == two.name or joined or alike(one, two):
        return False
    held = frozenset[str]().union(*map(_certain, other.columns))
    for ref in _beside(plan, query, figure):
        means = own.column(ref.column)
        if means is None or (other.date_column is None if means.kind == "time" else not _certain(means) & held):
            return False
    return True


def _beside(plan: Plan, query: Query, figure: ColumnRef) -> Iterator[ColumnRef]:
    sides = (plan.current, plan.baseline) if isinstance(plan, Comparison) else ()
    for node in (query.where, *sides, *query.groups, *query.measures):
        yield from (ref for ref in references(node) if ref != figure) if node is not None else ()


def _is_named(linked: Linked, name: str, other: str) -> bool:
    """Whether a word of the question names one table and not the other."""
    place = {table.name: n for n, table in enumerate(linked.index.tables)}
    if name not in place or other not in place:
        return True
    own, theirs = (linked.channels[:, place[table]][:, list(_SPELLED)].max(1) for table in (name, other))
    return bool(((own >= THERE) & (theirs < THERE)).any())
