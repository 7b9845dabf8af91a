"""Why a group comes first: "why?" after "which region has the highest sales". Its figure is set against that of the
next, and the distance is told apart by the columns that explain most of it.

Who is first and who is next is computed; the answer before may have named one of them only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeGuard

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation import editing_words
from apps.analyst.conversation.changing import meant
from apps.analyst.conversation.explaining import declined, one_span
from apps.analyst.conversation.explaining_plans import explained_apart, one_figure
from apps.analyst.conversation.scene import Scene
from apps.analyst.conversation.subject import UNTOLD, Subject
from apps.analyst.language import Reading
from apps.analyst.plan import (
    ColumnRef,
    Compare,
    Comparison,
    Constant,
    Missing,
    Order,
    Output,
    Plan,
    Predicate,
    Query,
)
from apps.analyst.plan.conditions import conjuncts, together
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.telling import formats
from apps.analyst.types import Question, Scalar

SURE = 0.95
ALONE = "There is nothing else to hold {} against, so I cannot say why it comes first."
LEVEL = "{} and {} come to the same, so neither is ahead."


@dataclass(frozen=True, slots=True)
class _Group:
    """One of the groups that were ranked: what it is called, which rows are its own, its figure."""

    name: str
    rows: Predicate
    figure: Scalar


def is_led(plan: Plan | None, catalog: Catalog) -> TypeGuard[Query]:
    """True for groups of which one comes first by a figure: asked for alone, or told at the head of all of them where
    no period is named that a change could be explained in."""
    if not isinstance(plan, Query) or not plan.groups or not plan.measures:
        return False
    figure = one_figure(plan.model_copy(update={"measures": _ranked_by(plan)}))
    dated = Scene(catalog).dated
    if figure is None or any(not isinstance(g.expr, ColumnRef) or dated(g.expr) for g in plan.groups):
        return False
    return plan.limit == 1 or one_span(plan) is None


def led_subject(question: Question, catalog: Catalog) -> Subject | None:
    """What "why?" is asked of, where that tells who comes first; None for all else."""
    text = " ".join(question.text.casefold().strip(" ?.!").split())
    subject = meant(question, catalog) if question.turns and editing_words.WHY.fullmatch(text) else None
    return subject if subject is not None and is_led(subject.plan, catalog) else None


def why_first(question: Question, catalog: Catalog, warehouse: Warehouse) -> Reading | None:
    """The reading of "why?" after an answer that tells who comes first; None for all else."""
    subject = led_subject(question, catalog)
    if subject is None or not isinstance(subject.plan, Query):
        return None
    query = subject.plan
    computed = computed_of(_first_two(query), catalog, warehouse)
    if computed is None or not computed.result.rows:
        return None
    (measure,) = _ranked_by(query)
    place = len(query.groups) + query.measures.index(measure)
    groups = [_group(query.groups, row, row[place]) for row in computed.result.rows]
    return _explained(groups, query, question, subject, catalog)


def _ranked_by(query: Query) -> tuple[Output, ...]:
    """The figure that the groups stand in order of; the first one where they stand in another order."""
    first = query.order[0].by if query.order else None
    return tuple(output for output in query.measures if output.label == first) or query.measures[:1]


def _first_two(query: Query) -> Query:
    """The ranking cut behind the second; by the figure where it stood in the order of names."""
    (measure,) = _ranked_by(query)
    named = bool(query.order) and query.order[0].by == measure.label
    order = query.order if named else (Order(by=measure.label, descending=True),)
    return query.model_copy(update={"order": order, "limit": 2, "ties": False})


def _group(groups: tuple[Output, ...], row: tuple[Scalar, ...], figure: Scalar) -> _Group:
    names, tests = [], []
    for group, value in zip(groups, row, strict=False):
        assert isinstance(group.expr, ColumnRef)
        missing = f"no {formats.spoken(group.label)}"
        names.append(missing if value is None else formats.cell_text(value))
        tests.append(_test(group.expr, value))
    rows = together(tests)
    assert rows is not None
    return _Group(" / ".join(names), rows, figure)


def _test(of: ColumnRef, value: Scalar) -> Predicate:
    if value is None:
        return Missing(of=of)
    if isinstance(value, bool):
        return Compare(op="=", left=of, right=Constant(value=value, type="boolean"))
    if formats.is_number(value):
        whole = value if isinstance(value, int) else float(value)
        return Compare(op="=", left=of, right=Constant(value=whole, type="number"))
    return Compare(op="=", left=of, right=Constant(value=str(value)))


def _explained(groups: list[_Group], asked: Query, question: Question, subject: Subject, catalog: Catalog) -> Reading:
    if len(groups) < 2:
        return declined(question, ALONE.format(groups[0].name))
    first, other = groups
    if first.figure == other.figure:
        return declined(question, LEVEL.format(first.name, other.name))
    guards = [Missing(of=group.expr, negated=True) for group in asked.groups]
    where = together([test for test in conjuncts(asked.where) if test not in guards])  # both have a name
    figure = one_figure(asked.model_copy(update={"measures": _ranked_by(asked), "where": where}))
    assert figure is not None
    plan = Comparison(
        query=figure, current=first.rows, baseline=other.rows, current_label=first.name, baseline_label=other.name
    )
    made = Reading(
        plan=plan,
        score=SURE if subject.is_told else UNTOLD,
        understood=(f"going on from “{subject.turn.question}”", f"why {first.name} comes before {other.name}"),
        assumptions=(subject.assumed,) if subject.assumed else (),
        wording=f"Why does {first.name} come before {other.name}?",
    )
    return explained_apart(plan, made, question, catalog)
