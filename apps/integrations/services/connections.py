"""Making, marking and ending connections. The only writers of a connection but for the renewal of its tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action, demand
from apps.core.errors import Conflict, Invalid, Unavailable
from apps.datasources.services.removal import source_discard
from apps.integrations.connector import Connector, Tokens
from apps.integrations.events import connection_changed
from apps.integrations.models import Connection, ConnectionState
from apps.integrations.registry import connector_of
from apps.integrations.selectors import connected, connection_of
from apps.integrations.services.giving_back import revocation_queue
from apps.integrations.services.states import sign_in_finish, sign_in_start
from apps.integrations.services.tokens import expiry, tokens_seal

if TYPE_CHECKING:
    from apps.accounts.models import User


def connection_start(*, by: User, session_key: str, service: str, redirect_uri: str) -> str:
    """The address of the service's consent page. Raises NotFound, Refused, Unavailable."""
    connector = _usable(by, service)
    started = sign_in_start(by=by, session_key=session_key, service=service, redirect_uri=redirect_uri)
    return connector.authorize_url(state=started.state, redirect_uri=redirect_uri, challenge=started.challenge)


def connection_finish(
    *, by: User, session_key: str, service: str, code: str, state: str, redirect_uri: str
) -> Connection:
    """Turns the code of a consent into a connection, or into a new sign-in of the one there is.

    Raises Invalid for a state or address that is not this sign-in's, Conflict where the account is another
    organization's, ConnectorError where the service refuses.
    """
    connector = _usable(by, service)
    finished = sign_in_finish(by=by, session_key=session_key, service=service, state=state)
    if finished.redirect_uri != redirect_uri:
        raise Invalid("This sign-in was started for another address. Please try to connect again.", code="redirect_uri")
    tokens = connector.exchange(code=code, redirect_uri=redirect_uri, verifier=finished.verifier)
    return connection_keep(by=by, connector=connector, tokens=tokens)


def connection_keep(*, by: User, connector: Connector, tokens: Tokens) -> Connection:
    """Keeps the tokens of a consent. Raises Conflict where the account belongs to somebody else."""
    assert by.organization is not None, "only members reach the services"
    try:
        with transaction.atomic():
            connection = connection_of(by, connector.service) or Connection(
                organization=by.organization, service=connector.service, member=by if connector.personal else None
            )
            if connection.account_id and connection.account_id != tokens.account_id and not connector.personal:
                raise Conflict(
                    f"Another {connector.name} account is connected. Disconnect it before you connect this one.",
                    code="other_account",
                )
            _fill(connection, tokens)
            connection.save()
            target = f"{connector.name}: {connection.account_name}" if connection.account_name else connector.name
            record(AuditAction.CONNECTED, organization=by.organization, actor=by, target=target)
            connection_changed(connection)
    except IntegrityError as error:
        raise Conflict(
            f"This {connector.name} account cannot be connected here. Please connect another one.",
            code="not_connectable",
        ) from error
    return connection


def connection_end(*, by: User, service: str, keep_data: bool) -> None:
    """Forgets the sign-in here and at the service; what it brought stays or goes. Raises Conflict, Refused."""
    connector = connector_of(service)
    if not connector.personal:
        demand(by, Action.MANAGE_CONNECTIONS)
    with transaction.atomic():
        connection = connected(by, service)
        sources = [] if keep_data else list(connector.sources(connection))
        revocation_queue(connection)
        connection_changed(connection)
        connection.delete()
        for source in sources:
            source_discard(source=source, by=by)
        record(
            AuditAction.DISCONNECTED,
            organization=by.organization,
            actor=by,
            target=connector.name,
            data="kept" if keep_data else "deleted",
            files=len(sources),
        )


def _usable(by: User, service: str) -> Connector:
    connector = connector_of(service)
    if not connector.personal:
        demand(by, Action.MANAGE_CONNECTIONS)
    if not connector.configured():
        raise Unavailable(
            f"{connector.name} is not set up on this server. Please ask whoever runs it.", code="not_configured"
        )
    return connector


def _fill(connection: Connection, tokens: Tokens) -> None:
    connection.account_id, connection.account_name = tokens.account_id, tokens.account_name
    connection.scopes, connection.extra = list(tokens.scopes), dict(tokens.extra or {})
    connection.sealed = tokens_seal(connection.pk, access_token=tokens.access_token, refresh_token=tokens.refresh_token)
    connection.expires_at = expiry(tokens)
    connection.renewals += 1
    connection.renewer, connection.renewing_until = "", None
    connection.state, connection.reason, connection.state_at = ConnectionState.CONNECTED, "", timezone.now()
