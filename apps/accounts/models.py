"""People and the organizations they belong to. Rules of what a role may do are in `services`, not here."""

from __future__ import annotations

import uuid
from typing import Any, NoReturn

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from apps.core.models import Tenant, TenantManager, TenantQuerySet, TimeStampedModel, UUIDModel
from apps.core.sealed_text import SealedTextField


class Role(models.TextChoices):
    """What a member may do in the own organization. Staff is Django's superuser flag, not a role of an organization."""

    BASIC = "basic", "Basic"
    ADMIN = "admin", "Admin"


class Organization(Tenant, TimeStampedModel):
    """A tenant: everything that members see belongs to exactly one."""

    name = models.CharField(max_length=200)
    members_edit_context = models.BooleanField(
        default=True, help_text="Basic members may edit the organization's context and keywords."
    )

    class Meta:
        verbose_name = "organization"
        constraints = [models.UniqueConstraint(Lower("name"), name="organization_name_once")]

    def __str__(self) -> str:
        return self.name


class User(AbstractUser):
    """A person who signs in with a user name (or e-mail) and a password."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    name = models.CharField(max_length=150, blank=True, help_text="How the product addresses this person.")
    email = models.EmailField(blank=True)
    organization = models.ForeignKey(
        Organization,
        verbose_name="organization",
        on_delete=models.CASCADE,
        related_name="members",
        null=True,
        blank=True,
    )
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.BASIC)
    must_change_password = models.BooleanField(
        default=False, help_text="The password is a temporary one: the next sign-in asks for an own."
    )
    temporary_until = models.DateTimeField(
        null=True, blank=True, help_text="When a temporary password stops opening anything."
    )
    last_seen_at = models.DateTimeField(
        null=True, blank=True, editable=False, help_text="When a session was last used, to two hours."
    )
    privacy_accepted_at = models.DateTimeField(null=True, blank=True)
    privacy_version = models.CharField(max_length=20, blank=True)

    class Meta:
        verbose_name = "member"
        constraints = [
            models.UniqueConstraint(Lower("username"), name="username_once"),
            models.UniqueConstraint(Lower("email"), name="email_once", condition=~models.Q(email="")),
        ]

    def __str__(self) -> str:
        return self.username

    @property
    def is_let_in(self) -> bool:
        """Whether the account opens anything. Everything that lets somebody in asks this, or `accounts_let_in`."""
        return self.is_active and (self.organization is None or self.organization.is_active)

    @property
    def account_type(self) -> str:
        """The role as the product shows and sends it: basic, admin or staff."""
        return "staff" if self.is_superuser else self.role

    def get_full_name(self) -> str:
        return self.name or self.username

    def get_short_name(self) -> str:
        return self.name or self.username


class AuditAction(models.TextChoices):
    """What is written down."""

    SIGNED_IN = "signed_in", "Signed in"
    SIGN_IN_FAILED = "sign_in_failed", "Sign-in failed"
    SIGNED_OUT = "signed_out", "Signed out"
    SESSIONS_ENDED = "sessions_ended", "Sessions ended"
    PASSWORD_RESET_ASKED = "password_reset_asked", "Password reset asked for"
    PASSWORD_CHANGED = "password_changed", "Password changed"
    MEMBER_CREATED = "member_created", "Member created"
    MEMBER_INVITED = "member_invited", "Member invited"
    INVITATION_ACCEPTED = "invitation_accepted", "Invitation accepted"
    INVITATION_CHANGED = "invitation_changed", "Invitation changed"
    INVITATION_WITHDRAWN = "invitation_withdrawn", "Invitation withdrawn"
    MEMBER_CHANGED = "member_changed", "Member changed"
    MEMBER_DEACTIVATED = "member_deactivated", "Member deactivated"
    MEMBER_ACTIVATED = "member_activated", "Member activated"
    MEMBER_DELETED = "member_deleted", "Member deleted"
    ORGANIZATION_CREATED = "organization_created", "Organization created"
    ORGANIZATION_CHANGED = "organization_changed", "Organization changed"
    ORGANIZATION_DEACTIVATED = "organization_deactivated", "Organization deactivated"
    ORGANIZATION_ACTIVATED = "organization_activated", "Organization activated"
    ORGANIZATION_DELETED = "organization_deleted", "Organization deleted"
    KEYS_ROTATED = "keys_rotated", "Encryption keys rotated"
    SOURCE_ADDED = "source_added", "Source added"
    SOURCE_DELETED = "source_deleted", "Source deleted"
    CONTEXT_CHANGED = "context_changed", "Context changed"
    CONNECTED = "connected", "Connected"
    DISCONNECTED = "disconnected", "Disconnected"
    EXPORTED = "exported", "Exported"
    CONVERSATION_READ = "conversation_read", "Conversation read by an admin"


class AppendOnlyError(Exception):
    """Something tried to change or remove an audit event."""


class AuditQuerySet(TenantQuerySet["AuditEvent"]):
    """Reads and nothing else; deletion happens only with the organization (by the database's cascade)."""

    def update(self, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Audit events are never changed.")

    def delete(self) -> NoReturn:
        raise AppendOnlyError("Audit events are never removed.")


class AuditEvent(UUIDModel):
    """One thing that happened. The actor's name is kept as text, so that it outlives the account's deactivation."""

    outlives_member = True

    organization = models.ForeignKey(
        Organization,
        verbose_name="organization",
        on_delete=models.CASCADE,
        related_name="audit_events",
        null=True,
        blank=True,
    )
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, related_name="+", null=True, blank=True
    )
    actor_name = models.CharField(max_length=150, blank=True)
    action = models.CharField(max_length=30, choices=AuditAction.choices)
    target = models.CharField(max_length=300, blank=True)
    address = models.GenericIPAddressField(null=True, blank=True)
    details = models.JSONField(default=dict, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = models.Manager.from_queryset(AuditQuerySet)()

    class Meta:
        verbose_name = "entry in the audit log"
        verbose_name_plural = "entries in the audit log"
        ordering = ("-created_at",)
        indexes = (models.Index(fields=["organization", "-created_at"], name="audit_of_organization"),)

    def __str__(self) -> str:
        return (
            f"{self.created_at:%Y-%m-%d %H:%M} {self.actor_name or 'nobody'}: {self.get_action_display()} {self.target}"
        )

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise AppendOnlyError("Audit events are never changed.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise AppendOnlyError("Audit events are never removed.")


class Invitation(UUIDModel, TimeStampedModel):
    """A place in an organization that waits for a person. Only a digest of the link's key is kept."""

    LIFETIME_DAYS = 7
    outlives_member = True

    organization = models.ForeignKey(
        Organization, verbose_name="organization", on_delete=models.CASCADE, related_name="invitations"
    )
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.BASIC)
    key_digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    accepted_at = models.DateTimeField(null=True, blank=True)
    invited_by = models.ForeignKey(User, on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    objects = TenantManager()

    class Meta:
        ordering = ("-created_at",)

    def __str__(self) -> str:
        return f"{self.email} to {self.organization}"


class OutgoingMail(UUIDModel):
    """An e-mail on its way. A worker sends it and removes the row, so that no code outlives its sending here; until
    then its words are sealed."""

    recipient = models.EmailField()
    organization = models.ForeignKey(Organization, on_delete=models.CASCADE, related_name="+", null=True)
    sender = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+", null=True)
    subject = models.CharField(max_length=300)
    text = SealedTextField()
    html = SealedTextField(blank=True)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, help_text="When a worker may try (again).")
    expires_at = models.DateTimeField(help_text="From then on it would tell nobody anything: it is thrown away.")
    tries = models.PositiveSmallIntegerField(default=0)

    passing = True
    """The text opens an account for as long as it is good, so backups leave it out: who waits for one asks again."""

    class Meta:
        indexes = (models.Index(fields=["due_at"], name="mail_due"),)

    def __str__(self) -> str:
        return f"{self.subject} to {self.recipient}"
