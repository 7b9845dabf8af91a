"""Bodies and parameters that nobody meant, on every route of the API: each is refused in words, and nothing falls over.

schemathesis makes them from the OpenAPI schema, right ones and wrong ones; beside them stand those that a schema does
not think of. All else in these is right: the caller's organization has a table, and an answer over it, so that what
comes behind the first look at a body is reached too. MALFORMED_EXAMPLES=5000 tries so many for each route;
MALFORMED_PART=1/2 takes every second route, so that several runs share them.
"""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
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
TABLE = "orders.csv"
ROWS = "region,amount,ordered\n" + "".join(
    f"{('North', 'South', 'East')[number % 3]},{number * 7 % 50}.5,2026-{number % 12 + 1:02}-{number % 28 + 1:02}\n"
    for number in range(120)
)
RIGHT: dict[str, Any] = {
    "filename": TABLE, "file": TABLE, "files": TABLE, "user_specified_files": [TABLE], "table": "orders",
    "column": "amount", "columns": ["amount"], "text": "total amount by region", "before": "total amount by region",
    "prompt": "total amount by region", "said": {}, "private": False, "is_thumbs_up": True, "kind": "rating",
    "type": "csv", "direction": "asc", "archived": False, "temperature": 1, "models": [], "should_validate": False,
}  # fmt: skip
"""What a body or an address says where something else in it is wrong."""
TEXTS = ("text", "before", "prompt", "said", "search", "chip", "explanation")
READ: list[str] = [
    f"total amount above {'9' * 400}", f"amount > -{'9' * 400} by region", "1e400 amount", "top 99999999999 regions",
    "amount in 99999", "amount in the last 99999999999 years", "orders between 31 February and 0/0/0", "last " * 390,
    "q1 " * 660, "(" * 1_990, "." * 1_990, '"' * 1_990, "total amount " + "\u202e\u200b\ufeff" * 60, "amount 👍 by ★",
    "\u0661\u0662\u0663 amount", "amount / 0", "amount by amount by amount", "not not not", "%s %(x)s {0} \\x00 ' -- ;",
    "region is \u0000", "a\u0301" * 900, "NaN", "Infinity", "-0", "total amount\r\nby region", "\ud800 amount",
]  # fmt: skip
"""Texts that are read over the table."""
WRONG: list[Any] = [None, True, -1, 1e308, 10**40, "", "\u0000", "\ud800", "x" * 20_000, [], [[]], {}, {"a": {"b": []}}]
WRONG_WORDS = ["", "\u0000", "\ud800", "x" * 5_000, "-1", "9" * 400, "1e400", "NaN", "[]", "../../x", "%", "'", "x"]
SIGN_IN = {
    "auth/login": ("username", "email", "password"),
    "auth/new-password": ("new_password",),
    "auth/password/request": ("email",),
    "auth/password/reset": ("key", "password"),
    "account/password/change": ("current_password", "new_password"),
}
"""The routes of signing in with the fields that they take. They are allauth's, and in no schema of ours."""


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
    """An admin of an organization of its own with a table and an answer over it. Calls that are answered with 5xx are
    written down."""

    def __init__(self, deployment: Deployment, table: Path) -> None:
        name = f"stranger{deployment.port}"
        subprocess.run(
            [sys.executable, "-m", "tests.services.stranger", name],
            cwd=ROOT, env=deployment._environment(), check=True,
        )  # fmt: skip
        self.line = http.client.HTTPConnection("127.0.0.1", deployment.port, timeout=120)
        token = deployment.sign_in(name, PASSWORD)
        self.headers = {"Authorization": f"Bearer {token}"}
        deployment.upload(token, table)
        assert deployment.wait_ready(token, table.name)["state"] == "ready"
        self.right = {**RIGHT, **_answered(deployment, token)}
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


