"""A figure that knowledge has a formula for and these data cannot make is refused with what is missing: another total
in its place would be a figure that nobody asked for."""

from __future__ import annotations

from apps.analyst.conversation.readas.marks import spans_of
from apps.analyst.ports import Catalog
from apps.analyst.reading.keywords.known_figures import what_lacks
from apps.analyst.types import Answer, Question, ReadAs


def refused_unmade(question: Question, made: Answer, catalog: Catalog) -> Answer:
    """`made`, or where it tells nothing the refusal that says what the figure asked for is made of, and what of that
    the data lack."""
    lacks = what_lacks(question, catalog) if made.status != "answered" else None
    if lacks is None:
        return made
    (start, end), why = lacks
    spans = spans_of(question.text)
    asked = (spans[start][0], spans[end - 1][1])
    text = f"I cannot work out “{question.text[slice(*asked)]}” from these data, so I give no number. {why}"
    return Answer("declined", text, confidence=0.0, read_as=ReadAs(unread=(asked,)))
