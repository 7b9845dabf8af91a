"""What happened in an organization, for its admins."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.accounts.services.activity import activity


class BeforeSerializer(serializers.Serializer):
    """Which entries."""

    before = serializers.DateTimeField(required=False)


class EntrySerializer(serializers.Serializer):
    """Something that somebody did; `who` is empty where nobody is known to have done it."""

    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    who = serializers.CharField(allow_blank=True)
    what = serializers.CharField()
    target = serializers.CharField(allow_blank=True)
    address = serializers.CharField(allow_null=True)


class ActivitySerializer(serializers.Serializer):
    """Entries of the audit log, the newest first."""

    entries = EntrySerializer(many=True)
    more = serializers.BooleanField()


class AuditLogViewSet(ViewSet):
    """The audit log of the caller's organization."""

    @extend_schema(parameters=[BeforeSerializer], responses=ActivitySerializer)
    def retrieve(self, request: Request) -> Response:
        """GET: the newest entries, or those before a moment."""
        asked = BeforeSerializer(data=request.query_params)
        asked.is_valid(raise_exception=True)
        return Response(activity(by=member(request), **asked.validated_data))
