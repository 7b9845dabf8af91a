"""Signed-in sessions: from a token to its user, and whether one is still alive.

Used on every call of the API and, every few seconds, by open sockets, so it is two small queries and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

from django.conf import settings
from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.base import SessionBase
from django.utils.crypto import constant_time_compare

from apps.accounts.flows.tokens import session_key
from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class Session:
    """A live session: its key (never shown to anyone) and its user with the organisation loaded."""

    key: str
    user: User


def _store(key: str) -> SessionBase:
    store: SessionBase = import_module(settings.SESSION_ENGINE).SessionStore(session_key=key)
    return store


def session_of(token: str) -> Session | None:
    """The live session of a token, or None: bad signature, signed out, expired, password changed, deactivated."""
    key = session_key(token)
    return session_alive(key) if key else None


def session_alive(key: str) -> Session | None:
    """The live session of that key, or None."""
    data = _store(key)
    user_id = data.get(SESSION_KEY)
    if not user_id:
        return None
    user = User.objects.select_related("organization").filter(pk=user_id, is_active=True).first()
    if user is None or not constant_time_compare(data.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        return None
    return Session(key=key, user=user)
