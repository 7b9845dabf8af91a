"""Errors as the API says them, translated in one place: {"error": {"message", "code"}}."""

from __future__ import annotations

import logging
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from apps.core.errors import ProductError

logger = logging.getLogger("apps.api")


def body(message: str, code: str) -> dict[str, dict[str, str]]:
    """The shape of every error of the API."""
    return {"error": {"message": message, "code": code}}


def handle(error: Exception, context: dict[str, Any]) -> Response | None:
    """DRF's exception handler: what it knows becomes an answer, the rest goes on to Django's 500."""
    if isinstance(error, ProductError):
        set_rollback()
        return Response(body(error.message, error.code), status=error.status)
    if isinstance(error, Http404):
        error = exceptions.NotFound()
    elif isinstance(error, PermissionDenied):
        error = exceptions.PermissionDenied()
    if not isinstance(error, exceptions.APIException):
        return None
    set_rollback()
    headers: dict[str, str] = {}
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(int(wait))
    return Response(body(_words(error), _code(error)), status=error.status_code, headers=headers)


def _words(error: exceptions.APIException) -> str:
    """One sentence out of DRF's nested details, with the field's name before it."""
    detail = error.detail
    while isinstance(detail, list | dict):
        if not detail:
            return "The request could not be used."
        if isinstance(detail, dict):
            name, detail = next(iter(detail.items()))
            if isinstance(detail, list) and detail and isinstance(detail[0], str):
                return f"{name}: {detail[0]}" if name != "non_field_errors" else str(detail[0])
        else:
            detail = detail[0]
    return str(detail)


def _code(error: exceptions.APIException) -> str:
    codes = error.get_codes()
    return codes if isinstance(codes, str) else "invalid"
