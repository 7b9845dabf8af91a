"""The route of what is shown under a question while it is typed."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from apps.accounts.caller import member
from apps.threads.api.bodies import parse_typed
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
        typed = parse_typed(request.data)
        preview = question_preview(
            by=member(request), text=typed.text, before=typed.before, thread_id=typed.thread_id, files=typed.files
        )
        return Response(preview)
