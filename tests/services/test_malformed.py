"""Bodies and parameters that nobody meant, on every route of the API: each is refused in words, and nothing falls over.

schemathesis makes them from the OpenAPI schema, right ones and wrong ones; beside them stand those that a schema does
not think of. MALFORMED_EXAMPLES=5000 tries so many for each route; MALFORMED_PART=1/2 takes every second route,
so that several runs share them.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

import pytest
import schemathesis
import yaml
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis import GenerationMode

from tests.cast import PASSWORD
from tests.live import ROOT
from tests.services.deployment import Deployment

pytestmark = pytest.mark.services

EXAMPLES = int(os.environ.get("MALFORMED_EXAMPLES", "2"))
PART, PARTS = map(int, os.environ.get("MALFORMED_PART", "1/1").split("/"))
BOUNDARY = "a-boundary-of-our-own"
DEEP = 50_000
WRONG: list[Any] = [None, True, -1, 1e308, 10**40, "", "\u0000", "\ud800", "x" * 20_000, [], [[]], {}, {"a": {"b": []}}]
SIGN_IN = [
    f"/_allauth/app/v1/{path}"
    for path in (
        "auth/login", "auth/new-password", "auth/password/request", "auth/password/reset", "account/password/change"
    )
]  # fmt: skip


@pytest.fixture(scope="module")
def operations(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Every route and method of the OpenAPI schema, or those of this part of it."""
    path = tmp_path_factory.mktemp("schema") / "openapi.yaml"
    subprocess.run(
        [sys.executable, "manage.py", "spectacular", "--file", str(path), "--settings", "config.settings.schema"],
        cwd=ROOT, check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    schema = schemathesis.openapi.from_dict(yaml.safe_load(path.read_text()))
    return [found.ok() for found in schema.get_all_operations()][PART - 1 :: PARTS]


class Caller:
    """An admin of an organization of its own, whose calls are written down where they are answered with 5xx."""

    def __init__(self, deployment: Deployment) -> None:
        name = f"stranger{deployment.port}"
        subprocess.run(
            [sys.executable, "-m", "tests.services.stranger", name],
            cwd=ROOT, env=deployment._environment(), check=True,
        )  # fmt: skip
        self.line = http.client.HTTPConnection("127.0.0.1", deployment.port, timeout=120)
        self.headers = {"Authorization": f"Bearer {deployment.sign_in(name, PASSWORD)}"}
        self.calls = 0
        self.fallen: list[str] = []

    def call(self, method: str, path: str, body: bytes | None, kind: str | None) -> None:
        headers = {**self.headers, **({"Content-Type": kind} if kind else {})}
        self.line.request(method, path, body, headers)
        answer = self.line.getresponse()
        answer.read()
        self.calls += 1
        if answer.status >= 500:
            self.fallen.append(f"{answer.status} {method} {path[:200]} {(body or b'')[:300]!r}")


@pytest.fixture
def caller(deployment: Deployment) -> Caller:
    return Caller(deployment)


def encoded(body: Any, kind: str | None) -> tuple[bytes | None, str | None]:
    """The body as that kind of content, and how it calls itself."""
    if not isinstance(body, dict | list | str | int | float | bool | None):  # schemathesis' word for none at all
        return None, None
    if kind == "multipart/form-data" and isinstance(body, dict):
        parts = [
            f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"{_filename(value)}\r\n\r\n'.encode(
                "utf-8", "surrogatepass"
            )
            + _bytes(value)
            + b"\r\n"
            for name, value in body.items()
        ]
        return b"".join(parts) + f"--{BOUNDARY}--\r\n".encode(), f"{kind}; boundary={BOUNDARY}"
    if kind == "application/x-www-form-urlencoded" and isinstance(body, dict):
        return urlencode({name: _bytes(value) for name, value in body.items()}).encode(), kind
    return json.dumps(body, default=str).encode(), "application/json"


def _filename(value: Any) -> str:
    return '; filename="a.csv"' if hasattr(value, "data") else ""


def _bytes(value: Any) -> bytes:
    if hasattr(value, "data"):
        return bytes(value.data)
    return (value if isinstance(value, str) else json.dumps(value, default=str)).encode("utf-8", "surrogatepass")


def beside(operation: Any) -> Iterator[tuple[bytes, str]]:
    """Bodies that a schema does not think of: broken, deep, of wrong types, with a key too few."""
    yield from ((content, "application/json") for content in (b"{", b"\xff\xfe", b"nul", b"NaN", b'{"a":1e999}', b"[]"))
    yield b"[" * DEEP + b"]" * DEEP, "application/json"
    yield b'{"prompt":' * DEEP + b"1" + b"}" * DEEP, "application/json"
    yield b"--nothing", f"multipart/form-data; boundary={BOUNDARY}"
    yield b"a=%00&b=%ff", "application/x-www-form-urlencoded"
    keys = _keys(operation) if operation is not None else []
    for key in keys:
        for wrong in WRONG:
            yield json.dumps({**dict.fromkeys(keys, "x"), key: wrong}).encode(), "application/json"
        yield json.dumps({other: "x" for other in keys if other != key}).encode(), "application/json"


def _of_fields() -> Iterator[bytes]:
    """Wrong values for what the sign-in routes take; they are allauth's, and in no schema of ours."""
    for field in ("username", "email", "password", "new_password", "key", "sessions"):
        for wrong in (*WRONG, [10**40]):
            yield json.dumps({"username": "x", "password": "x", field: wrong}).encode()
    yield b'{"username":' + b"9" * 5_000 + b"}"


def _keys(operation: Any) -> list[str]:
    """The names of the body's fields."""
    found: set[str] = set()

    def look(part: Any) -> None:
        if isinstance(part, dict):
            found.update(part.get("properties", {}))
            for inner in (*part.get("oneOf", ()), *part.get("anyOf", ()), *part.get("allOf", ())):
                look(inner)

    for body in operation.body:
        look(body.optimized_schema)
    return sorted(found)


def test_whatever_is_sent_to_a_route_is_answered_by_the_same_processes(
    deployment: Deployment, operations: list[Any], caller: Caller
) -> None:
    assert deployment.process is not None
    assert deployment.worker is not None
    for operation in operations:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):

            @settings(
                max_examples=-(-EXAMPLES // 2), database=None, deadline=None, derandomize=True,
                phases=[Phase.generate], suppress_health_check=list(HealthCheck),
            )  # fmt: skip
            @given(case=operation.as_strategy(generation_mode=mode))
            def send(case: Any) -> None:
                query = urlencode(case.query or {}, errors="surrogatepass", doseq=True)
                body, kind = encoded(case.body, case.media_type)
                path = case.formatted_path + (f"?{query}" if query else "")
                caller.call(case.method, path, body, kind)

            send()
        if operation.body:
            for body, kind in beside(operation):
                caller.call(operation.method.upper(), operation.path.replace("{run_id}", "x"), body, kind)
    for path in SIGN_IN:
        for body in (*(content for content, kind in beside(None) if kind == "application/json"), *_of_fields()):
            caller.call("POST", path, body, "application/json")
    print(f"{caller.calls} calls")
    assert caller.fallen == []
    assert (deployment.process.poll(), deployment.worker.poll()) == (None, None)
    assert deployment.call("GET", "/healthz")["status"] == "ok"
