"""Other readings of an answer's parts: what each would give, the question answered anew by one, and what "Always"
teaches the organization."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts.policy import Action, allowed, demand
from apps.analyst.plan import Plan
from apps.analyst.types import Answer, Question, Result, Rival
from apps.core import rates
from apps.core.errors import Conflict, NotFound
from apps.datasources.services.teaching import teach
from apps.datasources.teachings import said_of
from apps.preferences.selectors import answer_preferences
from apps.threads import copy, engine
from apps.threads.answers import draft_of
from apps.threads.drafts import AnswerDraft
from apps.threads.events import run_changed
from apps.threads.models import Message, Role, Run, RunState
from apps.threads.plans import plan_of
from apps.threads.presets import is_offered
from apps.threads.services.approaches import approach_select
from apps.threads.services.written import answer_write

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.conversation.readas.others import Other
    from apps.analyst.dictionary.lesson import Lesson
    from apps.analyst.ports import Catalog, Warehouse

MOST_LESSONS = 2
"""Choices of one part that "Always" is tried out for: each is a question answered."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """An answer with what it takes to read its question otherwise."""

    message: Message
    question: Question
    plan: Plan | None
    """None where a model's query computed it that no plan says."""
    rivals: tuple[Rival, ...]
    catalog: Catalog
    warehouse: Warehouse


def other_readings(*, by: User, message: Message, chip: str) -> list[dict[str, Any]]:
    """The other readings of one part with their figures; `teaches` says what "Always" would, where it can be taught
    and `by` may. Raises NotFound where the message has no such part, TooOften."""
    from apps.analyst.conversation.readas.figures import offered

    _count(by)
    subject = _subject(by, message)
    lessons = MOST_LESSONS if allowed(by, Action.EDIT_DICTIONARY) else 0
    found = []
    for one in offered(_others(subject, chip), subject.catalog, subject.warehouse):
        taught = _lesson(subject, one.other.plan, one.result) if lessons else None
        lessons -= bool(taught)
        text = taught.text if taught is not None else None
        found.append({"key": one.other.key, "label": one.other.label, "figure": one.figure, "teaches": text})
    return found


def reading_take(*, by: User, message: Message, chip: str, reading: str, always: bool = False) -> Message:
    """Answers the message's question anew by another reading of one of its parts. The new answer is the selected one,
    what followed the former now follows it, and the former stays beside it.

    Raises NotFound for an unknown part or reading, Conflict where it does not hold any more or cannot be taught,
    Refused where `by` may not teach, TooOften.
    """
    from apps.analyst.conversation.readas.answers import chosen_answer

    if always:
        demand(by, Action.EDIT_DICTIONARY)
    _count(by)
    begun = time.monotonic()
    subject = _subject(by, message)
    other = next((o for o in _others(subject, chip) if o.key == reading), None)
    if other is None:
        raise NotFound(copy.NO_SUCH_READING)
    made = chosen_answer(subject.question, other.plan, subject.plan, subject.rivals, subject.catalog, subject.warehouse)
    if made is None:
        raise Conflict(copy.READING_GONE, code="reading_gone")
    taught = _lesson(subject, other.plan, made.result) if always and made.result is not None else None
    if always and taught is None:
        raise Conflict(copy.NOT_TEACHABLE, code="not_teachable")
    with transaction.atomic():
        if taught is not None:
            lesson_keep(by=by, lesson=taught)
        return _written(message, draft_of(made, steps=(), seconds=time.monotonic() - begun))


def _lesson(subject: _Subject, chosen: Plan, result: Result) -> Lesson | None:
    """What would teach the organization to read it so, tried out by answering over tables that were taught it."""
    from apps.analyst.conversation.readas.lessons import lesson
    from apps.analyst.pipeline import answer

    if subject.plan is None:
        return None

    def answers(question: Question, catalog: Catalog) -> Answer:
        return answer(question, catalog=catalog, warehouse=subject.warehouse, onward=False)

    return lesson(subject.question, subject.plan, chosen, subject.catalog, result, answers)


def choice_teach(*, by: User, message: Message, choice: int) -> None:
    """Keeps what a choice of an answer would teach. Raises NotFound where it teaches nothing, Refused."""
    from apps.analyst.dictionary.lesson import Lesson

    choices = (message.answer or {}).get("choices") or []
    kept = choices[choice].get("lesson") if 0 <= choice < len(choices) else None
    if not kept:
        raise NotFound(copy.NO_SUCH_READING)
    with transaction.atomic():
        lesson_keep(by=by, lesson=Lesson(**kept))


def lesson_keep(*, by: User, lesson: Lesson) -> None:
    """Adds a lesson to what was said of its column. Raises Refused, NotFound, Invalid."""
    assert by.organization is not None, "only members reach the services"
    demand(by, Action.EDIT_DICTIONARY)
    said = said_of(by.organization, lesson.table, lesson.column)
    teach(by=by, file_name=lesson.file_name, table_name=lesson.table, column=lesson.column, said=lesson.added_to(said))


def _count(by: User) -> None:
    rate = settings.QUESTIONS_PER_MINUTE
    rates.count("readings", by.pk, most=rate, seconds=60, words=f"{rate:,} readings a minute")


def _subject(by: User, message: Message) -> _Subject:
    from apps.analyst.tables.scoped import narrowed

    asked, plan = message.parent, plan_of(message.plan)
    if message.role != Role.ASSISTANT or asked is None:
        raise NotFound(copy.NO_SUCH_READING)
    organization = message.thread.organization
    files = tuple(asked.user_specified_files) or None
    catalog = narrowed(engine.current().catalog_of(organization), files)
    preferences = answer_preferences(by)
    question = Question(
        text=asked.content,
        today=timezone.localdate(),
        files=files,
        style=preferences.style,
        keywords=preferences.keywords,
        context=preferences.context,
        offered=is_offered(asked.content),
    )
    kept = [(plan_of(rival.get("plan")), rival) for rival in message.rivals]
    rivals = tuple(
        Rival(other, said.get("chance", 0.0), said.get("chip", ""), said.get("label", ""))
        for other, said in kept
        if other is not None
    )
    return _Subject(message, question, plan, rivals, catalog, engine.current().over(catalog).warehouse)


def _others(subject: _Subject, chip: str) -> list[Other]:
    """What the part may have meant else, or what the answer was held against. NotFound: neither is shown."""
    from apps.analyst.approaches.models.held import HELD, other_of
    from apps.analyst.conversation.readas.others import Parts

    shown = subject.message.answer or {}
    if chip == HELD and (shown.get("held") or {}).get("opens"):
        beside = other_of(subject.rivals)
        return [beside] if beside is not None else []
    if subject.plan is None or chip not in {one["key"] for one in (shown.get("read_as") or {}).get("chips", ())}:
        raise NotFound(copy.NO_SUCH_READING)
    return Parts(subject.plan, subject.catalog, subject.rivals).of(chip)


def _written(former: Message, draft: AnswerDraft) -> Message:
    """The new answer beside the former one, in a run of its own that is over."""
    assert former.parent_id is not None, "an answer has its question"
    now = timezone.now()
    run = Run.objects.create(
        thread_id=former.thread_id,
        question_id=former.parent_id,
        state=RunState.COMPLETED,
        data_sources=draft.data_sources or None,
        deadline_at=now,
        created_at=now,
        started_at=now,
        finished_at=now,
    )
    answer = answer_write(run=run, draft=draft, at=now, selected=False, best=True)
    selected = approach_select(run=run, message_id=answer.pk)
    run_changed(run, member_id=former.thread.owner_id)
    return selected
