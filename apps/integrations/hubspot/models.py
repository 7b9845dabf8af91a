"""What is kept of a HubSpot account: the choice of properties, refreshes with their cursors, and records by version."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from apps.core.models import TenantManager, TimeStampedModel, UUIDModel


class HubSpotCategory(UUIDModel, TimeStampedModel):
    """One kind of record of a connected account: what it could give, what is chosen, how far it is read."""

    tenant_path = "connection__organization"

    connection = models.ForeignKey("integrations.Connection", on_delete=models.CASCADE, related_name="categories")
    category = models.CharField(max_length=20)
    definitions = models.JSONField(default=list, help_text="The properties as HubSpot describes them.")
    selected = models.JSONField(default=list, help_text="The names of the chosen properties.")
    listed_with = models.CharField(max_length=64, blank=True, help_text="The choice that the kept records are of.")
    high_water = models.DateTimeField(null=True, blank=True, help_text="Changes up to here are in.")
    problem = models.TextField(blank=True, help_text="Why this kind cannot be read, in words.")

    objects = TenantManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["connection", "category"], name="hubspot_category_once")]

    def __str__(self) -> str:
        return self.category


class SyncState(models.TextChoices):
    """Where a refresh is: queued -> running -> done or failed. It may wait in between, queued until a time."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class HubSpotSync(UUIDModel, TimeStampedModel):
    """One refresh, with the lease of its worker and the cursor that the next one goes on from."""

    tenant_path = "connection__organization"

    connection = models.ForeignKey("integrations.Connection", on_delete=models.CASCADE, related_name="syncs")
    state = models.CharField(max_length=10, choices=SyncState.choices, default=SyncState.QUEUED)
    cursor = models.JSONField(default=dict, help_text="Category, way of reading and place in it; nothing of a record.")
    read = models.PositiveBigIntegerField(default=0, help_text="Records read so far.")
    changed = models.PositiveBigIntegerField(default=0, help_text="Of these the new, changed and removed ones.")
    calls = models.PositiveIntegerField(default=0)
    error = models.TextField(blank=True)
    due_at = models.DateTimeField(default=timezone.now, help_text="Not before this: HubSpot asked us to wait.")
    attempt = models.PositiveIntegerField(default=0, help_text="Failures since the last page that was read.")
    worker = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        ordering = ("-created_at",)
        constraints = [
            models.UniqueConstraint(
                fields=["connection"],
                condition=models.Q(state__in=["queued", "running"]),
                name="hubspot_one_refresh_at_once",
            )
        ]

    def __str__(self) -> str:
        return f"Refresh of {self.created_at:%Y-%m-%d %H:%M}"


class HubSpotRecord(models.Model):
    """A version of a record: as it was seen from one refresh to another. The present version has no `seen_to`."""

    tenant_path = "connection__organization"

    id = models.BigAutoField(primary_key=True)
    connection = models.ForeignKey("integrations.Connection", on_delete=models.CASCADE, related_name="records")
    category = models.CharField(max_length=20)
    record_id = models.CharField(max_length=40)
    hash = models.CharField(max_length=32)
    properties = models.JSONField(default=dict)
    links = models.JSONField(default=dict, help_text="Ids of records it hangs on, by their category.")
    seen_from = models.DateTimeField()
    seen_to = models.DateTimeField(null=True, blank=True)
    sync = models.UUIDField(null=True, help_text="The refresh that saw it last, while everything is listed anew.")

    objects = TenantManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["connection", "category", "record_id"],
                condition=models.Q(seen_to__isnull=True),
                name="hubspot_present_version_once",
            )
        ]
        indexes = [
            models.Index(fields=["connection", "category", "record_id", "seen_from"], name="hubspot_versions"),
            models.Index(
                fields=["connection", "category", "seen_to"],
                condition=models.Q(seen_to__isnull=False),
                name="hubspot_past_versions",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.category} {self.record_id}"
