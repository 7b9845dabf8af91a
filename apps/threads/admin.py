"""Threads in the admin: how much is asked and how it is rated. What was said opens on its own page only, and every
opening of it is written into the audit log."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db.models import Avg, Count, F, Max, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.accounts.audit import AuditAction, record
from apps.accounts.dashboard import Column, Figure, Table, day, moment, number, offer, seconds
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin, signed_in
from apps.threads import admin_answers, admin_declined  # noqa: F401 - they register their pages
from apps.threads.models import Message, Role, RunKind, RunState, Thread
from apps.threads.outcomes import MONTH, WEEKS, Outcomes, outcomes, questions_since

MOST_ROWS = 200


@admin.register(Thread)
class ThreadAdmin(TenantAdmin):
    """The list holds no words of a conversation. Opening one shows it, and says so in the audit log."""

    needs = Action.READ_USAGE
    list_display = ("id", "organization", "owner", "questions", "thumbs_up", "thumbs_down", "archived", "updated_at")
    list_filter = ("organization", "archived", "updated_at")
    list_select_related = ("organization", "owner")
    search_fields = ("owner__username",)
    date_hierarchy = "updated_at"
    ordering = ("-updated_at",)
    fields = ("owner", "created_at", "updated_at", "archived", "conversation")
    readonly_fields = ("conversation",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return (
            super()
            .get_queryset(request)
            .annotate(
                _questions=Count("messages", filter=Q(messages__role=Role.USER)),
                _up=Count("messages", filter=Q(messages__is_thumbs_up=True)),
                _down=Count("messages", filter=Q(messages__is_thumbs_up=False)),
            )
        )

    @admin.display(description="Questions", ordering="_questions")
    def questions(self, thread: Any) -> int:
        return int(thread._questions)

    @admin.display(description="Thumbs up", ordering="_up")
    def thumbs_up(self, thread: Any) -> int:
        return int(thread._up)

    @admin.display(description="Thumbs down", ordering="_down")
    def thumbs_down(self, thread: Any) -> int:
        return int(thread._down)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        thread = self.get_object(request, object_id)
        if thread is not None and self.has_view_permission(request, thread):
            record(
                AuditAction.CONVERSATION_READ,
                organization=thread.organization,
                actor=signed_in(request),
                target=str(thread.pk),
                owner=thread.owner.username,
            )
        context = {"title": "Conversation (this reading is in the audit log)", **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    @admin.display(description="Conversation")
    def conversation(self, thread: Thread) -> SafeString:
        shown = Message.objects.filter(thread=thread).exclude(role=Role.ASSISTANT, is_selected_assistant=False)
        return format_html("<dl>{}</dl>", format_html_join("", "<dt>{}</dt><dd>{}</dd>", _words(shown)))


def _words(messages: QuerySet[Message]) -> list[tuple[str, str]]:
    return [(message.role, message.content) for message in messages.only("role", "content", "created_at")]


def _mine(organization: Any, path: str) -> dict[str, Any]:
    return {} if organization is None else {path: organization}


def _figures(organization: Any) -> list[Figure]:
    now = timezone.now()
    month = questions_since(now - MONTH, organization)
    runs = month.aggregate(
        week=Count("pk", filter=Q(created_at__gt=now - timedelta(days=7))),
        taken=Avg(F("finished_at") - F("started_at"), filter=Q(state=RunState.COMPLETED, started_at__isnull=False)),
    )
    ended = outcomes(month).get((), Outcomes())
    page = "admin:threads_thread_changelist"
    return [
        Figure("Threads", number(Thread.objects.filter(**_mine(organization, "organization")).count()), page),
        Figure("Questions in 7 days", number(runs["week"])),
        Figure("Questions in 30 days", number(ended.asked)),
        Figure("Of these, answered", number(ended.answered)),
        Figure("Asked back", number(ended.asked_back)),
        Figure("Declined", number(ended.declined), "admin:threads_declinedanswer_changelist"),
        Figure("Failed", number(ended.failed)),
        Figure("Stopped", number(ended.stopped)),
        Figure("Rated good", number(ended.rated_up), "admin:threads_ratedanswer_changelist", "is_thumbs_up__exact=1"),
        Figure("Rated bad", number(ended.rated_down), "admin:threads_ratedanswer_changelist", "is_thumbs_up__exact=0"),
        Figure("Mean time to an answer", seconds(None if runs["taken"] is None else runs["taken"].total_seconds())),
    ]


def _columns(organization: Any) -> list[Column]:
    rows = list(
        Thread.objects.filter(organization=organization)
        .values("owner")
        .annotate(all=Count("runs", filter=Q(runs__kind=RunKind.QUESTION)), last=Max("updated_at"))
        .values_list("owner", "all", "last")
    )
    ended = outcomes(questions_since(timezone.now() - MONTH, organization), "thread__owner")
    told = {
        "Questions in 30 days": "asked",
        "Answered": "answered",
        "Asked back": "asked_back",
        "Declined": "declined",
        "Failed": "failed",
        "Rated good": "rated_up",
        "Rated bad": "rated_down",
    }
    return [
        *(
            Column(title, {owner: number(getattr(counts, name)) for (owner,), counts in ended.items()})
            for title, name in told.items()
        ),
        Column("Questions in all", {owner: number(every) for owner, every, _ in rows}),
        Column("Last question", {owner: moment(last) for owner, _, last in rows}, absent="Never"),
    ]


def _weeks(organization: Any) -> Table:
    """The last weeks, newest first: for each member, and for staff each organization, how the questions ended."""
    whose = "thread__organization__name" if organization is None else "thread__owner__username"
    found = outcomes(questions_since(timezone.now() - WEEKS, organization), "week", whose)
    rows = [
        [
            f"{name}, week of {day(week)}",
            *(number(count) for count in (c.asked, c.answered, c.asked_back, c.declined, c.failed, c.stopped)),
            number(c.rated_up),
            number(c.rated_down),
        ]
        for (week, name), c in sorted(found.items(), key=lambda item: (-item[0][0].timestamp(), item[0][1]))
    ]
    heads = ("Who and when", "Questions", "Answered", "Asked back", "Declined", "Failed", "Stopped", "Rated good",
             "Rated bad")  # fmt: skip
    return Table("Answers by week", heads, rows[:MOST_ROWS])


offer("Questions", _figures, _columns, _weeks)
