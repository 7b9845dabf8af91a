"""A run's language models: which it may ask, what they answer, and what they took. The built-in analyst needs none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from apps.analyst.approaches.checking import Given, Voice
from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.types import Step
from apps.threads import copy
from apps.threads.engine import Engine
from apps.threads.models import Run
from apps.threads.providers import model_specs, specs_for
from apps.threads.services.usage import budget_left, usage_record

if TYPE_CHECKING:
    from apps.analyst.ports import Catalog, Emit
    from apps.analyst.types import Answer, Question

SECONDS_OF_A_VOICE = 35.0
"""As long as the other ways of a check may take: under a run's lease."""


def answered_by_models(
    run: Run, analyst: Engine, question: Question, catalog: Catalog, emit: Emit, builtin: Callable[[], Answer]
) -> Answer | None:
    """The answer of the models that the member picked; None where none was picked or there is nothing to ask about."""
    specs = specs_for(run.chosen_models)
    if not specs or analyst.talk is None or not catalog.tables():
        return None
    if not budget_left(run.thread.organization):
        answer = builtin()
        return replace(answer, assumptions=(*answer.assumptions, copy.BUDGET_SPENT))
    models = Models(specs, analyst.talk, temperature=run.temperature)
    try:
        return models.answer(question, catalog=catalog, warehouse=analyst.warehouse, emit=emit, builtin=builtin)
    finally:
        usage_record(run=run, usage=models.usage)


@contextmanager
def voices_of_models(
    run: Run, analyst: Engine, question: Question, catalog: Catalog
) -> Iterator[tuple[tuple[str, Voice], ...]]:
    """The models that join a check: those picked for the question, else one of each provider. What they took is
    written down at the end."""
    specs = specs_for(run.chosen_models) or list({spec.provider: spec for spec in reversed(model_specs())}.values())
    if analyst.talk is None or not specs or not budget_left(run.thread.organization):
        yield ()
        return
    models = Models(specs, analyst.talk, temperature=run.temperature, seconds=SECONDS_OF_A_VOICE)
    try:
        yield tuple((spec.id, _voice(models, spec, analyst, question, catalog)) for spec in specs)
    finally:
        usage_record(run=run, usage=models.usage)


def _voice(models: Models, spec: ModelSpec, analyst: Engine, question: Question, catalog: Catalog) -> Voice:
    def answer() -> Given:
        # Voices speak side by side in threads of their own, where no step may be written.
        ends = models.clock() + models.seconds
        return Given(models.one(spec, question, catalog, analyst.warehouse, _quiet, ends))

    return answer


def _quiet(_: Step) -> None:
    """The emit of those who speak beside others."""
