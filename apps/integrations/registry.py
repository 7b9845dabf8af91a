"""The services there are. The one place that knows them all."""

from __future__ import annotations

from apps.core.errors import NotFound
from apps.integrations.connector import Connector
from apps.integrations.google.connector import GoogleConnector
from apps.integrations.hubspot.connector import HubSpotConnector
from apps.integrations.slack.connector import SlackConnector

_CONNECTORS: dict[str, Connector] = {
    connector.service: connector for connector in (HubSpotConnector(), GoogleConnector(), SlackConnector())
}


def connectors() -> list[Connector]:
    """All services, in the order people are told of them."""
    return list(_CONNECTORS.values())


def connector_of(service: str) -> Connector:
    """The service of that name. Raises NotFound."""
    try:
        return _CONNECTORS[service]
    except KeyError:
        raise NotFound(f"There is no service named {service[:40]}.") from None
