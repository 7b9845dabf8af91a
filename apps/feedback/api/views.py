"""The routes of feedback: parse, call, answer."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.parsers import FormParser, MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.core.api.parsers import AnyJSONParser
from apps.feedback.api.forms import parse_feedback, parse_rating
from apps.feedback.api.serializers import FeedbackSerializer, RatingSerializer
from apps.feedback.services.feedback import feedback_give
from apps.threads.selectors import message_get
from apps.threads.services.ratings import answer_rate


class FeedbackViewSet(ViewSet):
    """POST: free feedback, words to a thumb, or a wish for a source."""

    parser_classes = [MultiPartParser, FormParser, AnyJSONParser]

    @extend_schema(request=FeedbackSerializer, responses={200: OpenApiTypes.OBJECT})
    def create(self, request: Request) -> Response:
        form, author = parse_feedback(request.data), member(request)
        feedback_give(
            author=author,
            kind=form.kind,
            text=form.text,
            chat_history=form.chat_history,
            files=form.files,
            is_thumbs_up=form.is_thumbs_up,
            answer=message_get(author, form.about[1], form.about[0]) if form.about else None,
        )
        return Response({"status": "success"})


class RateAnswerViewSet(ViewSet):
    """POST: a thumb for an answer, once."""

    parser_classes = [AnyJSONParser]

    @extend_schema(request=RatingSerializer, responses={200: OpenApiTypes.OBJECT})
    def create(self, request: Request) -> Response:
        form, rater = parse_rating(request.data), member(request)
        answer_rate(message=message_get(rater, form.message_id, form.thread_id), is_thumbs_up=form.is_thumbs_up)
        return Response({})
