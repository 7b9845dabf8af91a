"""Which reading of a question is taken: all readers propose, the surest comes first, near ones are named."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.language import lexicon as lexicons
from apps.analyst.language.beside import side_by_side
from apps.analyst.language.doubt import doubted
from apps.analyst.language.extent import as_asked
from apps.analyst.language.followups import whole
from apps.analyst.language.lexicon import Lexicon
from apps.analyst.language.one_each import one_each
from apps.analyst.language.readers import across, metrics, query, statistics
from apps.analyst.language.readers.rates import rate
from apps.analyst.language.reading import ANSWER_THRESHOLD, METRICS, Reading
from apps.analyst.language.several import figures_asked
from apps.analyst.language.tagging import tag
from apps.analyst.language.twins import with_twins
from apps.analyst.plan import ROW_NUMBER, Aggregate, ColumnRef, Order, Output, Plan, Query
from apps.analyst.ports import Catalog
from apps.analyst.tables.scoped import without_examples
from apps.analyst.types import Question

OWN_FIRST = 0.08
"""How much less sure a reading over the organisation's own tables may be than one over the product's examples."""
NEAR = 0.05
"""Readings with another plan within this distance are offered as alternatives."""

_READERS = (query.read, statistics.read, across.read)


def read(question: Question, catalog: Catalog) -> list[Reading]:
    """The question's readings, the surest first. Never raises; empty where nothing was understood.

    What people brought themselves comes before the product's examples, where it answers about as surely.
    """
    own = without_examples(catalog)
    readings = _read(question, catalog)
    if not (readings and readings[0].reader == METRICS):
        decided = rate(question, catalog, lambda text: _surest(replace(question, text=text), catalog))
        readings = [decided, *readings] if decided is not None else readings
    if own is catalog:
        return readings
    first = _read(question, own)
    if first and first[0].score >= max(ANSWER_THRESHOLD, readings[0].score - OWN_FIRST if readings else 0.0):
        return [first[0], *readings]
    return readings


def _surest(question: Question, catalog: Catalog) -> Reading | None:
    """The first reading where it may be answered and no word found no place in it."""
    readings = _read(question, catalog)
    sure = readings and readings[0].score >= ANSWER_THRESHOLD and not readings[0].unused
    return readings[0] if sure else None


def _read(question: Question, catalog: Catalog) -> list[Reading]:
    built = lexicons.build(catalog)
    if not built.tables:
        return []
    together = whole(question)
    readings = _read_all(together, catalog, built) if together is not None else []
    if not readings or readings[0].score < ANSWER_THRESHOLD:
        readings = [*_read_all(question, catalog, built), *readings]
    return _with_alternatives(_distinct(readings))


def _read_all(question: Question, catalog: Catalog, built: Lexicon) -> list[Reading]:
    tagged = tag(question.text, built)
    named = metrics.read(question, catalog, built, tagged)
    if named:
        several = figures_asked(question.text)
        return _together(question, several, catalog, built) if several else named
    readings = [reading for reader in _READERS for reading in reader(question, catalog, built, tagged)]
    readings = [replace(reading, plan=as_asked(question.text, reading)) for reading in readings]
    readings = [replace(reading, score=doubted(question.text, reading, question.context)) for reading in readings]
    readings.sort(key=lambda reading: -reading.score)
    if readings and len(built.tables) > 1:
        readings = [*with_twins(readings[0], built, tagged), *readings[1:]]
    return [replace(reading, plan=one_each(figure_beside(reading.plan))) for reading in readings]


def _together(question: Question, texts: tuple[str, ...], catalog: Catalog, built: Lexicon) -> list[Reading]:
    """Several sales figures side by side; nothing where one of them is not understood, rather than the others alone."""
    found = [_read_all(replace(question, text=text), catalog, built)[:1] for text in texts]
    readings = [first for reading in found for first in reading if first.score >= ANSWER_THRESHOLD]
    plans = [reading.plan for reading in readings if isinstance(reading.plan, Query)]
    plan = side_by_side(plans) if len(plans) == len(texts) else None
    if plan is None:
        return []
    assumptions = tuple(dict.fromkeys(told for reading in readings for told in reading.assumptions))
    score, wording = min(reading.score for reading in readings), question.text
    chart = next((reading.chart for reading in readings if reading.chart is not None), None)
    reader = readings[0].reader
    return [Reading(plan=plan, score=score, assumptions=assumptions, chart=chart, reader=reader, wording=wording)]


def figure_beside(plan: Plan) -> Plan:
    """A ranking's first row as a group with its figure: the name is the answer, the figure stands beside it as its
    proof."""
    if (
        not isinstance(plan, Query)
        or plan.limit != 1
        or plan.offset
        or plan.groups
        or plan.measures
        or len(plan.order) != 1
    ):
        return plan
    order = plan.order[0]
    if len(plan.columns) == 2 and order.by in (plan.columns[1].label, plan.columns[1].expr):
        label, figure, unit = plan.columns[1].label, plan.columns[1].expr, plan.columns[1].unit
    elif (
        len(plan.columns) == 1
        and isinstance(order.by, ColumnRef)
        and order.by.column != ROW_NUMBER
        and order.by != plan.columns[0].expr
    ):
        label, figure, unit = order.by.column, order.by, None
    else:
        return plan
    if label == plan.columns[0].label:
        return plan
    measure = Output(label=label, expr=Aggregate(fn="max" if order.descending else "min", of=figure), unit=unit)
    return plan.model_copy(
        update={
            "columns": (),
            "groups": plan.columns[:1],
            "measures": (measure,),
            "distinct": False,
            "order": (Order(by=label, descending=order.descending),),
        }
    )


def _distinct(readings: list[Reading]) -> list[Reading]:
    kept: list[Reading] = []
    for reading in readings:
        if not any(other.plan == reading.plan for other in kept):
            kept.append(reading)
    return kept


def _with_alternatives(readings: list[Reading]) -> list[Reading]:
    if len(readings) < 2:
        return readings
    best = readings[0]
    near = tuple(
        other.wording
        for other in readings[1:]
        if best.score - other.score <= NEAR and other.wording and other.wording != best.wording
    )
    return [replace(best, alternatives=near), *readings[1:]]
