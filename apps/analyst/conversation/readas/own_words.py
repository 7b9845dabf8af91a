"""A question in the product's own words: as it puts a reading that it offers, so that such a text, asked anywhere, is
read as what it was offered for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.conversation.readas.phrasing import as_question
from apps.analyst.plan.sentence import plan_sentence
from apps.analyst.ports import Catalog
from apps.analyst.reading.reader import Weighed
from apps.analyst.telling.labelling import labelled
from apps.analyst.types import Question

MOST = 8
"""The likeliest readings that are put into words."""
LITERAL = 0.99
"""How likely a reading is that the question says word for word."""


def in_own_words(question: Question, ranked: list[Weighed], catalog: Catalog) -> list[Weighed]:
    """The readings; one that would be offered in just these words before all others."""
    text = _bare(question.text)
    place = next((n for n, one in enumerate(ranked[:MOST]) if text in _said(one, catalog)), None)
    if place is None or (place == 0 and ranked[0].reading.score >= LITERAL):
        return ranked
    meant = ranked[place]
    meant = replace(meant, reading=replace(meant.reading, score=max(LITERAL, meant.reading.score)))
    return [meant, *ranked[:place], *ranked[place + 1 :]]


def _said(one: Weighed, catalog: Catalog) -> Sequence[list[str]]:
    plan = one.reading.plan
    return _bare(as_question(plan, catalog)), _bare(plan_sentence(labelled(plan, catalog)))


def _bare(text: str) -> list[str]:
    """The words in any order: two conditions are the same whichever comes first."""
    return sorted(text.replace(",", " ").rstrip(" .?").casefold().split())
