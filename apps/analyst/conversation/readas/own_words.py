"""A question in the product's own words: as it puts a reading that it offers, so that such a text, asked anywhere, is
read as what it was offered for."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.conversation.readas.phrasing import as_question
from apps.analyst.conversation.words import phrases
from apps.analyst.ports import Catalog
from apps.analyst.reading.reader import Weighed
from apps.analyst.types import Question

MOST = 8
"""The likeliest readings that are put into words."""
LIST = "list"
"""How an offer of rows begins."""
LITERAL = 0.99
"""How likely a reading is that the question says word for word."""


def in_own_words(question: Question, ranked: list[Weighed], catalog: Catalog) -> list[Weighed]:
    """The readings; one that would be offered in just these words before all others."""
    if _asks(question.text):
        return ranked
    text = _bare(question.text)
    same = (n for n, one in enumerate(ranked[:MOST]) if text == _bare(as_question(one.reading.plan, catalog)))
    place = next(same, None)
    if place is None or (place == 0 and ranked[0].reading.score >= LITERAL):
        return ranked
    meant = ranked[place]
    meant = replace(meant, reading=replace(meant.reading, score=max(LITERAL, meant.reading.score)))
    return [meant, *ranked[:place], *ranked[place + 1 :]]


def _asks(text: str) -> bool:
    """Whether somebody asks in words of their own: an offer begins with no word of asking, and ends with no mark."""
    first = text.split(maxsplit=1)[:1]
    return text.rstrip().endswith("?") or bool(first and first[0].casefold() in phrases().asking - {LIST})


def _bare(text: str) -> list[str]:
    """The words in any order: two conditions are the same whichever comes first."""
    return sorted(text.replace(",", " ").rstrip(" .?").casefold().split())
