"""Writing the audit log: who did what, when, from where.

Figures, prompts and secrets never stand in it: `target` names a thing (a user name, a file name), `details` holds small
facts such as a role before and after.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from allauth.core.internal.httpkit import get_client_ip
from django.http import HttpRequest, HttpResponse

from apps.accounts.models import AuditAction, AuditEvent, Organization, User

__all__ = ["AuditAction", "CallerMiddleware", "acting_as", "record"]

_caller: ContextVar[str | None] = ContextVar("caller", default=None)
_name: ContextVar[str] = ContextVar("name", default="")


@contextmanager
def acting_as(name: str) -> Iterator[None]:
    """Events without an account behind them are this one's: staff at the command line have none."""
    token = _name.set(name[:150])
    try:
        yield
    finally:
        _name.reset(token)


def record(
    action: AuditAction,
    *,
    organization: Organization | None,
    actor: User | None = None,
    target: str = "",
    **details: str | int | bool | None,
) -> None:
    """Writes one event down, with the address of the request under way (none in commands and workers)."""
    AuditEvent.objects.create(
        organization=organization,
        actor=actor,
        actor_name=actor.username if actor else _name.get(),
        action=action,
        target=target[:300],
        address=_caller.get(),
        details=details,
    )


class CallerMiddleware:
    """Remembers the caller's address for the events that a request leads to."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        token = _caller.set(get_client_ip(request))
        try:
            return self.get_response(request)
        finally:
            _caller.reset(token)
