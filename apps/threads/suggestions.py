"""Example questions for the empty chat: first from the organisation's own history and tables, then presets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from apps.threads import engine, limits
from apps.threads.presets import PRESET_QUESTIONS
from apps.threads.selectors import organization_of
from apps.threads.services.memory import proven_questions

if TYPE_CHECKING:
    from apps.accounts.models import User


def question_suggestions(member: User) -> list[dict[str, str]]:
    """As many questions as the page shows, no two alike, and not the same ones every time."""
    analyst = engine.current()
    own = analyst.suggest(analyst.catalog_of(organization_of(member)), limits.SUGGESTIONS_TO_CHOOSE_FROM)
    proven = proven_questions(organization_of(member), limits.SUGGESTIONS_OF_HISTORY)
    shuffled = [*_shuffled(proven)[:1], *_shuffled([*own, *proven]), *_shuffled(PRESET_QUESTIONS)]
    chosen = list(dict.fromkeys(shuffled))[: limits.SUGGESTIONS]
    return [{"suggested_question": question} for question in chosen]


def _shuffled(questions: Sequence[str]) -> list[str]:
    return random.sample(questions, len(questions))
