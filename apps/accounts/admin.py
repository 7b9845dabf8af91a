"""People, invitations, the organisation and its audit log in the admin. Every change goes through the services."""

from __future__ import annotations

from typing import Any, ClassVar, cast

from django import forms
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone

from apps.accounts.audit import record
from apps.accounts.models import AuditAction, AuditEvent, Invitation, Organization, Role, User
from apps.accounts.policy import Action
from apps.accounts.services import members
from apps.accounts.services.sessions import sessions_end
from apps.accounts.site import TenantAdmin, tenant_of
from apps.core import parked
from apps.core.errors import ProductError
from apps.core.models import ParkedMessage


class MemberForm(forms.ModelForm):
    """What an admin may change of a member."""

    class Meta:
        model = User
        fields = ("username", "name", "email", "role")


class TemporaryPassword(admin.SimpleListFilter):
    """Whether the next sign-in asks for an own password. The field itself cannot be asked for (`site.LOOKUPS`)."""

    title = "temporary password"
    parameter_name = "temporary"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("yes", "Yes"), ("no", "No")]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[User]) -> models.QuerySet[User]:
        match self.value():
            case "yes":
                return queryset.filter(must_change_password=True)
            case "no":
                return queryset.filter(must_change_password=False)
            case _:
                return queryset


