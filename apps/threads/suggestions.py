"""Example questions for the empty chat: first from the organisation's own history and tables, then presets."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import islice
from typing import TYPE_CHECKING

from apps.threads import engine, limits
from apps.threads.presets import PRESET_QUESTIONS
from apps.threads.selectors import organization_of
from apps.threads.services.memory import proven_questions

if TYPE_CHECKING:
    from apps.accounts.models import User


def question_suggestions(member: User) -> list[dict[str, str]]:
    """As many questions as the page shows, no two alike, and not the same ones every time.

    Where there are tables each can be answered over them; presets fill up what these do not give, as far as they can be
    answered too. Without any table presets show what may be asked once there are.
    """
    analyst, organization = engine.current(), organization_of(member)
    catalog = analyst.catalog_of(organization)
    own = analyst.suggest(catalog, limits.SUGGESTIONS_TO_CHOOSE_FROM)
    proven = proven_questions(organization, catalog, limits.SUGGESTIONS_OF_HISTORY)
    shuffled = [*_shuffled(proven)[:1], *_shuffled([*own, *proven])]
    chosen = list(dict.fromkeys(shuffled))[: limits.SUGGESTIONS]
    if len(chosen) < limits.SUGGESTIONS:
        presets = (question for question in _shuffled(PRESET_QUESTIONS) if question not in chosen)
        can, anything = analyst.can_answer, not catalog.tables()
        fitting = (one for one in presets if anything or can is None or can(one, catalog))
        chosen += islice(fitting, limits.SUGGESTIONS - len(chosen))
    return [{"suggested_question": question} for question in chosen]


def _shuffled(questions: Sequence[str]) -> list[str]:
    return random.sample(questions, len(questions))
