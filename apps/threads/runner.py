"""The only bridge to the engine: rows become a Question, an Answer becomes rows.

A run ends here in one of four ways: answered (also where the engine declines in words), failed with a sentence, stopped
because it is no longer this worker's, or given back because the worker is being stopped.
"""

from __future__ import annotations

import logging
import threading
import time
from contextlib import ExitStack
from dataclasses import replace
from uuid import UUID

from django.conf import settings
from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone
from dramatiq.middleware import Shutdown

from apps.analyst.approaches.checking import Check, Selected
from apps.analyst.errors import AnalystError, PlanRejected
from apps.analyst.types import Answer, Question, Step
from apps.core.logs import working_for, working_on
from apps.preferences.selectors import answer_preferences
from apps.threads import copy, engine
from apps.threads.answers import draft_of, result_of
from apps.threads.asking_models import Asked, asked, voices_of_models
from apps.threads.awaiting import CLOCK, Clock, files_awaited
from apps.threads.models import Message, RunKind
from apps.threads.plans import plan_of
from apps.threads.presets import is_offered
from apps.threads.services.fairness import runs_in_turn
from apps.threads.services.memory import proven_for
from apps.threads.services.runs import (
    Claim,
    RunLate,
    RunStopped,
    run_claim,
    run_complete,
    run_fail,
    run_release,
    run_show,
    run_step,
)
from apps.threads.services.validations import validation_beside, validation_record, validation_subject
from apps.threads.turns import turns_above
from apps.threads.watching import Watch, alone_on, runs_at_work

logger = logging.getLogger("apps.threads.runner")

DATABASE_AWAY = (OperationalError, InterfaceError)
GIVING_BACK_TRIES = 40
GIVING_BACK_PAUSE = 0.5

_choosing = threading.Lock()


def execute(run_id: UUID, clock: Clock = CLOCK) -> None:
    """Answers the run's question, unless somebody else does or did, or another organization's is to be answered first
    (`services.fairness`)."""
    with ExitStack() as held:
        claim = _next_claim(run_id, held)
        if claim is not None:
            _work(claim, clock)


def _next_claim(run_id: UUID, held: ExitStack) -> Claim | None:
    """The run to work on, which `held` marks as this thread's. Threads choose one after the other, so that each sees
    what those before it took."""
    with _choosing:
        for wanted in runs_in_turn(run_id, runs_at_work()):
            with ExitStack() as tried:
                claim = run_claim(wanted) if tried.enter_context(alone_on(wanted)) else None
                if claim is not None:
                    held.push(tried.pop_all())
                    return claim
    return None


def _work(claim: Claim, clock: Clock) -> None:
    run_id, watch = claim.run.pk, Watch(claim)
    working_for(claim.run.thread.organization_id)
    working_on(run_id)
    watch.begin()
    try:
        if claim.run.kind == RunKind.VALIDATION:
            _validate(claim, watch)
        else:
            _answer(claim, clock, watch)
    except RunStopped:
        logger.info("run %s was stopped", run_id)
    except Shutdown:
        run_release(claim=claim)
        raise
    except DATABASE_AWAY:
        _give_back(claim)
        raise
    finally:
        watch.end()


def _give_back(claim: Claim) -> None:
    """The database went away in the middle: once it is back the run is anybody's, long before its lease ends."""
    for _ in range(GIVING_BACK_TRIES):
        try:
            close_old_connections()
            run_release(claim=claim)
            return
        except DATABASE_AWAY:
            time.sleep(GIVING_BACK_PAUSE)
    logger.error("run %s could not be given back and waits for the end of its lease", claim.run.pk)


