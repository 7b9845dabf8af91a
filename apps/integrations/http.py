"""Calls to services: base addresses from settings only, no redirects, bounded times and sizes, nothing secret in a log.

Says what happened on the wire; what an answer means is decided by each service's client.
"""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.conf import settings

from apps.integrations.connector import ConnectorError
from apps.integrations.limits import CONNECT_SECONDS, MAX_ANSWER_BYTES

if TYPE_CHECKING:
    import urllib3

logger = logging.getLogger("apps.integrations.http")
_CHUNK = 256 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """What a service answered: the status, its headers (names in lower case) and the JSON, None where there is none."""

    status: int
    headers: Mapping[str, str]
    json: Any

    def retry_after(self) -> float | None:
        """The seconds of a Retry-After header; None where it is missing or a date."""
        try:
            return max(0.0, float(self.headers.get("retry-after", "")))
        except ValueError:
            return None


def call(
    service: str,
    method: str,
    base: str,
    path: str,
    *,
    query: Mapping[str, Any] | None = None,
    body: Any = None,
    form: Mapping[str, str] | None = None,
    content: bytes | None = None,
    content_type: str = "application/octet-stream",
    headers: Mapping[str, str] | None = None,
    secret_path: bool = False,
) -> Answer:
    """One request. Raises ConnectorError (never permanent) where no whole answer came.

    Args:
        service: As people call it, for messages.
        base: The service's address, from settings.
        query: Parameters; a list repeats its name.
        body: Sent as JSON; `form` is sent as a form instead, `content` as it is.
        secret_path: The path itself opens something: it stays out of the log.
    """
    sent = {"Accept": "application/json", **(headers or {})}
    data: bytes | None = None
    if form is not None:
        data, sent["Content-Type"] = urlencode(form).encode(), "application/x-www-form-urlencoded"
    elif body is not None:
        data, sent["Content-Type"] = json.dumps(body).encode(), "application/json"
    elif content is not None:
        data, sent["Content-Type"] = content, content_type
    address = base.rstrip("/") + path + (f"?{urlencode(query, doseq=True)}" if query else "")
    begun = time.monotonic()
    status, received, answered = _exchange(service, method, address, sent, data)
    shown = "a secret path" if secret_path else path
    logger.info("%s %s %s: %s in %.2f s", service, method, shown, status, time.monotonic() - begun)
    if received.get("content-type", "").startswith("text/plain"):
        return Answer(status, received, None)
    return Answer(status, received, _parsed(service, status, answered))


def _exchange(
    service: str, method: str, address: str, headers: Mapping[str, str], data: bytes | None
) -> tuple[int, dict[str, str], bytes]:
    from urllib3 import Timeout
    from urllib3.exceptions import HTTPError

    deadline = time.monotonic() + settings.INTEGRATIONS_TIMEOUT
    timeout = Timeout(connect=CONNECT_SECONDS, read=settings.INTEGRATIONS_TIMEOUT)
    try:
        answer = _pool().request(
            method,
            address,
            headers=dict(headers),
            body=data,
            timeout=timeout,
            redirect=False,
            retries=False,
            preload_content=False,
        )
        content = _whole(service, answer, deadline)
    except HTTPError as error:
        # Only the kind of the failure: the error's own text holds the address, and with it what was asked.
        logger.warning("%s cannot be reached: %s", service, type(error).__name__)
        raise ConnectorError(
            f"{service} cannot be reached at the moment.", permanent=False, code="unreachable"
        ) from None
    return answer.status, {name.lower(): value for name, value in answer.headers.items()}, content


def _whole(service: str, answer: urllib3.BaseHTTPResponse, deadline: float) -> bytes:
    content = bytearray()
    for chunk in answer.stream(_CHUNK):
        content += chunk
        if len(content) > MAX_ANSWER_BYTES or time.monotonic() > deadline:
            answer.close()
            raise ConnectorError(f"{service} answered too much or too slowly.", permanent=False, code="unreadable")
    answer.release_conn()
    return bytes(content)


def _parsed(service: str, status: int, content: bytes) -> Any:
    if not content.strip():
        return None
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        if status >= 400:
            return None
        raise ConnectorError(
            f"{service} sent an answer that cannot be read.", permanent=False, code="unreadable"
        ) from None


@lru_cache(maxsize=1)
def _pool() -> urllib3.PoolManager:
    import urllib3

    return urllib3.PoolManager(num_pools=8, maxsize=8, retries=False)