def _answered(deployment: Deployment, token: str) -> dict[str, str]:
    """The ids of a question that was answered over the table, of which a preview reads the same."""
    typed = {name: RIGHT[name] for name in ("text", "before", "user_specified_files")}
    assert deployment.call("POST", "/api/v3/question-previews", typed, token=token)["chips"]
    run = deployment.ask(token, RIGHT["prompt"])
    asked = next(message for message in run["messages"] if message["message_id"] == run["user_message_id"])
    answer = asked["children"][0]
    assert answer["answer"]["table"]["rows"]
    message = answer["message_id"]
    return {
        "thread_id": run["thread_id"], "message_id": message, "parent_message_id": message,
        "selected_assistant_message_id": message, "chip": answer["answer"]["read_as"]["chips"][0]["key"],
    }  # fmt: skip


@pytest.fixture
def caller(deployment: Deployment, tmp_path: Path) -> Caller:
    table = tmp_path / TABLE
    table.write_text(ROWS)
    return Caller(deployment, table)


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


def beside(operation: Any, right: Mapping[str, Any]) -> Iterator[tuple[bytes, str]]:
    """Bodies that a schema does not think of: broken, deep, of one wrong value among right ones, with a key too few."""
    yield from ((content, "application/json") for content in (b"{", b"\xff\xfe", b"nul", b"NaN", b'{"a":1e999}', b"[]"))
    yield b"[" * DEEP + b"]" * DEEP, "application/json"
    yield b'{"prompt":' * DEEP + b"1" + b"}" * DEEP, "application/json"
    yield b"--nothing", f"multipart/form-data; boundary={BOUNDARY}"
    yield b"a=%00&b=%ff", "application/x-www-form-urlencoded"
    keys = _keys(operation) if operation is not None else []
    known = {key: right.get(key, "x") for key in keys}
    for key in keys:
        for wrong in [*WRONG, "x", *(READ if key in TEXTS else [])]:
            yield json.dumps({**known, key: wrong}).encode(), "application/json"
        yield json.dumps({other: known[other] for other in keys if other != key}).encode(), "application/json"


def queries(operation: Any, right: Mapping[str, Any]) -> Iterator[str]:
    """What follows an address: all of its parameters right, and each of them wrong among right ones, or missing."""
    names = [parameter.name for parameter in operation.query]
    known = {name: right.get(name, "x") for name in names}
    if operation.method.upper() != "DELETE":
        yield _query(known)
    for name in names:
        for wrong in [*WRONG_WORDS, *(READ if name in TEXTS else [])]:
            yield _query({**known, name: wrong})
        if operation.method.upper() != "DELETE":
            yield _query({other: known[other] for other in names if other != name})


def _query(values: Mapping[str, Any]) -> str:
    return "?" + urlencode(values, errors="surrogatepass", doseq=True) if values else ""


def _of_fields(fields: tuple[str, ...]) -> Iterator[bytes]:
    """Wrong values among right ones, one also for a field that nobody knows."""
    right = dict.fromkeys(fields, "x")
    for field in fields:
        for wrong in (*WRONG, [10**40]):
            yield json.dumps({**right, field: wrong}).encode()
        yield b'{"' + field.encode() + b'":' + b"9" * 5_000 + b"}"
    yield json.dumps({**right, "sessions": [10**40]}).encode()


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
        method, path = operation.method.upper(), operation.path.replace("{run_id}", "x")
        for query in queries(operation, caller.right):
            caller.call(method, path + query, None, None)
        if operation.body:
            right = _query({one.name: caller.right.get(one.name, "x") for one in operation.query})
            for body, kind in beside(operation, caller.right):
                caller.call(method, path + right, body, kind)
    for path, fields in SIGN_IN.items():
        for body in (
            *(content for content, kind in beside(None, {}) if kind == "application/json"),
            *_of_fields(fields),
        ):
            caller.call("POST", f"/_allauth/app/v1/{path}", body, "application/json")
    print(f"{caller.calls} calls")
    assert caller.fallen == []
    assert (deployment.process.poll(), deployment.worker.poll()) == (None, None)
    assert deployment.call("GET", "/healthz")["status"] == "ok"
