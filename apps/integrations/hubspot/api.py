"""HubSpot's routes (SPEC section 7): parse, call, answer."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, session
from apps.core.errors import Invalid
from apps.integrations.api import bodies
from apps.integrations.api.serializers import ScheduleSerializer
from apps.integrations.hubspot import choosing, wire
from apps.integrations.hubspot.changes import changes_since
from apps.integrations.hubspot.starting import connect, refresh
from apps.integrations.hubspot.status import connected_status
from apps.integrations.hubspot.status import status as hubspot_status
from apps.integrations.hubspot.wire import Category
from apps.integrations.services.schedules import schedule_set

CODE_FIELD = "hubspotCode"
"""The name the specification gives the code of the consent (PRODUCT "Names")."""
REDIRECT_URI = OpenApiParameter("redirect_uri", str, description="This server's /hubspot-callback.")
FLAGS = {"type": "object", "additionalProperties": {"type": "boolean"}}
FIELDS = {200: {"type": "object", "additionalProperties": FLAGS}}


class ProgressSerializer(serializers.Serializer):
    """How far a refresh is."""

    category = serializers.CharField(allow_blank=True)
    read = serializers.IntegerField()
    waiting_until = serializers.DateTimeField(allow_null=True)


class HubSpotStatusSerializer(serializers.Serializer):
    """How the organization's HubSpot stands."""

    state = serializers.ChoiceField(choices=["not_connected", "connected", "refreshing", "needs_sign_in", "failed"])
    reason = serializers.CharField(allow_null=True)
    state_at = serializers.DateTimeField(allow_null=True)
    account_name = serializers.CharField(allow_blank=True)
    refreshed_at = serializers.DateTimeField(allow_null=True)
    configured = serializers.BooleanField()
    may_manage = serializers.BooleanField()
    progress = ProgressSerializer(allow_null=True)
    unread = serializers.IntegerField()
    every_hours = serializers.IntegerField(allow_null=True)
    problems = serializers.DictField(child=serializers.CharField())


class StartedSerializer(serializers.Serializer):
    """A refresh was started, or is under way."""

    message = serializers.CharField()
    state = serializers.CharField()


class AuthSerializer(serializers.Serializer):
    """What came back from the consent page."""

    hubspotCode = serializers.CharField()
    redirect_uri = serializers.CharField()
    state = serializers.CharField()


class FieldsSerializer(serializers.Serializer):
    """The changed choice: kind -> property -> chosen."""

    fields = serializers.DictField(child=serializers.DictField(child=serializers.BooleanField()))  # type: ignore[assignment]


class HubSpotViewSet(ViewSet):
    """The organization's connection."""

    @extend_schema(request=AuthSerializer, responses=HubSpotStatusSerializer)
    @action(detail=False, methods=["post"], url_name="hubspot_auth")
    def auth(self, request: Request) -> Response:
        """POST: the code of the consent becomes the organization's connection."""
        connect(
            by=member(request),
            session_key=session(request).key,
            code=bodies.text(request.data, CODE_FIELD),
            state=bodies.text(request.data, "state"),
            redirect_uri=bodies.redirect_uri(request, "hubspot"),
        )
        return Response(hubspot_status(member(request)))

    @extend_schema(responses=HubSpotStatusSerializer)
    @action(detail=False, url_name="hubspot_status")
    def status(self, request: Request) -> Response:
        """GET: how it stands, connected or not, with the progress of a refresh."""
        return Response(hubspot_status(member(request)))

    @extend_schema(request=ScheduleSerializer, responses=HubSpotStatusSerializer)
    @action(detail=False, methods=["post"], url_name="hubspot_schedule")
    def schedule(self, request: Request) -> Response:
        """POST: how often the data is refreshed by itself."""
        schedule_set(by=member(request), service="hubspot", every_hours=bodies.every_hours(request))
        return Response(hubspot_status(member(request)))

    @extend_schema(
        parameters=[
            OpenApiParameter("category", str, required=True, enum=list(wire.OBJECTS)),
            OpenApiParameter("since", str, required=True, description="A day or a moment in ISO form."),
        ],
        responses={200: {"type": "object"}},
    )
    @action(detail=False, url_name="hubspot_changes")
    def changes(self, request: Request) -> Response:
        """GET: what moved since a moment, record by record."""
        return Response(changes_since(member(request), _category(request), since=_since(request)))


class DirectExportViewSet(ViewSet):
    """GET: success means connected. POST: starts a refresh."""

    @extend_schema(responses=HubSpotStatusSerializer)
    def retrieve(self, request: Request) -> Response:
        return Response(connected_status(member(request)))

    @extend_schema(request=None, responses={200: StartedSerializer})
    def create(self, request: Request) -> Response:
        started = refresh(by=member(request))
        return Response({"message": "The refresh of HubSpot has started.", "state": started.state})


class FieldsViewSet(ViewSet):
    """GET: kind -> property -> chosen. POST: changes the choice."""

    @extend_schema(parameters=[REDIRECT_URI], responses=FIELDS)
    def retrieve(self, request: Request) -> Response:
        bodies.redirect_uri_asked(request, "hubspot")
        return Response(choosing.fields(member(request)))

    @extend_schema(request=FieldsSerializer, responses={200: {"type": "string"}})
    def create(self, request: Request) -> Response:
        choosing.fields_update(by=member(request), chosen=_chosen(request.data))
        return Response(choosing.UPDATED)


def _chosen(data: Any) -> Mapping[str, Mapping[str, bool]]:
    sent = data.get("fields") if isinstance(data, Mapping) else None
    good = isinstance(sent, Mapping) and all(
        isinstance(flags, Mapping) and all(isinstance(flag, bool) for flag in flags.values()) for flags in sent.values()
    )
    if not good:
        raise Invalid("fields must name categories, their properties, and true or false for each.", code="fields")
    return cast(Mapping[str, Mapping[str, bool]], sent)


def _category(request: Request) -> Category:
    said = request.query_params.get("category", "")
    if said not in wire.OBJECTS:
        raise Invalid("Say which category: contacts, companies, deals, tickets or emails.", code="unknown_category")
    return said


def _since(request: Request) -> datetime:
    try:
        moment = datetime.fromisoformat(request.query_params.get("since", ""))
    except ValueError:
        raise Invalid("since must be a day or a moment in ISO form, like 2026-11-16.", code="since") from None
    return moment if moment.tzinfo else timezone.make_aware(moment)
