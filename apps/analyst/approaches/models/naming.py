"""Which models a provider offers to a key: asked without its SDK, because only the names are wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2

from apps.analyst.approaches.models.reaching import public_address
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


def offered(spec: ModelSpec) -> list[str]:
    """The names, as the provider orders them. Raises ProviderFailed."""
    base = httpx2.URL(spec.base_url or _HOMES[spec.provider])
    headers = _headers(spec)
    extensions: dict[str, Any] = {}
    if spec.public_only:
        headers["Host"] = base.netloc.decode()
        extensions["sni_hostname"] = base.host
        base = base.copy_with(host=public_address(base.host))
    address = base.copy_with(path=base.path.rstrip("/") + _PATHS[spec.provider])
    try:
        with httpx2.Client(timeout=SECONDS, follow_redirects=False, trust_env=not spec.public_only) as client:
            answer = client.get(address, headers=headers, extensions=extensions)
            answer.raise_for_status()
            listed = answer.json()
        entries = listed.get("data") or listed.get("models") or []
        names = [str(entry.get("id") or entry.get("name")).removeprefix("models/") for entry in entries]
    except (httpx2.HTTPError, ValueError, AttributeError) as error:
        raise ProviderFailed("The provider did not list its models. Type the name.") from error
    return names[:MOST]


def _headers(spec: ModelSpec) -> dict[str, str]:
    if spec.provider == "anthropic":
        return {"x-api-key": spec.api_key, "anthropic-version": "2023-06-01"}
    if spec.provider == "google":
        return {"x-goog-api-key": spec.api_key}
    return {"Authorization": f"Bearer {spec.api_key}"}
