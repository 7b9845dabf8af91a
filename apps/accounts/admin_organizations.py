"""Organizations in the admin: the own one for admins; staff make, rename and delete them. A deletion asks first, names
what goes, and wants the name typed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.audit import AuditAction, record
from apps.accounts.confirming import Confirmation, asked, blocked, erasing
from apps.accounts.holdings import people
from apps.accounts.models import Organization
from apps.accounts.services.erasure import organization_delete
from apps.accounts.services.members import organization_create
from apps.accounts.site import TenantAdmin, signed_in
from apps.core.errors import ProductError

NOT_RETYPED = "The name that you typed is another one. Nothing was deleted."


@admin.register(Organization)
class OrganizationAdmin(TenantAdmin):
    """The own organization; all of them for staff."""

    may_add = may_change = may_delete = True
    list_display = ("name", "members_edit_context", "created_at")
    search_fields = ("name",)
    readonly_fields = ("created_at",)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Organization]:
        rows = Organization.objects.order_by("name")
        return rows if request.user.is_superuser else rows.filter(members=signed_in(request))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        return ["name", "members_edit_context", *(["created_at"] if obj else [])]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("created_at",) if request.user.is_superuser else ("name", "created_at")

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Organizations are deleted one by one, on a page of their own."""
        return {name: found for name, found in super().get_actions(request).items() if name != "delete_selected"}

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and request.user.is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and request.user.is_superuser

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Organization:
        """A new one is made by the service, and then has its settings like any other."""
        if change:
            kept: Organization = super().save_form(request, form, change)
            return kept
        made = organization_create(name=form.instance.name, actor=signed_in(request))
        made.members_edit_context = form.instance.members_edit_context
        return made

    def save_model(self, request: HttpRequest, obj: Organization, form: Any, change: bool) -> None:
        obj.save()
        if change:
            changed = ", ".join(form.changed_data)
            actor = signed_in(request)
            record(AuditAction.ORGANIZATION_CHANGED, organization=obj, actor=actor, target=obj.name, changed=changed)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """An organization has nothing related that is changed here."""

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Asks first, names what goes, and wants the organization's name."""
        organization = self.get_object(request, unquote(object_id))
        if not self.has_delete_permission(request, organization):
            raise PermissionDenied
        if organization is None:
            return super().delete_view(request, object_id, extra_context)  # says so
        try:
            page = _deletion(organization)
            if not request.POST.get("confirmed"):
                return asked(request, self, page)
            if request.POST.get("retyped", "").strip() != organization.name:
                return asked(request, self, page, missed=NOT_RETYPED)
            organization_delete(organization=organization, actor=signed_in(request))
        except ProductError as error:
            return asked(request, self, blocked(f"Delete {organization.name}", error))
        self.message_user(request, f"Deleted with everything it held: {page.retype}.", messages.SUCCESS)
        return redirect(reverse("admin:accounts_organization_changelist"))


def _deletion(organization: Organization) -> Confirmation:
    """Raises Conflict where staff are members of it."""
    return Confirmation(
        title=f"Delete {organization.name}",
        lead="The organization goes for good, with its members and everything it holds. Nothing of it can be had back.",
        button=f"Delete {organization.name}",
        going=erasing(organization, people=sorted(user.username for user in people(organization))),
        retype=organization.name,
    )
