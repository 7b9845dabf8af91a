"""What is told with how it was read: what goes on from a reading that was never told, and what the rules read surely
and the judge does not. What only goes on is not told alone."""

from __future__ import annotations

from dataclasses import replace

from apps.analyst.conversation.editing import left_open
from apps.analyst.conversation.subject import UNTOLD
from apps.analyst.language import Reading
from apps.analyst.plan import Clarify, Option, Plan
from apps.analyst.ports import Catalog
from apps.analyst.reading import weighing
from apps.analyst.reading.reader import Weighed
from apps.analyst.reading.weighing import DOUBT
from apps.analyst.telling.labelling import told_sentence
from apps.analyst.types import Answer, Choice, Question


def doubted(made: Answer, reading: Reading, catalog: Catalog, *, guessed: bool) -> Answer:
    """The answer with a word of doubt where it was `guessed`, or its reading goes on from one that was only offered."""
    if not guessed and (reading.reader != "editing" or reading.score > UNTOLD):
        return made
    return replace(made, text=f"{made.text}\n\n{DOUBT.format(told_sentence(reading.plan, catalog))}")


def is_guessed(question: Question, own: Weighed | None, catalog: Catalog) -> bool:
    """Whether the rules' reading is less likely than what is told without a word of doubt, or passes over a word that
    nobody here knows, and is not what the product itself suggests."""
    if own is None or weighing.is_sure(question, own.reading, catalog):
        return False
    return not weighing.is_suggested(question.text, own.reading, catalog)


def asked_instead(question: Question, plan: Plan, chance: float, catalog: Catalog) -> Answer | None:
    """The question back in the place of an answer by a plan that was read from a message which says nothing without
    those before it; None where it says something."""
    text = left_open(question, catalog)
    if not text:
        return None
    said = told_sentence(plan, catalog).rstrip(".")
    back = Clarify(question=text, options=(Option(label=said, question=said, plan=plan, instead=True),))
    return Answer("clarify", text, plan=back, choices=(Choice(said, said),), confidence=chance)
