"""A database that is locked or away for a while is nobody's error: come back in a moment."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from apps.core.api.errors import body

logger = logging.getLogger("apps.api")

AGAIN_SECONDS = 5
MESSAGE = "The database is busy at the moment. Please try again."


_STATES = ("08", "40", "53300", "55", "57014", "57P")
"""PostgreSQL's: no connection, given up for another transaction, too many connections, locked, too slow, restarting."""


def is_busy(error: Exception) -> bool:
    """Whether the database was locked or away. "No such column" and a full disk are OperationalErrors, too."""
    if not isinstance(error, OperationalError | InterfaceError):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # the rest says more of the same
        return code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    state = getattr(cause, "sqlstate", None)
    return state is None or state.startswith(_STATES)


class BusyDatabase:
    """503 with the time to wait, where a view could not reach the database."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """What Django would answer with 500, and with its trace in the log, as it does where the fault is another."""
        if not is_busy(exception):
            return None
        logger.error("the database could not be reached (%s)", type(exception).__name__)
        headers = {"Retry-After": str(AGAIN_SECONDS)}
        if request.path.startswith("/_allauth/"):
            error = {"message": MESSAGE, "code": "unavailable"}
            return JsonResponse({"status": 503, "errors": [error]}, status=503, headers=headers)
        if request.path.startswith("/api/"):
            return JsonResponse(body(MESSAGE, "unavailable"), status=503, headers=headers)
        return HttpResponse(MESSAGE, status=503, headers=headers, content_type="text/plain; charset=utf-8")
