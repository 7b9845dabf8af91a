"""Changing a member's preferences and the organization's keywords."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from apps.preferences.models import Preferences
from apps.preferences.services.contexts import keywords_replace, organization_context_update
from apps.preferences.values import PreferencesChange

if TYPE_CHECKING:
    from apps.accounts.models import User


@transaction.atomic
def preferences_update(*, user: User, change: PreferencesChange, explanation: str | None = None) -> None:
    """Stores what was sent and leaves the rest; all of it or, where a part is refused, nothing."""
    fields = change.own_fields()
    if fields:
        Preferences.objects.update_or_create(user=user, defaults=fields)
    if change.keywords is not None:
        keywords_replace(by=user, keywords=change.keywords)
    if explanation is not None:
        organization_context_update(by=user, text=explanation)
