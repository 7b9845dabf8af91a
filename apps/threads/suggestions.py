"""Example questions for the empty chat: first from the organization's own history and tables, then presets.

Which questions the tables can answer is found by reading them, so it is found once for each version of the tables, by a
worker, and kept in the cache. A page waits for it a moment, and goes without where it takes longer.
"""

from __future__ import annotations

import logging
import random
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypedDict
from uuid import UUID

from django.apps import apps
from django.core.cache import cache

from apps.core.jobs.interrupting import TimeUp, within
from apps.core.jobs.sending import actor_named, send_after_commit
from apps.threads import engine, limits
from apps.threads.presets import PRESET_QUESTIONS
from apps.threads.readying import question_expected
from apps.threads.selectors import organization_of
from apps.threads.services.memory import proven_questions

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User
    from apps.analyst.ports import Catalog
    from apps.threads.engine import Engine

logger = logging.getLogger("apps.threads.suggestions")

PAUSE = 0.05


class Found(TypedDict):
    """What can be asked about one version of an organization's tables."""

    own: list[str]
    presets: list[str]


def question_suggestions(member: User) -> list[dict[str, str]]:
    """As many questions as the page shows, no two alike, and not the same ones every time.

    Where there are tables each can be answered over them; presets fill up what these do not give, as far as they can be
    answered too. Without any table presets show what may be asked once there are.
    """
    analyst, organization = engine.current(), organization_of(member)
    catalog = analyst.catalog_of(organization)
    found = _found(analyst, organization, catalog) if catalog.tables() else _found_now(analyst, catalog)
    proven = proven_questions(organization, catalog, limits.SUGGESTIONS_OF_HISTORY)
    shuffled = [*_shuffled(proven)[:1], *_shuffled([*found["own"], *proven]), *_shuffled(found["presets"])]
    chosen = list(dict.fromkeys(shuffled))[: limits.SUGGESTIONS]
    return [{"suggested_question": question} for question in chosen]


def suggestions_find(organization_id: UUID) -> None:
    """Finds and keeps what can be asked about the organization's tables as they are now, if nobody has yet. Wide ones
    are ready for questions then."""
    organization = apps.get_model("accounts", "Organization").objects.filter(pk=organization_id, is_active=True).first()
    if organization is None:
        return
    analyst = engine.current()
    catalog = analyst.catalog_of(organization)
    analyst.ready(catalog)
    key = _key(organization, catalog)
    if cache.get(key) is not None:
        return
    found = Found(own=[], presets=[])
    try:
        with within(limits.SUGGESTING_SECONDS):
            for _ in _find(analyst, catalog, found):
                # A child that was told of newer tables would have to learn the older ones again.
                if analyst.is_wide(catalog) and analyst.catalog_of(organization).version != catalog.version:
                    return
    except TimeUp:
        logger.error("finding questions for organization %s took too long", organization_id)
    cache.set(key, found, limits.SUGGESTIONS_KEPT)


def _found(analyst: Engine, organization: Organization, catalog: Catalog) -> Found:
    """What a worker found; it is sent for by the first who asks."""
    key, until = _key(organization, catalog), time.monotonic() + limits.SUGGESTIONS_AWAITED
    found: Found | None = cache.get(key)
    if found is None and cache.add(f"{key}.sent", 1, 2 * limits.SUGGESTING_SECONDS):
        send_after_commit(actor_named("threads.find_suggestions"), organization.pk)
    elif analyst.is_wide(catalog):
        question_expected(organization.pk)
    while found is None and time.monotonic() < until:
        time.sleep(PAUSE)
        found = cache.get(key)
    return found or Found(own=[], presets=[])


def _found_now(analyst: Engine, catalog: Catalog) -> Found:
    """Without tables there is nothing to read."""
    return Found(own=analyst.suggest(catalog, limits.SUGGESTIONS_TO_CHOOSE_FROM), presets=list(PRESET_QUESTIONS))


def _find(analyst: Engine, catalog: Catalog, found: Found) -> Iterator[None]:
    """Step by step."""
    yield
    found["own"] = analyst.suggest(catalog, limits.SUGGESTIONS_TO_CHOOSE_FROM)
    for question in _shuffled(PRESET_QUESTIONS):
        yield
        if len(found["own"]) + len(found["presets"]) >= limits.SUGGESTIONS:
            return
        if analyst.can_answer is None or analyst.can_answer(question, catalog):
            found["presets"].append(question)


def _key(organization: Organization, catalog: Catalog) -> str:
    return f"suggestions.{organization.pk}.{catalog.version}"


def _shuffled(questions: Sequence[str]) -> list[str]:
    return random.sample(questions, len(questions))
