"""Why the built-in analyst answered instead of a model, or beside one that failed. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.approaches.models.told import Private
from apps.analyst.errors import AnalystError, ProviderFailed, Unclear
from apps.analyst.types import Answer

INSTEAD = "The built-in analyst answered instead."


def brief_reason(spec: ModelSpec, error: AnalystError) -> str:
    """Why a model did not answer, in our own words alone: what it wrote itself is no reason to show."""
    if isinstance(error, ProviderFailed | Private):
        return error.message
    if isinstance(error, Unclear):
        return f"{spec.name} found no way to compute this."
    return f"{spec.name} made no query that fits the data."


def noted(answer: Answer, reasons: Sequence[str]) -> Answer:
    """The answer with why others did not give one."""
    return replace(answer, assumptions=(*answer.assumptions, *reasons)) if reasons else answer
