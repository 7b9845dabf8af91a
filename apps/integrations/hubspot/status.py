"""How an organization's HubSpot stands, as every client is told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils import timezone

from apps.datasources.unread import exports_unread
from apps.integrations.hubspot.choosing import categories_of
from apps.integrations.models import Connection, HubSpotSync, RefreshSchedule
from apps.integrations.registry import connector_of
from apps.integrations.selectors import connected, connection_of, connection_row, may_manage

if TYPE_CHECKING:
    from apps.accounts.models import User

NOTHING = {"state": "not_connected", "reason": None, "state_at": None, "account_name": "", "refreshed_at": None}


def status(user: User) -> dict[str, Any]:
    """The state with its reason and time, the progress of a refresh under way, its files still unread, the schedule."""
    connection = connection_of(user, "hubspot")
    every = RefreshSchedule.objects.filter(connection=connection).first() if connection else None
    rows = categories_of(connection) if connection else []
    stands = connection_row(connection) if connection else NOTHING
    return {
        **{name: stands[name] for name in NOTHING},
        "configured": connector_of("hubspot").configured(),
        "may_manage": may_manage(user, "hubspot"),
        "progress": _progress(connection) if connection else None,
        "unread": exports_unread(connection.organization, "crm") if connection else 0,
        "every_hours": every.every_hours if every else (24 if connection else None),
        "problems": {row.category: row.problem for row in rows if row.problem},
    }


def connected_status(user: User) -> dict[str, Any]:
    """The same, where HubSpot is connected. Raises Conflict where it is not (SPEC: success means connected)."""
    connected(user, "hubspot")
    return status(user)


def _progress(connection: Connection) -> dict[str, Any] | None:
    sync = HubSpotSync.objects.filter(connection=connection, state__in=["queued", "running"]).first()
    if sync is None:
        return None
    waits = sync.state == "queued" and sync.due_at > timezone.now()
    return {
        "category": sync.cursor.get("category", ""),
        "read": sync.read,
        "waiting_until": sync.due_at.isoformat() if waits else None,
    }
