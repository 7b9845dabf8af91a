"""What routes of every app read of a request before they ask for anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.serializers import Serializer

from apps.core.errors import Invalid, NotFound


def json_object(data: object) -> Mapping[str, Any]:
    """The body as an object. Raises Invalid for anything else."""
    if not isinstance(data, Mapping):
        raise Invalid("The request body must be a JSON object.", code="not_an_object")
    return data


def valid_body(kind: type[Serializer], request: Request) -> dict[str, Any]:
    """What the body says, held against a serializer. Raises DRF's ValidationError."""
    body = kind(data=request.data)
    body.is_valid(raise_exception=True)
    valid: dict[str, Any] = body.validated_data
    return valid


def id_parameter(request: Request, name: str, absent: str = "") -> UUID:
    """An id of the query string. Raises NotFound, in the words of `absent`, where it cannot be one: such a thing does
    not exist."""
    try:
        return UUID(request.query_params.get(name, ""))
    except ValueError:
        raise (NotFound(absent) if absent else NotFound()) from None
