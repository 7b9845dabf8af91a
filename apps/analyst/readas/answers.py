"""An answer with how its question was read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.language import Reading
from apps.analyst.ports import Catalog
from apps.analyst.readas.marks import unread, unread_words
from apps.analyst.readas.others import read_as
from apps.analyst.reading.reader import Weighed
from apps.analyst.types import Answer, Question, Rival

LEAST_CHANCE = 0.03
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
    by_rules = told is not None and bool(told.unused or told.reader != "network")
    spans = unread_words(question.text, told.unused) if told and by_rules else unread(question, made.plan, catalog)
    parts = read_as(
        made.plan,
        catalog,
        chance=made.confidence,
        rivals=rivals,
        definitions=told.definitions if told is not None else (),
        unread=spans,
    )
    return replace(made, read_as=parts, rivals=rivals)
