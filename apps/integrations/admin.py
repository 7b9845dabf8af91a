"""Connections in the admin: how they stand, nothing that opens them."""

from __future__ import annotations

from django.contrib import admin

from apps.accounts.policy import Action
from apps.accounts.site import TenantAdmin
from apps.integrations.models import Connection


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
