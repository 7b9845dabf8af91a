"""Organizations and their members: made, invited, changed, sent away. Each change is written into the audit log."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import transaction
from django.utils import timezone

from apps.accounts.audit import record
from apps.accounts.models import AuditAction, Invitation, Organization, Role, User
from apps.accounts.policy import Action, demand
from apps.accounts.services.mails import mail_queue
from apps.accounts.services.names import INVITED_REFUSED, must_be_usable
from apps.accounts.services.organizations import must_be_active
from apps.accounts.services.sessions import sessions_end
from apps.core import rates
from apps.core.errors import Conflict, Invalid, NotFound

PRIVACY_VERSION = "2024-08-01"
"""The privacy policy a member accepts with the first password (SPEC section 1: effective August 1, 2024)."""

TEMPORARY_LIFETIME = timedelta(days=7)
"""How long a temporary password waits for its first use."""


def organization_create(*, name: str, actor: User | None = None) -> Organization:
    """A new, empty organization. Names are unique whatever their case."""
    name = name.strip()
    if not name:
        raise Invalid("An organization needs a name.", code="organization_name")
    if Organization.objects.filter(name__iexact=name).exists():
        raise Invalid(f"There is already an organization named {name}.", code="organization_exists")
    made = Organization.objects.create(name=name)
    record(AuditAction.ORGANIZATION_CREATED, organization=made, actor=actor, target=name)
    return made


@transaction.atomic
def member_create(
    *,
    organization: Organization,
    username: str,
    password: str,
    email: str = "",
    name: str = "",
    role: Role = Role.BASIC,
    temporary: bool = True,
    actor: User | None = None,
) -> User:
    """A new member. With `temporary` the password only opens the choice of an own one at the first sign-in."""
    must_be_usable(username=username, email=email)
    user = User(
        username=username, email=email, name=name, organization=organization, role=role, must_change_password=temporary
    )
    user.temporary_until = timezone.now() + TEMPORARY_LIFETIME if temporary else None
    user.set_password(password)
    user.save()
    record(AuditAction.MEMBER_CREATED, organization=organization, actor=actor, target=username, role=role)
    return user


@transaction.atomic
def member_invite(
    *, actor: User, email: str, role: Role = Role.BASIC, organization: Organization | None = None
) -> Invitation:
    """Invites somebody into the actor's organization, and by staff into any: an e-mail with a link to /create-password,
    good for some days.

    An earlier open one to the same address is replaced. Whether the address has an account elsewhere is not told.
    """
    demand(actor, Action.MANAGE_MEMBERS)
    organization = organization if organization and actor.is_superuser else actor.organization
    if organization is None:
        raise Invalid("You are not a member of an organization.", code="no_organization")
    invitation = Invitation(organization=organization, role=role)
    invitation_send(actor=actor, invitation=invitation, email=email)
    return invitation


def invitation_send(*, actor: User, invitation: Invitation, email: str) -> None:
    """Mails a new link of the invitation to the address and keeps it: a former link opens nothing any more. Other open
    ones to the address end. Raises Invalid, TooOften, and Conflict for a member's address and an organization that is
    inactive.
    """
    organization, email, key = invitation.organization, email.strip(), secrets.token_urlsafe(32)
    rate = settings.UPLOADS_PER_HOUR
    rates.count("invitations", actor.pk, most=rate, seconds=3600, words=f"{rate:,} invitations an hour")
    must_be_active(organization)
    try:
        validate_email(email)
    except ValidationError as error:
        raise Invalid(f"{email or 'This'} is not an e-mail address.", code="email") from error
    must_not_be_member(organization=organization, email=email)
    others = Invitation.objects.of(organization).filter(email__iexact=email, accepted_at=None)
    others.exclude(pk=invitation.pk).delete()
    invitation.email, invitation.key_digest, invitation.invited_by = email, _digest(key), actor
    invitation.expires_at = timezone.now() + timedelta(days=Invitation.LIFETIME_DAYS)
    invitation.save()
    mail_queue(
        recipient=email,
        template="invitation",
        context={
            "organization": organization.name,
            "inviter": actor.get_full_name(),
            "link": f"{settings.PUBLIC_URL}/create-password?key={key}",
            "days": Invitation.LIFETIME_DAYS,
        },
        lifetime=timedelta(days=Invitation.LIFETIME_DAYS),
        organization=organization,
        sender=actor,
    )
    record(AuditAction.MEMBER_INVITED, organization=organization, actor=actor, target=email, role=invitation.role)


@transaction.atomic
def invitation_withdraw(*, actor: User, invitation: Invitation) -> None:
    """The invitation's link opens nothing any more. One that was accepted is only taken off the list."""
    record(AuditAction.INVITATION_WITHDRAWN, organization=invitation.organization, actor=actor, target=invitation.email)
    invitation.delete()


def must_not_be_member(*, organization: Organization | None, email: str) -> None:
    """Refuses an address whose owner is a member already: there is nobody to invite."""
    if User.objects.filter(email__iexact=email, organization=organization).exists():
        raise Conflict(f"{email} is already a member.", code="member_exists")


