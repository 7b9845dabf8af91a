"""The shapes of the connection routes, for the schema that the front end's types are made from."""

from __future__ import annotations

from rest_framework import serializers

from apps.integrations.services.schedules import SCHEDULES

SERVICES = ["hubspot", "google", "slack"]


class ServiceConnectionSerializer(serializers.Serializer):
    """A service and how the member's connection to it stands."""

    service = serializers.ChoiceField(choices=SERVICES)
    name = serializers.CharField()
    configured = serializers.BooleanField()
    may_manage = serializers.BooleanField()
    state = serializers.ChoiceField(choices=["not_connected", "connected", "refreshing", "needs_sign_in", "failed"])
    reason = serializers.CharField(allow_null=True)
    state_at = serializers.DateTimeField(allow_null=True)
    account_name = serializers.CharField(allow_blank=True)
    refreshed_at = serializers.DateTimeField(allow_null=True)


class ConnectSerializer(serializers.Serializer):
    """Which service to sign in at, and where its consent page is to lead back to."""

    service = serializers.ChoiceField(choices=SERVICES)
    redirect_uri = serializers.CharField(max_length=500)


class ConsentSerializer(serializers.Serializer):
    """The service's consent page, and the state that comes back from it."""

    authorize_url = serializers.CharField()


class ScheduleSerializer(serializers.Serializer):
    """Hours between two refreshes; 0 is on demand only."""

    every_hours = serializers.ChoiceField(choices=SCHEDULES)
