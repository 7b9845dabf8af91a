"""Request bodies that stay on disk until Django reads them.

Twisted parses every posted form into memory (ten times its size), and daphne puts a whole body into its queue before
the application has read the first byte; both on the event loop. Here the body waits in Twisted's temporary file, and
what travels through the queue are places in it. Measured with a 201 MB upload: 8 MB more memory instead of 2.2 GB.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import IO, Any

from daphne import http_protocol

from apps.core import health

CHUNK = 256 * 1024

Receive = Callable[[], Awaitable[dict[str, Any]]]
ASGIApplication = Callable[[dict[str, Any], Receive, Any], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Place:
    """A part of a body that has not been read yet."""

    file: IO[bytes]
    start: int
    length: int

    def __len__(self) -> int:
        return self.length

    def read(self) -> bytes:
        self.file.seek(self.start)
        return self.file.read(self.length)


class PlacedBody:
    """Twisted's file as daphne sees it: reading gives places instead of bytes."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._size = file.seek(0, 2)
        self._position = 0

    def seek(self, position: int, whence: int = 0) -> int:
        self._position = position
        return position

    def read(self, size: int = -1) -> Place | bytes:
        left = self._size - self._position
        length = left if size < 0 else min(size, left)
        place = Place(self._file, self._position, length)
        self._position += length
        return place if length else b""

    @property
    def closed(self) -> bool:
        return self._file.closed

    def close(self) -> None:
        self._file.close()


receiving: set[PlacedRequest] = set()
"""Requests whose body is still on its way: daphne knows of a request only when it has come whole."""


class PlacedRequest(http_protocol.WebRequest):  # type: ignore[misc]
    """A request whose form is left to Django and whose body is left on disk."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **{**kwargs, "parsePOSTFormSubmission": False})

    def gotLength(self, length: int | None) -> None:
        receiving.add(self)
        super().gotLength(length)

    def connectionLost(self, reason: Any) -> None:
        receiving.discard(self)
        super().connectionLost(reason)

    def process(self) -> Any:
        receiving.discard(self)
        if not self.requestHeaders.hasHeader(b"upgrade"):
            held: Any = self.content
            self.content: Any = PlacedBody(held)
            if health.leaving():  # the next request goes to a process that stays
                self.channel.persistent = False
                self.responseHeaders.setRawHeaders(b"connection", [b"close"])
        return super().process()


def bodies_stay_on_disk(application: ASGIApplication) -> ASGIApplication:
    """Makes daphne's requests use places, and the application read them when it asks for the next part."""
    http_protocol.WebRequest = PlacedRequest

    async def reading(scope: dict[str, Any], receive: Receive, send: Any) -> None:
        async def next_part() -> dict[str, Any]:
            message = await receive()
            body = message.get("body")
            return {**message, "body": body.read()} if isinstance(body, Place) else message

        await application(scope, next_part if scope["type"] == "http" else receive, send)

    return reading
