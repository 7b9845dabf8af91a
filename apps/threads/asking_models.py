"""A run's approaches: which it may ask, what they answer, and what models took. The built-in analyst needs none.

Several that a member picked answer side by side, each in a thread of its own; the first of them that has an answer is
the selected one, and shows its text as it comes. A single model does so too, and gives way to others where it fails.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from queue import SimpleQueue
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils import timezone

from apps.analyst.approaches.checking import Given, Voice
from apps.analyst.approaches.models.answering import Models, unseen
from apps.analyst.approaches.models.instead import INSTEAD, noted
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.approaches.names import BUILTIN
from apps.analyst.errors import AnalystError, ProviderFailed, Unclear
from apps.analyst.types import Answer, Step
from apps.threads import copy, limits
from apps.threads.engine import Engine
from apps.threads.models import Run
from apps.threads.providers import BUILTIN_NAME, specs_for, stand_ins
from apps.threads.services.memory import proven_near
from apps.threads.services.model_policy import told_of
from apps.threads.services.usage import affordable, usage_record

if TYPE_CHECKING:
    from apps.analyst.ports import Catalog, Emit
    from apps.analyst.types import Question

SECONDS_OF_A_VOICE = 35.0
"""As long as one of several may take that speak side by side: under a run's lease."""
SIDE_BY_SIDE = "Asking several approaches"
Show = Callable[[str], None]
"""Takes the text of an answer as it grows."""
Asking = Callable[[Show], Answer]


@dataclass(frozen=True, slots=True)
class Asked:
    """What was answered: the selected answer, and those of other picked approaches."""

    answer: Answer
    beside: tuple[Answer, ...] = ()


def asked(run: Run, analyst: Engine, question: Question, catalog: Catalog, emit: Emit, show: Show) -> Asked:
    """What the approaches that the member picked answer; the built-in analyst where none of them can be asked."""

    def builtin(tell: Emit) -> Answer:
        return analyst.answer(question, catalog=catalog, warehouse=analyst.warehouse, emit=tell)

    specs = specs_for(run.chosen_models, run.thread.organization)
    if not specs or analyst.talk is None or not catalog.tables():
        return Asked(builtin(emit))
    specs = affordable(specs, run.thread.organization)
    if not specs:
        return Asked(replace(noted(builtin(emit), [copy.BUDGET_SPENT]), instead=copy.BUDGET_SPENT_FOR_CHECKS))
    models = _models(run, analyst, specs)
    # A name of its own: the built-in analyst is asked the question without them.
    taught = _with_examples(run, question)
    try:
        if len(specs) == 1 and BUILTIN not in run.chosen_models:
            others = affordable(stand_ins(specs, run.thread.organization), run.thread.organization)
            models.specs, models.show, models.second = [*specs, *others], show, lambda: builtin(_quiet)
            return Asked(
                models.answer(
                    taught,
                    catalog=catalog,
                    warehouse=analyst.warehouse,
                    emit=emit,
                    builtin=lambda: builtin(emit),
                )
            )
        models.seconds = min(models.seconds, SECONDS_OF_A_VOICE)
        askings = {spec.id: (spec.name, _asking(models, spec, analyst, taught, catalog)) for spec in specs}
        askings[BUILTIN] = (BUILTIN_NAME, lambda _: builtin(_quiet))
        picked = [askings[name] for name in dict.fromkeys(run.chosen_models) if name in askings]
        together = _side_by_side(picked, emit, show)
        return together or Asked(replace(noted(builtin(emit), [INSTEAD]), instead=copy.NO_MODEL_ANSWERED))
    finally:
        usage_record(run=run, usage=models.usage)


