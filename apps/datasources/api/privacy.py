"""The route of private columns."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, organization
from apps.core.api.parameters import valid_body
from apps.datasources.api.bodies import file_name_parameter
from apps.datasources.selectors import source_named
from apps.datasources.services.privacy import column_privacy_set, source_privacy

_FILENAME = OpenApiParameter("filename", str, required=True)
_HEADERS = {"Cache-Control": "private, no-store"}


class PrivateTableSerializer(serializers.Serializer):
    """A table's columns that no language model is told of."""

    name = serializers.CharField()
    columns = serializers.ListField(child=serializers.CharField())


class PrivacySerializer(serializers.Serializer):
    """What of a source is private."""

    may_edit = serializers.BooleanField()
    tables = PrivateTableSerializer(many=True)


class PrivacyChangeSerializer(serializers.Serializer):
    """Whether a column is private from now on."""

    table = serializers.CharField(max_length=255, source="table_name")
    column = serializers.CharField(max_length=255, trim_whitespace=False)
    private = serializers.BooleanField()


class PrivacyViewSet(ViewSet):
    """Which columns of a source no language model is told of."""

    @extend_schema(parameters=[_FILENAME], responses=PrivacySerializer)
    def retrieve(self, request: Request) -> Response:
        source = source_named(organization(request), file_name_parameter(request))
        return Response(source_privacy(source, viewer=member(request)), headers=_HEADERS)

    @extend_schema(parameters=[_FILENAME], request=PrivacyChangeSerializer, responses=PrivacySerializer)
    def update(self, request: Request) -> Response:
        name, change = file_name_parameter(request), valid_body(PrivacyChangeSerializer, request)
        source = column_privacy_set(by=member(request), file_name=name, **change)
        return Response(source_privacy(source, viewer=member(request)), headers=_HEADERS)
