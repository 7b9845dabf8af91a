"""How Slack stands for a member, and the one choice an admin has about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.conf import settings

from apps.accounts.policy import Action, demand
from apps.integrations.models import Connection
from apps.integrations.selectors import connected, connection_of
from apps.integrations.slack.linking import own_link

if TYPE_CHECKING:
    from apps.accounts.models import User


def slack_status(by: User) -> dict[str, Any]:
    """The workspace, who sees answers, and who the member is there."""
    connection, link = connection_of(by, "slack"), own_link(by)
    return {
        "workspace": connection.account_name if connection else None,
        "answers_in_channel": bool(connection and connection.extra.get("answers_in_channel")),
        "linked_as": (link.slack_name or link.slack_user_id) if link else None,
        "command": settings.SLACK_COMMAND,
    }


def answers_in_channel_set(*, by: User, shown: bool) -> None:
    """Whether everybody in a channel sees the answers to what members ask there. Raises Refused, Conflict."""
    demand(by, Action.MANAGE_CONNECTIONS)
    connection = connected(by, "slack")
    Connection.objects.filter(pk=connection.pk).update(extra={**connection.extra, "answers_in_channel": shown})
