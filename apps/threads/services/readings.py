"""Other readings of an answer's parts: what each would give, the question answered anew by one, and what "Always"
teaches the organization."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, allowed, demand
from apps.analyst.plan import Plan
from apps.analyst.types import Question, Rival
from apps.core import rates
from apps.core.errors import Conflict, NotFound, Unavailable
from apps.core.jobs.interrupting import TimeUp, within
from apps.datasources.services.teaching import teach
from apps.datasources.teachings import said_of
from apps.preferences.selectors import answer_preferences
from apps.threads import copy, engine, limits
from apps.threads.answers import draft_of
from apps.threads.drafts import AnswerDraft
from apps.threads.events import run_changed
from apps.threads.models import Message, ProvenReason, Role, Run, RunState
from apps.threads.plans import plan_of
from apps.threads.presets import is_offered
from apps.threads.services.approaches import approach_select
from apps.threads.services.memory import proven_forget, proven_keep
from apps.threads.services.written import answer_write

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.analyst.approaches.choosing import Asked, Offer, Taken
    from apps.analyst.dictionary.lesson import Lesson
    from apps.analyst.ports import Catalog

logger = logging.getLogger("apps.threads.readings")

MOST_LESSONS = 4
"""Choices of one part that "Always" is tried out for: each is a question answered."""


@dataclass(frozen=True, slots=True)
class _Subject:
    """An answer's part with what it takes to read it otherwise."""

    asked: Asked
    analyst: engine.Engine
    catalog: Catalog

    def offered(self, lessons: int) -> list[Offer]:
        return self.analyst.offered(self.asked, lessons, catalog=self.catalog, warehouse=self.analyst.warehouse)

    def take(self, key: str, *, always: bool) -> Taken:
        return self.analyst.take(self.asked, key, always=always, catalog=self.catalog, warehouse=self.analyst.warehouse)


def other_readings(*, by: User, message: Message, chip: str) -> list[dict[str, Any]]:
    """The other readings of one part with their figures; `teaches` says what "Always" would, where it can be taught
    and `by` may. Raises NotFound where the message has no such part, TooOften, Unavailable where it takes too long."""
    _count(by)
    subject = _subject(by, message, chip)
    lessons = MOST_LESSONS if allowed(by, Action.EDIT_DICTIONARY) else 0
    with _in_time():
        found = subject.offered(lessons)
    return [{"key": o.key, "label": o.label, "figure": o.figure, "teaches": o.teaches} for o in found]


def reading_take(*, by: User, message: Message, chip: str, reading: str, always: bool = False) -> Message:
    """Answers the message's question anew by another reading of one of its parts. The new answer is the selected one,
    what followed the former now follows it, and the former stays beside it. With `always` the question is read so from
    now on: by an entry of the dictionary where one makes it so, else because it is kept with its plan.

    Raises NotFound for an unknown part or reading, Conflict where it does not hold any more or cannot be taught,
    Refused where `by` may not teach, TooOften, Unavailable where it takes too long.
    """
    if always:
        demand(by, Action.EDIT_DICTIONARY)
    _count(by)
    begun = time.monotonic()
    subject = _subject(by, message, chip)
    with _in_time():
        taken = subject.take(reading, always=always)
    if not taken.found:
        raise NotFound(copy.NO_SUCH_READING)
    if taken.answer is None:
        raise Conflict(copy.READING_GONE, code="reading_gone")
    if always and taken.lesson is None and not taken.kept:
        raise Conflict(copy.NOT_TEACHABLE, code="not_teachable")
    with transaction.atomic():
        if taken.lesson is not None:
            lesson_keep(by=by, lesson=taken.lesson)
            proven_forget(organization=message.thread.organization, text=subject.asked.question.text)
        written = _written(message, draft_of(taken.answer, steps=(), seconds=time.monotonic() - begun))
        if taken.kept:
            _keep(by, written)
        return written


def _keep(by: User, answer: Message) -> None:
    """Keeps the answer's question with its plan, for everybody. Raises Conflict where it cannot be kept."""
    kept = proven_keep(answer=answer, reason=ProvenReason.VERIFIED, by=by)
    if kept is None:
        raise Conflict(copy.NOT_TEACHABLE, code="not_teachable")
    record(AuditAction.CONTEXT_CHANGED, organization=kept.organization, actor=by, target=str(kept))


@contextmanager
def _in_time() -> Iterator[None]:
    """The block ends after so long. Raises Unavailable."""
    try:
        with within(limits.OTHER_READINGS_SECONDS):
            yield
    except TimeUp:
        logger.error("other readings took longer than %s s", limits.OTHER_READINGS_SECONDS)
        raise Unavailable(copy.OTHER_READINGS_TOOK_TOO_LONG) from None


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


def _subject(by: User, message: Message, chip: str) -> _Subject:
    """The part of that key. NotFound: the message shows none."""
    from apps.analyst.approaches.choosing import Asked

    asked, plan = message.parent, plan_of(message.plan)
    if message.role != Role.ASSISTANT or asked is None:
        raise NotFound(copy.NO_SUCH_READING)
    organization = message.thread.organization
    files = tuple(asked.user_specified_files) or None
    catalog = engine.current().catalog_of(organization)
    preferences = answer_preferences(by)
    question = Question(
        text=asked.content,
        today=timezone.localdate(),
        files=files,
        style=preferences.style,
        keywords=preferences.keywords,
        context=preferences.context,
        offered=is_offered(asked.content),
        assistant=settings.PRODUCT_NAME,
    )
    kept = [(plan_of(rival.get("plan")), rival) for rival in message.rivals]
    rivals = tuple(
        Rival(other, said.get("chance", 0.0), said.get("chip", ""), said.get("label", ""))
        for other, said in kept
        if other is not None
    )
    if not _is_shown(message, chip, plan):
        raise NotFound(copy.NO_SUCH_READING)
    made = Asked(question, plan, rivals, chip, follows=asked.parent_id is not None)
    return _Subject(made, engine.current().over(catalog), catalog)


def _is_shown(message: Message, chip: str, plan: Plan | None) -> bool:
    """Whether the answer shows the part, or what it was held against."""
    from apps.analyst.approaches.models.held import HELD

    shown = message.answer or {}
    if chip == HELD and (shown.get("held") or {}).get("opens"):
        return True
    chips = {one["key"] for one in (shown.get("read_as") or {}).get("chips", ())}
    return plan is not None and chip in chips and chip != HELD


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
