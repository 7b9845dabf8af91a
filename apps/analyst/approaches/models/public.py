"""A client that connects to public addresses alone, and follows no redirect."""

from __future__ import annotations

import asyncio

import httpx2

from apps.analyst.approaches.models.reaching import public_address


class Public(httpx2.AsyncHTTPTransport):
    """Connects to public addresses alone."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        host = request.url.host
        found = await asyncio.get_running_loop().run_in_executor(None, public_address, host)
        request.extensions = {**request.extensions, "sni_hostname": host}
        request.url = request.url.copy_with(host=found)  # the header Host keeps the name
        return await super().handle_async_request(request)


def public_client() -> httpx2.AsyncClient:
    """A client for addresses that somebody named."""
    return httpx2.AsyncClient(transport=Public(), follow_redirects=False, trust_env=False)
