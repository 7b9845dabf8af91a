"""Feedback in the admin: to read, to filter, to export, and to pass on once more; not to rewrite."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.db import models
from django.http import HttpRequest, StreamingHttpResponse
from django.urls import reverse
from django.utils.html import format_html

from apps.accounts.dashboard import ABSENT
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin
from apps.feedback.export import as_csv
from apps.feedback.fields import new_york_time
from apps.feedback.models import Feedback
from apps.feedback.services.passing import feedback_pass_again


@admin.register(Feedback)
class FeedbackAdmin(TenantAdmin):
    """Newest first, with who said it, where, and whether the outside endpoint has it."""

    needs = Action.READ_USAGE
    list_display = ("new_york", "organization", "author", "kind", "is_thumbs_up", "said", "passing")
    list_filter = ("kind", "is_thumbs_up", "passing", "created_at", "organization")
    search_fields = ("text", "author__username")
    search_help_text = "Searches the words and the members' names."
    date_hierarchy = "created_at"
    list_select_related = ("organization", "author")
    fields = (
        "new_york", "organization", "author", "kind", "is_thumbs_up", "text", "files", "evidence", "chat_history",
        "passing", "tries", "next_try_at", "passed_on_at", "last_failure",
    )  # fmt: skip
    readonly_fields = fields
    actions = ("export_csv", "pass_again")

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Passing on is offered only where there is somebody to pass on to, and to staff, whose endpoint it is."""
        actions = super().get_actions(request)
        if not (settings.FEEDBACK_WEBHOOK_URL and request.user.is_superuser):
            actions.pop("pass_again", None)
        return actions

    @admin.display(description="New York time", ordering="created_at")
    def new_york(self, row: Feedback) -> str:
        return new_york_time(row.created_at)

    @admin.display(description="Text", ordering="text")
    def said(self, row: Feedback) -> str:
        return row.text if len(row.text) <= 120 else f"{row.text[:119].rstrip()}…"

    @admin.display(description="The answer")
    def evidence(self, row: Feedback) -> str:
        """A way to the run's evidence: its own page, whose opening is in the audit log."""
        if row.answer_id is None:
            return ABSENT
        return format_html(
            '<a href="{}">with its question, query and evidence</a>',
            reverse("admin:threads_ratedanswer_change", args=[row.answer_id]),
        )

    @admin.action(description="Export as CSV")
    def export_csv(self, request: HttpRequest, queryset: models.QuerySet[Feedback]) -> StreamingHttpResponse:
        rows = queryset.select_related("organization", "author").iterator(chunk_size=500)
        answer = StreamingHttpResponse(as_csv(rows), content_type="text/csv; charset=utf-8")
        answer["Content-Disposition"] = 'attachment; filename="feedback.csv"'
        return answer

    @admin.action(description="Pass on to the outside endpoint again")
    def pass_again(self, request: HttpRequest, queryset: models.QuerySet[Feedback]) -> None:
        done = feedback_pass_again(list(queryset.values_list("pk", flat=True)))
        self.message_user(request, f"{done} to be passed on.", messages.SUCCESS)
