"""The Django admin that an organization's admin can live in: the own organization and nothing else.

Every model's admin derives from `TenantAdmin`, which starts each queryset, choice, autocomplete and history from the
organization of whoever is signed in. Staff see all organizations.
"""

from __future__ import annotations

import re
from typing import Any, ClassVar
from uuid import UUID

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import ValidationError
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.text import capfirst

from apps.accounts import dashboard
from apps.accounts.audit import AuditAction, record
from apps.accounts.flows.session_store import SessionStore
from apps.accounts.models import User
from apps.accounts.policy import Action, allowed

REFUSED = (
    "Issues signing in. Please check your login credentials and try again. "
    "Only admins of an organization have access here."
)


LOOKUPS = ("exact", "id__exact", "isnull", "isempty", "gt", "gte", "lt", "lte")
"""How an address may ask for a field of a filter: equal, empty or in a range, as the filters themselves do."""
DATE_PARTS = ("__year", "__month", "__day")
LONGEST_VALUE, MOST_WORDS = 200, 12
"""Of a search, and of what an address asks a field for: longer ones make databases give up."""
SEARCH_LONG = f"Please search for at most {MOST_WORDS} words and {LONGEST_VALUE} characters."


class RateLimitedLogin(AdminAuthenticationForm):
    """The admin's sign-in with the same limit on wrong guesses as the product's own."""

    def __init__(self, request: Any = None, *args: Any, **kwargs: Any) -> None:
        super().__init__(request, *args, **kwargs)
        self.label_suffix = ""
        self.error_messages = {**self.error_messages, "invalid_login": REFUSED}

    def clean(self) -> dict[str, Any]:
        username, password = self.cleaned_data.get("username"), self.cleaned_data.get("password")
        if username is not None and password and self.request is not None:
            try:
                self.user_cache = get_adapter().authenticate(self.request, username=username, password=password)
            except ValidationError as error:
                raise ValidationError("Too many wrong passwords. Please try again in a few minutes.") from error
            if self.user_cache is None:
                raise self.get_invalid_login_error()
            self.confirm_login_allowed(self.user_cache)
        return self.cleaned_data

    def confirm_login_allowed(self, user: Any) -> None:
        if not may_enter(user) or user.must_change_password:
            raise self.get_invalid_login_error()


def tenant_of(request: HttpRequest) -> UUID | None:
    """The organization's id of whoever is signed in."""
    return request.user.organization_id if isinstance(request.user, User) else None


def signed_in(request: HttpRequest) -> User:
    """Whoever uses the admin; its views are reached by nobody else."""
    assert isinstance(request.user, User)
    return request.user


def may_enter(user: Any) -> bool:
    """Staff, and admins of an organization."""
    return isinstance(user, User) and allowed(user, Action.MANAGE_MEMBERS)


