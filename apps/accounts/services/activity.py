"""The audit log of an organization, as its admins read it in the product."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from apps.accounts.models import AuditEvent, User
from apps.accounts.policy import Action, demand

PAGE = 50
"""Entries that are told at once."""


def activity(*, by: User, before: datetime | None = None) -> dict[str, Any]:
    """The newest entries, or the newest of those before a moment, and whether there are older ones. Raises Refused."""
    demand(by, Action.READ_AUDIT_LOG)
    assert by.organization is not None, "who has no organization is let in nowhere"
    found = AuditEvent.objects.of(by.organization)
    if before is not None:
        found = found.filter(created_at__lt=before)
    entries = list(found[: PAGE + 1])
    return {"entries": [_told(entry) for entry in entries[:PAGE]], "more": len(entries) > PAGE}


def _told(entry: AuditEvent) -> dict[str, Any]:
    return {
        "id": str(entry.pk),
        "at": entry.created_at.isoformat(),
        "who": entry.actor_name,
        "what": entry.get_action_display(),
        "target": entry.target,
        "address": entry.address,
    }
