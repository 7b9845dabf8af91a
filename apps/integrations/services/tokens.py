"""The access token of a connection, renewed ahead of its end by one worker while the others wait or use the old one.

The renewal is claimed by one conditional UPDATE with a time limit; no transaction is open while the service is asked.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID, uuid4

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from apps.integrations import crypto, limits
from apps.integrations.connector import ConnectorError, Tokens
from apps.integrations.events import connection_changed
from apps.integrations.models import Connection, ConnectionState
from apps.integrations.registry import connector_of

logger = logging.getLogger("apps.integrations.tokens")

_FIRST_PAUSE, _LONGEST_PAUSE = 0.05, 0.5


@dataclass(frozen=True, slots=True)
class Held:
    """The tokens of a row, opened."""

    access_token: str
    refresh_token: str

    def __repr__(self) -> str:
        return "Held()"


def tokens_seal(connection_id: UUID, *, access_token: str, refresh_token: str) -> str:
    """The tokens as they are kept: bound to their connection, so that a copied row opens nothing."""
    return crypto.seal(json.dumps({"of": connection_id.hex, "access": access_token, "refresh": refresh_token}))


def tokens_open(sealed: str, connection_id: UUID) -> Held:
    """The tokens of a connection. Raises Unopenable."""
    kept = json.loads(crypto.unseal(sealed))
    if kept["of"] != connection_id.hex:
        raise crypto.Unopenable
    return Held(kept["access"], kept["refresh"])


def expiry(tokens: Tokens) -> datetime | None:
    """When the tokens end."""
    return None if tokens.expires_in is None else timezone.now() + timedelta(seconds=tokens.expires_in)


def access_token(
    connection_id: UUID, *, refused: str | None = None, pause: Callable[[float], None] = time.sleep
) -> str:
    """A token that is good for the next minutes. Raises ConnectorError; where it is permanent the row says why.

    Args:
        refused: The token that the service just answered with 401; it is renewed unless somebody did so already.
    """
    until = time.monotonic() + limits.REFRESH_WAIT_SECONDS
    wait = _FIRST_PAUSE
    while True:
        connection = _usable(connection_id)
        held = tokens_open(connection.sealed, connection.pk)
        if held.access_token != refused and not _ends_within(connection, limits.REFRESH_AHEAD):
            return held.access_token
        claim = _claim(connection)
        if claim:
            return _renew(connection, held, claim, must=held.access_token == refused)
        if held.access_token != refused and not _ends_within(connection, timedelta(seconds=30)):
            return held.access_token  # somebody is at it, and this one is still good
        if time.monotonic() > until:
            raise ConnectorError("The sign-in is still being renewed. Please try again.", permanent=False)
        pause(wait)
        wait = min(wait * 2, _LONGEST_PAUSE)


def needs_sign_in(connection_id: UUID, reason: str) -> None:
    """The connection cannot go on without a person; what it brought stays usable."""
    _turn(connection_id, ConnectionState.NEEDS_SIGN_IN, reason)


def _usable(connection_id: UUID) -> Connection:
    connection = Connection.objects.filter(pk=connection_id).first()
    if connection is None:
        raise ConnectorError("This connection was removed.", permanent=True, code="not_connected")
    if connection.state == ConnectionState.NEEDS_SIGN_IN:
        raise ConnectorError(connection.reason, permanent=True, needs_sign_in=True, code="needs_sign_in")
    return connection


def _ends_within(connection: Connection, span: timedelta) -> bool:
    return connection.expires_at is not None and connection.expires_at <= timezone.now() + span


def _claim(connection: Connection) -> str:
    """The right to renew, or "" where another has it or has just used it."""
    now, claim = timezone.now(), uuid4().hex
    free = Q(renewing_until__isnull=True) | Q(renewing_until__lt=now)
    claimed = Connection.objects.filter(free, pk=connection.pk, renewals=connection.renewals).update(
        renewer=claim, renewing_until=now + limits.REFRESH_LOCK
    )
    return claim if claimed else ""


def _renew(connection: Connection, held: Held, claim: str, *, must: bool) -> str:
    mine = Connection.objects.filter(pk=connection.pk, renewer=claim)
    try:
        tokens = connector_of(connection.service).refresh(refresh_token=held.refresh_token)
    except ConnectorError as error:
        mine.update(renewer="", renewing_until=None)
        if error.permanent:
            needs_sign_in(connection.pk, error.message)
            raise
        if must or _ends_within(connection, timedelta(seconds=0)):
            raise
        logger.warning("a token of %s could not be renewed yet", connection.pk)
        return held.access_token
    except BaseException:
        mine.update(renewer="", renewing_until=None)
        raise
    kept = mine.update(
        sealed=tokens_seal(
            connection.pk, access_token=tokens.access_token, refresh_token=tokens.refresh_token or held.refresh_token
        ),
        expires_at=expiry(tokens),
        renewals=F("renewals") + 1,
        renewer="",
        renewing_until=None,
    )
    if not kept:
        raise ConnectorError("This connection was removed.", permanent=True, code="not_connected")
    return tokens.access_token


def _turn(connection_id: UUID, state: ConnectionState, reason: str) -> None:
    with transaction.atomic():
        turned = Connection.objects.filter(pk=connection_id).exclude(state=state, reason=reason)
        if turned.update(state=state, reason=reason, state_at=timezone.now()):
            connection_changed(Connection.objects.get(pk=connection_id))
