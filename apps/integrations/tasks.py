"""Actors of this app: each takes an id, holds one line, and may run twice."""

from __future__ import annotations

from uuid import UUID

import dramatiq

from apps.integrations.google import reading
from apps.integrations.hubspot import sync
from apps.integrations.services import revocations
from apps.integrations.slack import answering


@dramatiq.actor(actor_name="integrations.revoke", queue_name="integrations", max_retries=0)
def revoke(revocation_id: str, **_: object) -> None:
    """Gives a sign-in back to its service."""
    revocations.revocation_try(UUID(revocation_id))


@dramatiq.actor(actor_name="integrations.read_sheets", queue_name="integrations", max_retries=0)
def read_sheets(connection_id: str, **_: object) -> None:
    """Reads the tabs of a connection that wait."""
    reading.tabs_read(UUID(connection_id))


@dramatiq.actor(actor_name="integrations.answer_slack", queue_name="slack", max_retries=0)
def answer_slack(question_id: str, **_: object) -> None:
    """Takes a question from Slack a step further."""
    answering.question_answer(UUID(question_id))


@dramatiq.actor(actor_name="integrations.refresh_hubspot", queue_name="refreshes", max_retries=0, notify_shutdown=True)
def refresh_hubspot(sync_id: str, **_: object) -> None:
    """Brings an organization's HubSpot data up to date."""
    sync.sync_run(UUID(sync_id))
