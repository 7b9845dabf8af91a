"""Slack as a connector: an admin connects the organization's one workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings

from apps.datasources.selectors import sources_of
from apps.integrations.connector import Tokens
from apps.integrations.slack import client

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.integrations.models import Connection


class SlackConnector:
    """See apps.integrations.connector.Connector."""

    service = "slack"
    name = "Slack"
    personal = False
    callback_path = "/slack-callback"

    def configured(self) -> bool:
        return bool(settings.SLACK_CLIENT_ID and settings.SLACK_CLIENT_SECRET and settings.SLACK_SIGNING_SECRET)

    def authorize_url(self, *, state: str, redirect_uri: str, challenge: str) -> str:
        """Slack's consent page; it is a confidential client's, without PKCE."""
        query = {
            "client_id": settings.SLACK_CLIENT_ID,
            "scope": ",".join(client.SCOPES),
            "user_scope": "",
            "redirect_uri": redirect_uri,
            "state": state,
        }
        return f"{settings.SLACK_URL}/oauth/v2/authorize?{urlencode(query)}"

    def exchange(self, *, code: str, redirect_uri: str, verifier: str) -> Tokens:
        return client.exchange(code=code, redirect_uri=redirect_uri)

    def refresh(self, *, refresh_token: str) -> Tokens:
        return client.refresh(refresh_token=refresh_token)

    def revoke(self, *, access_token: str, refresh_token: str) -> None:
        client.revoke(access_token=access_token)

    def sources(self, connection: Connection) -> QuerySet[Any]:
        """Slack brings questions, never data."""
        return sources_of(connection.organization).none()
