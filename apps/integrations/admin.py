"""Connections in the admin: how they stand, what hangs on them, nothing that opens them."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest

from apps.accounts.dashboard import ABSENT, Figure, number, offer
from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin, signed_in
from apps.integrations.google.connecting import tab_remove
from apps.integrations.models import Connection, ConnectionState, SheetTab, SlackLink
from apps.integrations.slack.linking import link_remove


@admin.register(Connection)
class ConnectionAdmin(TenantAdmin):
    """State only: connecting and disconnecting belong to the product, where the service is told."""

    needs = Action.MANAGE_CONNECTIONS
    list_display = ("service", "organization", "member", "account_name", "state", "state_at", "refreshed_at")
    list_filter = ("organization", "service", "state")
    search_fields = ("account_name",)
    ordering = ("service",)
    list_select_related = ("organization", "member")
    fields = ("service", "member", "account_name", "account_id", "state", "reason", "state_at", "refreshed_at")
    readonly_fields = fields


@admin.register(SheetTab)
class SheetTabAdmin(TenantAdmin):
    """Which tabs of Google Sheets are connected, by whom, and how they stand. Deleting one disconnects it."""

    may_delete = True
    needs = Action.MANAGE_CONNECTIONS
    list_display = ("tab_title", "file_title", "organization", "connected_by", "state", "read_at", "reason")
    list_filter = ("organization", "state")
    search_fields = ("tab_title", "file_title", "file_name")
    ordering = ("file_title", "tab_title")
    list_select_related = ("organization", "connection__member")
    fields = ("file_title", "tab_title", "file_name", "connected_by", "state", "reason", "state_at", "read_at")
    readonly_fields = fields

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        tab_remove(by=signed_in(request), tab=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for tab in queryset.select_related("source__stored", "source__organization"):
            tab_remove(by=signed_in(request), tab=tab)

    @admin.display(description="Connected by", ordering="connection__member__username")
    def connected_by(self, row: SheetTab) -> str:
        """Nobody where the member disconnected and left the rows."""
        return str(row.connection.member) if row.connection else ABSENT


@admin.register(SlackLink)
class SlackLinkAdmin(TenantAdmin):
    """Which Slack user is which member. Deleting a link lets the Slack user ask nothing more."""

    may_delete = True
    needs = Action.MANAGE_CONNECTIONS
    list_display = ("slack_name", "slack_user_id", "member", "organization", "linked_at")
    list_filter = ("organization", "linked_at")
    search_fields = ("slack_name", "slack_user_id", "member__username")
    ordering = ("slack_name",)
    list_select_related = ("organization", "member")
    fields = ("slack_name", "slack_user_id", "member", "linked_at")
    readonly_fields = fields

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        link_remove(by=signed_in(request), link=obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        for link in queryset.select_related("organization"):
            link_remove(by=signed_in(request), link=link)


def _figures(organization: Any) -> list[Figure]:
    mine = {} if organization is None else {"organization": organization}
    found = Connection.objects.filter(**mine).aggregate(
        there=Count("pk"),
        dead=Count("pk", filter=Q(state=ConnectionState.NEEDS_SIGN_IN)),
        failed=Count("pk", filter=Q(state=ConnectionState.FAILED)),
    )
    page = "admin:integrations_connection_changelist"
    return [
        Figure("Connections", number(found["there"]), page),
        Figure("Need a new sign-in", number(found["dead"]), page, "state__exact=needs_sign_in"),
        Figure("Failed at the last refresh", number(found["failed"]), page, "state__exact=failed"),
        Figure(
            "Connected tabs",
            number(SheetTab.objects.filter(**mine).exclude(connection=None).count()),
            "admin:integrations_sheettab_changelist",
        ),
        Figure(
            "Members linked in Slack",
            number(SlackLink.objects.filter(**mine).count()),
            "admin:integrations_slacklink_changelist",
        ),
    ]


offer("Connections", _figures)
