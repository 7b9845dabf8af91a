"""Invitations in the admin: sent, sent again, withdrawn. Every change goes through the services."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from apps.accounts.models import Invitation, Organization, Role
from apps.accounts.services import members
from apps.accounts.site import TenantAdmin, signed_in, tenant_of
from apps.core.errors import ProductError


class InvitationForm(forms.ModelForm):
    """Whom to invite, as what, and by staff also into which organization."""

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
        try:
            members.must_not_be_member(
                organization=cleaned.get("organization", self.inviting), email=cleaned.get("email", "")
            )
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
    """Open and accepted invitations; adding one sends its e-mail, deleting one ends its link."""

    may_add = may_delete = True
    form = InvitationForm
    list_display = ("email", "role", "created_at", "expires_at", "accepted_at", "organization")
    list_filter = (InvitationState, "role", "organization")
    list_select_related = ("organization",)
    search_fields = ("email",)
    actions = ("send_again",)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Only staff choose among organizations."""
        return ["email", "role", *(["organization"] if request.user.is_superuser else [])]

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[Any]:
        """The form knows into which organization it invites."""
        form = cast("type[InvitationForm]", super().get_form(request, obj, change, **kwargs))
        form.inviting = signed_in(request).organization
        return form

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().add_view(request, form_url, {"title": "Invite a member", **(extra_context or {})})

    def has_add_permission(self, request: HttpRequest) -> bool:
        """An admin's invitation leads into the own organization."""
        return super().has_add_permission(request) and (request.user.is_superuser or tenant_of(request) is not None)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Invitation:
        said = form.instance
        place = said.organization if said.organization_id else None
        return members.member_invite(
            actor=signed_in(request), email=said.email, role=Role(said.role), organization=place
        )

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Nothing is left to save: the service has made the invitation."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """An invitation has nothing related."""

    def response_add(self, request: HttpRequest, obj: Invitation, post_url_continue: str | None = None) -> HttpResponse:
        """Says what happened: an e-mail has left, and not only a row was made."""
        self.message_user(request, f"An invitation is on its way to {obj.email}.", messages.SUCCESS)
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
                self.message_user(request, f"An invitation is on its way to {invitation.email}.", messages.SUCCESS)
