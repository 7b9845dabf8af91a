"""The session token: a signed secret, sent as `Authorization: Bearer`. Its stored digest opens nothing."""

from __future__ import annotations

from allauth.headless.tokens.strategies.sessions import SessionTokenStrategy
from django.contrib.sessions.backends.base import SessionBase
from django.core import signing
from django.http import HttpRequest

from apps.accounts.flows.session_store import SessionStore, stored_key

_signer = signing.Signer(salt="accounts.session-token")
PREFIX = "Bearer "


def bearer(request: HttpRequest) -> str | None:
    """The token of the Authorization header, or None."""
    header = request.headers.get("Authorization", "")
    return header[len(PREFIX) :].strip() or None if header.startswith(PREFIX) else None


def session_key(token: str) -> str | None:
    """Under which key the session of a token is stored, or None where the signature is not ours."""
    secret = _secret(token)
    return stored_key(secret, "token") if secret else None


def _secret(token: str) -> str | None:
    try:
        return _signer.unsign(token)
    except signing.BadSignature:
        return None


class SignedSessionTokens(SessionTokenStrategy):
    """allauth's strategy with the secret signed; the usual header, or on its own routes allauth's (X-Session-Token)."""

    def get_session_token(self, request: HttpRequest) -> str | None:
        return bearer(request) or super().get_session_token(request)

    def create_session_token(self, request: HttpRequest) -> str:
        super().create_session_token(request)  # saves a new one
        session = request.session
        assert isinstance(session, SessionStore)
        assert session.secret is not None, "allauth's sessions are new, or were looked up by their token"
        return _signer.sign(session.secret)

    def lookup_session(self, session_token: str) -> SessionBase | None:
        secret = _secret(session_token)
        if secret is None or not SessionStore().exists(stored_key(secret, "token")):
            return None
        return SessionStore.carried(secret, "token")
