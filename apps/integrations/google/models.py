"""Tabs of spreadsheets that members connected. Constraints only; `connecting` and `reading` write."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from apps.core.models import TenantManager, TimeStampedModel, UUIDModel


class TabState(models.TextChoices):
    """Where a tab is: waiting -> reading -> ready or failed; a refresh lets it wait again."""

    WAITING = "waiting"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"


class SheetTab(UUIDModel, TimeStampedModel):
    """A connected tab and the source that holds its rows. People may rename file and tab: the ids stay.

    Without a connection the data was kept when its member disconnected; connecting the tab again takes it up.
    """

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="sheet_tabs"
    )
    connection = models.ForeignKey(
        "integrations.Connection", on_delete=models.SET_NULL, null=True, blank=True, related_name="sheet_tabs"
    )
    source = models.ForeignKey(
        "datasources.Source", on_delete=models.CASCADE, null=True, blank=True, related_name="sheet_tabs"
    )
    file_id = models.CharField(max_length=200, help_text="What Google calls the spreadsheet.")
    file_title = models.CharField(max_length=300)
    sheet_id = models.BigIntegerField(help_text="What Google calls the tab.")
    tab_title = models.CharField(max_length=200)
    file_name = models.CharField(max_length=255, help_text="The name of its source.")

    state = models.CharField(max_length=10, choices=TabState.choices, default=TabState.WAITING)
    reason = models.TextField(blank=True, help_text="Why it could not be read, in words.")
    state_at = models.DateTimeField(default=timezone.now)
    drive_modified_ms = models.BigIntegerField(default=0, help_text="When the file was changed that was read last.")
    read_at = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    objects = TenantManager()

    class Meta:
        app_label = "integrations"
        constraints = [
            models.UniqueConstraint(fields=["organization", "file_id", "sheet_id"], name="sheet_tab_once"),
        ]
        indexes = [models.Index(fields=["state", "lease_until"], name="sheet_tab_lease")]

    def __str__(self) -> str:
        return f"{self.file_title}: {self.tab_title}"
