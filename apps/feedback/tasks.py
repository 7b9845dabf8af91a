"""Actors of this app: each takes an id, holds one line, and may run twice."""

from __future__ import annotations

from uuid import UUID

import dramatiq


@dramatiq.actor(actor_name="feedback.pass_on", queue_name="feedback", max_retries=0)
def pass_on(feedback_id: str, **_: object) -> None:
    """Sends a feedback to the outside endpoint; the row says when to try again."""
    from apps.feedback.services import passing

    passing.feedback_pass_on(UUID(feedback_id))
