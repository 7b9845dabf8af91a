"""Base models without a domain of their own: identity, times, and querysets that start from the organisation."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING, Self, TypeVar

from django.db import models

if TYPE_CHECKING:
    from apps.accounts.models import Organization


class UUIDModel(models.Model):
    """A model known by a random id that tells nothing and cannot be guessed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

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
    """Rows of one organisation. Models name their path to it in `tenant_path` (default "organization")."""

    def of(self, organization: Organization) -> Self:
        """Only what belongs to this organisation; every read on behalf of a member starts here."""
        path: str = getattr(self.model, "tenant_path", "organization")
        return self.filter(**{path: organization})


TenantManager = models.Manager.from_queryset(TenantQuerySet)
