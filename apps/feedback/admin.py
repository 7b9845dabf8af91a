"""Feedback in the admin: to read, not to rewrite."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin
from apps.feedback.models import Feedback


@admin.register(Feedback)
class FeedbackAdmin(TenantAdmin):
    """Newest first, with who said it and where."""

    needs = Action.READ_USAGE
    list_display = ("created_at", "organization", "author", "kind", "is_thumbs_up", "text")
    list_filter = ("kind", "is_thumbs_up", "created_at", "organization")
    search_fields = ("text",)
    list_select_related = ("organization", "author")
    readonly_fields = ("organization", "author", "kind", "text", "chat_history", "files", "is_thumbs_up", "created_at")