def _side_by_side(askings: Sequence[tuple[str, Asking]], emit: Emit, show: Show) -> Asked | None:
    """All answers; the first in the order they were picked is the selected one, and says who could not answer.

    What is shown is always the text of the one that would be selected; the others are only written down.
    """
    answers: list[Answer] = []
    reasons: list[str] = []
    with ThreadPoolExecutor(max_workers=len(askings), thread_name_prefix="ask") as pool:
        waiting = [(name, _Growing(pool, asking)) for name, asking in askings]
        for name, growing in waiting:
            emit(Step(SIDE_BY_SIDE, name))
            try:
                given = growing.answer(show if not answers else unseen)
            except AnalystError as error:
                reasons.append(error.message)
                continue
            if given.status == "answered":
                answers.append(given)
            else:
                reasons.append(f"{name}: {given.text}")
    if not answers:
        return None
    return Asked(noted(answers[0], reasons), tuple(answers[1:]))


class _Growing:
    """An answer that is made in a thread of its own; its text is handed to the thread that waits for it, which alone
    may write."""

    def __init__(self, pool: ThreadPoolExecutor, asking: Asking) -> None:
        self._texts: SimpleQueue[str | None] = SimpleQueue()
        self._answer = pool.submit(asking, self._texts.put)
        self._answer.add_done_callback(lambda _: self._texts.put(None))

    def answer(self, show: Show) -> Answer:
        """The answer, its text shown as it comes. Raises what the asking or `show` raises."""
        for text in iter(self._texts.get, None):
            show(text)
        return self._answer.result()


@contextmanager
def voices_of_models(
    run: Run, analyst: Engine, question: Question, catalog: Catalog
) -> Iterator[tuple[tuple[str, Voice], ...]]:
    """The models that join a check: those picked for the question, and one of each other provider. What they took is
    written down at the end."""
    picked = specs_for(run.chosen_models, run.thread.organization)
    specs = [*picked, *stand_ins(picked, run.thread.organization)]
    if analyst.talk is None or not specs:
        yield ()
        return
    able = affordable(specs, run.thread.organization)
    models = _models(run, analyst, specs)
    taught = _with_examples(run, question)
    models.seconds = min(models.seconds, SECONDS_OF_A_VOICE)
    try:
        yield tuple(
            (spec.id, _voice(_asking(models, spec, analyst, taught, catalog)) if spec in able else _spent)
            for spec in specs
        )
    finally:
        usage_record(run=run, usage=models.usage)


def _models(run: Run, analyst: Engine, specs: Sequence[ModelSpec]) -> Models:
    assert analyst.talk is not None, "asked for only where there is one"
    left = (run.deadline_at - timezone.now()).total_seconds() - limits.BUILTIN_TAKES
    return Models(
        specs,
        analyst.talk,
        temperature=run.temperature,
        seconds=min(settings.MODEL_SECONDS, left),
        call_seconds=settings.MODEL_CALL_SECONDS,
        told=told_of(run.thread.organization),
        sandbox=analyst.sandbox,
    )


def _with_examples(run: Run, question: Question) -> Question:
    """The question with proven ones that are like it: a model learns from their plans, no answer stands on them."""
    return replace(question, proven=(*question.proven, *proven_near(run.thread.organization, question.text)))


def _asking(models: Models, spec: ModelSpec, analyst: Engine, question: Question, catalog: Catalog) -> Asking:
    def answer(show: Show) -> Answer:
        # In a thread of its own, where no step may be written.
        mine = replace(models, show=show)
        return mine.one(spec, question, catalog, analyst.warehouse, _quiet, models.clock() + models.seconds)

    return answer


def _spent() -> Given:
    """The voice of a model that may not be asked any more this month; the check says why it is missing."""
    raise ProviderFailed(copy.BUDGET_SPENT_FOR_CHECKS)


def _voice(asking: Asking) -> Voice:
    def speak() -> Given:
        answer = asking(unseen)
        if answer.status != "answered":
            raise Unclear(answer.text)
        return Given(answer)

    return speak


def _quiet(_: Step) -> None:
    """The emit of those who speak beside others."""
