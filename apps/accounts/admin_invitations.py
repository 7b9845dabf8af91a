"""Invitations in the admin: sent, changed, sent again, withdrawn. Every change goes through the services."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone

from apps.accounts.models import Invitation, Organization, Role
from apps.accounts.services import members
from apps.accounts.services.invitations import invitation_change
from apps.accounts.services.organizations import must_be_active
from apps.accounts.site import TenantAdmin, signed_in, tenant_of
from apps.core.errors import ProductError

READDRESSED = (
    "With another address the link that was sent opens nothing any more, and a new one is sent to that address at once."
)


class InvitationForm(forms.ModelForm):
    """Whom to invite, as what, and by staff also into which organization. What was sent stays in its own."""

    inviting: ClassVar[Organization | None]

    class Meta:
        model = Invitation
        fields = ("email", "role", "organization")
        help_texts: ClassVar = {
            "email": "The invitation is sent to this address at once. Its link is good for "
            f"{Invitation.LIFETIME_DAYS} days; an earlier one to the same address ends.",
            "role": "Basic members ask questions and bring their own files. Admins also manage members, connections "
            "and all files, and read usage, feedback and the audit log.",
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        place = cleaned.get("organization", self.inviting)
        try:
            members.must_not_be_member(organization=place, email=cleaned.get("email", ""))
            if place is not None and "email" in self.changed_data:
                must_be_active(place)
        except ProductError as error:
            raise forms.ValidationError({"email": error.message}) from error
        return cleaned


class InvitationState(admin.SimpleListFilter):
    """Open, accepted, or past its time."""

    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("open", "Open"), ("accepted", "Accepted"), ("expired", "Expired")]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Invitation]) -> models.QuerySet[Invitation]:
        match self.value():
            case "open":
                return queryset.filter(accepted_at=None, expires_at__gt=timezone.now())
            case "expired":
                return queryset.filter(accepted_at=None, expires_at__lte=timezone.now())
            case "accepted":
                return queryset.exclude(accepted_at=None)
            case _:
                return queryset


@admin.register(Invitation)
class InvitationAdmin(TenantAdmin):
    """Open and accepted invitations; adding one sends its e-mail, deleting one ends its link. Open ones are changed."""

    may_add = may_change = may_delete = True
    form = InvitationForm
    list_display = ("email", "role", "created_at", "expires_at", "accepted_at", "organization")
    list_filter = (InvitationState, "role", "organization")
    list_select_related = ("organization",)
    search_fields = ("email",)
    actions = ("send_again",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Only staff choose among organizations."""
        return ["email", "role", *(["organization"] if request.user.is_superuser else [])]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("organization",) if obj else ()

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[Any]:
        """The form knows into which organization it invites."""
        if obj is not None:
            kwargs["help_texts"] = {**InvitationForm.Meta.help_texts, "email": READDRESSED}
        form = cast("type[InvitationForm]", super().get_form(request, obj, change, **kwargs))
        form.inviting = obj.organization if obj else signed_in(request).organization
        return form

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        try:
            return super().add_view(request, form_url, {"title": "Invite a member", **(extra_context or {})})
        except ProductError as error:  # past the own rate, or a member meanwhile
            self.message_user(request, error.message, messages.ERROR)
            return redirect(reverse("admin:accounts_invitation_changelist"))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """One that was accepted while its form was open is changed no more, and the list says so."""
        try:
            return super().change_view(request, object_id, form_url, extra_context)
        except ProductError as error:
            self.message_user(request, error.message, messages.ERROR)
            return redirect(reverse("admin:accounts_invitation_changelist"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Of an accepted one nothing is left to change."""
        return super().has_change_permission(request, obj) and (obj is None or obj.accepted_at is None)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """An admin's invitation leads into the own organization."""
        return super().has_add_permission(request) and (request.user.is_superuser or tenant_of(request) is not None)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Invitation:
        said = form.instance
        if change:
            changed = invitation_change(
                actor=signed_in(request), invitation=said, email=said.email, role=Role(said.role)
            )
            if "email" in form.changed_data:
                self._sent(request, changed)
            return changed
        place = said.organization if said.organization_id else None
        return members.member_invite(
            actor=signed_in(request), email=said.email, role=Role(said.role), organization=place
        )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Nothing is left to save: the service has made or changed the invitation."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """An invitation has nothing related."""

    def response_add(self, request: HttpRequest, obj: Invitation, post_url_continue: str | None = None) -> HttpResponse:
        """Says what happened: an e-mail has left, and not only a row was made."""
        self._sent(request, obj)
        return redirect(request.path) if "_addanother" in request.POST else self.response_post_save_add(request, obj)

    def delete_model(self, request: HttpRequest, obj: Invitation) -> None:
        members.invitation_withdraw(actor=signed_in(request), invitation=obj)

    def delete_queryset(self, request: HttpRequest, queryset: models.QuerySet[Invitation]) -> None:
        for invitation in queryset:
            self.delete_model(request, invitation)

    @admin.action(description="Send again: a new link, good for another week", permissions=["add"])
    def send_again(self, request: HttpRequest, queryset: models.QuerySet[Invitation]) -> None:
        for invitation in queryset:
            try:
                members.member_invite(
                    actor=signed_in(request),
                    email=invitation.email,
                    role=Role(invitation.role),
                    organization=invitation.organization,
                )
            except ProductError as error:
                self.message_user(request, error.message, messages.ERROR)
            else:
                self._sent(request, invitation)

    def _sent(self, request: HttpRequest, invitation: Invitation) -> None:
        self.message_user(request, f"An invitation is on its way to {invitation.email}.", messages.SUCCESS)
