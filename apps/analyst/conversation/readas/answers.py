"""An answer with how its question was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.computing.compute import MOST_ROWS, computed_of, evidenced
from apps.analyst.conversation.readas.also_held import with_others
from apps.analyst.conversation.readas.definitions import without_definitions
from apps.analyst.conversation.readas.marks import unread, unread_by_rules
from apps.analyst.conversation.readas.others import read_as
from apps.analyst.language import Reading
from apps.analyst.plan import Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading import following, reader
from apps.analyst.reading.keywords.terms import mentions
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.answers import Found, whole_ranking, worded
from apps.analyst.telling.followups import follow_ups
from apps.analyst.types import Answer, Question, Rival

LEARNED = (reader.READER, following.READER)
CHOSEN = "chosen"
"""The reader of what a person chose."""
LEAST_CHANCE = 0.1
"""Readings less likely than this rival no told one."""


def as_read(
    made: Answer, question: Question, catalog: Catalog, ranked: Sequence[Weighed] = (), reading: Reading | None = None
) -> Answer:
    """The answer with its parts as they were read, those readings of `ranked` that rival its plan, and the question's
    unread words. Without `reading` it is one of the learned reader's. Of what was not answered nothing is said."""
    if made.status != "answered" or made.plan is None:
        return made
    weighed = [w for w in ranked if w.reading.plan != made.plan and w.reading.score >= LEAST_CHANCE]
    rivals = tuple(Rival(w.reading.plan, w.reading.score) for w in weighed)
    told = reading or next((w.reading for w in ranked if w.reading.plan == made.plan), None)
    by_rules = told is not None and bool(told.unused or told.reader not in LEARNED)
    defined = without_definitions(question, told, catalog) if told is not None and told.definitions else []
    rivals = (*rivals, *defined)
    spans = unread_by_rules(question, told, catalog) if told and by_rules else unread(question, made.plan, catalog)
    if told is not None and told.definitions:
        spans = tuple(span for span in spans if not any(m.start <= span[0] < m.end for m in mentions(question)))
    parts = read_as(
        made.plan,
        catalog,
        chance=made.confidence,
        rivals=rivals,
        definitions=told.definitions if told is not None else (),
        unread=spans,
    )
    return with_others(replace(made, read_as=parts, rivals=rivals), question, catalog)


def chosen_answer(
    question: Question, plan: Plan, former: Plan | None, rivals: Sequence[Rival], catalog: Catalog, warehouse: Warehouse
) -> Answer | None:
    """The answer by a reading that a person chose instead of the former one, if that was a plan; None where it does
    not hold any more.

    The former reading and its rivals stay to be chosen. They make nothing doubtful: somebody has decided.
    """
    computed = computed_of(plan, catalog, warehouse, max_rows=MOST_ROWS)
    if computed is None:
        return None
    reading = Reading(plan=plan, score=1.0, reader=CHOSEN, wording=question.text)
    computed = evidenced(computed, catalog, warehouse)
    made = worded(question, reading, computed, catalog)
    made = replace(made, chart=whole_ranking(Found(reading, computed), catalog, warehouse) or made.chart)
    kept = [Rival(former, 0.0)] if former is not None else []
    others = [*kept, *(replace(rival, chance=0.0) for rival in rivals if rival.plan != plan and not rival.chip)]
    parts = read_as(plan, catalog, rivals=others, unread=unread(question, plan, catalog))
    more = follow_ups(computed.plan, catalog, question.text)
    return replace(made, read_as=parts, rivals=tuple(others), follow_ups=more)
