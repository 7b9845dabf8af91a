"""The routes that all services share: parse, call, answer."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, session
from apps.integrations.api import bodies, serializers
from apps.integrations.selectors import service_rows
from apps.integrations.services.connections import connection_end, connection_start

SERVICE = OpenApiParameter("service", str, required=True, enum=serializers.SERVICES)
DATA = OpenApiParameter("data", str, required=True, enum=["keep", "delete"], description="What becomes of the files.")


class ConnectionsViewSet(ViewSet):
    """How every service stands; starting a sign-in at one; disconnecting it."""

    @extend_schema(responses=serializers.ServiceConnectionSerializer(many=True))
    def retrieve(self, request: Request) -> Response:
        return Response(service_rows(member(request)))

    @extend_schema(request=serializers.ConnectSerializer, responses={201: serializers.ConsentSerializer})
    def create(self, request: Request) -> Response:
        service = bodies.text(request.data, "service")
        address = connection_start(
            by=member(request),
            session_key=session(request).key,
            service=service,
            redirect_uri=bodies.redirect_uri(request, service),
        )
        return Response({"authorize_url": address}, status=201)

    @extend_schema(parameters=[SERVICE, DATA], responses={200: serializers.ServiceConnectionSerializer(many=True)})
    def destroy(self, request: Request) -> Response:
        service = request.query_params.get("service", "")
        connection_end(by=member(request), service=service, keep_data=bodies.keep_data(request))
        return Response(service_rows(member(request)))
