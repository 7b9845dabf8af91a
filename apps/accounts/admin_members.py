"""Members in the admin: made, changed, deactivated, deleted. Every change goes through the services; what takes
something away asks first and names it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from apps.accounts.confirming import Confirmation, asked, blocked, erasing
from apps.accounts.models import Invitation, Organization, Role, User
from apps.accounts.services import members
from apps.accounts.services.erasure import holds_elsewhere, member_delete
from apps.accounts.services.names import must_be_usable
from apps.accounts.services.roster import OWN_ACCOUNT
from apps.accounts.services.sessions import sessions_end
from apps.accounts.site import TenantAdmin, signed_in, tenant_of
from apps.core.errors import Conflict, ProductError

FOR_STAFF = "Only staff can delete this account. It can be deactivated here."
KEEP_FILES = "keep_files"


class MemberForm(forms.ModelForm):
    """What may be said of a member. Whether a name or an address is free is the service's to say: what is taken in
    another organization is refused in the same words as anything else."""

    class Meta:
        model = User
        fields = ("username", "name", "email", "role", "organization")

    def validate_unique(self) -> None:
        """Asked by the service."""

    def clean(self) -> dict[str, Any]:
        """Both are asked: one that is left to the database's constraints would be refused in other words."""
        cleaned: dict[str, Any] = super().clean() or {}
        refused: dict[str, str] = {}
        for field, ask in (
            ("username", partial(must_be_usable, username=cleaned.get("username"), email="")),
            ("email", partial(must_be_usable, username=None, email=cleaned.get("email", ""))),
        ):
            try:
                ask(user=self._member())
            except ProductError as error:
                refused[field] = error.message
        if refused:
            raise forms.ValidationError(refused)
        return cleaned

    def _member(self) -> User | None:
        return None if self.instance._state.adding else self.instance


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
    """The organization's members."""

    form = MemberForm
    may_add = may_change = may_delete = True
    list_display = ("username", "name", "email", "role", "is_active", "last_login", "organization")
    list_filter = ("role", "is_active", TemporaryPassword, "organization")
    list_select_related = ("organization",)
    search_fields = ("username", "name", "email")
    ordering = ("username",)
    actions = ("deactivate", "activate", "end_sessions", "force_new_password")

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Members come by invitation: the list leads there first."""
        may_invite = self.admin_site.get_model_admin(Invitation).has_add_permission(request)
        return super().changelist_view(request, {"may_invite": may_invite, **(extra_context or {})})

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[User]:
        rows = super().get_queryset(request)
        return rows if request.user.is_superuser else rows.filter(is_superuser=False)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Deleting asks for each member by name, on a page of its own."""
        return {name: found for name, found in super().get_actions(request).items() if name != "delete_selected"}

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """Only staff choose among organizations."""
        said = ["username", "name", "email", "role", *(["organization"] if request.user.is_superuser else [])]
        return said if obj is None else [*said, "is_active", "last_login", "date_joined"]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if obj is None else ("username", "is_active", "last_login", "date_joined")

    # ------------------------------------------------------------ making and changing
    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and (request.user.is_superuser or tenant_of(request) is not None)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> User:
        """A new member is made by the service, with a temporary password that is told once."""
        if change:
            made: User = super().save_form(request, form, change)
            return made
        said, password = form.instance, members.temporary_password()
        made = members.member_create(
            organization=_place(request, said.organization),
            username=said.username,
            password=password,
            email=said.email,
            name=said.name,
            role=Role(said.role),
            actor=signed_in(request),
        )
        self.message_user(request, f"Temporary password of {made.username}, shown only now: {password}")
        return made

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if not change:
            return
        actor, role, place = signed_in(request), Role(obj.role), obj.organization
        kept = User.objects.get(pk=obj.pk)
        obj.role, obj.organization = kept.role, kept.organization
        self._told(request, obj, lambda: members.member_correct(actor=actor, user=obj, name=obj.name, email=obj.email))
        if place is not None and place != kept.organization:
            self._told(request, obj, lambda: members.member_move(user=obj, organization=place, actor=actor))
        elif role != obj.role:
            self._told(request, obj, lambda: members.member_set_role(actor=actor, user=obj, role=role))

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """A member has nothing related that is changed here."""

    # ------------------------------------------------------------ deleting
    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Asks first, and names what goes with the member."""
        user = self.get_object(request, unquote(object_id))
        if not self.has_delete_permission(request, user):
            raise PermissionDenied
        if user is None:
            return super().delete_view(request, object_id, extra_context)  # says so
        try:
            _may_delete(request, user)
            if request.POST.get("confirmed"):
                member_delete(user=user, keep_files=KEEP_FILES in request.POST, actor=signed_in(request))
                self.message_user(request, f"Deleted: {user.username}.", messages.SUCCESS)
                return redirect(reverse("admin:accounts_user_changelist"))
            return asked(request, self, _deletion(user))
        except ProductError as error:
            return asked(request, self, blocked(f"Delete {user.username}", error))

    # ------------------------------------------------------------ actions
    @admin.action(description="Deactivate: sign out at once and refuse further sign-ins")
    def deactivate(self, request: HttpRequest, queryset: models.QuerySet[User]) -> HttpResponse | None:
        if not request.POST.get("confirmed"):
            return asked(request, self, _deactivation(list(queryset)))
        self._each(request, queryset, lambda user: _deactivate(request, user))
        return None

    @admin.action(description="Activate: allow to sign in again")
    def activate(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self._each(request, queryset, lambda user: members.member_activate(actor=signed_in(request), user=user))

    @admin.action(description="End all sessions")
    def end_sessions(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        self._each(request, queryset, lambda user: sessions_end(user=user, actor=signed_in(request)))

    @admin.action(description="Set a temporary password: an own one must be chosen at the next sign-in")
    def force_new_password(self, request: HttpRequest, queryset: models.QuerySet[User]) -> None:
        for user in queryset:
            password = members.member_set_temporary_password(actor=signed_in(request), user=user)
            self.message_user(request, f"Temporary password of {user.username}, shown only now: {password}")

    def _each(self, request: HttpRequest, queryset: models.QuerySet[User], change: Callable[[User], object]) -> None:
        done = sum(self._told(request, user, partial(change, user)) for user in queryset)
        if done:
            self.message_user(request, f"Done for {done} member{'s' if done > 1 else ''}.", messages.SUCCESS)

    def _told(self, request: HttpRequest, user: User, change: Callable[[], object]) -> bool:
        """Makes the change, or says in the page why it cannot be."""
        try:
            change()
        except ProductError as error:
            self.message_user(request, error.message, messages.ERROR)
            return False
        return True


def _place(request: HttpRequest, chosen: Organization | None) -> Organization:
    """Where a new member goes: staff choose, an admin's come into the own organization."""
    user = signed_in(request)
    place = chosen if user.is_superuser else user.organization
    assert place is not None, "the form asks staff for it, and others may not add without"
    return place


