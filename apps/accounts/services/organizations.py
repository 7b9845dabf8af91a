"""Closing an organization for a time, and opening it again. Nothing of it is deleted, so all is as before.

Who is not let in is decided in one place (`User.is_let_in`), and what workers take up in another (`at_work` of the
rows). Here the state changes, what was open ends, and the other apps are told (`holdings.hooks`): what of them stops
(`stops`), that it has stopped (`organization_stopped`), and that it goes on (`organization_resumed`).
"""

from __future__ import annotations

from allauth.usersessions.models import UserSession
from django.db import transaction

from apps.accounts.audit import record
from apps.accounts.holdings import hooks, people, sessions_of
from apps.accounts.models import AuditAction, Organization, User
from apps.core.errors import Conflict


def organization_stops(organization: Organization) -> dict[str, int]:
    """What stops with the organization, by kind: its members, and what the other apps name."""
    found = {"Members": User.objects.filter(organization=organization, is_active=True).count()}
    for count in hooks("stops"):
        found |= count(organization)
    return found


@transaction.atomic
def organization_deactivate(*, organization: Organization, actor: User | None = None) -> None:
    """Members are out with the next call, open sockets within seconds; questions under way are canceled.

    Raises Conflict where staff are members of it: they would lock themselves out.
    """
    staff_must_not_be_in(organization)
    if not _turned(organization, active=False):
        return
    UserSession.objects.filter(user__organization=organization).delete()
    ended = sessions_of(people(organization))  # sign-ins and resets under way are among them
    for session in ended:
        session.delete()
    for stop in hooks("organization_stopped"):
        stop(organization)
    record(
        AuditAction.ORGANIZATION_DEACTIVATED,
        organization=organization,
        actor=actor,
        target=organization.name,
        sessions=len(ended),
    )


@transaction.atomic
def organization_activate(*, organization: Organization, actor: User | None = None) -> None:
    """Its members may sign in again, but for those who were deactivated themselves, and its work goes on."""
    if not _turned(organization, active=True):
        return
    for resume in hooks("organization_resumed"):
        resume(organization)
    record(AuditAction.ORGANIZATION_ACTIVATED, organization=organization, actor=actor, target=organization.name)


def must_be_active(organization: Organization) -> None:
    """Raises Conflict where the organization is not: what would be begun for it could go nowhere."""
    if not organization.is_active:
        raise Conflict(f"{organization} is deactivated. Activate it first.", code="organization_inactive")


def staff_must_not_be_in(organization: Organization) -> None:
    """Raises Conflict where staff are members: their accounts would go or stop with the organization."""
    staff = User.objects.filter(organization=organization, is_superuser=True).first()
    if staff is not None:
        raise Conflict(
            f"{staff.username} is staff and a member of {organization}: move that account first.", code="staff"
        )


def _turned(organization: Organization, *, active: bool) -> bool:
    """Whether this call changed the state: of two at once one does."""
    organization.is_active = active
    return bool(Organization.objects.filter(pk=organization.pk, is_active=not active).update(is_active=active))
