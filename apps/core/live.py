"""Pushes to browsers. A push is a hint that arrives sooner than the next poll; losing one loses nothing.

In one process the socket layer lives on the server's event loop: workers hand their messages over to that loop, because
`async_to_sync` on the in-memory layer would not wake the reader (measured: 565 ms instead of 6). A worker process keeps
a loop of its own for them: `async_to_sync` makes one for each message, and with it a new connection to Redis.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import uuid
from collections.abc import Mapping
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

logger = logging.getLogger("apps.live")

_server_loop: asyncio.AbstractEventLoop | None = None


def serve_on(loop: asyncio.AbstractEventLoop | None) -> None:
    """Says which loop runs the sockets of this process; None where workers and sockets are in different processes."""
    global _server_loop
    _server_loop = loop


def user_group(user_id: uuid.UUID) -> str:
    """The group of all sockets of one user."""
    return f"user.{user_id.hex}"


def organization_group(organization_id: uuid.UUID) -> str:
    """The group of all sockets of one organization's members."""
    return f"organization.{organization_id.hex}"


def push(group: str, event: Mapping[str, Any]) -> None:
    """Sends a JSON-ready event to every socket of a group, from any thread. Never raises: polling tells the same."""
    layer = get_channel_layer()
    if layer is None:
        return
    message = {"type": "live.event", "event": dict(event)}
    try:
        if _server_loop is not None and _server_loop.is_running():
            asyncio.run_coroutine_threadsafe(layer.group_send(group, message), _server_loop)
        elif isinstance(layer, InMemoryChannelLayer):
            async_to_sync(layer.group_send)(group, message)
        else:
            _courier.send(layer, group, message)
    except Exception:
        logger.warning("a push to %s was lost", group, exc_info=True)


class _Courier:
    """A thread whose loop sends one message after another, in the order they were given."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._letters: asyncio.Queue[tuple[Any, str, dict[str, Any]]] | None = None

    def send(self, layer: Any, group: str, message: dict[str, Any]) -> None:
        """Returns at once; what cannot be delivered is logged."""
        with self._lock:
            if self._loop is None or self._letters is None:
                self._loop, self._letters = asyncio.new_event_loop(), asyncio.Queue()
                self._loop.create_task(self._deliver(self._letters))
                threading.Thread(target=self._loop.run_forever, name="courier", daemon=True).start()
            self._loop.call_soon_threadsafe(self._letters.put_nowait, (layer, group, message))

    async def _deliver(self, letters: asyncio.Queue[tuple[Any, str, dict[str, Any]]]) -> None:
        while True:
            layer, group, message = await letters.get()
            try:
                await layer.group_send(group, message)
            except Exception:
                logger.warning("a push to %s was lost", group, exc_info=True)


_courier = _Courier()
