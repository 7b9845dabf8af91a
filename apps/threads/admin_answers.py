"""Rated answers and proven questions in the admin: what went wrong with its evidence, and what counts as right."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.db.models import Avg, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.accounts.audit import AuditAction, record
from apps.accounts.dashboard import Column, Figure, number, offer, seconds
from apps.accounts.models import Organization
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin, signed_in
from apps.threads.models import ModelBudget, ModelUsage, ProvenQuestion, ProvenReason, RatedAnswer, Role
from apps.threads.services.memory import proven_keep
from apps.threads.services.usage import budget_of, used_this_month


@admin.register(RatedAnswer)
class RatedAnswerAdmin(TenantAdmin):
    """Answers with a thumb, those rated down first to look at. Opening one shows its words and is in the audit log."""

    needs = Action.READ_USAGE
    list_display = ("created_at", "organization", "owner", "thumb", "model", "sources", "rows")
    list_filter = ("is_thumbs_up", "model", "created_at")
    list_select_related = ("thread__organization", "thread__owner")
    fields = ("question", "content", "evidence", "reasoning_trace", "model", "is_thumbs_up", "created_at")
    readonly_fields = fields[:3]
    ordering = ("is_thumbs_up", "-created_at")
    actions = ("verify",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rated = super().get_queryset(request).filter(role=Role.ASSISTANT, is_thumbs_up__isnull=False)
        return rated.select_related("parent", "thread__organization", "thread__owner")

    @admin.display(description="Organization")
    def organization(self, answer: RatedAnswer) -> str:
        return answer.thread.organization.name

    @admin.display(description="Asked by")
    def owner(self, answer: RatedAnswer) -> str:
        return str(answer.thread.owner)

    @admin.display(description="Right?", boolean=True, ordering="is_thumbs_up")
    def thumb(self, answer: RatedAnswer) -> bool | None:
        return answer.is_thumbs_up

    @admin.display(description="Sources")
    def sources(self, answer: RatedAnswer) -> str:
        return ", ".join(source["name"] for source in _evidence(answer).get("sources", []))

    @admin.display(description="Rows read")
    def rows(self, answer: RatedAnswer) -> int | None:
        return _evidence(answer).get("row_count")

    @admin.display(description="Question")
    def question(self, answer: RatedAnswer) -> str:
        return answer.parent.content if answer.parent is not None else ""

    @admin.display(description="Evidence")
    def evidence(self, answer: RatedAnswer) -> SafeString:
        found = _evidence(answer)
        told = [
            ("Computed", [found.get("plan_sentence", "")]),
            ("Filters", found.get("filters", [])),
            ("Definitions", found.get("definitions", [])),
            ("Joins", found.get("joins", [])),
            ("Notes", found.get("notes", [])),
            ("Query", [found.get("query", "")]),
        ]
        lines = [(title, item) for title, items in told for item in items if item]
        return format_html("<dl>{}</dl>", format_html_join("", "<dt>{}</dt><dd>{}</dd>", lines))

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
        context = {"title": "Rated answer (this reading is in the audit log)", **(extra_context or {})}
        return super().change_view(request, object_id, form_url, context)

    @admin.action(description="Mark as verified: the same question is answered by this plan", permissions=["view"])
    def verify(self, request: HttpRequest, answers: QuerySet[Any]) -> None:
        kept = [proven_keep(answer=answer, reason=ProvenReason.VERIFIED) for answer in answers]
        done = sum(one is not None for one in kept)
        self.message_user(request, f"{done} of {len(kept)} answers are verified now.", messages.SUCCESS)


@admin.register(ProvenQuestion)
class ProvenQuestionAdmin(TenantAdmin):
    """What the organization found right. Deleting one makes its question be read anew."""

    needs = Action.READ_USAGE
    may_delete = True
    list_display = ("question", "organization", "reason", "by", "created_at")
    list_filter = ("reason", "organization", "created_at")
    list_select_related = ("organization", "by")
    fields = ("question", "reason", "by", "created_at", "plan")
    readonly_fields = fields


@admin.register(ModelUsage)
class ModelUsageAdmin(TenantAdmin):
    """What each model took: per run, member and model, newest first."""

    needs = Action.READ_USAGE
    list_display = ("created_at", "organization", "member", "model", "calls", "read", "written", "price", "took",
                    "outcome")  # fmt: skip
    list_filter = ("model", "failed", "created_at", "organization")
    list_select_related = ("organization", "member")
    search_fields = ("member__username", "model")
    search_help_text = "A member or a model"
    date_hierarchy = "created_at"
    fields = (*list_display, "run")
    readonly_fields = fields

    @admin.display(description="Tokens in", ordering="input_tokens")
    def read(self, usage: ModelUsage) -> str:
        return number(usage.input_tokens)

    @admin.display(description="Tokens out", ordering="output_tokens")
    def written(self, usage: ModelUsage) -> str:
        return number(usage.output_tokens)

    @admin.display(description="Cost", ordering="cost")
    def price(self, usage: ModelUsage) -> str:
        return f"{usage.cost:.4f}"

    @admin.display(description="Seconds", ordering="seconds")
    def took(self, usage: ModelUsage) -> str:
        return f"{usage.seconds:.1f}"

    @admin.display(description="Outcome", ordering="failed")
    def outcome(self, usage: ModelUsage) -> str:
        return "gave way" if usage.failed else "answered"


@admin.register(ModelBudget)
class ModelBudgetAdmin(TenantAdmin):
    """What single organizations may spend a month; all others have the setting's figure. Staff alone change it."""

    needs = Action.READ_USAGE
    may_add = may_change = may_delete = True
    list_display = ("monthly", "organization")
    list_select_related = ("organization",)
    fields = ("organization", "monthly")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super().has_add_permission(request) and signed_in(request).is_superuser

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and signed_in(request).is_superuser

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and signed_in(request).is_superuser


