"""Where a member is signed in: seen, and ended one by one or all at once, through allauth's sessions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zipfile import ZipFile

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIClient

from apps.accounts.flows.tokens import _signer, session_key
from apps.accounts.services import upkeep
from apps.accounts.sessions import session_alive
from apps.core.backup import backup_write
from tests.apps.accounts.test_signing_in import bearer
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


def hours_later(monkeypatch, hours: float) -> None:
    """The same clock as before, so much later."""
    now = timezone.now() + timedelta(hours=hours)
    monkeypatch.setattr(timezone, "now", lambda: now)


def test_a_session_that_is_not_used_for_twelve_hours_is_over(cast, monkeypatch):
    client = client_of(cast.ana)
    hours_later(monkeypatch, 12.1)
    assert client.get("/api/v3/me").status_code == 401


def test_one_in_use_lasts_seven_days_and_no_longer(cast, monkeypatch):
    client, last = client_of(cast.ana), 0.0
    real = timezone.now
    for hours in range(11, 7 * 24, 11):
        monkeypatch.setattr(timezone, "now", real)
        hours_later(monkeypatch, hours)
        assert client.get("/api/v3/me").status_code == 200, hours
        last = hours
    assert last > 7 * 24 - 12
    monkeypatch.setattr(timezone, "now", real)
    hours_later(monkeypatch, 7 * 24 + 0.1)
    assert client.get("/api/v3/me").status_code == 401


def test_an_open_socket_is_no_use_of_the_session(cast, monkeypatch):
    key = session_key(sign_in("ana"))
    assert key
    for hours in (5, 6):
        hours_later(monkeypatch, hours)
        assert session_alive(key)
    hours_later(monkeypatch, 2)
    assert session_alive(key) is None


def test_a_session_in_use_is_written_to_once_in_some_minutes_only(cast, django_assert_num_queries, monkeypatch):
    client = client_of(cast.ana)
    with django_assert_num_queries(2):
        client.get("/api/v3/me")
    hours_later(monkeypatch, 1)
    with django_assert_num_queries(3):
        client.get("/api/v3/me")
    with django_assert_num_queries(2):
        client.get("/api/v3/me")


def test_the_admins_cookie_is_over_after_twelve_hours_too(cast, monkeypatch):
    client = Client()
    client.post("/admin/login/", {"username": "ada", "password": PASSWORD})
    real = timezone.now
    for hours in (11, 22):
        hours_later(monkeypatch, hours)
        assert client.get("/admin/").status_code == 200
        monkeypatch.setattr(timezone, "now", real)
    hours_later(monkeypatch, 34.1)
    assert client.get("/admin/").status_code == 302


def test_what_is_over_is_removed_from_the_database(cast, monkeypatch):
    sign_in("ana")
    hours_later(monkeypatch, 24)
    upkeep.tick()
    assert not Session.objects.exists()


def opens_the_administration(secret: str) -> bool:
    client = Client()
    client.cookies["sessionid"] = secret
    return client.get("/admin/").status_code == 200


def test_nothing_that_is_stored_about_a_session_opens_anything(cast):
    token = sign_in("ada")
    enter = Client()
    enter.post("/admin/login/", {"username": "ada", "password": PASSWORD})
    stored = set(Session.objects.values_list("session_key", flat=True))
    stored |= set(UserSession.objects.values_list("session_key", flat=True))
    assert len(stored) == 2
    carried = {token.rsplit(":", 1)[0], enter.cookies["sessionid"].value}
    assert not stored & carried
    for key in stored:
        assert not opens_the_administration(key)
        assert bearer(key).get("/api/v3/me").status_code == 401


def test_a_token_of_the_api_opens_no_administration_whichever_part_of_it(cast):
    token = sign_in("ada")
    assert bearer(token).get("/api/v3/me").status_code == 200
    for part in (token, *token.split(":"), session_key(token)):
        assert not opens_the_administration(part)


def test_a_cookie_of_the_administration_opens_no_api(cast):
    enter = Client()
    enter.post("/admin/login/", {"username": "ada", "password": PASSWORD})
    secret = enter.cookies["sessionid"].value
    assert opens_the_administration(secret)
    assert bearer(secret).get("/api/v3/me").status_code == 401
    assert bearer(_signer.sign(secret)).get("/api/v3/me").status_code == 401


def test_a_sign_in_gets_a_secret_of_its_own_whatever_cookie_it_comes_with(cast):
    enter = Client()
    enter.cookies["sessionid"] = "chosen-by-somebody-else-beforehand"
    enter.post("/admin/login/", {"username": "ada", "password": PASSWORD})
    assert enter.cookies["sessionid"].value != "chosen-by-somebody-else-beforehand"
    assert opens_the_administration(enter.cookies["sessionid"].value)
    assert not opens_the_administration("chosen-by-somebody-else-beforehand")


def test_the_administrations_own_sign_out_ends_its_session(cast):
    enter = Client()
    enter.post("/admin/login/", {"username": "ada", "password": PASSWORD})
    secret = enter.cookies["sessionid"].value
    enter.post("/admin/logout/")
    assert not opens_the_administration(secret)


def test_a_backup_holds_no_session(cast, tmp_path):
    sign_in("ada")
    manifest = backup_write(tmp_path / "kept.zip")
    assert not {name for name in manifest.rows if "session" in name}
    with ZipFile(tmp_path / "kept.zip") as archive:
        text = b"".join(archive.read(name) for name in archive.namelist())
    assert Session.objects.get().session_key.encode() not in text
