"""What is asked before anything is told: which statistic, where the reading tells none that was asked for, and what a
word means that says which things are counted and of which the reading heeds nothing."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.conversation.nearest_statistics import statistic_instead
from apps.analyst.conversation.readas.conditions import passed
from apps.analyst.conversation.readas.declining import declined_so, is_said
from apps.analyst.conversation.readas.figure_words import figure_word
from apps.analyst.conversation.readas.marks import Span, spans_of
from apps.analyst.conversation.readas.names import Names
from apps.analyst.conversation.readas.pieces import Piece, pieces
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Plan
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.reading.judging import sure_from
from apps.analyst.reading.linking import link
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.rules.understanding import SAID_BEFORE
from apps.analyst.tables.scoped import without_examples
from apps.analyst.types import Answer, Question

HEEDED = 0.04
"""How likely a reading is at least that has a condition for a word, so that the word may be one."""


def asked_before(
    question: Question, told: Weighed, ranked: Sequence[Weighed], catalog: Catalog, warehouse: Warehouse
) -> Answer | None:
    """The question in the place of an answer by a reading; None where that heeds what was said."""
    if question.offered or told.reading.reader in SAID_BEFORE or told.reading.definitions:
        return None
    back = statistic_instead(question, (told.reading.plan,), catalog, warehouse)
    if back is not None:
        return back
    span = condition(question, told.reading, ranked, catalog)
    if span is None:
        return None
    others = [one for one in ranked if one.reading.plan != told.reading.plan]
    made = Answer("declined", "", confidence=told.reading.score)
    return declined_so(made, question, [told, *others], catalog, warehouse, "", asked=span)


def asked_first(
    question: Question, made: Answer, ranked: Sequence[Weighed], catalog: Catalog, warehouse: Warehouse
) -> Answer | None:
    """The question in the place of what is made of weighed readings: an answer by the likeliest, or a question back
    that offers none of the statistics asked for."""
    if made.status == "answered":
        return asked_before(question, ranked[0], ranked, catalog, warehouse)
    if not isinstance(made.plan, Clarify):
        return None
    offered: tuple[Plan, ...] = tuple(option.plan for option in made.plan.options)
    return statistic_instead(question, offered, catalog, warehouse)


def condition(question: Question, reading: Reading, ranked: Sequence[Weighed], catalog: Catalog) -> Span | None:
    """The word that is passed over although it names a figure that the data do not have, or may be a condition: the
    reader says that it had no use for it, or it is not sure and another reading has a condition more. A condition that
    no other word names is taken for the word's."""
    catalog = without_examples(catalog)
    linked = link(question, catalog)
    spans = spans_of(question.text)
    if len(spans) < len(linked.tokens):
        return None
    figure = figure_word(linked, reading.plan)
    if figure is not None:
        return spans[figure]
    places = passed(linked, reading.plan, catalog)
    if not places:
        return None
    own = _filters(reading.plan, catalog)
    names = Names(reading.plan, catalog)
    if not all(is_said(piece, linked, names) for piece in own):
        return None
    labels = {piece.label for piece in own}
    rivals = (one.reading.plan for one in ranked if one.reading.score >= HEEDED)
    heeded = any({piece.label for piece in _filters(plan, catalog)} - labels for plan in rivals)
    heeded = heeded and reading.score < sure_from()
    unused = {word.casefold() for word in reading.unused}
    place = next((n for n in places if heeded or linked.tokens[n] in unused), None)
    return spans[place] if place is not None else None


def _filters(plan: Plan, catalog: Catalog) -> list[Piece]:
    return [piece for piece in pieces(plan, catalog) if piece.part == "filter"]
