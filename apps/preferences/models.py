"""What members prefer and what an organization tells about itself. Constraints only; behaviour is in `services`."""

from __future__ import annotations

from django.db import models

from apps.core.models import TenantManager, TimeStampedModel, UUIDModel
from apps.preferences.values import default_chart_formatting, default_colors


class Preferences(UUIDModel, TimeStampedModel):
    """One member's own preferences."""

    tenant_path = "user__organization"

    user = models.OneToOneField("accounts.User", on_delete=models.CASCADE, related_name="preferences")
    chart_formatting = models.JSONField(default=default_chart_formatting)
    colors = models.JSONField(default=default_colors)
    theme = models.CharField(max_length=10, default="light")
    audio = models.BooleanField(default=False)
    response_preference = models.CharField(max_length=20, default="Standard")

    objects = TenantManager()

    class Meta:
        verbose_name_plural = "preferences"

    def __str__(self) -> str:
        return f"Preferences of {self.user_id}"


class OrganizationContext(UUIDModel, TimeStampedModel):
    """An organization's general context and its keywords. `version` counts every change of any of its texts."""

    organization = models.OneToOneField(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="context"
    )
    text = models.TextField(blank=True)
    keywords = models.JSONField(default=list, blank=True, help_text="Pairs of term and definition, in their order.")
    version = models.PositiveBigIntegerField(default=0)

    objects = TenantManager()

    class Meta:
        verbose_name = "company context"

    def __str__(self) -> str:
        return f"Context of {self.organization}"


class FileContext(UUIDModel, TimeStampedModel):
    """What members wrote about one file, by its stored name."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="file_contexts"
    )
    file_name = models.CharField(max_length=255)
    text = models.TextField()

    objects = TenantManager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["organization", "file_name"], name="file_context_once")]

    def __str__(self) -> str:
        return self.file_name


class PrivateColumn(UUIDModel):
    """A column that no language model is told of. Names are texts, so that a file that is read anew or replaced by a
    newer one keeps what is private of it."""

    organization = models.ForeignKey(
        "accounts.Organization", verbose_name="organization", on_delete=models.CASCADE, related_name="private_columns"
    )
    table_key = models.CharField(max_length=255, help_text="Of the table (datasources.naming.name_key).")
    column = models.CharField(max_length=255)

    objects = TenantManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["organization", "table_key", "column"], name="private_column_once")
        ]

    def __str__(self) -> str:
        return self.column
