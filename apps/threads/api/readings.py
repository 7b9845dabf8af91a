"""The routes of other readings: what a part of an answer may mean else, and the question answered anew by one."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.caller import member
from apps.core.api.parameters import json_object
from apps.threads.api.bodies import choice_of
from apps.threads.api.commands import text_of
from apps.threads.api.named import message_in_body, message_in_query
from apps.threads.api.serializers import MessageSerializer
from apps.threads.api.views import JSONViewSet
from apps.threads.selectors import message_tree
from apps.threads.services.readings import choice_teach, other_readings, reading_take

KEY_LENGTH = 40


class OtherReadingSerializer(serializers.Serializer):
    """Another reading of a part, with the figure it would give."""

    key = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    figure = serializers.CharField()
    teaches = serializers.CharField(allow_null=True, help_text="what Always would teach; null where it cannot")


class OtherReadingsSerializer(serializers.Serializer):
    """What a part may mean else."""

    readings = OtherReadingSerializer(many=True)


class ReadingTakenSerializer(serializers.Serializer):
    """Which reading to answer anew by."""

    thread_id = serializers.UUIDField()
    message_id = serializers.UUIDField()
    chip = serializers.CharField()
    reading = serializers.CharField()
    always = serializers.BooleanField(required=False)


class ChoiceTaughtSerializer(serializers.Serializer):
    """Which choice of an answer to keep for always."""

    thread_id = serializers.UUIDField()
    message_id = serializers.UUIDField()
    choice = serializers.IntegerField(help_text="its place among the answer's choices, counted from 0")


class AnsweredAnewSerializer(serializers.Serializer):
    """The thread's messages, the new answer selected among them."""

    message_id = serializers.UUIDField()
    messages = MessageSerializer(many=True)


class ReadingsViewSet(JSONViewSet):
    """Other readings of one part of an answer."""

    @extend_schema(
        parameters=[OpenApiParameter(name, str, required=True) for name in ("thread_id", "message_id", "chip")],
        responses=OtherReadingsSerializer,
    )
    def retrieve(self, request: Request) -> Response:
        """GET: what the part may mean else, each with its figure; computed when asked for."""
        message = message_in_query(request)
        chip = request.query_params.get("chip", "")[:KEY_LENGTH]
        return Response({"readings": other_readings(by=member(request), message=message, chip=chip)})

    @extend_schema(request=ReadingTakenSerializer, responses={200: AnsweredAnewSerializer})
    def create(self, request: Request) -> Response:
        """POST: answers the question anew by that reading, in place; `always` teaches the organization."""
        body, message = json_object(request.data), message_in_body(request)
        answer = reading_take(
            by=member(request),
            message=message,
            chip=text_of(body.get("chip"), "chip", KEY_LENGTH),
            reading=text_of(body.get("reading"), "reading", KEY_LENGTH),
            always=body.get("always") is True,
        )
        return Response({"message_id": str(answer.pk), "messages": message_tree(answer.thread_id)})

    @extend_schema(request=ChoiceTaughtSerializer, responses={200: None})
    def update(self, request: Request) -> Response:
        """PUT: keeps for always what one of the answer's choices means."""
        message = message_in_body(request)
        choice_teach(by=member(request), message=message, choice=choice_of(request.data))
        return Response({})
