"""JSON that nothing could keep is the sender's error on routes that parse for themselves, as it is on those of the API.

allauth takes whatever Python's parser takes: numbers of thousands of digits and deep nests raise in it, half characters
raise in the database.
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, JsonResponse
from django.http.response import HttpResponseBase

from apps.core.sound_json import sound_json

PREFIX = "/_allauth/"


class SoundBodies:
    """Looks at the bodies of the sign-in routes before they do."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path.startswith(PREFIX) and request.method not in ("GET", "HEAD", "OPTIONS") and request.body:
            try:
                value = sound_json(request.body)
            except ValueError:
                value = None
            if not isinstance(value, dict):
                error = {"message": "The request body is not valid JSON.", "code": "invalid"}
                return JsonResponse({"status": 400, "errors": [error]}, status=400)
        return self._get_response(request)
