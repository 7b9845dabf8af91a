"""The route of what is shown under a question while it is typed."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.caller import member
from apps.core.api.parameters import json_object
from apps.threads import limits
from apps.threads.api.commands import text_of, texts_of, uuid_of
from apps.threads.api.views import JSONViewSet
from apps.threads.previews import question_preview


class PreviewedTextSerializer(serializers.Serializer):
    """A text that is being typed."""

    text = serializers.CharField()
    before = serializers.CharField(help_text="what of it stands before the cursor")
    thread_id = serializers.UUIDField(required=False, allow_null=True)
    user_specified_files = serializers.ListField(child=serializers.CharField(), required=False)


class PreviewChipSerializer(serializers.Serializer):
    """A part of the reading."""

    part = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]


class CompletedWordSerializer(serializers.Serializer):
    """What the end of what is typed may become."""

    text = serializers.CharField()
    where = serializers.CharField(help_text="of what it is")
    replaces = serializers.CharField(help_text="the end of `before` that it stands instead of")


class QuestionPreviewSerializer(serializers.Serializer):
    """How the text would be read so far."""

    chips = PreviewChipSerializer(many=True)
    unread = serializers.ListField(child=serializers.CharField(), help_text="words that found no place")
    completions = CompletedWordSerializer(many=True)


class QuestionPreviewsViewSet(JSONViewSet):
    """POST: how a text would be read. In the body, because addresses are logged."""

    @extend_schema(request=PreviewedTextSerializer, responses=QuestionPreviewSerializer)
    def create(self, request: Request) -> Response:
        body = json_object(request.data)
        text_of(body.get("text"), "text", limits.MAX_PROMPT)
        text_of(body.get("before"), "before", limits.MAX_PROMPT)
        files = body.get("user_specified_files") or []
        return Response(
            question_preview(
                by=member(request),
                text=body["text"],  # as it stands: a blank at its end says that its last word is over
                before=body["before"],
                thread_id=uuid_of(body, "thread_id") if body.get("thread_id") is not None else None,
                files=texts_of(files, "user_specified_files", count=limits.MAX_CHOSEN_FILES, length=300),
            )
        )
