"""A message behind a question back that nobody has answered: it is put into each of the readings that are open. Where
these then differ it is asked again, with the message in them; where they come to the same, that is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.computing.compute import computed_of
from apps.analyst.conversation.answering.case import Case
from apps.analyst.conversation.going_on import EDITING, Alone, as_weighed, gone_on, heard, says_all
from apps.analyst.conversation.readas.declining import asked_back_so
from apps.analyst.conversation.subject import after_each_offer, before_the_offers, open_offers
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading import weighing
from apps.analyst.reading.following import JUDGE
from apps.analyst.reading.judging import judge, trained
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.types import Answer, Question, Turn


def gone_on_or_asked(case: Case, readings: Sequence[Reading]) -> Answer | Alone | None:
    """What is said to a message that goes on (`going_on.gone_on`), also where several readings are still open."""
    question, catalog, warehouse = case.question, case.catalog, case.warehouse
    if not _is_put_into_each(question, readings, catalog):
        return gone_on(case, readings)
    near = _near(question, catalog, warehouse)
    apart = weighing.without_covered([one for _, one in near])
    if len(apart) > 1 and all(one.reading.chart is None for one in apart):  # a button keeps no chart
        again = weighing.offered(_first_lowest(apart), catalog)
        return asked_back_so(again, question, apart, catalog)
    thread = near[0][0] if near else before_the_offers(question.turns)
    if thread is None:
        return gone_on(case, readings)
    question = replace(question, turns=thread)
    return gone_on(replace(case, question=question), understood(question, catalog))


def _near(question: Question, catalog: Catalog, warehouse: Warehouse) -> list[tuple[tuple[Turn, ...], Weighed]]:
    """What the message comes to behind each of the readings as if that alone had been offered, in their order, as far
    as it is about as likely meant as behind the others."""
    threads = after_each_offer(question.turns)
    found = [(turns, _likeliest(replace(question, turns=turns), catalog, warehouse)) for turns in threads]
    best = max((one.reading.score for _, one in found if one is not None), default=0.0)
    least = weighing.NEAR_SHARE * best
    return [(turns, one) for turns, one in found if one is not None and one.reading.score >= least]


def _first_lowest(apart: Sequence[Weighed]) -> list[Weighed]:
    """The readings in the order in which they were offered, none of them too unlikely beside the first."""
    least = min(one.reading.score for one in apart)
    return [replace(apart[0], reading=replace(apart[0].reading, score=least)), *apart[1:]]


def _is_put_into_each(question: Question, readings: Sequence[Reading], catalog: Catalog) -> bool:
    """Whether readings are open, and the message is no reply to them and no whole question."""
    offers = open_offers(question.turns)
    if not offers or question.offered or not trained(JUDGE):
        return False
    replied = bool(readings) and readings[0].reader in SAID_BEFORE and readings[0].reader != EDITING
    return not replied and not any(says_all(question, one, catalog) for one in offers)


def _likeliest(question: Question, catalog: Catalog, warehouse: Warehouse) -> Weighed | None:
    """What the message most likely means behind one reading; None where it has no use for it."""
    readings = understood(question, catalog)
    found = heard(question, readings, catalog, warehouse)
    if found is not None:
        one, chance = found.ranked[0]
        goes_on = not found.stands_alone and (chance >= judge(JUDGE).ask or found.names_all)
        return as_weighed(one, chance, question, found.subject) if goes_on else None
    first = readings[0] if readings else None
    if first is None or first.reader != EDITING or isinstance(first.plan, Clarify):
        return None
    computed = computed_of(first.plan, catalog, warehouse, checked=True)
    return Weighed(first, computed) if computed is not None else None
