"""Actors of this app: each takes an id, holds one line, and may run twice."""

from __future__ import annotations

from uuid import UUID

import dramatiq

from apps.integrations.services import revocations


@dramatiq.actor(actor_name="integrations.revoke", queue_name="integrations", max_retries=0)
def revoke(revocation_id: str, **_: object) -> None:
    """Gives a sign-in back to its service."""
    revocations.revocation_try(UUID(revocation_id))
