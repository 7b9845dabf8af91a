"""Which Slack user is which member. A Slack user gets a link; the member who opens it, signed in, confirms it once."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from apps.accounts.audit import AuditAction, record
from apps.accounts.selectors import accounts_let_in
from apps.core.errors import Conflict, Invalid
from apps.integrations.models import Connection
from apps.integrations.selectors import organization_connection
from apps.integrations.slack import copy
from apps.integrations.slack.limits import LINK_LIFETIME
from apps.integrations.slack.models import SlackLink, SlackLinkRequest

if TYPE_CHECKING:
    from apps.accounts.models import User


@dataclass(frozen=True, slots=True)
class Offer:
    """What a link would do, as the member is asked."""

    workspace: str
    slack_name: str


def link_of(connection: Connection, slack_user_id: str) -> SlackLink | None:
    """The member behind a Slack user: let in, and still of the organization the workspace belongs to."""
    links = SlackLink.objects.filter(connection=connection, slack_user_id=slack_user_id)
    return (
        links.filter(member__in=accounts_let_in(), member__organization_id=connection.organization_id)
        .select_related("member__organization")
        .first()
    )


def link_address(connection: Connection, *, slack_user_id: str, slack_name: str) -> str:
    """A fresh link for this Slack user, good once and for ten minutes; earlier ones of the user end."""
    key = secrets.token_urlsafe(32)
    SlackLinkRequest.objects.filter(connection=connection, slack_user_id=slack_user_id).delete()
    SlackLinkRequest.objects.create(
        organization_id=connection.organization_id,
        connection=connection,
        slack_user_id=slack_user_id,
        slack_name=slack_name,
        key_digest=_digest(key),
        expires_at=timezone.now() + LINK_LIFETIME,
    )
    return f"{settings.PUBLIC_URL}/chat?slack-link={key}"


def link_offer(*, by: User, key: str) -> Offer:
    """Who would be linked. Raises Invalid for links that are used, old, or of another organization's workspace."""
    request = _open(by, key)
    return Offer(workspace=request.connection.account_name, slack_name=request.slack_name or request.slack_user_id)


def link_confirm(*, by: User, key: str) -> SlackLink:
    """Links the Slack user of the link with the member. Raises Invalid, Conflict."""
    request = _open(by, key)
    try:
        with transaction.atomic():
            if not SlackLinkRequest.objects.filter(pk=request.pk).delete()[0]:
                raise Invalid(copy.LINK_USED, code="link_used")
            SlackLink.objects.filter(connection=request.connection, member=by).delete()
            link = SlackLink.objects.create(
                organization_id=request.organization_id,
                connection=request.connection,
                member=by,
                slack_user_id=request.slack_user_id,
                slack_name=request.slack_name,
            )
            target = f"Slack user {link.slack_name or link.slack_user_id}"
            record(AuditAction.CONNECTED, organization=by.organization, actor=by, target=target)
    except IntegrityError as error:
        raise Conflict(copy.LINKED_ALREADY, code="linked_already") from error
    return link


def link_end(*, by: User) -> None:
    """Takes the member's own link away, where there is one."""
    link = own_link(by)
    if link is not None:
        link_remove(by=by, link=link)


def link_remove(*, by: User, link: SlackLink) -> None:
    """Takes a link away; what the Slack user asks from then on is answered with a link to link anew."""
    organization, target = link.organization, f"Slack user {link.slack_name or link.slack_user_id}"
    link.delete()
    record(AuditAction.DISCONNECTED, organization=organization, actor=by, target=target)


def own_link(by: User) -> SlackLink | None:
    """The member's link with the organization's workspace."""
    assert by.organization is not None, "only members reach the services"
    connection = organization_connection(by.organization, "slack")
    return SlackLink.objects.filter(connection=connection, member=by).first() if connection else None


def links_forget() -> None:
    """Removes links nobody opened in time."""
    SlackLinkRequest.objects.filter(expires_at__lte=timezone.now()).delete()


def _open(by: User, key: str) -> SlackLinkRequest:
    """The link, which must be of the member's own organization; a foreign one answers as one that never was."""
    assert by.organization is not None, "only members reach the services"
    found = (
        SlackLinkRequest.objects.of(by.organization)
        .filter(key_digest=_digest(key), expires_at__gt=timezone.now())
        .select_related("connection")
        .first()
    )
    if found is None:
        raise Invalid(copy.LINK_USED, code="link_used")
    return found


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