class ProductAdminSite(admin.AdminSite):
    """The admin's frame: who may enter, and how it calls itself."""

    login_form = RateLimitedLogin
    index_title = "Administration"
    index_template = "admin/dashboard.html"
    login_template = "admin/door.html"
    empty_value_display = dashboard.ABSENT
    enable_nav_sidebar = True

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Takes what is kept to the organization. Pages that libraries bring know no tenants: they stay out."""
        if isinstance(admin_class, type) and issubclass(admin_class, TenantAdmin):
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[Any]:
        """Without the address that leads from a row's id to its page on the site: no row here has one."""
        return [pattern for pattern in super().get_urls() if getattr(pattern, "name", "") != "view_on_site"]

    def has_permission(self, request: HttpRequest) -> bool:
        """Asked before each page, so that each page counts as a use of the session."""
        if not may_enter(request.user):
            return False
        if isinstance(request.session, SessionStore):
            request.session.touch()
        return True

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The organization's figures above the list of what can be administered; staff see those of all."""
        user = signed_in(request)
        organization = None if user.is_superuser else user.organization
        titles, rows = dashboard.usage(organization) if organization else ([], [])
        figures: dict[str, Any] = {
            "sections": dashboard.sections(organization),
            "usage_titles": titles,
            "usage_rows": rows,
        }
        figures["tables"] = dashboard.tables(organization)
        return super().index(request, {**figures, **(extra_context or {})})

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The own password, written down as in the product; a changed one leads on to the page that says so."""
        answer = super().password_change(request, extra_context)
        if request.method == "POST" and answer.status_code == 302:
            user = signed_in(request)
            record(AuditAction.PASSWORD_CHANGED, organization=user.organization, actor=user, target=user.username)
        return answer

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        title = f"{settings.PRODUCT_NAME} administration"
        return {**super().each_context(request), "site_header": title, "site_title": title}


class TenantAdmin(admin.ModelAdmin):
    """Base of every model's admin. Says nothing of other organizations: their ids answer as absent ones do."""

    staff_only: ClassVar[bool] = False
    may_add: ClassVar[bool] = False
    may_change: ClassVar[bool] = False
    may_delete: ClassVar[bool] = False
    needs: ClassVar[Action] = Action.MANAGE_MEMBERS
    show_full_result_count = False
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> models.QuerySet[Any]:
        rows: models.QuerySet[Any] = super().get_queryset(request)
        if request.user.is_superuser:
            return rows
        path = getattr(self.model, "tenant_path", "organization")
        return rows.filter(**{path: tenant_of(request)})

    def formfield_for_foreignkey(
        self, db_field: models.ForeignKey[Any, Any], request: HttpRequest, **kwargs: Any
    ) -> forms.ModelChoiceField | None:
        """Choices come from the own organization only."""
        field = super().formfield_for_foreignkey(db_field, request, **kwargs)
        if field is not None and field.queryset is not None and not request.user.is_superuser:
            field.queryset = self._own(field.queryset, request)
        return field

    def _own(self, rows: models.QuerySet[Any], request: HttpRequest) -> models.QuerySet[Any]:
        if rows.model._meta.label == "accounts.Organization":
            return rows.filter(pk=tenant_of(request))
        names = {field.name for field in rows.model._meta.get_fields()}
        path = getattr(rows.model, "tenant_path", "organization")
        return rows.filter(**{path: tenant_of(request)}) if path.split("__")[0] in names else rows.none()

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """A list is called by what is in it."""
        title = capfirst(self.model._meta.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def get_action_choices(self, request: HttpRequest, default_choices: Any = None) -> list[tuple[str, str]]:
        """The empty choice says what to do here."""
        return super().get_action_choices(request, default_choices or [("", "Choose what to do")])

    def response_action(
        self, request: HttpRequest, queryset: models.QuerySet[Any, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse | None:
        """An action over the chosen rows, without what is no id of any: Django hands it to the query, which fails."""
        sent = request.POST.copy()
        sent.setlist(ACTION_CHECKBOX_NAME, [id_ for id_ in sent.getlist(ACTION_CHECKBOX_NAME) if self._is_id(id_)])
        request.POST = sent  # type: ignore[assignment]
        return super().response_action(request, queryset, *args, **kwargs)

    def _is_id(self, text: str) -> bool:
        try:
            self.opts.pk.clean(text, None)
        except ValidationError:
            return False
        return True

    # ------------------------------------------------------------ permissions: from the role, not from Django's tables
    def _enters(self, request: HttpRequest) -> bool:
        user = request.user
        return isinstance(user, User) and allowed(user, self.needs) and (user.is_superuser or not self.staff_only)

    def _same_tenant(self, request: HttpRequest, obj: Any) -> bool:
        return obj is None or request.user.is_superuser or self.get_queryset(request).filter(pk=obj.pk).exists()

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self._enters(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self._enters(request) and self._same_tenant(request, obj)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return self.may_add and self._enters(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.may_change and self._enters(request) and self._same_tenant(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.may_delete and self._enters(request) and self._same_tenant(request, obj)

    def get_list_filter(self, request: HttpRequest) -> list[Any]:
        """Only staff choose among organizations."""
        everyone = request.user.is_superuser
        return [entry for entry in super().get_list_filter(request) if everyone or entry != "organization"]

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """What its filters ask for, and nothing else: an address may name no other field, and no look-up that costs
        more than a comparison (`name__regex`) or reads a value letter by letter (`password__contains`)."""
        if self.date_hierarchy and lookup.startswith(f"{self.date_hierarchy}__") and lookup.endswith(DATE_PARTS):
            return bool(re.fullmatch("[0-9]{1,4}", str(value)))
        return lookup in self._lookups(request) and len(str(value)) <= LONGEST_VALUE

    def get_search_results(
        self, request: HttpRequest, queryset: models.QuerySet[Any], search_term: str
    ) -> tuple[models.QuerySet[Any], bool]:
        """What is found by a few words; each costs a look at every row, and databases have an end to them."""
        if len(search_term) > LONGEST_VALUE or len(search_term.split()) > MOST_WORDS:
            self.message_user(request, SEARCH_LONG, messages.WARNING)
            return queryset.none(), False
        return super().get_search_results(request, queryset, search_term)

    def _lookups(self, request: HttpRequest) -> frozenset[str]:
        found: set[str] = set()
        for entry in self.get_list_filter(request):
            if isinstance(entry, type):
                found.add(getattr(entry, "parameter_name", ""))
                continue
            name = entry if isinstance(entry, str) else entry[0]
            found |= {name, *(f"{name}__{ending}" for ending in LOOKUPS)}
        return frozenset(found)

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        everyone = request.user.is_superuser
        return [column for column in super().get_list_display(request) if everyone or column != "organization"]
