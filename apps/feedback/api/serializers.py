"""What the feedback routes take, for the schema."""

from __future__ import annotations

from rest_framework import serializers

from apps.feedback.api.forms import KINDS


class FeedbackSerializer(serializers.Serializer):
    """POST /feedback, multipart (SPEC section 7)."""

    kind = serializers.ChoiceField(choices=KINDS, required=False)
    Feedback = serializers.CharField()
    Datetime = serializers.CharField(required=False)
    ChatHistory = serializers.CharField(required=False)
    UserSelectedFiles = serializers.CharField(required=False)
    ThumbUp = serializers.CharField(required=False)
    ThreadId = serializers.UUIDField(required=False)
    MessageId = serializers.UUIDField(required=False, help_text="the answer that a thumb's words are about")


class RatingSerializer(serializers.Serializer):
    """POST /rate-answer."""

    thread_id = serializers.UUIDField()
    message_id = serializers.UUIDField()
    is_thumbs_up = serializers.BooleanField()
