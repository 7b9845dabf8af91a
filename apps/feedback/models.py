"""Feedback, thumbs with words, and wishes for sources, as they were sent."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from apps.core.models import TenantManager, TimeStampedModel, UUIDModel


class Kind(models.TextChoices):
    """What somebody wanted to say."""

    FEEDBACK = "feedback", "Feedback"
    THUMBS = "thumbs", "About an answer"
    SOURCE_REQUEST = "source-request", "Source request"


class Passing(models.TextChoices):
    """Whether the outside endpoint has it. Only rows that wait are ever sent."""

    KEPT = "kept", "Kept here only"
    WAITING = "waiting", "Waiting"
    PASSED_ON = "passed-on", "Passed on"
    GIVEN_UP = "given-up", "Given up"


class Feedback(UUIDModel, TimeStampedModel):
    """One thing a member wrote. `chat_history` is what the member chose to send along, `answer` what a thumb is about.

    While it waits to be passed on, `next_try_at` says when a worker may claim it; claiming moves that time on, so a
    worker that dies costs one pause and never the feedback.
    """

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="feedback"
    )
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="feedback")
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.FEEDBACK)
    text = models.TextField()
    chat_history = models.TextField(blank=True)
    files = models.JSONField(default=list, blank=True, help_text="Sources that should have been used.")
    is_thumbs_up = models.BooleanField(null=True, blank=True)
    answer = models.ForeignKey("threads.Message", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    passing = models.CharField("passed on", max_length=12, choices=Passing.choices, default=Passing.KEPT)
    tries = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(null=True, blank=True)
    passed_on_at = models.DateTimeField(null=True, blank=True)
    last_failure = models.CharField(max_length=200, blank=True)

    objects = TenantManager()

    class Meta:
        ordering = ["-created_at"]
        verbose_name = "feedback message"
        indexes = [models.Index(fields=["passing", "next_try_at"], name="feedback_waiting")]

    def __str__(self) -> str:
        return f"{self.get_kind_display()}: {self.text[:60]}"
