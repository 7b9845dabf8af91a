"""The Google routes of SPEC section 7: parse, call, answer. Role and organization come from the session only."""

from __future__ import annotations

from collections.abc import Mapping

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, session
from apps.core.errors import Invalid
from apps.integrations.api.bodies import every_hours, redirect_uri, text
from apps.integrations.api.serializers import ScheduleSerializer
from apps.integrations.google import connecting, copy
from apps.integrations.google.limits import MAX_TABS
from apps.integrations.google.picker import picker_settings
from apps.integrations.google.selectors import sheets_view
from apps.integrations.services.connections import connection_finish
from apps.integrations.services.schedules import schedule_set

FILE_ID = OpenApiParameter("file_id", str, required=True, description="What Google calls the spreadsheet.")
FILE_NAME = OpenApiParameter("file_name", str, required=True, description="The connected tab's source.")
MAX_MILLIS = 2**53 - 1
"""The largest whole number that every JSON reader keeps."""
PRIVATE = {"Cache-Control": "private, no-store"}


class TokenRequestSerializer(serializers.Serializer):
    """The code of a consent with the state it came with. `user_role` and `organization` are ignored."""

    authorization_code = serializers.CharField()
    state = serializers.CharField()
    redirect_uri = serializers.CharField()


class TokenSerializer(serializers.Serializer):
    """The member's own access token for the picker, null where a sign-in is needed; what the picker needs besides."""

    access_token = serializers.CharField(allow_null=True)
    picker = serializers.DictField(child=serializers.CharField())


class SheetTabSerializer(serializers.Serializer):
    """A connected tab."""

    file_name = serializers.CharField()
    file_id = serializers.CharField()
    file_title = serializers.CharField()
    tab_title = serializers.CharField()
    state = serializers.ChoiceField(choices=["waiting", "reading", "ready", "failed"])
    reason = serializers.CharField(allow_null=True)
    read_at = serializers.DateTimeField(allow_null=True)
    drive_last_modified = serializers.IntegerField()
    owner = serializers.CharField(allow_blank=True)
    mine = serializers.BooleanField()
    may_disconnect = serializers.BooleanField()


class SheetsSerializer(serializers.Serializer):
    """All connected tabs of the organization; how often the member's own are refreshed by themselves (0: never)."""

    sheets = SheetTabSerializer(many=True)
    every_hours = serializers.IntegerField(allow_null=True)


class ConnectTabsSerializer(serializers.Serializer):
    """Tabs to connect. Times and name are the browser's view; what Google says wins once it is read."""

    file_id = serializers.CharField()
    file_name = serializers.CharField(required=False)
    last_updated = serializers.IntegerField(required=False)
    drive_last_modified = serializers.IntegerField(required=False, min_value=0, max_value=MAX_MILLIS)
    tab_names = serializers.ListField(child=serializers.CharField(), max_length=MAX_TABS)


class TabListSerializer(serializers.Serializer):
    """A picked spreadsheet and the tabs that can be connected."""

    file_id = serializers.CharField()
    title = serializers.CharField()
    tabs = serializers.ListField(child=serializers.CharField())


class GoogleViewSet(ViewSet):
    """The member's own sign-in at Google, and what is picked with it."""

    @extend_schema(request=TokenRequestSerializer, responses=TokenSerializer)
    @action(detail=False, methods=["post"], url_name="google_token")
    def token(self, request: Request) -> Response:
        """POST /google/token: the end of a sign-in."""
        connection_finish(
            by=member(request),
            session_key=session(request).key,
            service="google",
            code=text(request.data, "authorization_code"),
            state=text(request.data, "state"),
            redirect_uri=redirect_uri(request, "google"),
        )
        return _token(request)

    @extend_schema(request=None, responses=TokenSerializer)
    @action(detail=False, methods=["post"], url_path="auth-check", url_name="google_auth_check")
    def auth_check(self, request: Request) -> Response:
        """POST /google/auth-check: whether the member's sign-in is still good."""
        return _token(request)

    @extend_schema(parameters=[FILE_ID], responses=TabListSerializer)
    @action(detail=False, url_name="google_tabs")
    def tabs(self, request: Request) -> Response:
        """GET /google/tabs: the tabs of a picked spreadsheet."""
        file = connecting.tabs_listed(by=member(request), file_id=text(request.query_params, "file_id"))
        return Response({"file_id": file.file_id, "title": file.title, "tabs": [tab.title for tab in file.offered]})

    @extend_schema(request=ScheduleSerializer, responses=SheetsSerializer)
    @action(detail=False, methods=["post"], url_name="google_schedule")
    def schedule(self, request: Request) -> Response:
        """POST: how often the member's own tabs are refreshed by themselves."""
        schedule_set(by=member(request), service="google", every_hours=every_hours(request))
        return _sheets(request)


class ManageSheetsViewSet(ViewSet):
    """/google/manage-sheets: the connected tabs; POST refreshes, PUT connects, DELETE disconnects one."""

    @extend_schema(responses=SheetsSerializer)
    def retrieve(self, request: Request) -> Response:
        return _sheets(request)

    @extend_schema(request=None, responses={200: SheetsSerializer})
    def create(self, request: Request) -> Response:
        connecting.tabs_refresh(by=member(request))
        return _sheets(request)

    @extend_schema(request=ConnectTabsSerializer, responses=SheetsSerializer)
    def update(self, request: Request) -> Response:
        connecting.tabs_connect(
            by=member(request),
            file_id=text(request.data, "file_id"),
            tab_titles=_titles(request.data),
            modified_ms=_modified_ms(request.data),
        )
        return _sheets(request)

    @extend_schema(parameters=[FILE_NAME], responses={200: SheetsSerializer})
    def destroy(self, request: Request) -> Response:
        connecting.tab_disconnect(by=member(request), file_name=text(request.query_params, "file_name"))
        return _sheets(request)


def _sheets(request: Request) -> Response:
    return Response(sheets_view(member(request)), headers=PRIVATE)


def _token(request: Request) -> Response:
    return Response(
        {"access_token": connecting.token_now(by=member(request)), "picker": picker_settings()}, headers=PRIVATE
    )


def _titles(data: object) -> list[str]:
    titles = data.get("tab_names") if isinstance(data, Mapping) else None
    if not isinstance(titles, list) or not all(isinstance(title, str) for title in titles):
        raise Invalid(copy.NO_TABS, code="no_tabs")
    return titles


def _modified_ms(data: object) -> int:
    """When the picker says the spreadsheet was changed last, in epoch milliseconds; 0 where it does not say."""
    said = data.get("drive_last_modified") if isinstance(data, Mapping) else None
    if said is None:
        return 0
    if isinstance(said, bool) or not isinstance(said, int) or not 0 <= said <= MAX_MILLIS:
        raise Invalid("drive_last_modified must be a whole number of milliseconds.", code="drive_last_modified")
    return said
