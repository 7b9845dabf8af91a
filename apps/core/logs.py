"""Log lines that belong together: each names the request or job it came from, and the organization it worked for.

Lines are sentences for people, or with LOG_FORMAT=json one object each for a log service. They hold ids and kinds of
things, never what a person wrote or a cell holds: an error is told by its kind and place, its words only where they
speak of servers or of our code.
"""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django.core.exceptions import ImproperlyConfigured
from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse
from dramatiq import Broker
from dramatiq.broker import MessageProxy
from dramatiq.middleware import Middleware
from structlog.contextvars import bind_contextvars, clear_contextvars, get_contextvars

logger = logging.getLogger("apps.requests")

HEADER = "X-Request-ID"
GIVEN_ID = re.compile(r"[A-Za-z0-9_-]{8,64}")
"""A proxy's id is taken over; what else somebody sends in that header does not come into the log."""


SPEAK_OF_SERVERS = (OperationalError, InterfaceError, ImproperlyConfigured)
SPEAK_OF_CODE = (AttributeError, ImportError, NameError, TypeError)


def kind_of(error: BaseException) -> str:
    """The error's kind, with its words where they cannot hold what a person wrote, a cell holds or opens something."""
    kind = type(error).__qualname__
    if isinstance(error, OSError):  # the system's own words: those of clients and mail servers hold addresses
        return f"{kind}: {error.strerror}" if error.errno is not None and error.strerror else kind
    return f"{kind}: {error}" if isinstance(error, (*SPEAK_OF_SERVERS, *SPEAK_OF_CODE)) else kind


def trace_of(error: BaseException) -> str:
    """The traceback of an error and of those before it, each by its kind."""
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    earlier = "" if before is None else f"{trace_of(before)}\n\nThen:\n\n"
    places = "".join(traceback.format_tb(error.__traceback__))
    beside = "".join(f"\n\nOne of them:\n\n{trace_of(one)}" for one in getattr(error, "exceptions", ()))
    return f"{earlier}Traceback (most recent call last):\n{places}{kind_of(error)}{beside}"


class PlainFormatter(logging.Formatter):
    """Sentences, with tracebacks as above."""

    def formatException(self, ei: Any) -> str:
        return trace_of(ei[1]) if ei[1] is not None else ""


def _with_trace(logger: Any, method: str, event: Any) -> Any:
    """structlog's step that makes a text of the error."""
    info = event.pop("exc_info", None)
    error = info[1] if isinstance(info, tuple) else sys.exc_info()[1] if info is True else info
    if isinstance(error, BaseException):
        event["exception"] = trace_of(error)
    return event


class Context(logging.Filter):
    """Adds what the line belongs to, for the plain format."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.context = "".join(f" {name}={value}" for name, value in get_contextvars().items())
        return True


def json_formatter() -> logging.Formatter:
    """One JSON object a line: time, level, logger, event, what it belongs to, and the traceback as text."""
    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            _with_trace,
        ],
        processors=[
            structlog.stdlib.ProcessorFormatter.remove_processors_meta,
            structlog.processors.JSONRenderer(),
        ],
    )


class RequestLogMiddleware:
    """Gives each request an id, tells it in the answer, and writes a line with route, status and milliseconds."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        given = request.headers.get(HEADER, "")
        request_id = given if GIVEN_ID.fullmatch(given) else uuid.uuid4().hex
        clear_contextvars()
        bind_contextvars(request=request_id)
        begun = time.perf_counter()
        try:
            response = self.get_response(request)
            taken = (time.perf_counter() - begun) * 1000
            # The route, not the address: an address may carry a file's name or a ticket.
            route = request.resolver_match.route if request.resolver_match else "no route"
            if not hasattr(request, "told"):
                logger.info("%s %s: %d in %.0f ms", request.method, route, response.status_code, taken)
        finally:
            clear_contextvars()
        response[HEADER] = request_id
        return response


class JobLogMiddleware(Middleware):
    """Names the job in the lines it writes: its actor and the id it was given."""

    def before_process_message(self, broker: Broker, message: MessageProxy) -> None:
        clear_contextvars()
        bind_contextvars(job=message.actor_name)
        if message.args:
            bind_contextvars(id=str(message.args[0]))

    def after_process_message(
        self, broker: Broker, message: MessageProxy, *, result: Any = None, exception: BaseException | None = None
    ) -> None:
        clear_contextvars()


def working_on(run_id: object) -> None:
    """The lines from here on, of this request or job, are about that run."""
    bind_contextvars(run=str(run_id))


def working_for(organization_id: object) -> None:
    """The lines from here on, of this request or job, are the organization's."""
    bind_contextvars(organization=str(organization_id))
