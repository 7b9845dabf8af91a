"""Failures told to an error service (Sentry's protocol), where SENTRY_DSN names one: where it broke, not with what."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ImproperlyConfigured


def reports_to(dsn: str, *, environment: str) -> None:
    """Starts reporting. Values of variables, bodies, addresses with their queries and people are left out."""
    try:
        import sentry_sdk
    except ImportError:
        raise ImproperlyConfigured("SENTRY_DSN needs the packages of requirements/production.txt.") from None
    sentry_sdk.init(
        dsn=dsn,
        environment=environment,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,
        before_send=_without_people,
    )


def _without_people(event: Any, hint: dict[str, Any]) -> Any:
    """A report keeps the request's method: address, headers and cookies may carry a token, a file's name, a code.

    Of an error it keeps kind and place: its words may hold what a cell holds.
    """
    request = event.get("request")
    if request:
        event["request"] = {key: request[key] for key in ("method",) if key in request}
    event.pop("user", None)
    for error in event.get("exception", {}).get("values", ()):
        error.pop("value", None)
    return event
