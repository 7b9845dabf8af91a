"""Declined questions in the admin: what the data or the words did not say, so that an admin sees what to teach.

They are words of conversations: whoever reads the list or one of them is written into the audit log.
"""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse

from apps.accounts.audit import AuditAction, record
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin, signed_in
from apps.threads.models import DeclinedAnswer, Role
from apps.threads.outcomes import DECLINED

SHOWN = 160


@admin.register(DeclinedAnswer)
class DeclinedAnswerAdmin(TenantAdmin):
    """The questions that were declined, newest first, with what was said instead."""

    needs = Action.READ_USAGE
    list_display = ("created_at", "organization", "owner", "asked", "why")
    list_filter = ("created_at",)
    list_select_related = ("parent", "thread__organization", "thread__owner")
    date_hierarchy = "created_at"
    fields = ("question", "said", "created_at")
    readonly_fields = fields

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        declined = super().get_queryset(request).filter(role=Role.ASSISTANT, answer__status=DECLINED)
        return declined.filter(is_selected_assistant=True).select_related(*self.list_select_related)

    @admin.display(description="Organization")
    def organization(self, answer: DeclinedAnswer) -> str:
        return answer.thread.organization.name

    @admin.display(description="Asked by")
    def owner(self, answer: DeclinedAnswer) -> str:
        return str(answer.thread.owner)

    @admin.display(description="Question")
    def asked(self, answer: DeclinedAnswer) -> str:
        return _cut(self.question(answer))

    @admin.display(description="What was said")
    def why(self, answer: DeclinedAnswer) -> str:
        return _cut(answer.content)

    @admin.display(description="Question")
    def question(self, answer: DeclinedAnswer) -> str:
        return answer.parent.content if answer.parent is not None else ""

    @admin.display(description="What was said")
    def said(self, answer: DeclinedAnswer) -> str:
        return answer.content

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        reader = signed_in(request)
        if self.has_view_permission(request):
            record(
                AuditAction.CONVERSATION_READ,
                organization=reader.organization,
                actor=reader,
                target="declined questions",
            )
        title = {"title": "Declined questions (this reading is in the audit log)", **(extra_context or {})}
        return super().changelist_view(request, title)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        answer = self.get_object(request, object_id)
        if answer is not None and self.has_view_permission(request, answer):
            record(
                AuditAction.CONVERSATION_READ,
                organization=answer.thread.organization,
                actor=signed_in(request),
                target=str(answer.thread_id),
                owner=answer.thread.owner.username,
            )
        context = {"title": "Declined question (this reading is in the audit log)", **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)


def _cut(text: str) -> str:
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 3].rstrip()}..."
