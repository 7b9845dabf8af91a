"""The file routes: parse, call, answer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import FileResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member, organization
from apps.core.api.errors import body as error_body
from apps.datasources import files
from apps.datasources.api import bodies, serializers
from apps.datasources.api.row_serializers import RowsSerializer
from apps.datasources.api.uploading import incoming_files
from apps.datasources.content import answer_file, source_content
from apps.datasources.dictionary import dictionary_count, source_dictionary
from apps.datasources.downloads import export_format, source_download
from apps.datasources.profiles import source_profile
from apps.datasources.rows import source_rows
from apps.datasources.selectors import file_listing, source_named, source_row
from apps.datasources.services.explanations import explanation_update, explanations
from apps.datasources.services.removal import source_remove
from apps.datasources.services.retrying import source_retry
from apps.datasources.services.teaching import teach, teaching_undo
from apps.datasources.services.uploads import UploadOutcome, files_upload, source_replace
from apps.preferences.services.preferences import preferences_update

if TYPE_CHECKING:
    from apps.accounts.models import User
    from apps.datasources.models import Source

FILENAME = OpenApiParameter("filename", str, description="A file's name, URL-encoded.")
REQUIRED_FILENAME = OpenApiParameter("filename", str, required=True, description="A file's name, URL-encoded.")
ROWS = [
    OpenApiParameter("table", str, description="Needed where the source has several."),
    OpenApiParameter("search", str, description="Words that stand in the rows."),
    OpenApiParameter("missing", str, description="A column in which the rows have no value."),
]
MULTIPART = {
    "multipart/form-data": {"type": "object", "properties": {"file-0": {"type": "string", "format": "binary"}}}
}
TEXTS = {200: {"type": "object", "additionalProperties": {"type": "string"}}}
LIMIT_STATUSES = (413, 507)
PRIVATE = {"Cache-Control": "private, no-store", "X-Content-Type-Options": "nosniff"}


class FilesViewSet(ViewSet):
    """The organization's files, and files of the member's answers."""

    @extend_schema(
        parameters=[FILENAME, OpenApiParameter("thread_id", str), OpenApiParameter("message_id", str)],
        responses=serializers.FileListingSerializer,
    )
    def retrieve(self, request: Request) -> Response:
        wanted = bodies.parse_wanted(request)
        return Response(_read(wanted, request), headers=PRIVATE)

    @extend_schema(
        request=MULTIPART,
        responses={200: serializers.UploadSerializer},
    )
    def create(self, request: Request) -> Response:
        outcome = files_upload(by=member(request), incoming=incoming_files(request))
        return Response(_told(outcome, request), status=_status(outcome))

    @extend_schema(
        parameters=[REQUIRED_FILENAME],
        request=MULTIPART,
        responses=serializers.SourceSerializer(many=True),
    )
    def update(self, request: Request) -> Response:
        name, incoming = bodies.file_name_parameter(request), incoming_files(request)[0]
        sources = source_replace(by=member(request), file_name=name, incoming=incoming)
        return Response([source_row(source, viewer_id=member(request).pk) for source in sources])

    @extend_schema(parameters=[REQUIRED_FILENAME], responses={200: serializers.DeletedSerializer})
    def destroy(self, request: Request) -> Response:
        source = source_remove(by=member(request), file_name=bodies.file_name_parameter(request))
        return Response({"message": f"{source.file_name} successfully deleted"})

    @extend_schema(parameters=[REQUIRED_FILENAME], responses=serializers.SourceProfileSerializer)
    @action(detail=False, url_name="file_profile")
    def profile(self, request: Request) -> Response:
        """What is known of a source's tables."""
        return Response(source_profile(_source(request), viewer_id=member(request).pk), headers=PRIVATE)

    @extend_schema(parameters=[REQUIRED_FILENAME, *ROWS, OpenApiParameter("offset", int)], responses=RowsSerializer)
    @action(detail=False, url_name="file_rows")
    def rows(self, request: Request) -> Response:
        """A page of a source's rows: all, those that a search finds, or those without a value in a column."""
        return Response(source_rows(_source(request), bodies.parse_rows_wanted(request)), headers=PRIVATE)

    @extend_schema(parameters=[REQUIRED_FILENAME], request=None, responses=serializers.SourceSerializer)
    @action(detail=False, methods=["post"], url_name="file_retry")
    def retry(self, request: Request) -> Response:
        """Another try for an upload that could not be read."""
        source = source_retry(by=member(request), file_name=bodies.file_name_parameter(request))
        return Response(source_row(source, viewer_id=member(request).pk))

    @extend_schema(parameters=[REQUIRED_FILENAME], responses={(200, "application/octet-stream"): OpenApiTypes.BINARY})
    @action(detail=False, url_name="file_download")
    def download(self, request: Request) -> FileResponse:
        """The upload as it came."""
        source = _source(request)
        return FileResponse(
            files.open_original(source.stored.key),
            as_attachment=True,
            filename=source.stored.original_name,
            content_type="application/octet-stream",
            headers=PRIVATE,
        )

    @extend_schema(
        parameters=[REQUIRED_FILENAME, *ROWS, OpenApiParameter("type", str, enum=["csv", "xlsx"])],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    @action(detail=False, url_name="file_export")
    def export(self, request: Request) -> FileResponse:
        """A source's table as it was read, or the rows that a search finds or that lack a value, for other programs;
        formula cells are made harmless."""
        kind, wanted = export_format(request.query_params.get("type", "")), bodies.parse_rows_wanted(request)
        made = source_download(by=member(request), source=_source(request), kind=kind, wanted=wanted)
        return FileResponse(
            made.content, as_attachment=True, filename=made.name, content_type=made.content_type, headers=PRIVATE
        )


class DictionaryViewSet(ViewSet):
    """What a source's tables and columns mean; admins say what they mean instead."""

    @extend_schema(parameters=[REQUIRED_FILENAME], responses=serializers.DictionarySerializer)
    def retrieve(self, request: Request) -> Response:
        viewer = _counted(request)
        return Response(source_dictionary(_source(request), viewer=viewer), headers=PRIVATE)

    @extend_schema(
        parameters=[REQUIRED_FILENAME],
        request=serializers.LessonSerializer,
        responses=serializers.DictionarySerializer,
    )
    def update(self, request: Request) -> Response:
        name, lesson = bodies.file_name_parameter(request), bodies.parse_lesson(request.data)
        source = teach(
            by=_counted(request), file_name=name, table_name=lesson.table, column=lesson.column, said=lesson.said
        )
        return Response(source_dictionary(source, viewer=member(request)), headers=PRIVATE)

    @extend_schema(
        parameters=[REQUIRED_FILENAME],
        request=serializers.LessonUndoSerializer,
        responses=serializers.DictionarySerializer,
    )
    @action(detail=False, methods=["post"], url_name="file_dictionary_undo")
    def undo(self, request: Request) -> Response:
        """The last change of an entry of the dictionary, taken back."""
        name, lesson = bodies.file_name_parameter(request), bodies.parse_lesson(request.data)
        source = teaching_undo(by=_counted(request), file_name=name, table_name=lesson.table, column=lesson.column)
        return Response(source_dictionary(source, viewer=member(request)), headers=PRIVATE)


class ExplanationViewSet(ViewSet):
    """Context texts by file name."""

    @extend_schema(parameters=[OpenApiParameter("files", str, many=True)], responses=TEXTS)
    def retrieve(self, request: Request) -> Response:
        return Response(explanations(member(request), bodies.names_parameter(request)), headers=PRIVATE)

    @extend_schema(request=serializers.ExplanationSerializer, responses=TEXTS)
    def create(self, request: Request) -> Response:
        _keep(bodies.parse_explanation(request.data), member(request))
        return Response(explanations(member(request)))


def _read(wanted: bodies.Wanted, request: Request) -> Any:
    match wanted:
        case bodies.Listing():
            return file_listing(member(request))
        case bodies.AnswersFile(thread_id=thread_id, message_id=message_id, name=name):
            return answer_file(member(request), thread_id, message_id, name)
        case bodies.SourcesFile(name=name):
            return source_content(source_named(organization(request), name))


def _keep(update: bodies.ExplanationUpdate | bodies.PreferencesUpdate, by: User) -> None:
    match update:
        case bodies.PreferencesUpdate(change=change):
            preferences_update(user=by, change=change)
        case bodies.ExplanationUpdate(text=text, file_name=file_name):
            explanation_update(by=by, text=text, file_name=file_name)


def _source(request: Request) -> Source:
    return source_named(organization(request), bodies.file_name_parameter(request))


def _counted(request: Request) -> User:
    """The member, with one more dictionary counted: each is made anew. Raises TooOften."""
    by = member(request)
    dictionary_count(by)
    return by


def _told(outcome: UploadOutcome, request: Request) -> dict[str, Any]:
    told: dict[str, Any] = _error(outcome)
    return {
        **told,
        "failed_uploads": len(outcome.errors),
        "sources": [source_row(source, viewer_id=member(request).pk) for source in outcome.sources],
        "errors": [{"file": e.file, "message": e.message, "code": e.code} for e in outcome.errors],
    }


def _error(outcome: UploadOutcome) -> dict[str, Any]:
    if not _refused(outcome):
        return {}
    first = next(error for error in outcome.errors if error.status in LIMIT_STATUSES)
    return error_body(first.message, first.code)


def _refused(outcome: UploadOutcome) -> bool:
    """Nothing was kept, and a limit is why."""
    return not outcome.sources and any(error.status in LIMIT_STATUSES for error in outcome.errors)


def _status(outcome: UploadOutcome) -> int:
    """200 with the count of failed files (SPEC section 7), but 413 or 507 where a limit left nothing of the upload."""
    if not _refused(outcome):
        return 200
    return next(error.status for error in outcome.errors if error.status in LIMIT_STATUSES)
