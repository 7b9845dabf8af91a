"""Tickets for the socket: a browser cannot send a header there, so it first fetches a ticket that opens it once.

The ticket names nothing; the session's stored key stays in the cache.
"""

from __future__ import annotations

import secrets

from django.core import signing
from django.core.cache import cache

from apps.accounts.sessions import Session, session_alive
from apps.threads.limits import TICKET_SECONDS

_signer = signing.TimestampSigner(salt="threads.socket-ticket")
_PREFIX = "socket-ticket:"


def ticket_issue(session: Session) -> str:
    """A signed ticket for this session, good once and for TICKET_SECONDS."""
    nonce = secrets.token_urlsafe(24)
    cache.set(_PREFIX + nonce, session.key, timeout=TICKET_SECONDS)
    return _signer.sign(nonce)


def ticket_redeem(ticket: str) -> Session | None:
    """The live session that a ticket stands for, or None: forged, late, used before, or the session has ended."""
    try:
        nonce = _signer.unsign(ticket, max_age=TICKET_SECONDS)
    except signing.BadSignature:
        return None
    key = cache.get(_PREFIX + nonce)
    if key is None or not cache.delete(_PREFIX + nonce):
        return None
    return session_alive(key)
