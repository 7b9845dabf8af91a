"""Where the socket is, and who may open it: only pages of the address that serves it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, cast
from urllib.parse import urlsplit

from channels.routing import URLRouter
from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.urls import path

from apps.threads.consumers import LiveConsumer

Application = Callable[[dict[str, Any], Callable[..., Any], Callable[..., Any]], Awaitable[None]]


def same_origin(application: Application) -> Application:
    """Refuses handshakes from pages of any other address, and those that name none."""

    async def guarded(scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
        inner: Any = application if _is_same_origin(scope.get("headers", [])) else WebsocketDenier()
        await inner(scope, receive, send)

    return guarded


def _is_same_origin(headers: list[tuple[bytes, bytes]]) -> bool:
    named = {name.lower(): value.decode("latin-1") for name, value in headers}
    host = named.get(b"host", "")
    try:
        origin = urlsplit(named.get(b"origin", ""))
    except ValueError:
        return False
    domain, _ = split_domain_port(host)
    return (
        origin.scheme in {"http", "https"}
        and bool(domain)
        and validate_host(domain, settings.ALLOWED_HOSTS)
        and origin.netloc.lower() == host.lower()
    )


async def _nowhere(scope: dict[str, Any], receive: Callable[..., Any], send: Callable[..., Any]) -> None:
    await WebsocketDenier()(scope, receive, send)


sockets = same_origin(URLRouter([path("ws/live", LiveConsumer.as_asgi()), path("<path:rest>", cast(Any, _nowhere))]))
