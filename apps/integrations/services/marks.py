"""Saying how a connection stands, for the workers that use it. Sends nothing to workers: they send themselves."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from apps.integrations.events import connection_changed
from apps.integrations.models import Connection, ConnectionState


def connection_mark(connection_id: UUID, state: ConnectionState, reason: str = "", *, refreshed: bool = False) -> None:
    """Says how the connection stands now. A connection that needs a sign-in stays so until somebody signs in."""
    with transaction.atomic():
        now = timezone.now()
        rows = Connection.objects.filter(pk=connection_id).exclude(state=ConnectionState.NEEDS_SIGN_IN)
        changes = {"state": state, "reason": reason, "state_at": now}
        if rows.update(**changes, **({"refreshed_at": now} if refreshed else {})):
            connection_changed(Connection.objects.get(pk=connection_id))
