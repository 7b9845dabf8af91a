"""Failures reach an error service that speaks Sentry's protocol, without anything of the people or data concerned."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.live import ROOT

pytestmark = pytest.mark.services

FAILING = """
import django; django.setup()
from django.conf import settings
from django.test import Client
from django.urls import path
import config.urls

def broken(request, name):
    raise ValueError("-".join(("a", "cell", "value")))

config.urls.urlpatterns.insert(0, path("broken/<str:name>", broken))
client = Client(raise_request_exception=False, SERVER_NAME="localhost")
bearer = {"Authorization": "Bearer a-token"}
answer = client.post("/broken/a-file-name?code=a-query", {"prompt": "a-prompt"}, headers=bearer)
assert answer.status_code == 500, answer.status_code
import sentry_sdk; sentry_sdk.flush(10)
"""


@pytest.fixture
def service() -> Iterator[tuple[str, list[str]]]:
    """An error service on loopback: its DSN, and what it was sent."""
    received: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            received.append(
                (gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body).decode()
            )
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://key@127.0.0.1:{server.server_port}/1", received
    server.shutdown()


def test_a_failing_view_is_reported_without_its_values(service: tuple[str, list[str]], tmp_path: Path) -> None:
    dsn, received = service
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings.production",
        "SECRET_KEY": "a-deployment-of-the-tests-" + "0123456789" * 5,
        "ALLOWED_HOSTS": "localhost",
        "SECURE_SSL_REDIRECT": "false",
        "DATA_DIR": str(tmp_path),
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "SENTRY_DSN": dsn,
    }
    ended = subprocess.run([sys.executable, "-c", FAILING], cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr[-3000:]
    reports = [json.loads(line) for body in received for line in body.splitlines() if '"exception"' in line]
    assert [report["exception"]["values"][-1]["type"] for report in reports] == ["ValueError"]
    for part in ("a-cell-value", "a-file-name", "a-query", "a-prompt", "a-token"):
        assert part not in "".join(received), part
