"""Answers that only their caller may have are kept by nobody on the way, and strangers' hosts are told in one line."""

from __future__ import annotations

import logging
from collections.abc import Callable

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase

logger = logging.getLogger("apps.hosts")

PRIVATE = ("/api/", "/_allauth/", "/admin/")
TOKENS = ("Authorization", "X-Session-Token")


class NoStore:
    """Cache-Control for what stands behind a token or a sign-in, whatever the view says."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self._get_response(request)
        private = request.path.startswith(PRIVATE) or any(name in request.headers for name in TOKENS)
        if private and "no-store" not in response.get("Cache-Control", ""):
            response["Cache-Control"] = "private, no-store"
        return response


class KnownHosts:
    """A wrong Host is refused before anything else looks at it: one line, which is the request's own (`told`), and no
    trace of code that did nothing."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        try:
            request.get_host()
        except DisallowedHost:
            logger.warning("a request for another host was refused")
            request.told = True  # type: ignore[attr-defined]
            return HttpResponse("This is not the host you look for.", status=400, content_type="text/plain")
        return self._get_response(request)
