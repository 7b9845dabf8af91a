"""What of this app stops with an organization that is deactivated (apps.accounts.services.organizations)."""

from __future__ import annotations

from apps.accounts.models import Organization
from apps.integrations.models import Connection


def stops(organization: Organization) -> dict[str, int]:
    """How many connections, the organization's and its members', are not refreshed and answer nobody meanwhile."""
    return {"Integrations": Connection.objects.of(organization).count()}
