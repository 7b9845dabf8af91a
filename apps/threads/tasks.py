"""Actors of this app: each takes an id, does one thing, and may run twice.

The runner brings the engine, whose imports a start must not wait for, so it is imported with the first question (or by
the warm-up, whichever comes first).
"""

from __future__ import annotations

from uuid import UUID

import dramatiq


@dramatiq.actor(
    actor_name="threads.answer_run", queue_name="questions", max_retries=2, min_backoff=1_000, notify_shutdown=True
)
def answer_run(run_id: str, **_: object) -> None:
    """Answers the question of a run."""
    from apps.threads import runner

    runner.execute(UUID(run_id))


@dramatiq.actor(actor_name="threads.find_suggestions", queue_name="suggestions", max_retries=0)
def find_suggestions(organization_id: str, **_: object) -> None:
    """Finds what can be asked about an organization's tables."""
    from apps.threads import suggestions

    suggestions.suggestions_find(UUID(organization_id))


@dramatiq.actor(actor_name="threads.find_brought", queue_name="suggestions", max_retries=0)
def find_brought(key: str, **_: object) -> None:
    """Finds what can be said of files that were just brought; the key is that of the wish in the cache."""
    from apps.threads import brought

    brought.brought_find(key)
