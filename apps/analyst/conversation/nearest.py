"""What is offered in the place of what cannot be told: for a forecast how its figure went so far, for advice the
figures of what the question names. Each is computed before it is offered."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from apps.analyst.computing.compile.walk import references, windowed
from apps.analyst.conversation.figures import over_all
from apps.analyst.conversation.named_things import NamedThings, named_things
from apps.analyst.conversation.predicates import date_of
from apps.analyst.conversation.readas.meanings import gives
from apps.analyst.conversation.readas.phrasing import as_question
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import subject_of
from apps.analyst.conversation.talk import FORECAST, Reply
from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.plan import ColumnRef, Grain, Option, Order, Output, Period, Query, Statistic
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.linking import link
from apps.analyst.tables.scoped import without_examples
from apps.analyst.telling.formats import capital
from apps.analyst.types import Question

FEWEST_GROUPS, MOST_GROUPS = 2, 30
"""Different values of a column by which a figure is told apart."""
MOST_OFFERED = 3
LONGER: tuple[Grain, ...] = ("quarter", "year")


def nearest(question: Question, said: Reply, catalog: Catalog, warehouse: Warehouse) -> list[Option]:
    """What is nearest to the words of a question that cannot be answered; nothing where they name nothing. A forecast
    that names no figure is one of what the thread is about, else of the table's own figure."""
    about = without_examples(catalog)
    scene, linked = Scene(about), link(question, about)
    words = said.refusal.words if said.refusal is not None else frozenset()
    things = named_things(linked, scene, question.today, [n for n, word in enumerate(linked.tokens) if word in words])
    if things is None or (things.is_empty and said.kind != FORECAST):
        return []
    if said.kind == FORECAST:
        plans = _along_time(_of_subject(question) if things.is_empty else None, things, scene)
    else:
        plans = _of_the_named(things, scene)
    found = (
        Option(label=text, question=text, plan=plan, instead=True) for text, plan in told_apart(plans, about, warehouse)
    )
    return list(islice(found, MOST_OFFERED))


def _of_subject(question: Question) -> Query | None:
    """The figure that the thread is about, over all its rows and days."""
    subject = subject_of(question.turns)
    query = subject.query if subject is not None else None
    if query is None or not query.measures or windowed(query.measures[0].expr):
        return None
    return over_all(query.model_copy(update={"measures": query.measures[:1]}), anew=True)


def told_apart(
    plans: Iterator[Query | Statistic], catalog: Catalog, warehouse: Warehouse
) -> Iterator[tuple[str, Query | Statistic]]:
    """The plans that come to something, each with its words."""
    said: set[str] = set()
    for plan in plans:
        text = as_question(plan, catalog)
        if text and text not in said and gives(plan, catalog, warehouse):
            said.add(text)
            yield text, plan


def _along_time(before: Query | None, things: NamedThings, scene: Scene) -> Iterator[Query | Statistic]:
    """The figure so far, of what was asked `before` if that is meant: period by period, and its trend."""
    query = before or things.query(things.figure(scene), scene)
    when = (date_of(query, scene.dated) if before is not None else None) or scene.main_date(query)
    if when is not None:
        by_month = by_period(query, when, "month")
        yield by_month
        yield Statistic(name="trend", query=by_month, options={"step": "month", "grain": "month"})
        yield from (by_period(query, when, grain) for grain in LONGER)
    elif before is None:
        yield from _by_groups(query, things, scene)


def _of_the_named(things: NamedThings, scene: Scene) -> Iterator[Query | Statistic]:
    """The figure by what the message names, by what else tells rows apart, and along time."""
    query = things.query(things.figure(scene), scene)
    groups = _by_groups(query, things, scene)
    yield from islice(groups, max(1, len(things.groups)))
    when = scene.main_date(query)
    if when is not None:
        yield by_period(query, when, "month")
    yield from groups
    if things.values:
        yield query


def by_period(query: Query, when: ColumnRef, grain: Grain) -> Query:
    """The query told apart by periods of a date."""
    label = grain.capitalize()
    group = Output(label=label, expr=Period(grain=grain, of=when))
    return query.model_copy(update={"groups": (group,), "order": (Order(by=label),)})


def _by_groups(query: Query, things: NamedThings, scene: Scene) -> Iterator[Query]:
    """The query by each column that tells its rows apart, those that the message names first."""
    known = dictionary_of(scene.catalog)[things.table.name]
    few = {
        column.name
        for column in things.table.columns
        if FEWEST_GROUPS <= column.distinct <= MOST_GROUPS and column.distinct * 2 <= things.table.rows
    }
    others = (
        ColumnRef(table=known.table, column=m.name) for m in known.columns if m.kind == "dimension" and m.name in few
    )
    held = {ref for test in things.values for ref in references(test)}
    for ref in dict.fromkeys((*things.groups, *others)):
        if ref not in held:
            group = Output(label=capital(scene.said(ref)), expr=ref)
            order = (Order(by=query.measures[0].label, descending=True),)
            yield query.model_copy(update={"groups": (group,), "order": order})
