"""Reads of connected tabs. Everything starts from the organization."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from apps.accounts.policy import Action, allowed
from apps.integrations.google.models import SheetTab
from apps.integrations.models import RefreshSchedule
from apps.integrations.selectors import connection_of

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from apps.accounts.models import User


def tabs_of(user: User) -> QuerySet[SheetTab]:
    """The organization's connected tabs, by spreadsheet and name."""
    assert user.organization is not None, "only members reach the selectors"
    connected = SheetTab.objects.of(user.organization).filter(connection__isnull=False)
    return connected.select_related("connection__member").order_by("file_title", "tab_title", "pk")


def sheets_view(user: User) -> dict[str, Any]:
    """The connected tabs, and how often the member's own are refreshed by themselves (None: not connected)."""
    connection = connection_of(user, "google")
    schedule = RefreshSchedule.objects.filter(connection=connection).first() if connection else None
    return {"sheets": tab_rows(user), "every_hours": schedule.every_hours if schedule else None}


def tab_rows(user: User) -> list[dict[str, Any]]:
    """The connected tabs as clients are told."""
    any_file = allowed(user, Action.DELETE_ANY_FILE)
    rows = []
    for tab in tabs_of(user):
        assert tab.connection is not None, "tabs_of leaves the others out"
        owner = tab.connection.member
        rows.append(
            {
                "file_name": tab.file_name,
                "file_id": tab.file_id,
                "file_title": tab.file_title,
                "tab_title": tab.tab_title,
                "state": tab.state,
                "reason": tab.reason or None,
                "read_at": tab.read_at.isoformat() if tab.read_at else None,
                "drive_last_modified": tab.drive_modified_ms,
                "owner": owner.get_full_name() if owner else "",
                "mine": owner is not None and owner.pk == user.pk,
                "may_disconnect": any_file or (owner is not None and owner.pk == user.pk),
            }
        )
    return rows
