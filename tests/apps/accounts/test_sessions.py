"""Where a member is signed in: seen, and ended one by one or all at once, through allauth's sessions."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.cast import PASSWORD, client_of, sign_in

SESSIONS = "/_allauth/app/v1/auth/sessions"


def listed(client: APIClient) -> list[dict[str, Any]]:
    answer = client.get(SESSIONS)
    assert answer.status_code == 200
    return answer.json()["data"]


def test_a_member_sees_the_own_sessions_and_which_is_this(cast):
    client_of(cast.ben)
    laptop, phone = client_of(cast.ana), client_of(cast.ana)
    for client in (laptop, phone):
        rows = listed(client)
        assert len(rows) == 2
        assert [row["ip"] for row in rows] == ["127.0.0.1", "127.0.0.1"]
        assert sum(row["is_current"] for row in rows) == 1


def test_one_is_ended_and_its_token_is_refused_with_the_next_call(cast):
    laptop, phone = client_of(cast.ana), client_of(cast.ana)
    other = next(row["id"] for row in listed(laptop) if not row["is_current"])
    answer = laptop.delete(SESSIONS, {"sessions": [other]}, format="json")
    assert [row["is_current"] for row in answer.json()["data"]] == [True]
    assert phone.get("/api/v3/me").status_code == 401
    assert laptop.get("/api/v3/me").status_code == 200


def test_all_others_are_ended(cast):
    laptop, *others = (client_of(cast.ana) for _ in range(4))
    ids = [row["id"] for row in listed(laptop) if not row["is_current"]]
    laptop.delete(SESSIONS, {"sessions": ids}, format="json")
    assert len(listed(laptop)) == 1
    assert {client.get("/api/v3/me").status_code for client in others} == {401}


def test_ending_the_own_one_signs_out(cast):
    client = client_of(cast.ana)
    own = listed(client)[0]["id"]
    assert client.delete(SESSIONS, {"sessions": [own]}, format="json").status_code in (200, 401)
    assert client.get("/api/v3/me").status_code == 401


@pytest.mark.parametrize("username", ["ben", "gus"])
def test_the_sessions_of_others_can_be_neither_seen_nor_ended(cast, username):
    theirs = client_of(getattr(cast, username))
    client = client_of(cast.ana)
    foreign = listed(theirs)[0]["id"]
    assert foreign not in [row["id"] for row in listed(client)]
    refused = client.delete(SESSIONS, {"sessions": [foreign]}, format="json")
    absent = client.delete(SESSIONS, {"sessions": [987_654]}, format="json")
    assert (refused.status_code, absent.status_code) == (400, 400)
    assert refused.content.replace(str(foreign).encode(), b"") == absent.content.replace(b"987654", b"")
    assert theirs.get("/api/v3/me").status_code == 200


def test_without_a_session_there_is_no_list(db):
    assert Client().get(SESSIONS).status_code == 401


def test_a_changed_password_ends_the_others_and_keeps_the_caller(cast):
    other = client_of(cast.ana)
    token = sign_in("ana")
    answer = Client().post(
        "/_allauth/app/v1/account/password/change",
        {"current_password": PASSWORD, "new_password": "Another-word-9"},
        content_type="application/json",
        headers={"Authorization": f"Bearer {token}"},
    )
    assert answer.status_code == 200
    assert other.get("/api/v3/me").status_code == 401
    kept = APIClient()
    kept.credentials(HTTP_AUTHORIZATION=f"Bearer {answer.json()['meta'].get('session_token', token)}")
    assert kept.get("/api/v3/me").status_code == 200