@admin.register(User)
class MemberAdmin(TenantAdmin):
    """The organisation's members."""

    form = MemberForm
    may_change = True
    list_display = ("username", "name", "email", "role", "is_active", "last_login", "organization")
    list_filter = ("role", "is_active", TemporaryPassword, "organization")
    list_select_related = ("organization",)
    search_fields = ("username", "name", "email")
    readonly_fields = ("username", "is_active", "last_login", "date_joined")
    fields = ("username", "name", "email", "role", "is_active", "last_login", "date_joined")
    ordering = ("username",)
    actions = ("deactivate", "activate", "end_sessions", "force_new_password")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Members come by invitation: the list leads there."""
        may_invite = self.admin_site.get_model_admin(Invitation).has_add_permission(request)
        return super().changelist_view(request, {"may_invite": may_invite, **(extra_context or {})})

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[User]:
        rows = super().get_queryset(request)
        return rows if request.user.is_superuser else rows.filter(is_superuser=False)

    def save_model(self, request: HttpRequest, obj: User, form: forms.ModelForm, change: bool) -> None:
        actor, role = _actor(request), Role(obj.role)
        obj.role = form.initial.get("role", role)
        self._told(request, obj, lambda: members.member_correct(actor=actor, user=obj, name=obj.name, email=obj.email))
        if role != obj.role:
            self._told(request, obj, lambda: members.member_set_role(actor=actor, user=obj, role=role))

    @admin.action(description="Deactivate: sign out at once and refuse further sign-ins")
    def deactivate(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self._each(request, queryset, lambda user: members.member_deactivate(actor=_actor(request), user=user))

    @admin.action(description="Activate: allow to sign in again")
    def activate(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self._each(request, queryset, lambda user: members.member_activate(actor=_actor(request), user=user))

    @admin.action(description="End all sessions")
    def end_sessions(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self._each(request, queryset, lambda user: sessions_end(user=user, actor=_actor(request)))

    @admin.action(description="Set a temporary password: an own one must be chosen at the next sign-in")
    def force_new_password(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        for user in queryset:
            password = members.member_set_temporary_password(actor=_actor(request), user=user)
            self.message_user(request, f"Temporary password of {user.username}, shown only now: {password}")

    def _each(self, request: HttpRequest, queryset: models.QuerySet[User], change: Any) -> None:
        done = sum(self._told(request, user, lambda user=user: change(user)) for user in queryset)
        if done:
            self.message_user(request, f"Done for {done} member{'s' if done > 1 else ''}.", messages.SUCCESS)

    def _told(self, request: HttpRequest, user: User, change: Any) -> bool:
        """Makes the change, or says in the page why it cannot be."""
        try:
            change()
        except ProductError as error:
            self.message_user(request, error.message, messages.ERROR)
            return False
        return True


class InvitationForm(forms.ModelForm):
    """Whom to invite, and as what."""

    organization: ClassVar[Organization | None]

    class Meta:
        model = Invitation
        fields = ("email", "role")
        help_texts: ClassVar = {
            "email": "The invitation is sent to this address at once. Its link is good for "
            f"{Invitation.LIFETIME_DAYS} days; an earlier one to the same address ends.",
            "role": "Basic members ask questions and bring their own files. Admins also manage members, connections "
            "and all files, and read usage, feedback and the audit log.",
        }

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        try:
            members.must_not_be_member(organization=self.organization, email=email)
        except ProductError as error:
            raise forms.ValidationError(error.message) from error
        return email


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
    """Open and accepted invitations; adding one sends its e-mail."""

    may_add = may_delete = True
    form = InvitationForm
    list_display = ("email", "role", "created_at", "expires_at", "accepted_at", "organization")
    list_filter = (InvitationState, "role", "organization")
    list_select_related = ("organization",)
    search_fields = ("email",)
    fields = ("email", "role")

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> type[Any]:
        """The form knows into which organisation it invites."""
        form = cast("type[InvitationForm]", super().get_form(request, obj, change, **kwargs))
        form.organization = _actor(request).organization
        return form

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        return super().add_view(request, form_url, {"title": "Invite a member", **(extra_context or {})})

    def has_add_permission(self, request: HttpRequest) -> bool:
        """An invitation leads into the inviter's organisation: staff without one use the command instead."""
        return super().has_add_permission(request) and tenant_of(request) is not None

    def save_form(self, request: HttpRequest, form: forms.ModelForm, change: bool) -> Invitation:
        return members.member_invite(actor=_actor(request), email=form.instance.email, role=Role(form.instance.role))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Nothing is left to save: the service has made the invitation."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """An invitation has nothing related."""

    def response_add(self, request: HttpRequest, obj: Invitation, post_url_continue: str | None = None) -> HttpResponse:
        """Says what happened: an e-mail has left, and not only a row was made."""
        self.message_user(request, f"An invitation is on its way to {obj.email}.", messages.SUCCESS)
        return redirect(request.path) if "_addanother" in request.POST else self.response_post_save_add(request, obj)


@admin.register(Organization)
class OrganizationAdmin(TenantAdmin):
    """The own organisation; all of them for staff."""

    may_change = True
    list_display = ("name", "members_edit_context", "created_at")
    search_fields = ("name",)
    fields = ("name", "members_edit_context", "created_at")
    readonly_fields = ("created_at",)

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Organization]:
        rows = Organization.objects.order_by("name")
        return rows if request.user.is_superuser else rows.filter(members=_actor(request))

    def save_model(self, request: HttpRequest, obj: Organization, form: forms.ModelForm, change: bool) -> None:
        super().save_model(request, obj, form, change)
        changed = ", ".join(form.changed_data)
        record(
            AuditAction.ORGANIZATION_CHANGED, organization=obj, actor=_actor(request), target=obj.name, changed=changed
        )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return ("created_at",) if request.user.is_superuser else ("name", "created_at")


@admin.register(AuditEvent)
class AuditAdmin(TenantAdmin):
    """The audit log, to read."""

    needs = Action.READ_AUDIT_LOG
    list_display = ("created_at", "actor_name", "action", "target", "address", "organization")
    list_filter = ("action", "created_at", "organization")
    list_select_related = ("organization",)
    search_fields = ("actor_name", "target")
    date_hierarchy = "created_at"


def _actor(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


@admin.register(ParkedMessage)
class ParkedMessageAdmin(TenantAdmin):
    """Jobs that failed too often, of all organisations: for staff alone. They may be replayed, or dropped."""

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
