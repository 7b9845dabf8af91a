"""Reads of connections. Everything starts from the organization; nothing here opens a token."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.accounts.policy import Action, allowed
from apps.core.errors import Conflict
from apps.integrations.models import Connection
from apps.integrations.registry import connector_of, connectors

if TYPE_CHECKING:
    from apps.accounts.models import Organization, User
    from apps.integrations.connector import Connector


def connection_of(user: User, service: str) -> Connection | None:
    """The member's connection to the service: the organization's, or where these are personal the member's own."""
    assert user.organization is not None, "only members reach the selectors"
    member = user if connector_of(service).personal else None
    return Connection.objects.of(user.organization).filter(service=service, member=member).first()


def organization_connection(organization: Organization, service: str) -> Connection | None:
    """The organization's own connection to the service."""
    return Connection.objects.of(organization).filter(service=service, member=None).first()


def connected(user: User, service: str) -> Connection:
    """The connection. Raises Conflict where there is none."""
    found = connection_of(user, service)
    if found is None:
        raise Conflict(f"{connector_of(service).name} is not connected.", code="not_connected")
    return found


def may_manage(user: User, service: str) -> bool:
    """Members manage their own accounts, admins the organization's (PRODUCT "Who may do what")."""
    return connector_of(service).personal or allowed(user, Action.MANAGE_CONNECTIONS)


def connection_row(connection: Connection) -> dict[str, Any]:
    """A connection as every client is told, by listing and push alike."""
    return {
        "service": connection.service,
        "state": connection.state,
        "reason": connection.reason or None,
        "state_at": connection.state_at.isoformat(),
        "account_name": connection.account_name,
        "refreshed_at": connection.refreshed_at.isoformat() if connection.refreshed_at else None,
    }


def service_rows(user: User) -> list[dict[str, Any]]:
    """Every service with the member's connection to it, where there is one."""
    return [_service_row(user, connector) for connector in connectors()]


def _service_row(user: User, connector: Connector) -> dict[str, Any]:
    found = connection_of(user, connector.service)
    nothing = {"state": "not_connected", "reason": None, "state_at": None, "account_name": "", "refreshed_at": None}
    return {
        "service": connector.service,
        **(connection_row(found) if found else nothing),
        "name": connector.name,
        "configured": connector.configured(),
        "may_manage": may_manage(user, connector.service),
    }
