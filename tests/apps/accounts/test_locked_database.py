"""While another connection holds SQLite, whoever writes is told to come again; what is no lock is not called one."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection
from django.test import Client

from tests.cast import PASSWORD, sign_in

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite locks everything"),
]
LOGIN = "/_allauth/app/v1/auth/login"
PATIENCE_MS = 700


@pytest.fixture
def locked() -> Iterator[sqlite3.Connection]:
    """Another connection in the middle of a write, for which nobody waits long."""
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
    path = connection.settings_dict["NAME"]
    other = sqlite3.connect(path, uri=str(path).startswith("file:"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {usual}")


def test_a_right_password_is_told_to_come_again_and_opens_the_account_afterwards(cast, locked):
    client, body = Client(raise_request_exception=False), json.dumps({"username": "ana", "password": PASSWORD})
    began = time.monotonic()
    answer = client.post(LOGIN, body, content_type="application/json")
    took = time.monotonic() - began
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")
    assert "busy" in answer.json()["errors"][0]["message"]
    assert took < 2 * PATIENCE_MS / 1000, "it was waited twice"
    locked.execute("ROLLBACK")
    assert sign_in("ana")


def test_so_it_is_at_the_door_of_the_administration(cast, locked):
    answer = Client(raise_request_exception=False).post("/admin/login/", {"username": "ada", "password": PASSWORD})
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "5")


def test_what_is_no_lock_is_an_error_with_its_trace_in_the_log(cast, monkeypatch, caplog):
    def unmigrated(*_: object, **__: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT no_such_column FROM accounts_user")

    token = sign_in("ana")
    monkeypatch.setattr("apps.accounts.sessions.SessionStore", unmigrated)
    client = Client(raise_request_exception=False)
    answer = client.get("/api/v3/me", headers={"Authorization": f"Bearer {token}"})
    assert answer.status_code == 500
    assert "busy" not in answer.content.decode()
    told = [record.exc_info for record in caplog.records if record.exc_info]
    assert any(info[0] is OperationalError for info in told)
