"""Organizations in the admin: the own one for admins; staff make, rename, deactivate and delete them. What takes
something away asks first and names it; a deletion wants the name typed, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
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
from apps.accounts.services.organizations import (
    organization_activate,
    organization_deactivate,
    organization_stops,
    staff_must_not_be_in,
)
from apps.accounts.site import TenantAdmin, signed_in
from apps.core.errors import ProductError

NOT_RETYPED = "The name that you typed is another one. Nothing was deleted."
STATE, TOKEN = "is_active", "csrfmiddlewaretoken"


@admin.register(Organization)
class OrganizationAdmin(TenantAdmin):
    """The own organization; all of them for staff."""

    may_add = may_change = may_delete = True
    list_display = ("name", "is_active", "members_edit_context", "created_at")
    list_filter = ("is_active",)
    search_fields = ("name",)
    readonly_fields = ("created_at",)
    actions = ("deactivate", "activate")

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Organization]:
        rows = Organization.objects.order_by("name")
        return rows if request.user.is_superuser else rows.filter(members=signed_in(request))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """The state is for who may delete the organization."""
        state = ["is_active"] if obj and self.has_delete_permission(request, obj) else []
        return ["name", *state, "members_edit_context", *(["created_at"] if obj else [])]

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
        if not change:
            obj.save()
            return
        actor, changed = signed_in(request), [name for name in form.changed_data if name != STATE]
        if STATE in form.changed_data:  # under the name that it had when this was asked about
            turn = organization_activate if obj.is_active else organization_deactivate
            turn(organization=Organization.objects.get(pk=obj.pk), actor=actor)
        if changed:
            obj.save(update_fields=[*changed, "updated_at"])
            told = {"target": obj.name, "changed": ", ".join(changed)}
            record(AuditAction.ORGANIZATION_CHANGED, organization=obj, actor=actor, **told)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """An organization has nothing related that is changed here."""

    # ------------------------------------------------------------ deactivating
    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """A form that takes the state away is asked about before anything of it is kept."""
        organization = self.get_object(request, unquote(object_id))
        try:
            if organization is not None and self._deactivates(request, organization):
                sent = [(name, value) for name, values in request.POST.lists() if name != TOKEN for value in values]
                return asked(request, self, _deactivation([organization], sent))
            return super().change_view(request, object_id, form_url, extra_context)
        except ProductError as error:
            return asked(request, self, blocked(f"Deactivate {organization}", error))

    def _deactivates(self, request: HttpRequest, organization: Organization) -> bool:
        """Whether this is such a form, filled in rightly and not confirmed yet."""
        if request.method != "POST" or "confirmed" in request.POST or not self.has_delete_permission(request):
            return False
        copy = Organization.objects.get(pk=organization.pk)  # checking a form fills its instance in
        form = self.get_form(request, organization, change=True)(request.POST, instance=copy)
        return form.is_valid() and STATE in form.changed_data and not form.cleaned_data[STATE]

    @admin.action(description="Deactivate: sign its members out and stop its work", permissions=["delete"])
    def deactivate(self, request: HttpRequest, queryset: models.QuerySet[Organization]) -> HttpResponse | None:
        chosen = list(queryset.filter(is_active=True))
        if chosen and not request.POST.get("confirmed"):
            sent = [("action", "deactivate"), *((ACTION_CHECKBOX_NAME, str(one.pk)) for one in chosen)]
            try:
                return asked(request, self, _deactivation(chosen, sent))
            except ProductError as error:
                return asked(request, self, blocked("Deactivate organizations", error))
        self._each(request, chosen, organization_deactivate, "Deactivated")
        return None

    @admin.action(description="Activate: let its members sign in again", permissions=["delete"])
    def activate(self, request: HttpRequest, queryset: models.QuerySet[Organization]) -> None:
        self._each(request, list(queryset.filter(is_active=False)), organization_activate, "Activated")

    def _each(
        self, request: HttpRequest, chosen: Sequence[Organization], change: Callable[..., None], done: str
    ) -> None:
        """Makes the change for each, or says in the page why it cannot be."""
        for organization in chosen:
            try:
                change(organization=organization, actor=signed_in(request))
            except ProductError as error:
                self.message_user(request, error.message, messages.ERROR)
            else:
                self.message_user(request, f"{done}: {organization}.", messages.SUCCESS)

    # ------------------------------------------------------------ deleting
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


def _deactivation(organizations: Sequence[Organization], sent: Sequence[tuple[str, str]]) -> Confirmation:
    """Raises Conflict where staff are members of one."""
    for organization in organizations:
        staff_must_not_be_in(organization)
    told = [
        (one.name, [(kind, f"{number:,}") for kind, number in organization_stops(one).items()]) for one in organizations
    ]
    named = organizations[0].name if len(organizations) == 1 else f"{len(organizations)} organizations"
    return Confirmation(
        title=f"Deactivate {named}",
        lead="Its members are signed out at once and cannot sign in, nothing is answered or refreshed, and questions "
        "under way are canceled, until it is activated again. Nothing is deleted.",
        button=f"Deactivate {named}",
        going=tuple((f"{name}: {kind.lower()}", number) for name, stops in told for kind, number in stops),
        sent=tuple(sent),
    )


def _deletion(organization: Organization) -> Confirmation:
    """Raises Conflict where staff are members of it."""
    return Confirmation(
        title=f"Delete {organization.name}",
        lead="The organization goes for good, with its members and everything it holds. Nothing of it can be had back.",
        button=f"Delete {organization.name}",
        going=erasing(organization, people=sorted(user.username for user in people(organization))),
        retype=organization.name,
    )
