"""The session token: a signed session key, sent as `Authorization: Bearer`. A stolen database row is no credential."""

from __future__ import annotations

from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.contrib.sessions.backends.base import SessionBase
from django.core import signing
from django.http import HttpRequest

_signer = signing.Signer(salt="accounts.session-token")
PREFIX = "Bearer "


def bearer(request: HttpRequest) -> str | None:
    """The token of the Authorization header, or None."""
    header = request.headers.get("Authorization", "")
    return header[len(PREFIX) :].strip() or None if header.startswith(PREFIX) else None


def session_key(token: str) -> str | None:
    """The session key that a token of ours carries, or None where the signature is not ours."""
    try:
        return _signer.unsign(token)
    except signing.BadSignature:
        return None


class SignedSessionTokens(SessionTokenStrategy):
    """allauth's strategy with the key signed; the usual header, or on its own routes allauth's (X-Session-Token)."""

    def get_session_token(self, request: HttpRequest) -> str | None:
        return bearer(request) or super().get_session_token(request)

    def create_session_token(self, request: HttpRequest) -> str:
        return _signer.sign(super().create_session_token(request))

    def lookup_session(self, session_token: str) -> SessionBase | None:
        key = session_key(session_token)
        return super().lookup_session(key) if key else None