def _answer(claim: Claim, clock: Clock, watch: Watch) -> None:
    begun = time.monotonic()
    try:
        missing = files_awaited(claim, clock)
        with watch.over_this_thread():
            given = _ask(claim, watch)
        seconds = time.monotonic() - begun
        answers = [missing.told(answer) for answer in (given.answer, *given.beside)]
        # Of several each took its own steps; those that were shown are the waiting for them.
        steps = () if given.beside else claim.steps
        drafts = [draft_of(answer, steps=steps, seconds=seconds) for answer in answers]
        run_complete(claim=claim, draft=drafts[0], beside=drafts[1:])
    except (RunStopped, *DATABASE_AWAY):
        raise
    except RunLate:
        logger.error("run %s used up its time after %d steps", claim.run.pk, len(claim.steps))
        run_fail(claim=claim, error=copy.PROCESSING_FAILED)
    except Exception:
        logger.exception("run %s failed", claim.run.pk)
        run_fail(claim=claim, error=copy.PROCESSING_FAILED)


def _validate(claim: Claim, watch: Watch) -> None:
    begun = time.monotonic()
    try:
        selected = validation_subject(claim.run)
        with watch.over_this_thread():
            found = _check(claim, selected, watch)
        validation_record(claim=claim, selected=selected, check=found, seconds=time.monotonic() - begun)
    except (RunStopped, *DATABASE_AWAY):
        raise
    except AnalystError as error:
        run_fail(claim=claim, error=error.message)
    except RunLate:
        logger.error("validation %s used up its time after %d steps", claim.run.pk, len(claim.steps))
        run_fail(claim=claim, error=copy.VALIDATION_FAILED)
    except Exception:
        logger.exception("validation %s failed", claim.run.pk)
        run_fail(claim=claim, error=copy.VALIDATION_FAILED)


def _check(claim: Claim, answer: Message, watch: Watch) -> Check:
    """The selected answer beside those of all other ways."""
    catalog = engine.current().catalog_of(claim.run.thread.organization)
    analyst = engine.current().over(catalog)
    result = result_of(answer.answer or {})
    if analyst.check is None or result is None:
        raise PlanRejected(copy.NOTHING_TO_CHECK)

    def emit(step: Step) -> None:
        run_step(claim=claim, label=step.label, detail=step.detail, brief=step.brief or watch.has_just_begun)

    question = question_of(claim)
    with voices_of_models(claim.run, analyst, question, catalog) as voices:
        return analyst.check(
            question,
            Selected(answer.model, plan_of(answer.plan), result, _was_chosen(answer)),
            catalog=catalog,
            warehouse=analyst.warehouse,
            emit=emit,
            models=voices,
            beside=tuple(
                Selected(other.model, plan_of(other.plan), found)
                for other in validation_beside(answer)
                if (found := result_of(other.answer or {})) is not None
            ),
        )


def _was_chosen(answer: Message) -> bool:
    """Whether a person chose the answer's reading: then none of its rivals has any probability left."""
    return bool(answer.rivals) and not any(rival["chance"] for rival in answer.rivals)


def _ask(claim: Claim, watch: Watch) -> Asked:
    """What those who were asked say; the engine's refusals are answers too."""

    def emit(step: Step) -> None:
        run_step(claim=claim, label=step.label, detail=step.detail, brief=step.brief or watch.has_just_begun)

    question, catalog = question_of(claim), engine.current().catalog_of(claim.run.thread.organization)
    analyst = engine.current().over(catalog)
    analyst = replace(analyst, answer=watch.answering(analyst.answer))

    def show(text: str) -> None:
        run_show(claim=claim, text=text)

    try:
        return asked(claim.run, analyst, question, catalog, emit, show)
    except AnalystError as error:
        logger.info("run %s was declined: %s", claim.run.pk, type(error).__name__)
        return Asked(Answer(status="declined", text=error.message))


def question_of(claim: Claim) -> Question:
    """What the engine is asked: the question, the turns before it, the chosen files, and what the member prefers."""
    message, member = claim.run.question, claim.run.thread.owner
    preferences = answer_preferences(member)
    return Question(
        text=message.content,
        today=timezone.localdate(),
        turns=turns_above(message.thread_id, message.parent_id),
        files=tuple(message.user_specified_files) or None,
        style=preferences.style,
        keywords=preferences.keywords,
        context=preferences.context,
        proven=proven_for(claim.run.thread.organization, message.content),
        offered=is_offered(message.content),
        assistant=settings.PRODUCT_NAME,
    )
