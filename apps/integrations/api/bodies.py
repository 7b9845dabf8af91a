"""What callers send to the connection routes, parsed once."""

from __future__ import annotations

from django.conf import settings
from rest_framework.request import Request

from apps.core.api.parameters import json_object, valid_body
from apps.core.errors import Invalid
from apps.integrations.api.serializers import ScheduleSerializer
from apps.integrations.registry import connector_of

MAX_TEXT = 4_000


def text(data: object, name: str, *, required: bool = True) -> str:
    """A text of a JSON object. Raises Invalid where it is missing or no text."""
    value = json_object(data).get(name)
    if value is None and not required:
        return ""
    if not isinstance(value, str) or not value.strip() or len(value) > MAX_TEXT or "\x00" in value:
        raise Invalid(f"{name} must be a text.", code="invalid")
    return value.strip()


def redirect_uri(request: Request, service: str) -> str:
    """The `redirect_uri` of the body: our own callback page for the service, under the address people use."""
    return _own(request, service, text(request.data, "redirect_uri"))


def redirect_uri_asked(request: Request, service: str) -> str:
    """The `redirect_uri` of a GET, which has no body: the same address, or none."""
    sent = text(request.query_params, "redirect_uri", required=False)
    return _own(request, service, sent) if sent else ""


def _own(request: Request, service: str, sent: str) -> str:
    path = connector_of(service).callback_path
    if sent not in {request.build_absolute_uri(path), f"{settings.PUBLIC_URL}{path}"}:
        raise Invalid(f"redirect_uri must be this server's own address with {path}.", code="redirect_uri")
    return sent


def keep_data(request: Request) -> bool:
    """What becomes of the data: `data=keep` or `data=delete` must be said."""
    said = request.query_params.get("data")
    if said not in ("keep", "delete"):
        raise Invalid("Say what becomes of the data: data=keep or data=delete.", code="data")
    return bool(said == "keep")


def every_hours(request: Request) -> int:
    """The hours between two refreshes, of those that may be chosen."""
    return int(valid_body(ScheduleSerializer, request)["every_hours"])
