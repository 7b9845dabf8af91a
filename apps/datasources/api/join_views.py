"""The routes about ways between tables: parse, call, answer."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, organization
from apps.datasources.api import join_serializers as serializers
from apps.datasources.api.bodies import file_name_parameter
from apps.datasources.api.join_bodies import parse_join_saying, parse_way
from apps.datasources.api.views import PRIVATE, REQUIRED_FILENAME
from apps.datasources.joins import source_joins
from apps.datasources.selectors import source_named
from apps.datasources.services.joining import join_say, join_undo


class JoinsViewSet(ViewSet):
    """How a source's tables are joined with others; admins confirm, refuse and draw ways."""

    @extend_schema(parameters=[REQUIRED_FILENAME], responses=serializers.JoinsSerializer)
    def retrieve(self, request: Request) -> Response:
        source = source_named(organization(request), file_name_parameter(request))
        return Response(source_joins(source, viewer=member(request)), headers=PRIVATE)

    @extend_schema(
        parameters=[REQUIRED_FILENAME],
        request=serializers.JoinSayingSerializer,
        responses=serializers.JoinsSerializer,
    )
    def update(self, request: Request) -> Response:
        name, said = file_name_parameter(request), parse_join_saying(request.data)
        source = join_say(by=member(request), file_name=name, way=said.way, verdict=said.verdict)
        return Response(source_joins(source, viewer=member(request)), headers=PRIVATE)

    @extend_schema(
        parameters=[REQUIRED_FILENAME], request=serializers.WaySerializer, responses=serializers.JoinsSerializer
    )
    @action(detail=False, methods=["post"], url_name="file_joins_undo")
    def undo(self, request: Request) -> Response:
        """The last change of a way, taken back."""
        name, way = file_name_parameter(request), parse_way(request.data)
        source = join_undo(by=member(request), file_name=name, way=way)
        return Response(source_joins(source, viewer=member(request)), headers=PRIVATE)
