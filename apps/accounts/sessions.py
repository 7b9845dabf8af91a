"""Signed-in sessions: from a token to its user, and whether one is still alive.

Used on every call of the API and, every few seconds, by open sockets, so it is two small queries and no more.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth import HASH_SESSION_KEY, SESSION_KEY
from django.db.models import UUIDField
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from apps.accounts.flows.session_store import SessionStore
from apps.accounts.flows.tokens import session_key
from apps.accounts.models import User
from apps.accounts.selectors import accounts_let_in, last_seen
from apps.core.prepared import Prepared

SEEN_EVERY = timedelta(hours=2)
"""How exactly it is known when a member was last here; in between a call writes nothing."""

_ACTIVE = Prepared(
    lambda user: accounts_let_in().filter(pk=user),
    user=UUIDField(),
)


@dataclass(frozen=True, slots=True)
class Session:
    """A live session: its stored key and its user with the organization loaded."""

    key: str
    user: User


def session_of(token: str) -> Session | None:
    """The live session of a token, or None: bad signature, signed out, expired, password changed, not let in.

    The call counts as a use of the session, so that its idle time starts anew, and the member was seen.
    """
    key = session_key(token)
    store = SessionStore(key) if key else None
    session = _session_in(store) if store else None
    if store and session:
        store.touch()
        _seen(session.user)
    return session


def session_alive(key: str) -> Session | None:
    """The live session of that key, or None. An open socket asks this: it is no use of the session."""
    return _session_in(SessionStore(key))


def _session_in(store: SessionStore) -> Session | None:
    user_id, key = store.get(SESSION_KEY), store.session_key
    if not user_id or key is None:
        return None
    user = _ACTIVE.first(user=user_id)
    if user is None or not constant_time_compare(store.get(HASH_SESSION_KEY, ""), user.get_session_auth_hash()):
        return None
    return Session(key=key, user=user)


def _seen(user: User) -> None:
    now, known = timezone.now(), last_seen(user)
    if known is None or now - known > SEEN_EVERY:
        User.objects.filter(pk=user.pk).update(last_seen_at=now)
