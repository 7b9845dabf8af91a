"""Changing an invitation that nobody has accepted yet. Sending, withdrawing and accepting one are in `members`."""

from __future__ import annotations

from django.db import transaction

from apps.accounts.audit import record
from apps.accounts.models import AuditAction, Invitation, OutgoingMail, Role, User
from apps.accounts.policy import Action, demand
from apps.accounts.services.members import invitation_send
from apps.accounts.services.roster import INVITATION_GONE
from apps.core.errors import NotFound


@transaction.atomic
def invitation_change(*, actor: User, invitation: Invitation, email: str, role: Role) -> Invitation:
    """Gives an open invitation another role, or another address: then its link ends, and a new one is sent there.

    Raises Refused, NotFound where it is not open any more or another organization's, and what `invitation_send` raises.
    """
    kept = _open(actor, invitation)
    if role != kept.role:
        place = kept.organization
        changed = {"role_before": kept.role, "role_after": str(role)}
        record(AuditAction.INVITATION_CHANGED, organization=place, actor=actor, target=kept.email, **changed)
        kept.role = role
        kept.save(update_fields=["role", "updated_at"])
    if email.strip() != kept.email:
        _readdress(actor, kept, email)
    return kept


def _open(actor: User, invitation: Invitation) -> Invitation:
    """The invitation, held until the transaction ends: it is not accepted meanwhile."""
    demand(actor, Action.MANAGE_MEMBERS)
    rows = Invitation.objects.select_for_update().filter(pk=invitation.pk, accepted_at=None)
    if not actor.is_superuser:
        assert actor.organization is not None, "who has no organization manages nobody"
        rows = rows.filter(organization=actor.organization)
    found = rows.first()
    if found is None:
        raise NotFound(INVITATION_GONE)
    return found


def _readdress(actor: User, invitation: Invitation, email: str) -> None:
    """Written down as what it is to either address, so that neither is kept beside the other in the log."""
    place, former = invitation.organization, invitation.email
    record(AuditAction.INVITATION_WITHDRAWN, organization=place, actor=actor, target=former)
    OutgoingMail.objects.filter(organization=place, recipient__iexact=former).delete()
    invitation_send(actor=actor, invitation=invitation, email=email)
