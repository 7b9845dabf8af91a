"""Walking through a stand-in's consent page as a browser does."""

from __future__ import annotations

import html
import re
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from rest_framework.test import APIClient

_FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any) -> None:
        return None


def allow(address: str, **more: str) -> dict[str, str]:
    """Presses Allow on the consent page at the address: what comes back to the callback, code and state among it."""
    opener = urllib.request.build_opener(_Stay)
    page = opener.open(address, timeout=10).read().decode()
    fields = {html.unescape(name): html.unescape(value) for name, value in _FIELD.findall(page)}
    place = urlsplit(address)
    try:
        opener.open(f"{place.scheme}://{place.netloc}/consent/allow?{urlencode({**fields, **more})}", timeout=10)
    except urllib.error.HTTPError as redirect:
        return dict(parse_qsl(urlsplit(redirect.headers["location"]).query))
    raise AssertionError("the consent page leads nowhere")


def start(client: APIClient, service: str) -> str:
    """The consent page's address, as the product gives it."""
    body = {"service": service, "redirect_uri": f"http://testserver/{service}-callback"}
    answer = client.post("/api/v3/connections", body, format="json")
    assert answer.status_code == 201, answer.content
    return str(answer.json()["authorize_url"])
