"""Who in a workspace is which member, links under way, and the questions that came from Slack. Constraints only."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from apps.core.models import TenantManager, UUIDModel


class SlackLink(UUIDModel):
    """A Slack user who is a member: confirmed by the member, in the product."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="+"
    )
    connection = models.ForeignKey("integrations.Connection", on_delete=models.CASCADE, related_name="slack_links")
    member = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="slack_links")
    slack_user_id = models.CharField(max_length=40)
    slack_name = models.CharField(max_length=120, blank=True)
    linked_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        app_label = "integrations"
        verbose_name = "Slack link"
        constraints = [
            models.UniqueConstraint(fields=["connection", "slack_user_id"], name="slack_user_once"),
            models.UniqueConstraint(fields=["connection", "member"], name="slack_member_once"),
        ]

    def __str__(self) -> str:
        return f"{self.slack_name or self.slack_user_id} in Slack"


class SlackLinkRequest(UUIDModel):
    """A link that was sent to a Slack user: the member who opens and confirms it is that user. Once, ten minutes."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="+"
    )
    connection = models.ForeignKey("integrations.Connection", on_delete=models.CASCADE, related_name="+")
    slack_user_id = models.CharField(max_length=40)
    slack_name = models.CharField(max_length=120, blank=True)
    key_digest = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()

    objects = TenantManager()

    class Meta:
        app_label = "integrations"

    def __str__(self) -> str:
        return f"Link for {self.slack_name or self.slack_user_id}"


class SlackKind(models.TextChoices):
    """How a question came."""

    COMMAND = "command"
    MENTION = "mention"
    DIRECT = "direct"


class SlackState(models.TextChoices):
    """Where a question is: received -> asked -> answered; or declined (no member, nothing asked), or failed."""

    RECEIVED = "received"
    ASKED = "asked"
    ANSWERED = "answered"
    DECLINED = "declined"
    FAILED = "failed"


class SlackQuestion(UUIDModel):
    """One delivery of Slack, known by its key so that a second delivery is nothing new, and its way to the answer.

    `text` is emptied when the question is put: from then on it stands in the member's thread only.
    """

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="+"
    )
    connection = models.ForeignKey("integrations.Connection", on_delete=models.CASCADE, related_name="slack_questions")
    member = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, null=True, blank=True, related_name="+"
    )
    delivery_id = models.CharField(max_length=120, help_text="What Slack calls the delivery.")
    kind = models.CharField(max_length=8, choices=SlackKind.choices)
    slack_user_id = models.CharField(max_length=40)
    slack_name = models.CharField(max_length=120, blank=True)
    channel_id = models.CharField(max_length=40)
    thread_ts = models.CharField(max_length=30, blank=True, help_text="The Slack thread to answer in.")
    text = models.TextField(blank=True)
    sealed = models.TextField(help_text="Where a command is answered, encrypted.")

    state = models.CharField(max_length=10, choices=SlackState.choices, default=SlackState.RECEIVED)
    reason = models.CharField(max_length=300, blank=True)
    run_id = models.UUIDField(null=True, blank=True)
    thread_id = models.UUIDField(null=True, blank=True)
    posted_at = models.DateTimeField(null=True, blank=True, help_text="When the answer's text was taken by Slack.")
    attempt = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=timezone.now)

    objects = TenantManager()

    class Meta:
        app_label = "integrations"
        constraints = [
            models.UniqueConstraint(fields=["connection", "delivery_id"], name="slack_delivery_once"),
        ]
        indexes = [
            models.Index(fields=["run_id"], name="slack_question_run"),
            models.Index(fields=["state", "lease_until"], name="slack_question_open"),
            models.Index(fields=["connection", "channel_id", "thread_ts"], name="slack_question_thread"),
        ]

    def __str__(self) -> str:
        return f"{self.get_kind_display()} ({self.state})"