@transaction.atomic
def invitation_accept(*, key: str, username: str, password: str, privacy_accepted: bool) -> User:
    """The invited person's first password makes the account. The privacy policy must be accepted; a link works once."""
    invitation = (
        Invitation.objects.at_work()
        .select_for_update()
        .filter(key_digest=_digest(key), accepted_at=None, expires_at__gt=timezone.now())
        .first()
    )
    if invitation is None:
        raise NotFound("This invitation is no longer valid. Please ask for a new one.", code="invitation")
    if not privacy_accepted:
        raise Invalid("Please accept the privacy policy.", code="privacy")
    try:
        must_be_usable(username=username, email=invitation.email)
    except Invalid as error:
        raise Invalid(INVITED_REFUSED, code="username") from error
    user = User(
        username=username,
        email=invitation.email,
        organization=invitation.organization,
        role=invitation.role,
        privacy_accepted_at=timezone.now(),
        privacy_version=PRIVACY_VERSION,
    )
    try:
        user.full_clean(exclude=["password"])
        validate_password(password, user)
    except ValidationError as error:
        raise Invalid(error.messages[0], code="password") from error
    user.set_password(password)
    user.save()
    invitation.accepted_at = timezone.now()
    invitation.save(update_fields=["accepted_at", "updated_at"])
    record(AuditAction.INVITATION_ACCEPTED, organization=invitation.organization, actor=user, target=invitation.email)
    return user


@transaction.atomic
def member_deactivate(*, actor: User | None, user: User) -> None:
    """The member is out with the next call, open sockets within seconds; what they made stays."""
    member_must_not_orphan(user)
    user.is_active = False
    user.save(update_fields=["is_active"])
    sessions_end(user=user, actor=actor)
    record(AuditAction.MEMBER_DEACTIVATED, organization=user.organization, actor=actor, target=user.username)


def member_activate(*, actor: User | None, user: User) -> None:
    """The member may sign in again."""
    user.is_active = True
    user.save(update_fields=["is_active"])
    record(AuditAction.MEMBER_ACTIVATED, organization=user.organization, actor=actor, target=user.username)


def member_correct(*, actor: User | None, user: User, name: str, email: str) -> None:
    """Gives the member another name or address. The log keeps a former address for as long as there is the account."""
    kept, given = User.objects.get(pk=user.pk), {"name": name, "email": email}
    changed = [field for field, value in given.items() if getattr(kept, field) != value]
    if not changed:
        return
    must_be_usable(username=None, email=email, user=user)
    user.name, user.email = name, email
    user.save(update_fields=changed)
    record(
        AuditAction.MEMBER_CHANGED,
        organization=user.organization,
        actor=actor,
        target=user.username,
        **{f"{field}_before": getattr(kept, field) for field in changed},
        **{f"{field}_after": given[field] for field in changed},
    )


@transaction.atomic
def member_set_role(*, actor: User | None, user: User, role: Role) -> None:
    """Gives the member another role. An organization keeps at least one admin."""
    if role != Role.ADMIN:
        member_must_not_orphan(user)
    before = user.role
    user.role = role
    user.save(update_fields=["role"])
    record(
        AuditAction.MEMBER_CHANGED,
        organization=user.organization,
        actor=actor,
        target=user.username,
        role_before=before,
        role_after=role,
    )


@transaction.atomic
def member_move(*, user: User, organization: Organization, actor: User | None = None) -> None:
    """Moves a member into another organization. Threads and files stay with the old one; every session ends. Staff are
    not moved into an inactive one, where they could do nothing."""
    member_must_not_orphan(user)
    if user.is_superuser:
        must_be_active(organization)
    before = user.organization
    user.organization = organization
    user.role = Role.BASIC
    user.save(update_fields=["organization", "role"])
    sessions_end(user=user, actor=actor)
    for side in (before, organization):
        if side is not None:
            record(AuditAction.MEMBER_CHANGED, organization=side, actor=actor, target=user.username, moved=True)


def member_set_temporary_password(*, actor: User | None, user: User) -> str:
    """A random temporary password, told once; every session ends and the next sign-in asks for an own password."""
    password = temporary_password()
    user.set_password(password)
    user.must_change_password = True
    user.temporary_until = timezone.now() + TEMPORARY_LIFETIME
    user.save(update_fields=["password", "must_change_password", "temporary_until"])
    sessions_end(user=user, actor=actor)
    record(
        AuditAction.PASSWORD_CHANGED,
        organization=user.organization,
        actor=actor,
        target=user.username,
        temporary=True,
    )
    return password


def temporary_password() -> str:
    """About 100 random bits that also satisfy the password rule of SPEC section 5."""
    ending = secrets.choice("ABCDEFGH") + secrets.choice("abcdefgh") + secrets.choice("23456789")
    return f"{secrets.token_urlsafe(12)}-{ending}"


def member_must_not_orphan(user: User) -> None:
    """Raises Conflict for the last admin: an organization without one could never be managed again.

    Inside a transaction it holds the organization until its end: two admins cannot send each other away at once.
    """
    if user.role != Role.ADMIN or not user.is_active or user.organization is None:
        return
    if transaction.get_connection().in_atomic_block:
        Organization.objects.select_for_update().get(pk=user.organization.pk)
    others = User.objects.filter(organization=user.organization, role=Role.ADMIN, is_active=True).exclude(pk=user.pk)
    if not others.exists():
        raise Conflict(
            f"{user.username} is the last admin of {user.organization}. Make somebody else an admin first.",
            code="last_admin",
        )


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
