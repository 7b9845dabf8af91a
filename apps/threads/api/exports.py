"""The route that an answer's table leaves by."""

from __future__ import annotations

from django.http import HttpResponse
from django.utils.http import content_disposition_header
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.decorators import action
from rest_framework.request import Request
from rest_framework.viewsets import ViewSet

from apps.accounts.caller import member
from apps.core.errors import Invalid
from apps.datasources.downloads import CONTENT_TYPES, export_format
from apps.threads import copy
from apps.threads.api.named import message_in_query
from apps.threads.exports import answer_table
from apps.threads.table_order import TableOrder

_DIRECTIONS = ("ascending", "descending")


class AnswersViewSet(ViewSet):
    """What can be had of an answer."""

    @extend_schema(
        parameters=[
            OpenApiParameter("thread_id", str, required=True),
            OpenApiParameter("message_id", str, required=True),
            OpenApiParameter("type", str, enum=["csv", "xlsx"]),
            OpenApiParameter("sort", int, description="The column that the rows are sorted by, counted from 0."),
            OpenApiParameter("direction", str, enum=["ascending", "descending"]),
        ],
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY},
    )
    @action(detail=False, url_name="answer_table")
    def table(self, request: Request) -> HttpResponse:
        """GET: all rows of an answer's table as CSV or XLSX; formula cells are made harmless."""
        kind, message = export_format(request.query_params.get("type", "")), message_in_query(request)
        name, content = answer_table(by=member(request), message=message, kind=kind, order=_order(request))
        return HttpResponse(content, content_type=CONTENT_TYPES[kind], headers=_headers(name))


def _headers(name: str) -> dict[str, str]:
    return {
        "Content-Disposition": content_disposition_header(True, name) or "attachment",
        "Cache-Control": "private, no-store",
        "X-Content-Type-Options": "nosniff",
    }


def _order(request: Request) -> TableOrder | None:
    """How the reader has sorted the rows; None where they stand as they were answered."""
    column = request.query_params.get("sort", "")
    direction = request.query_params.get("direction", "ascending")
    if not column:
        return None
    if not (column.isascii() and column.isdecimal() and len(column) < 6) or direction not in _DIRECTIONS:
        raise Invalid(copy.NO_SUCH_COLUMN, code="sort")
    return TableOrder(int(column), descending=direction == "descending")
