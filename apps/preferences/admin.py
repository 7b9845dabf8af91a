"""What an organization tells about itself, in the admin. Changes go through the services, as in the product."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db import transaction
from django.http import HttpRequest

from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin, signed_in, tenant_of
from apps.preferences.models import FileContext, OrganizationContext
from apps.preferences.services.contexts import file_context_update, keywords_replace, organization_context_update


class OwnContextAdmin(TenantAdmin):
    """The services write into the organization of whoever is signed in: staff only read those of others."""

    needs = Action.MANAGE_MEMBERS  # who may enter the admin at all
    may_change = True

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        own = obj is None or obj.organization_id == tenant_of(request)
        return own and super().has_change_permission(request, obj)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        return form.instance

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """A context has nothing related."""


class ContextForm(forms.ModelForm):
    """The general context, and the keywords with one a line."""

    words = forms.CharField(
        label="Keywords", required=False, widget=forms.Textarea, help_text="One a line: keyword: definition"
    )

    class Meta:
        model = OrganizationContext
        fields = ("text",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["words"] = "\n".join(f"{term}: {definition}" for term, definition in self.instance.keywords)

    def clean_words(self) -> dict[str, str]:
        pairs: dict[str, str] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["words"].splitlines())):
            term, mark, definition = (part.strip() for part in line.partition(":"))
            if not (term and mark and definition):
                raise forms.ValidationError(f"{line} is not a keyword, a colon and its definition.")
            pairs[term] = definition
        return pairs


@admin.register(OrganizationContext)
class OrganizationContextAdmin(OwnContextAdmin):
    """The general context and the keywords of the organization."""

    form = ContextForm
    list_display = ("organization_name", "characters", "number_of_keywords", "updated_at")
    list_select_related = ("organization",)
    fields = ("text", "words")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Who may only read sees the keywords as they are kept: the form's own field needs a form."""
        return ("text", "words") if self.has_change_permission(request, obj) else ("text", "keywords")

    @admin.display(description="Organization")
    def organization_name(self, context: OrganizationContext) -> str:
        return str(context.organization)

    @admin.display(description="Characters")
    def characters(self, context: OrganizationContext) -> int:
        return len(context.text)

    @admin.display(description="Keywords")
    def number_of_keywords(self, context: OrganizationContext) -> int:
        return len(context.keywords)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        with transaction.atomic():
            organization_context_update(by=signed_in(request), text=form.cleaned_data["text"])
            keywords_replace(by=signed_in(request), keywords=form.cleaned_data["words"])


@admin.register(FileContext)
class FileContextAdmin(OwnContextAdmin):
    """What members wrote about single files."""

    list_display = ("file_name", "organization", "updated_at")
    list_filter = ("organization",)
    list_select_related = ("organization",)
    search_fields = ("file_name",)
    fields = ("file_name", "text")
    readonly_fields = ("file_name",)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        file_context_update(by=signed_in(request), file_name=obj.file_name, text=form.cleaned_data["text"])
