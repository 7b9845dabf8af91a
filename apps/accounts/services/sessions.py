"""Ending sessions. A session that ends is refused with the next call, and its sockets close within seconds."""

from __future__ import annotations

from allauth.usersessions.models import UserSession

from apps.accounts.audit import record
from apps.accounts.models import AuditAction, User


def sessions_end(*, user: User, actor: User | None = None) -> int:
    """Ends every session of the user; returns how many there were."""
    sessions = list(UserSession.objects.filter(user_id=user.pk))
    for session in sessions:
        session.end()
    record(
        AuditAction.SESSIONS_ENDED,
        organization=user.organization,
        actor=actor,
        target=user.username,
        sessions=len(sessions),
    )
    return len(sessions)
