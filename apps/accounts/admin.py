"""The audit log and the jobs that failed, in the admin. Members, invitations and organizations have modules of their
own; every change of theirs goes through the services."""

from __future__ import annotations

from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest

from apps.accounts import admin_invitations, admin_members, admin_organizations  # noqa: F401 - they register their pages
from apps.accounts.models import AuditEvent
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin
from apps.core import parked
from apps.core.models import ParkedMessage


@admin.register(AuditEvent)
class AuditAdmin(TenantAdmin):
    """The audit log, to read."""

    needs = Action.READ_AUDIT_LOG
    list_display = ("created_at", "actor_name", "action", "target", "address", "organization")
    list_filter = ("action", "created_at", "organization")
    list_select_related = ("organization",)
    search_fields = ("actor_name", "target")
    date_hierarchy = "created_at"


@admin.register(ParkedMessage)
class ParkedMessageAdmin(TenantAdmin):
    """Jobs that failed too often, of all organizations: for staff alone. They may be replayed, or dropped."""

    staff_only = True
    may_delete = True
    list_display = ("actor", "about", "failure", "tries", "first_failed_at", "last_failed_at", "parked_at")
    list_filter = ("actor", ("parked_at", admin.EmptyFieldListFilter))
    readonly_fields = (
        "actor", "queue", "arguments", "failure", "tries", "first_failed_at", "last_failed_at", "parked_at",
    )  # fmt: skip
    exclude = ("key",)
    actions = ("replay",)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[ParkedMessage]:
        return ParkedMessage.objects.all() if request.user.is_superuser else ParkedMessage.objects.none()

    @admin.display(description="About")
    def about(self, row: ParkedMessage) -> str:
        return ", ".join(str(one) for one in row.arguments)[:100]

    @admin.action(description="Replay: send to the workers again", permissions=["delete"])
    def replay(self, request: HttpRequest, queryset: models.QuerySet[ParkedMessage]) -> None:
        sent, refused = parked.replay(queryset)
        if sent:
            self.message_user(request, f"Sent to the workers again: {sent}.", messages.SUCCESS)
        if refused:
            self.message_user(request, f"No worker of this version takes them: {refused}.", messages.ERROR)
