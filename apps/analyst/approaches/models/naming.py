"""Which models a provider offers to a key: asked without its SDK, because only the names are wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2

from apps.analyst.approaches.models.layer import on_the_loop
from apps.analyst.approaches.models.public import bounded_client, public_client
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.errors import ProviderFailed

_HOMES: Mapping[str, str] = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com",
    "google": "https://generativelanguage.googleapis.com",
}
_PATHS: Mapping[str, str] = {"openai": "/models", "anthropic": "/v1/models", "google": "/v1beta/models"}
SECONDS = 10.0
MOST = 200


def offered(spec: ModelSpec, seconds: float = SECONDS) -> list[str]:
    """The names, as the provider orders them, told within so many seconds. Raises ProviderFailed."""
    try:
        listed = on_the_loop(_listed(spec), seconds)
        entries = listed.get("data") or listed.get("models") or []
        names = [
            str(name).removeprefix("models/") for entry in entries if (name := entry.get("id") or entry.get("name"))
        ]
    except (httpx2.HTTPError, TimeoutError, ValueError, AttributeError, TypeError, RecursionError) as error:
        raise ProviderFailed("The provider did not list its models. Type the name.") from error
    return names[:MOST]


async def _listed(spec: ModelSpec) -> Any:
    base = httpx2.URL(spec.base_url or _HOMES[spec.provider])
    address = base.copy_with(path=base.path.rstrip("/") + _PATHS[spec.provider])
    async with public_client() if spec.public_only else bounded_client() as client:
        answer = await client.get(address, headers=_headers(spec), timeout=SECONDS)
    answer.raise_for_status()
    return answer.json()


def _headers(spec: ModelSpec) -> dict[str, str]:
    if spec.provider == "anthropic":
        return {"x-api-key": spec.api_key, "anthropic-version": "2023-06-01"}
    if spec.provider == "google":
        return {"x-goog-api-key": spec.api_key}
    return {"Authorization": f"Bearer {spec.api_key}"}
