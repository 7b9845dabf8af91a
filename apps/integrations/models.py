"""Connections to outside services, sign-ins under way, and tokens still to be given back. No behaviour here.

What opens an account elsewhere is sealed (`crypto`) in fields named `sealed`, which never leave: not by API, admin,
export or log.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.models import TenantManager, TimeStampedModel, UUIDModel


class Service(models.TextChoices):
    """What can be connected."""

    HUBSPOT = "hubspot", "HubSpot"
    GOOGLE = "google", "Google Sheets"
    SLACK = "slack", "Slack"


class ConnectionState(models.TextChoices):
    """How a connection stands, as people are told. No row means: not connected."""

    CONNECTED = "connected", "Connected"
    REFRESHING = "refreshing", "Refreshing"
    NEEDS_SIGN_IN = "needs_sign_in", "Needs a new sign-in"
    FAILED = "failed", "Failed"


class Connection(UUIDModel, TimeStampedModel):
    """An account at a service: the organization's (no member), or one member's own."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="connections"
    )
    service = models.CharField(max_length=10, choices=Service.choices)
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="connections"
    )
    account_id = models.CharField(max_length=100, help_text="What the service calls the account.")
    account_name = models.CharField(max_length=200, blank=True)
    scopes = models.JSONField(default=list, blank=True)
    extra = models.JSONField(default=dict, blank=True)

    state = models.CharField(max_length=15, choices=ConnectionState.choices, default=ConnectionState.CONNECTED)
    reason = models.TextField(blank=True, help_text="Why it needs a sign-in or failed, in words.")
    state_at = models.DateTimeField(default=timezone.now)
    refreshed_at = models.DateTimeField(null=True, blank=True, help_text="When its data was last brought up to date.")

    sealed = models.TextField(help_text="The tokens, encrypted.")
    expires_at = models.DateTimeField(null=True, blank=True)
    renewals = models.PositiveIntegerField(default=0, help_text="How often the tokens were renewed.")
    renewer = models.CharField(max_length=40, blank=True)
    renewing_until = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["organization", "service"],
                condition=models.Q(member__isnull=True),
                name="connection_of_organization_once",
            ),
            models.UniqueConstraint(
                fields=["member", "service"],
                condition=models.Q(member__isnull=False),
                name="connection_of_member_once",
            ),
            models.UniqueConstraint(
                fields=["service", "account_id"],
                condition=models.Q(member__isnull=True),
                name="account_of_one_organization",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.get_service_display()}: {self.get_state_display()}"


class RefreshSchedule(UUIDModel):
    """How often what a connection brings is refreshed by itself."""

    tenant_path = "connection__organization"

    connection = models.OneToOneField(Connection, on_delete=models.CASCADE, related_name="schedule")
    every_hours = models.PositiveSmallIntegerField(default=24, help_text="0 refreshes on demand only.")
    next_at = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    def __str__(self) -> str:
        return f"every {self.every_hours} h"


class SignInState(UUIDModel):
    """A sign-in at a service that was started here: its state comes back with the code, once, within ten minutes."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="+"
    )
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    service = models.CharField(max_length=10, choices=Service.choices)
    key_digest = models.CharField(max_length=64, unique=True)
    session_digest = models.CharField(max_length=64)
    redirect_uri = models.CharField(max_length=500)
    sealed = models.TextField(help_text="PKCE's verifier, encrypted.")
    expires_at = models.DateTimeField()

    objects = TenantManager()

    def __str__(self) -> str:
        return f"Sign-in at {self.get_service_display()}"


class Revocation(UUIDModel):
    """Tokens of a connection that is gone, until the service was told to forget them. Belongs to nobody any more."""

    service = models.CharField(max_length=10, choices=Service.choices)
    connection_id = models.UUIDField(help_text="Which connection the tokens were sealed for; its row is gone.")
    sealed = models.TextField()
    tries = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"Revocation at {self.get_service_display()}"


# Models of one service stand in its package; Django looks for them here.
from apps.integrations.google.models import SheetTab  # noqa: E402
from apps.integrations.hubspot.models import HubSpotCategory, HubSpotRecord, HubSpotSync  # noqa: E402
from apps.integrations.slack.models import SlackLink, SlackLinkRequest, SlackQuestion  # noqa: E402

__all__ = [
    "Connection",
    "ConnectionState",
    "HubSpotCategory",
    "HubSpotRecord",
    "HubSpotSync",
    "RefreshSchedule",
    "Revocation",
    "Service",
    "SheetTab",
    "SignInState",
    "SlackLink",
    "SlackLinkRequest",
    "SlackQuestion",
]
