"""From a question to a checked answer: the story of the engine, told once.

Read the question, take the surest reading that the data bear out, compute it, draw it, word it. What cannot be read
surely is declined with what was understood and with questions that can be answered; no number is ever guessed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from apps.analyst.computing.warehouse.once import OnceWarehouse
from apps.analyst.conversation import memory
from apps.analyst.conversation.answering.case import Case, Heard
from apps.analyst.conversation.answering.likeliest import told_likeliest
from apps.analyst.conversation.answering.surest import told_surest
from apps.analyst.conversation.asking_again import gone_on_or_asked
from apps.analyst.conversation.averaging import with_averages
from apps.analyst.conversation.clarifying import taken_up
from apps.analyst.conversation.explaining_leaders import why_first
from apps.analyst.conversation.readas.asked_lessons import with_lessons
from apps.analyst.conversation.readas.own_words import in_own_words
from apps.analyst.conversation.replying import spoken_to
from apps.analyst.conversation.studied import is_read
from apps.analyst.conversation.talk import unaddressed, without_remarks
from apps.analyst.conversation.which_file import over_meant
from apps.analyst.errors import NoSuchData, Unclear
from apps.analyst.language import Reading
from apps.analyst.language.lengths import is_too_long
from apps.analyst.ports import Catalog, Emit, Planner, Warehouse
from apps.analyst.reading import weighing
from apps.analyst.reading.keywords.known_figures import with_known_figures
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.exports import file_wish
from apps.analyst.telling.followups import suggest
from apps.analyst.types import Answer, Question, Step

NO_DATA = "There is no data to ask about yet. Upload a .csv or .xlsx file to start."
TOO_LONG = "That is too long for me to read as one question. Ask for one thing in a few sentences."
__all__ = ["answer", "suggest"]


def quiet(_: Step) -> None:
    """The emit of those who do not watch."""


def answer(
    question: Question,
    *,
    catalog: Catalog,
    warehouse: Warehouse,
    emit: Emit = quiet,
    planner: Planner | None = None,
    onward: bool = True,
    learned: bool = True,
) -> Answer:
    """The answer to a question over a catalog. Raises only what `emit` raises, and AnalystErrors worth trying again.

    `onward` adds questions to go on with, which takes a moment the first time a catalog is seen. Without `learned`
    the rules of `language` read alone, by their own scores: for checks of those rules.
    """
    catalog = narrowed(catalog, question.files)
    if not catalog.tables():
        return Answer("declined", NO_DATA, confidence=0.0)
    if planner is None and is_too_long(question.text, question.today):
        return Answer("declined", TOO_LONG, confidence=0.0)
    case = Case(question, catalog, OnceWarehouse(warehouse), emit, planner, onward, learned)
    made = _answered(case)
    if case.asks and made.status == "clarify":
        made = with_lessons(made, question, catalog, case.warehouse, partial(_tried, warehouse=case.warehouse))
    return replace(made, steps=tuple(case.steps))


def _tried(question: Question, catalog: Catalog, *, warehouse: Warehouse) -> Answer:
    """The answer over tables that were taught something, as far as it takes to see what it comes to."""
    return answer(question, catalog=catalog, warehouse=warehouse, onward=False)


def _answered(case: Case) -> Answer:
    """What is said of the question: at once, as what goes on from the answer before, by the likeliest reading, or by
    the rules' surest."""
    case.tell("Reading the question")
    said = _spoken_to(case) if case.planner is None else None
    if said is not None:
        return said
    heard = _planned(case, case.planner) if case.planner is not None else _heard(case)
    if isinstance(heard, Answer):
        return heard
    if not heard.is_weighed:
        return told_surest(case, heard, None)
    own = weighing.of_rules(heard.readings, heard.ranked)
    likeliest = heard.ranked[0].reading.score if heard.ranked else 0.0
    if weighing.stands(case.question.text, heard.readings, own, case.catalog, likeliest):
        return told_surest(case, heard, own)
    return told_likeliest(case, heard)


def _spoken_to(case: Case) -> Answer | None:
    """What is said of a message that asks nothing of the data. Else the case's question loses its remarks, has the
    figures defined that it needs, and its wish for a file stands beside it."""
    case.question = unaddressed(case.question)
    said = spoken_to(case.question, case.catalog, case.warehouse)
    if said is not None:
        return said
    plain = replace(case.question, text=without_remarks(case.question.text))
    case.question = with_known_figures(plain, case.catalog, case.warehouse)
    case.wish = file_wish(case.question.text, case.catalog)
    if case.wish is not None:
        case.question = replace(case.question, text=case.wish.text)
    return None


def _heard(case: Case) -> Heard | Answer:
    """All that the question may mean; an answer where it goes on from the one before it and was told so."""
    question, catalog, warehouse = case.question, case.catalog, case.warehouse
    if question.proven:
        case.tell(memory.STEP)
    proven = memory.recalled(question, catalog)
    leading = why_first(question, catalog, warehouse)
    read = [leading] if leading is not None else _readings(question, catalog)
    readings: Sequence[Reading] = memory.with_proven(question, read, proven)
    if not case.learned or proven is not None:
        return Heard(readings, proven)
    on = None
    if leading is None:
        on = gone_on_or_asked(case, readings)
    if isinstance(on, Answer):
        return on
    readings = on.rules if on is not None else readings
    if is_read(question, readings, catalog) or not weighing.is_open(question, readings, catalog):
        return Heard(readings)
    readings = over_meant(question, readings, catalog, warehouse)
    if on is not None and readings is on.rules:
        ranked = on.ranked
    else:
        readings, ranked = weighing.weigh(question, catalog, warehouse, readings)
    ranked = in_own_words(question, with_averages(question, ranked, catalog, warehouse), catalog)
    return Heard(readings, is_weighed=True, ranked=tuple(ranked))


def _readings(question: Question, catalog: Catalog) -> list[Reading]:
    """The rules' readings, or what was chosen or asked before, where the message says no more than that."""
    before = question.turns[-1] if question.turns else None
    chosen = taken_up(question)
    if chosen is not None:
        return [chosen]
    if not question.text and before is not None and before.plan is not None:
        # Nothing but a file was asked for: the answer before it is meant.
        return [Reading(plan=before.plan, score=1.0, wording=before.question)]
    return understood(question, catalog)


def _planned(case: Case, planner: Planner) -> Heard:
    """A planner's plan as the one reading; what it cannot plan has none."""
    try:
        return Heard([Reading(plan=planner.plan(case.question, case.catalog), score=1.0)])
    except (Unclear, NoSuchData):
        return Heard([])
