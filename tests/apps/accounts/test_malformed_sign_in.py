"""Bodies that nobody meant, on every sign-in route: each is refused in words, and nothing falls over."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from apps.accounts.flows.urls import urlpatterns
from tests.cast import sign_in

ROUTES = [f"/_allauth/app/v1/{pattern.pattern}" for pattern in urlpatterns]
DEEP = 50_000
BROKEN = [
    b"{", b"\xff\xfe", b"nul", b"NaN", b'{"a":1e999}', b"[]", b"1", b'"x"', b"[" * DEEP + b"]" * DEEP,
    b'{"username":' * DEEP + b"1" + b"}" * DEEP, b'{"username":' + b"9" * 5_000 + b"}", b'{"a":-' + b"9" * 5_000 + b"}",
    *(b'{"username":' + b"[" * deep + b"]" * deep + b"}" for deep in (150, 400, 700, 900, 950)),
    b'{"username":"' + b"9" * 200_000 + b'","password":"x"}', b'{"email":"' + b"9" * 200_000 + b'","password":"x"}',
    b'{"username":"\\ud800","password":"x"}', b'{"\\udfff":1}', b'{"email":["\\ud800"]}', b"\x00", b"a=%00&b=%ff",
]  # fmt: skip
FIELDS = ("username", "email", "password", "new_password", "current_password", "key", "sessions")
WRONG: list[Any] = [
    None, True, -1, 1e308, 10**40, "", "\u0000", "x" * 20_000, [], [[]], {}, {"a": {"b": []}}, ["x"],
    [{}], [None], [10**40],
]  # fmt: skip


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("signed", [False, True])
def test_no_body_makes_a_sign_in_route_fall_over(cast, route, signed):
    headers = {"Authorization": f"Bearer {sign_in('ana')}"} if signed and "session" not in route else {}
    bodies = [*BROKEN, *(json.dumps({**dict.fromkeys(FIELDS, "x"), f: w}).encode() for f in FIELDS for w in WRONG)]
    client = Client(raise_request_exception=False)
    fallen = []
    for body in bodies:
        for method in ("post", "delete"):
            answer = getattr(client, method)(route, body, content_type="application/json", headers=headers)
            if answer.status_code >= 500:
                fallen.append((method, body[:80], answer.status_code))
    assert fallen == []


def test_what_is_no_json_is_told_as_allauth_tells_it(cast):
    answer = Client().post(ROUTES[0], b"{", content_type="application/json")
    assert (answer.status_code, answer.json()["status"], answer.json()["errors"][0]["code"]) == (400, 400, "invalid")


@pytest.mark.parametrize("path", ["/api/v3/me", "/api/v3/ask", "/_allauth/app/v1/auth/login", "/admin/login/"])
def test_a_locked_database_is_told_with_503_and_when_to_come_again(cast, path, monkeypatch):
    token = sign_in("ana")

    def locked(*_: Any, **__: Any) -> Any:
        raise OperationalError("database is locked")

    monkeypatch.setattr("apps.accounts.sessions.SessionStore", locked)
    monkeypatch.setattr("apps.accounts.flows.guesses.account_named", locked)
    client = Client(raise_request_exception=False)
    body = {"username": "ada", "password": "x"}
    headers = {"Authorization": f"Bearer {token}"}
    if path.startswith("/admin"):
        answer = client.post(path, body)
    elif path.endswith("me"):
        answer = client.get(path, headers=headers)
    else:
        answer = client.post(path, json.dumps(body), content_type="application/json", headers=headers)
    assert (answer.status_code, answer["Retry-After"]) == (503, "5")
    assert "try again" in answer.content.decode()


def test_a_name_longer_than_any_is_a_wrong_one_at_both_doors(cast):
    name = {"username": "x" * 60_000, "password": "x"}
    wrong = Client().post(ROUTES[0], {**name, "username": "nobody"}, content_type="application/json")
    told = Client().post(ROUTES[0], name, content_type="application/json")
    assert (told.status_code, told.json()) == (wrong.status_code, wrong.json())
    assert "check your login credentials" in Client().post("/admin/login/", name).content.decode()
