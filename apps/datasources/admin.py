"""Sources in the admin: to look at, and to delete as the product does."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest

from apps.accounts.dashboard import Column, Figure, number, offer, size
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin, signed_in
from apps.datasources.models import Source, SourceState, StoredFile
from apps.datasources.services.removal import source_discard


@admin.register(Source)
class SourceAdmin(TenantAdmin):
    """The organization's sources with their states. Deleting one removes its tables and bytes as well."""

    may_delete = True
    needs = Action.DELETE_ANY_FILE
    list_display = (
        "file_name",
        "organization",
        "group",
        "state",
        "file_size",
        "row_count",
        "owner",
        "refreshed_at",
        "uploaded_at",
    )
    list_filter = ("organization", "group", "state")
    search_fields = ("file_name",)
    ordering = ("-uploaded_at",)
    list_select_related = ("organization", "owner", "stored")
    fields = (
        "file_name", "group", "state", "step", "file_size", "row_count", "column_count", "owner", "uploaded_at",
        "refreshed_at", "error", "report",
    )  # fmt: skip
    readonly_fields = fields

    @admin.display(description="Size", ordering="stored__size")
    def file_size(self, row: Source) -> str:
        """Of the file it came in, as it was brought."""
        return size(row.stored.size)

    @admin.display(description="Rows", ordering="rows")
    def row_count(self, row: Source) -> str:
        return number(row.rows)

    @admin.display(description="Columns")
    def column_count(self, row: Source) -> str:
        return number(row.columns)

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        source_discard(source=obj, by=signed_in(request))

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for source in queryset.select_related("stored", "organization"):
            source_discard(source=source, by=signed_in(request))


def _figures(organization: Any) -> list[Figure]:
    mine = {} if organization is None else {"organization": organization}
    found = Source.objects.filter(**mine).aggregate(
        ready=Count("pk", filter=Q(state=SourceState.READY)),
        failed=Count("pk", filter=Q(state=SourceState.FAILED)),
        rows=Sum("rows"),
    )
    stored = StoredFile.objects.filter(**mine).aggregate(size=Sum("size"))["size"] or 0
    page = "admin:datasources_source_changelist"
    return [
        Figure("Sources ready", number(found["ready"]), page, f"state__exact={SourceState.READY}"),
        Figure("Sources that failed", number(found["failed"]), page, f"state__exact={SourceState.FAILED}"),
        Figure("Rows", number(found["rows"])),
        Figure("Stored", size(stored)),
    ]


def _columns(organization: Any) -> list[Column]:
    held = (
        StoredFile.objects.filter(organization=organization)
        .values("owner")
        .annotate(files=Count("pk"), size=Sum("size"))
        .values_list("owner", "files", "size")
    )
    rows = list(held)
    return [
        Column("Files", {owner: number(files) for owner, files, _ in rows}),
        Column("Stored", {owner: size(kept) for owner, _, kept in rows}),
    ]


offer("Sources", _figures, _columns)
