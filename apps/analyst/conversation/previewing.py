"""How a question that is still being typed would be read, as far as that can be told without computing anything.

The answer weighs readings by their results, for which there is no time between two keystrokes. Here the rules' reading
is taken where they alone decide, else the one that the learned reader finds likeliest before it has seen a result: of
the answers to the questions of tests/analyst/dialogues 96 of 100 have the parts that were previewed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from apps.analyst.conversation.clarifying import taken_up
from apps.analyst.conversation.readas.marks import Span, unread, unread_words
from apps.analyst.conversation.readas.others import SHOWN_ORDER
from apps.analyst.conversation.readas.pieces import pieces
from apps.analyst.conversation.talk import reply
from apps.analyst.errors import AnalystError
from apps.analyst.knowledge.english import english
from apps.analyst.language import ANSWER_THRESHOLD, Reading
from apps.analyst.plan import Clarify, Describe, Plan
from apps.analyst.ports import Catalog
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.features import unnamed
from apps.analyst.reading.linking import link, tokens_of
from apps.analyst.reading.reader import MOST_RANKED, RANKED_SHARE, READER, scores_of
from apps.analyst.reading.rules.understanding import SAID_BEFORE, understood
from apps.analyst.reading.weighing import is_of_examples, is_open
from apps.analyst.tables.scoped import narrowed, without_examples
from apps.analyst.types import Part, Question

LONGEST = 500
"""Characters of a text that is previewed: longer ones are briefs, and take longer to read than a pause lasts."""
LEAST_WORDS = 2
"""Of a text that begins a conversation: one word says too little to be read as a question."""


@dataclass(frozen=True, slots=True)
class Preview:
    """The parts of a reading in their order, and the stretches of the text that found no place in it."""

    parts: tuple[tuple[Part, str], ...] = ()
    unread: tuple[Span, ...] = ()


def previewed(question: Question, catalog: Catalog) -> Preview:
    """What the text would be read as; empty where it is no question about the data, or none of its words found a
    place. Computes nothing and asks nobody."""
    catalog = narrowed(catalog, question.files)
    too_short = not question.turns and len(question.text.split()) < LEAST_WORDS
    if not catalog.tables() or too_short or len(question.text) > LONGEST:
        return Preview()
    try:
        if reply(question, catalog) is not None:
            return Preview()
        reading = _reading(question, catalog)
        if reading is None or isinstance(reading.plan, Clarify | Describe):
            return Preview()
        found = sorted(
            pieces(reading.plan, catalog, reading.definitions), key=lambda piece: SHOWN_ORDER.index(piece.part)
        )
        spans = _unread(question, reading, catalog)
    except AnalystError:
        return Preview()
    if reading.reader not in SAID_BEFORE and _all_unread(question.text, spans):
        return Preview()
    return Preview(tuple((piece.part, piece.label) for piece in found), spans)


def _reading(question: Question, catalog: Catalog) -> Reading | None:
    chosen = taken_up(question)
    readings: Sequence[Reading] = [chosen] if chosen is not None else understood(question, catalog)
    first = readings[0] if readings else None
    if first is not None and not is_open(readings, catalog):
        return first
    plan = _likeliest(question, catalog)
    if plan is not None and not _only_examples_name_it(question, first, plan, catalog):
        return Reading(plan=plan, score=0.0, reader=READER)
    return first


def _likeliest(question: Question, catalog: Catalog) -> Plan | None:
    """The learned reader's first plan, by the order in which its plans would be computed."""
    found = proposed(question, without_examples(catalog))
    likeliest = found.candidates[:MOST_RANKED]
    scores = scores_of(found, [candidate.plan for candidate in likeliest])
    pairs = list(zip(likeliest, scores, strict=True))
    return max(pairs, key=lambda pair: pair[0].score + RANKED_SHARE * pair[1])[0].plan if pairs else None


def _only_examples_name_it(question: Question, first: Reading | None, plan: Plan, catalog: Catalog) -> bool:
    """Whether the rules read the question surely from the example tables, and people's own do not name all it asks."""
    if first is None or first.score < ANSWER_THRESHOLD or not is_of_examples(first.plan, catalog):
        return False
    return bool(unnamed(link(question, without_examples(catalog)), plan))


def _unread(question: Question, reading: Reading, catalog: Catalog) -> tuple[Span, ...]:
    if reading.reader != READER:  # the rules say themselves what they had no use for
        return unread_words(question.text, reading.unused)
    return unread(question, reading.plan, catalog)


def _all_unread(text: str, spans: Sequence[Span]) -> bool:
    """Whether no word with a meaning of its own is left besides the unread ones."""
    rest = "".join(" " if any(a <= place < b for a, b in spans) else letter for place, letter in enumerate(text))
    empty = english().stopwords | english().form_words
    return all(token in empty for token in tokens_of(rest))
