"""A database that is locked or away for a while is nobody's error: come back in a moment."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from apps.core.api.errors import body

logger = logging.getLogger("apps.api")

AGAIN_SECONDS = 5
MESSAGE = "The database is busy at the moment. Please try again."


class BusyDatabase:
    """503 with the time to wait, where a view could not reach the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """What Django would answer with 500."""
        if not isinstance(exception, OperationalError | InterfaceError):
            return None
        logger.error("the database could not be reached (%s)", type(exception).__name__)
        headers = {"Retry-After": str(AGAIN_SECONDS)}
        if request.path.startswith("/_allauth/"):
            error = {"message": MESSAGE, "code": "unavailable"}
            return JsonResponse({"status": 503, "errors": [error]}, status=503, headers=headers)
        if request.path.startswith("/api/"):
            return JsonResponse(body(MESSAGE, "unavailable"), status=503, headers=headers)
        return HttpResponse(MESSAGE, status=503, headers=headers, content_type="text/plain; charset=utf-8")
