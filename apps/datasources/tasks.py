"""Actors of this app: each takes an id, holds one line, and may run twice."""

from __future__ import annotations

from uuid import UUID

import dramatiq

from apps.datasources.services import ingestion


@dramatiq.actor(
    actor_name="datasources.ingest_file",
    queue_name="files",
    priority=10,
    retry_when=ingestion.try_again,
    min_backoff=1_000,
    notify_shutdown=True,
)
def ingest_file(stored_id: str, **_: object) -> None:
    """Reads a stored file into tables."""
    ingestion.ingest_file(UUID(stored_id))


@dramatiq.actor(actor_name="datasources.find_connections", queue_name="files", priority=20, max_retries=0)
def find_connections(organization_id: str, **_: object) -> None:
    """Brings the joins of an organization's tables up to date."""
    ingestion.find_connections(UUID(organization_id))
