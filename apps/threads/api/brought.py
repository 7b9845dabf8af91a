"""The route of what is told of files that were just brought."""

from __future__ import annotations

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.threads.brought import files_brought

FILENAMES = OpenApiParameter("filename", str, many=True, description="The files' names as they were uploaded.")


class BroughtFileSerializer(serializers.Serializer):
    """What one file holds."""

    file_name = serializers.CharField()
    display_name = serializers.CharField()
    rows = serializers.IntegerField()
    noun = serializers.CharField(help_text="what so many rows are called")
    period = serializers.CharField(help_text="from when to when; empty where the file has no date of its own")


class BroughtQuestionSerializer(serializers.Serializer):
    """A question that has an answer."""

    text = serializers.CharField()
    file_name = serializers.CharField(help_text="the file it is asked of: others may hold the like")


class BroughtFilesSerializer(serializers.Serializer):
    """What files hold, and questions that have an answer."""

    ready = serializers.BooleanField(help_text="false while the files are read and questions are tried out: ask again")
    files = BroughtFileSerializer(many=True)
    questions = BroughtQuestionSerializer(many=True)


class BroughtViewSet(ViewSet):
    """GET: what is told of files that were just brought."""

    @extend_schema(parameters=[FILENAMES], responses=BroughtFilesSerializer)
    def retrieve(self, request: Request) -> Response:
        return Response(files_brought(member(request), request.query_params.getlist("filename")))