def _may_delete(request: HttpRequest, user: User) -> None:
    """Raises Conflict where an admin would reach beyond the own organization, and for the own account."""
    if user.pk == signed_in(request).pk:
        raise Conflict(OWN_ACCOUNT, code="own_account")
    if not signed_in(request).is_superuser and holds_elsewhere(user):
        raise Conflict(FOR_STAFF, code="for_staff")


def _deactivate(request: HttpRequest, user: User) -> None:
    if user.pk == signed_in(request).pk:
        raise Conflict(OWN_ACCOUNT, code="own_account")
    members.member_deactivate(actor=signed_in(request), user=user)


def _deletion(user: User) -> Confirmation:
    return Confirmation(
        title=f"Delete {user.username}",
        lead=f"{user.get_full_name()} ({user.username}) goes for good, with everything they brought and wrote. "
        "The audit log keeps what happened, without the name.",
        button=f"Delete {user.username}",
        going=erasing(user, people=[user.username]),
        choice=(KEEP_FILES, "Keep the files they uploaded: the organization goes on using them."),
    )


def _deactivation(users: list[User]) -> Confirmation:
    names = ", ".join(user.username for user in users)
    return Confirmation(
        title="Deactivate members",
        lead="They are signed out at once and cannot sign in until they are activated. What they made stays.",
        button=f"Deactivate {names}" if len(users) == 1 else f"Deactivate {len(users)} members",
        going=tuple((user.username, user.get_full_name()) for user in users),
        sent=(("action", "deactivate"), *((ACTION_CHECKBOX_NAME, str(user.pk)) for user in users)),
    )
