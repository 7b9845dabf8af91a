"""Signed-in people at a deployment, many in one process: calls on kept connections, and sockets."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

LONGEST_CALL = 60.0
ENDED = ("completed", "failed", "cancelled")


class Refused(Exception):
    """The connection broke before an answer was there."""


@dataclass
class Line:
    """One kept connection of HTTP/1.1 to one web process."""

    url: str
    _reader: asyncio.StreamReader | None = None
    _writer: asyncio.StreamWriter | None = None

    async def call(self, method: str, path: str, token: str | None, body: Any = None) -> tuple[int, bytes]:
        """Status and body. Raises Refused, with whether anything was sent in `args[0]`."""
        payload = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {urlsplit(self.url).netloc}\r\nContent-Length: {len(payload)}\r\n"
        head += "Content-Type: application/json\r\n" + (f"Authorization: Bearer {token}\r\n" if token else "") + "\r\n"
        sent = False
        try:
            if self._writer is None or self._reader is None or self._reader.at_eof():
                place = urlsplit(self.url)
                self._reader, self._writer = await asyncio.open_connection(place.hostname, place.port, limit=2**20)
            self._writer.write(head.encode() + payload)
            sent = True
            async with asyncio.timeout(LONGEST_CALL):
                return await self._answer(self._reader, method)
        except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
            self.close()
            raise Refused(sent, f"{method} {path}: {type(error).__name__} {error}") from error

    async def _answer(self, reader: asyncio.StreamReader, method: str) -> tuple[int, bytes]:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        if method == "HEAD" or head[0].split()[1] in ("204", "304"):
            body = b""
        elif "content-length" in headers:
            body = await reader.readexactly(int(headers["content-length"]))
        else:
            body = await self._chunks(reader)
        if headers.get("connection", "").lower() == "close":
            self.close()
        return int(head[0].split()[1]), body

    async def _chunks(self, reader: asyncio.StreamReader) -> bytes:
        parts = []
        while size := int(await reader.readline(), 16):
            parts.append(await reader.readexactly(size))
            await reader.readline()
        await reader.readline()
        return b"".join(parts)

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


@dataclass
class Figures:
    """What was seen of the product: spans in milliseconds by kind, answers that were errors, calls that broke."""

    spans: dict[str, list[float]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def note(self, kind: str, milliseconds: float) -> None:
        self.spans.setdefault(kind, []).append(milliseconds)


@dataclass
class Person:
    """A member with a token at one web; of several, the next is taken where one refuses a connection."""

    urls: list[str]
    token: str
    figures: Figures
    at: int = 0
    runs: dict[str, Callable[[dict[str, Any], float], None]] = field(default_factory=dict)
    socket: ClientConnection | None = None
    lines: list[Line] = field(default_factory=list)

    async def call(self, kind: str, method: str, path: str, body: Any = None) -> Any:
        """The JSON answer, timed; None where it was an error or broke."""
        begun = time.perf_counter()
        for _ in self.urls:
            # One connection carries one call at a time; who asks while it is busy opens another, as a browser does.
            line = self.lines.pop() if self.lines else Line(self.urls[self.at % len(self.urls)])
            try:
                status, content = await line.call(method, path, self.token, body)
            except Refused as refused:
                self.at += 1
                self._forget()
                if refused.args[0]:  # it may have been obeyed: a proxy would not send it again
                    self.figures.broken.append(refused.args[1])
                    return None
                continue
            self.lines.append(line)
            self.figures.note(kind, (time.perf_counter() - begun) * 1000)
            if status >= 500:
                self.figures.errors.append(f"{kind}: {status} {content[:200]!r}")
            return json.loads(content) if status == 200 else None
        self.figures.broken.append(f"{method} {path}: no web takes connections")
        return None

    def _forget(self) -> None:
        for line in self.lines:
            line.close()
        self.lines.clear()

    async def ask(self, prompt: str, models: list[str] | None = None) -> dict[str, Any] | None:
        body = {"prompt": prompt, "thread_id": None, "models": models, "temperature": 1, "parent_message_id": None}
        sent: dict[str, Any] | None = await self.call("send", "POST", "/api/v3/ask", body)
        return sent

    async def poll(self, sent: dict[str, Any]) -> dict[str, Any] | None:
        polled: dict[str, Any] | None = await self.call(
            "poll", "POST", "/api/v3/ask", {"thread_id": sent["thread_id"], "run_id": sent["run_id"]}
        )
        return polled

    async def listen(self) -> None:
        """A socket that is opened again whenever it closes, until this is cancelled."""
        while True:
            with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                await self._listen_once()
            await asyncio.sleep(0.5)
            self.at += 1

    async def _listen_once(self) -> None:
        url = self.urls[self.at % len(self.urls)]
        ticket = await self.call("ticket", "POST", "/api/v3/socket-ticket", {})
        if ticket is None:
            return
        address = f"{url.replace('http', 'ws', 1)}/ws/live?ticket={ticket['ticket']}"
        async with connect(address, origin=url, open_timeout=20, ping_interval=None) as self.socket:  # type: ignore[arg-type]
            async for message in self.socket:
                event = json.loads(message)
                if event.get("type") == "run" and event["run"]["run_id"] in self.runs:
                    self.runs[event["run"]["run_id"]](event["run"], time.time())
