"""The web server, ended without anybody noticing: daphne that finishes what it began before it leaves.

Told to stop, it first says on /readyz that it takes no more work and ends each kept connection with its next answer,
for as long as a proxy needs to see that; then it listens no more, tells open sockets that it goes away (their pages
come back to another process), and answers what it has. Import this before anything else of Twisted: it chooses the
reactor.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from typing import Any

from daphne.server import Server, twisted_loop
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.defer import Deferred

from apps.core import health, request_bodies

__all__ = ["GracefulServer", "twisted_loop"]

logger = logging.getLogger("apps.serving")

GOING_AWAY = 1001
LOOK_SECONDS = 0.02
CLOSING_SECONDS = 2.0
"""For the closing handshakes of sockets, and for the last bytes of answers."""


class GracefulServer(Server):  # type: ignore[misc]
    """`leave_seconds` for a proxy to see that it leaves, then at most `finish_seconds` for the requests it has."""

    def __init__(self, *args: Any, leave_seconds: float = 0.0, finish_seconds: float = 20.0, **options: Any) -> None:
        super().__init__(*args, **options)
        self.leave_seconds = leave_seconds
        self.finish_seconds = finish_seconds
        self._ports: list[Any] = []

    def listen_success(self, port: Any) -> None:
        super().listen_success(port)
        self._ports.append(port)

    def kill_all_applications(self) -> Deferred[None]:
        """Daphne calls this when the reactor is told to stop, which waits for what it gives back."""
        return Deferred.fromFuture(asyncio.ensure_future(self._leave()))

    async def _leave(self) -> None:
        try:
            health.leave()
            await asyncio.sleep(self.leave_seconds)
            for port in self._ports:
                port.stopListening()
            for socket in [protocol for protocol in self._open() if isinstance(protocol, WebSocketProtocol)]:
                if socket.state == WebSocketProtocol.STATE_OPEN:
                    # Not sendClose: that keeps this code for libraries, of which this is one.
                    socket.sendCloseFrame(code=GOING_AWAY)
            await self._while(self._answering, self.finish_seconds)
            await self._while(self._open, CLOSING_SECONDS)
            left = [details["application_instance"] for details in self._working()]
            for application in left:
                application.cancel()
            await asyncio.gather(*left, return_exceptions=True)
        except Exception:
            logger.exception("the server could not leave as it should")

    async def _while(self, some: Any, seconds: float) -> None:
        until = twisted_loop.time() + seconds
        while any(True for _ in some()) and twisted_loop.time() < until:
            await asyncio.sleep(LOOK_SECONDS)

    def _open(self) -> Iterator[Any]:
        """Requests and sockets whose connection stands."""
        return (protocol for protocol, details in list(self.connections.items()) if "disconnected" not in details)

    def _answering(self) -> Iterator[Any]:
        yield from request_bodies.receiving
        yield from (protocol for protocol in self._open() if not isinstance(protocol, WebSocketProtocol))

    def _working(self) -> Iterator[dict[str, Any]]:
        for details in self.connections.values():
            application = details.get("application_instance")
            if application is not None and not application.done():
                yield details
