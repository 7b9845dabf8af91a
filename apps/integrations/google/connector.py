"""Google as a connector: each member signs in with an account of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings

from apps.datasources.selectors import sources_of
from apps.integrations.connector import Tokens
from apps.integrations.google import client

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.integrations.models import Connection


class GoogleConnector:
    """See apps.integrations.connector.Connector."""

    service = "google"
    name = "Google Sheets"
    personal = True
    callback_path = "/google-callback"

    def configured(self) -> bool:
        return bool(settings.GOOGLE_CLIENT_ID and settings.GOOGLE_CLIENT_SECRET)

    def authorize_url(self, *, state: str, redirect_uri: str, challenge: str) -> str:
        """Consent anew each time, and offline: else Google gives no refresh token the second time."""
        query = {
            "client_id": settings.GOOGLE_CLIENT_ID,
            "redirect_uri": redirect_uri,
            "response_type": "code",
            "scope": " ".join(client.SCOPES),
            "state": state,
            "access_type": "offline",
            "prompt": "consent",
            "include_granted_scopes": "true",
            "code_challenge": challenge,
            "code_challenge_method": "S256",
        }
        return f"{settings.GOOGLE_AUTHORIZE_URL}?{urlencode(query)}"

    def exchange(self, *, code: str, redirect_uri: str, verifier: str) -> Tokens:
        return client.exchange(code=code, redirect_uri=redirect_uri, verifier=verifier)

    def refresh(self, *, refresh_token: str) -> Tokens:
        return client.refresh(refresh_token=refresh_token)

    def revoke(self, *, access_token: str, refresh_token: str) -> None:
        client.revoke(token=refresh_token or access_token)

    def sources(self, connection: Connection) -> QuerySet[Any]:
        return sources_of(connection.organization).filter(sheet_tabs__connection=connection)
