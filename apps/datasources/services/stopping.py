"""What of this app stops with an organization that is deactivated (apps.accounts.services.organizations)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F

from apps.core.jobs.sending import send_after_commit
from apps.datasources import tasks
from apps.datasources.models import CatalogState, Source

if TYPE_CHECKING:
    from apps.accounts.models import Organization


def stops(organization: Organization) -> dict[str, int]:
    """How many sources nobody can ask about meanwhile."""
    return {"Sources": Source.objects.of(organization).count()}


def joins_resume(organization: Organization) -> None:
    """Has the joins looked for that nobody looked for meanwhile. Files that wait are found by the sweep."""
    if CatalogState.objects.of(organization).exclude(joins_version=F("version")).exists():
        send_after_commit(tasks.find_connections, organization.pk)
