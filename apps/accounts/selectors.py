"""Reads of people and organizations."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from itertools import islice
from typing import Any

from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from apps.accounts.models import AuditAction, AuditEvent, Invitation, OutgoingMail, User
from apps.accounts.policy import Action, allowed


def profile(user: Any) -> dict[str, Any]:
    """The signed-in user as every client is told: who, where, as what, and what the role allows beyond asking."""
    assert isinstance(user, User)
    return {
        "username": user.username,
        "name": user.name or user.username,
        "email": user.email,
        "role": user.account_type,
        "organization": user.organization.name if user.organization else "",
        "may": [action.name.lower() for action in Action if allowed(user, action)],
    }


def invitation_view(invitation: Invitation) -> dict[str, str]:
    """An invitation as its admin sees it; the key is only in the e-mail."""
    return {
        "id": str(invitation.pk),
        "email": invitation.email,
        "role": invitation.role,
        "expires_at": invitation.expires_at.isoformat(),
    }


def last_seen(user: User) -> datetime | None:
    """When the member was last here, to two hours: signed in or used a session. None: never."""
    return max((moment for moment in (user.last_login, user.last_seen_at) if moment), default=None)


def accounts_let_in() -> QuerySet[User]:
    """The accounts that open anything, with their organizations: `User.is_let_in`, asked of the database."""
    here = Q(organization=None) | Q(organization__is_active=True)
    return User.objects.select_related("organization").filter(here, is_active=True)


def mails_to_send() -> QuerySet[OutgoingMail]:
    """Mails on their way, but for those of organizations that are not active: these wait."""
    return OutgoingMail.objects.filter(Q(organization=None) | Q(organization__is_active=True))


def account_named(name: str) -> User | None:
    """The account that signs in by this user name or e-mail, whatever its case."""
    if not name:
        return None
    return User.objects.filter(Q(username__iexact=name) | Q(email__iexact=name)).order_by("pk").first()


def known_places(account: User, place_of: Callable[[str], str], within: timedelta, most: int) -> list[str]:
    """Where the account's member proved who they are lately, by signing in or setting the password; the last first.

    Args:
        place_of: The place of an address.
        most: So many places at most.
    """
    proofs = AuditEvent.objects.filter(
        actor=account,
        action__in=(AuditAction.SIGNED_IN, AuditAction.PASSWORD_CHANGED),
        created_at__gte=timezone.now() - within,
        address__isnull=False,
    )
    last_first = proofs.values("address").annotate(last=Max("created_at")).order_by("-last")
    places = (place_of(str(proof["address"])) for proof in last_first)
    return list(islice(dict.fromkeys(places), most))


def temporary_password_over(user: User) -> bool:
    """Whether the account still waits for an own password, and has waited too long."""
    return bool(user.must_change_password and user.temporary_until and user.temporary_until < timezone.now())
