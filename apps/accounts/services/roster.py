"""The members and open invitations of an organization, as its admins see and change them in the product.

Each call names the admin; whoever is not of the same organization is answered like somebody who does not exist.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from apps.accounts.models import Invitation, Organization, Role, User
from apps.accounts.policy import Action, demand
from apps.accounts.selectors import last_seen
from apps.accounts.services.members import (
    invitation_withdraw,
    member_activate,
    member_deactivate,
    member_invite,
    member_set_role,
)
from apps.core.errors import Conflict, NotFound

OWN_ACCOUNT = "This is your own account. Somebody else must do that."
MEMBER_GONE = "This member is not there any more."
INVITATION_GONE = "This invitation is not there any more: it was accepted or withdrawn."


def roster(*, by: User) -> dict[str, Any]:
    """Every member by name and every invitation that nobody has accepted, the newest first. Raises Refused."""
    place = _place(by)
    open_ones = Invitation.objects.of(place).filter(accepted_at=None)
    return {
        "members": [_member_told(user, by) for user in sorted(_members(by, place), key=_by_name)],
        "invitations": [_invitation_told(one) for one in open_ones],
    }


@transaction.atomic
def member_change(*, by: User, pk: UUID, role: Role | None = None, active: bool | None = None) -> None:
    """Gives a member another role, or closes or opens the account again; None leaves as it is.

    Raises NotFound, and Conflict for the own account and for the last admin.
    """
    user = _members(by, _place(by)).filter(pk=pk).first()
    if user is None:
        raise NotFound(MEMBER_GONE)
    if user.pk == by.pk:
        raise Conflict(OWN_ACCOUNT, code="own_account")
    if role is not None and role != user.role:
        member_set_role(actor=by, user=user, role=role)
    if active is not None and active != user.is_active:
        change = member_activate if active else member_deactivate
        change(actor=by, user=user)


def invitation_resend(*, by: User, pk: UUID) -> None:
    """Sends an open invitation again: a new link with a new time, and the former one ends."""
    found = _invitation(by, pk)
    member_invite(actor=by, email=found.email, role=Role(found.role), organization=found.organization)


def invitation_end(*, by: User, pk: UUID) -> None:
    """Withdraws an open invitation."""
    invitation_withdraw(actor=by, invitation=_invitation(by, pk))


def _place(by: User) -> Organization:
    demand(by, Action.MANAGE_MEMBERS)
    assert by.organization is not None, "who has no organization is let in nowhere"
    return by.organization


def _members(by: User, place: Organization) -> QuerySet[User]:
    """Accounts of staff are staff's business, in an organization too."""
    rows = User.objects.filter(organization=place)
    return rows if by.is_superuser else rows.filter(is_superuser=False)


def _invitation(by: User, pk: UUID) -> Invitation:
    found = Invitation.objects.of(_place(by)).filter(pk=pk, accepted_at=None).first()
    if found is None:
        raise NotFound(INVITATION_GONE)
    return found


def _by_name(user: User) -> str:
    return user.get_full_name().casefold()


def _member_told(user: User, by: User) -> dict[str, Any]:
    seen = last_seen(user)
    return {
        "id": str(user.pk),
        "username": user.username,
        "name": user.get_full_name(),
        "email": user.email,
        "role": user.account_type,
        "active": user.is_active,
        "last_seen": seen.isoformat() if seen else None,
        "you": user.pk == by.pk,
    }


def _invitation_told(invitation: Invitation) -> dict[str, Any]:
    return {
        "id": str(invitation.pk),
        "email": invitation.email,
        "role": invitation.role,
        "expires_at": invitation.expires_at.isoformat(),
        "expired": invitation.expires_at <= timezone.now(),
    }
