"""Signing in at HubSpot: the consent page, tokens, their renewal and return. OAuth v2026-09, form encoded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings

from apps.datasources.selectors import sources_of
from apps.integrations import http
from apps.integrations.connector import ConnectorError, Tokens
from apps.integrations.hubspot import wire

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.integrations.models import Connection

NAME = "HubSpot"
SIGN_IN_AGAIN = "HubSpot no longer accepts this sign-in. Please connect again."
_REFUSED = {400, 401, 403, 404}


class HubSpotConnector:
    """apps.integrations.connector.Connector for HubSpot: one account for an organization."""

    service = "hubspot"
    name = NAME
    personal = False
    callback_path = "/hubspot-callback"

    def configured(self) -> bool:
        return bool(settings.HUBSPOT_CLIENT_ID and settings.HUBSPOT_CLIENT_SECRET)

    def authorize_url(self, *, state: str, redirect_uri: str, challenge: str) -> str:
        query = {
            "client_id": settings.HUBSPOT_CLIENT_ID,
            "redirect_uri": redirect_uri,
            "scope": " ".join(wire.SCOPES),
            "optional_scope": " ".join(wire.OPTIONAL_SCOPES),
            "state": state,
        }
        return f"{settings.HUBSPOT_AUTHORIZE_URL}?{urlencode(query)}"

    def exchange(self, *, code: str, redirect_uri: str, verifier: str) -> Tokens:
        form = {"grant_type": "authorization_code", "code": code, "redirect_uri": redirect_uri}
        return _introspected(_tokens(_post("", form)))

    def refresh(self, *, refresh_token: str) -> Tokens:
        return _tokens(_post("", {"grant_type": "refresh_token", "refresh_token": refresh_token}))

    def revoke(self, *, access_token: str, refresh_token: str) -> None:
        _post("/revoke", {"token": refresh_token, "token_type_hint": "refresh_token"}, gone_is_fine=True)

    def sources(self, connection: Connection) -> QuerySet[Any]:
        return sources_of(connection.organization).filter(group="crm")


def _post(path: str, form: Mapping[str, str], *, gone_is_fine: bool = False) -> Mapping[str, Any]:
    """A call of the token endpoint. What it refuses stays refused; anything else may pass."""
    client = {"client_id": settings.HUBSPOT_CLIENT_ID, "client_secret": settings.HUBSPOT_CLIENT_SECRET}
    answer = http.call(NAME, "POST", settings.HUBSPOT_API_URL, wire.TOKEN_PATH + path, form={**client, **form})
    if answer.status < 300:
        return answer.json if isinstance(answer.json, Mapping) else {}
    if answer.status in _REFUSED:
        if gone_is_fine:
            return {}
        raise ConnectorError(SIGN_IN_AGAIN, permanent=True, needs_sign_in=True, code="needs_sign_in")
    raise ConnectorError(
        "HubSpot could not be asked for a sign-in at the moment. Please try again.",
        permanent=False,
        retry_after=answer.retry_after(),
    )


def _tokens(answer: Mapping[str, Any]) -> Tokens:
    """Snake case as the client library has it, camel case as the reference page shows it."""

    def said(snake: str, camel: str) -> Any:
        return answer.get(snake, answer.get(camel))

    access, expires_in = said("access_token", "accessToken"), said("expires_in", "expiresIn")
    if not isinstance(access, str) or not access or not isinstance(expires_in, int | float):
        raise ConnectorError("HubSpot sent an answer that cannot be read.", permanent=False, code="unreadable")
    scopes = answer.get("scopes") or []
    return Tokens(
        access_token=access,
        refresh_token=str(said("refresh_token", "refreshToken") or ""),
        expires_in=float(expires_in),
        scopes=tuple(scopes.split() if isinstance(scopes, str) else map(str, scopes)),
        account_id=str(said("hub_id", "hubId") or ""),
        account_name=str(said("hub_domain", "hubDomain") or ""),
    )


def _introspected(tokens: Tokens) -> Tokens:
    """The same tokens with whose they are: the account's id where the token answer did not say it, and its name."""
    try:
        about = _post("/introspect", {"token": tokens.access_token, "token_type_hint": "access_token"})
    except ConnectorError:
        if not tokens.account_id:
            raise
        return tokens
    account = tokens.account_id or str(about.get("hub_id", about.get("hubId")) or "")
    if not account:
        raise ConnectorError("HubSpot did not say whose account this is.", permanent=True, code="no_account")
    scopes = about.get("scopes")
    return replace(
        tokens,
        account_id=account,
        account_name=tokens.account_name or str(about.get("hub_domain", about.get("hubDomain")) or ""),
        scopes=tokens.scopes or (tuple(map(str, scopes)) if isinstance(scopes, list) else ()),
    )
