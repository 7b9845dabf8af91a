"""Clients for addresses that somebody named: answers are bounded, redirects not followed, and where the installation
says so only public addresses connected to."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from apps.analyst.approaches.models.reaching import public_address

MOST_BYTES = 8 * 2**20
"""Of one answer: a hundred times what a model may say."""


class Public(httpx2.AsyncHTTPTransport):
    """Connects to public addresses alone."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        host = request.url.host
        found = await asyncio.get_running_loop().run_in_executor(None, public_address, host)
        request.extensions = {**request.extensions, "sni_hostname": host}
        request.url = request.url.copy_with(host=found)  # the header Host keeps the name
        return await super().handle_async_request(request)


class _Counted(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        taken = 0
        async for chunk in self._stream:
            taken += len(chunk)
            if taken > MOST_BYTES:
                raise httpx2.ReadError("an answer without an end")
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _unpacked(request: httpx2.Request) -> None:
    request.headers["Accept-Encoding"] = "identity"


async def _counted(answer: httpx2.Response) -> None:
    """Takes so many bytes of an answer and no more, and none that unpack to others."""
    if answer.headers.get("Content-Encoding", "identity") != "identity":
        raise httpx2.RemoteProtocolError("a packed answer", request=answer.request)
    assert isinstance(answer.stream, httpx2.AsyncByteStream)
    answer.stream = _Counted(answer.stream)


def public_client() -> httpx2.AsyncClient:
    """A client for addresses that somebody named."""
    return httpx2.AsyncClient(transport=Public(), event_hooks=_hooks(), follow_redirects=False, trust_env=False)


def bounded_client() -> httpx2.AsyncClient:
    """The same where those of the own network may be named; it goes through the installation's proxy, if it has one."""
    return httpx2.AsyncClient(event_hooks=_hooks(), follow_redirects=False)


def _hooks() -> dict[str, list[Any]]:
    """The bounds, whichever way an answer takes: a transport of one's own would pass a proxy by."""
    return {"request": [_unpacked], "response": [_counted]}
