"""Preferences over HTTP: parse, call, answer."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.preferences.api.bodies import parse_preferences_body
from apps.preferences.selectors import preferences_document
from apps.preferences.services.preferences import preferences_update


class PreferencesSerializer(serializers.Serializer):
    """The organization's general context, and a member's preferences as JSON text (SPEC section 3)."""

    explanation = serializers.CharField(allow_blank=True, required=False)
    user_preferences = serializers.CharField(required=False)


class PreferencesViewSet(ViewSet):
    """GET and POST /preferences."""

    @extend_schema(responses=PreferencesSerializer)
    def retrieve(self, request: Request) -> Response:
        return Response(preferences_document(member(request)))

    @extend_schema(request=PreferencesSerializer, responses={200: PreferencesSerializer})
    def create(self, request: Request) -> Response:
        body = parse_preferences_body(request.data)
        preferences_update(user=member(request), change=body.change, explanation=body.explanation)
        return Response(preferences_document(member(request)))
