"""Base models without a domain of their own: identity, times, and querysets that start from the organization."""

from __future__ import annotations

import uuid
from typing import Any, Self, TypeVar

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone


class UUIDModel(models.Model):
    """A model known by a random id that tells nothing and cannot be guessed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True


class Tenant(UUIDModel):
    """What rows belong to: the base of accounts.Organization, so that what stands here needs not know it."""

    is_active = models.BooleanField(
        "active",
        default=True,
        help_text="While this is off, none of its members can sign in, and nothing of it is answered or refreshed.",
    )

    class Meta:
        abstract = True


class TimeStampedModel(models.Model):
    """A model that knows when it was made and last changed."""

    created_at = models.DateTimeField(auto_now_add=True)
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        abstract = True


M = TypeVar("M", bound=models.Model)


class TenantQuerySet(models.QuerySet[M]):
    """Rows of one organization. Models name their path to it in `tenant_path` (default "organization")."""

    def of(self, organization: Tenant) -> Self:
        """Only what belongs to this organization; every read on behalf of a member starts here."""
        path: str = getattr(self.model, "tenant_path", "organization")
        return self.filter(**{path: organization})

    def at_work(self) -> Self:
        """Only what belongs to organizations that are active: workers take up nothing else, and finish nothing else.

        Asked in a subquery about the row alone. With joined tables Django would move the other conditions of an UPDATE
        into a subquery as well, and two workers could claim the same row.
        """
        path: str = getattr(self.model, "tenant_path", "organization")
        first, *rest = path.split("__")
        field: Any = self.model._meta.get_field(first)
        above = field.related_model._base_manager.filter(pk=OuterRef(field.attname))
        return self.filter(Exists(above.filter(**{"__".join([*rest, "is_active"]): True})))


class WorkerSeen(models.Model):
    """A worker process and when it last signed that it lives (apps.core.workers)."""

    passing = True
    """Says what is at this moment, so backups leave it out."""

    id = models.CharField(primary_key=True, max_length=32)
    seen_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.id


class ParkedMessage(UUIDModel):
    """A message to the workers that failed again and again, kept out of the queue until somebody looks at it.

    One row for each job (actor and arguments), which counts from its first failure; `parked_at` says that it is out.
    """

    key = models.CharField(max_length=64, unique=True, help_text="Of the job: a hash of its actor and arguments.")
    actor = models.CharField(max_length=100)
    queue = models.CharField(max_length=100)
    arguments = models.JSONField(default=list, help_text="Ids of what the job is about.")
    failure = models.CharField(max_length=300, help_text="The kind of the last error and its place in the code.")
    tries = models.PositiveIntegerField(default=0)
    first_failed_at = models.DateTimeField(default=timezone.now)
    last_failed_at = models.DateTimeField(default=timezone.now)
    parked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-last_failed_at"]

    def __str__(self) -> str:
        return f"{self.actor} of {', '.join(str(one) for one in self.arguments)}"


TenantManager = models.Manager.from_queryset(TenantQuerySet)