def _model_figures(organization: Organization | None) -> list[Figure]:
    """The month so far: what models were asked, what they cost, and of which budget."""
    used = used_this_month(organization)
    each = used.values("model").annotate(spent=Sum("cost"), mean=Avg("seconds")).order_by("-spent", "model")
    found = used.aggregate(
        calls=Sum("calls"),
        read=Sum("input_tokens"),
        written=Sum("output_tokens"),
        cost=Sum("cost"),
        mean=Avg("seconds"),
    )
    page = "admin:threads_modelusage_changelist"
    limit = Decimal(str(settings.MODEL_MONTHLY_BUDGET)) if organization is None else budget_of(organization)
    return [
        Figure("Calls this month", number(found["calls"] or 0), page),
        Figure("Tokens read", number(found["read"] or 0)),
        Figure("Tokens written", number(found["written"] or 0)),
        Figure("Cost this month", f"{found['cost'] or 0:.2f}"),
        Figure("Monthly budget", f"{limit:.2f}" if limit > 0 else "No limit"),
        Figure("Mean time of a run", seconds(found["mean"])),
        *(
            Figure(f"{row['model']}: cost, mean time", f"{row['spent']:.2f}, {seconds(row['mean'])}")
            for row in each[:5]
        ),
    ]


def _model_columns(organization: Organization) -> list[Column]:
    """What the models asked for each member cost this month."""
    each = used_this_month(organization).values_list("member_id").annotate(Sum("cost"), Sum("calls")).order_by()
    used = list(each)
    return [
        Column("Model calls this month", {member: number(calls) for member, _, calls in used}),
        Column("Model cost this month", {member: f"{cost:.2f}" for member, cost, _ in used}, absent="0.00"),
    ]


offer("Language models", _model_figures, _model_columns)


def _evidence(answer: RatedAnswer) -> dict[str, Any]:
    return dict((answer.answer or {}).get("evidence") or {})
