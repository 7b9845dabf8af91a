"""The routes of the history: threads renamed, archived and deleted, and each of it taken back."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.caller import member
from apps.core.api.parameters import id_parameter, json_object
from apps.threads import copy, limits
from apps.threads.api.bodies import parse_thread_change
from apps.threads.api.commands import uuid_of
from apps.threads.api.serializers import ThreadRowSerializer
from apps.threads.api.views import JSONViewSet
from apps.threads.selectors import thread_list
from apps.threads.services.history import thread_change, thread_delete, thread_restore


class ThreadChangeSerializer(serializers.Serializer):
    """What becomes of a thread; what is left out stays."""

    thread_id = serializers.UUIDField()
    summary = serializers.CharField(max_length=limits.SUMMARY_LENGTH, required=False)
    archived = serializers.BooleanField(required=False)


class ThreadIdSerializer(serializers.Serializer):
    """Which thread."""

    thread_id = serializers.UUIDField()


class ThreadsViewSet(JSONViewSet):
    """The member's threads; every call answers with the history as it is then."""

    @extend_schema(request=ThreadChangeSerializer, responses={200: ThreadRowSerializer(many=True)})
    def update(self, request: Request) -> Response:
        """PUT: another name for a thread, or its way into or out of the archive."""
        change = parse_thread_change(request.data)
        thread_change(by=member(request), pk=change.thread_id, summary=change.summary, archived=change.archived)
        return Response(thread_list(member(request)))

    @extend_schema(
        parameters=[OpenApiParameter("thread_id", str, required=True)],
        request=None,
        responses={200: ThreadRowSerializer(many=True)},
    )
    def destroy(self, request: Request) -> Response:
        """DELETE: takes a thread away."""
        thread_delete(by=member(request), pk=id_parameter(request, "thread_id", copy.THREAD_NOT_FOUND))
        return Response(thread_list(member(request)))

    @extend_schema(request=ThreadIdSerializer, responses={200: ThreadRowSerializer(many=True)})
    @action(detail=False, methods=["post"], url_name="thread_restore")
    def restore(self, request: Request) -> Response:
        """POST: brings back a thread that was just deleted."""
        thread_restore(by=member(request), pk=uuid_of(json_object(request.data), "thread_id"))
        return Response(thread_list(member(request)))
