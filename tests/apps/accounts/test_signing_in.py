"""Signing in through allauth's headless API with a bearer token, and every way a token stops being good."""

from __future__ import annotations

import time

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import Role, User
from apps.accounts.services.members import member_set_role
from tests.cast import PASSWORD, client_of, sign_in

LOGIN = "/_allauth/app/v1/auth/login"
SESSION = "/_allauth/app/v1/auth/session"
NEW_PASSWORD = "/_allauth/app/v1/auth/new-password"


def bearer(token: str) -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {token}")
    return client


def post(path: str, body: dict[str, str], token: str | None = None):
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Client().post(path, body, content_type="application/json", headers=headers)


def test_a_member_signs_in_with_user_name_and_is_told_who_they_are(cast):
    answer = client_of(cast.ana).get("/api/v3/me")
    assert answer.status_code == 200
    assert answer.json() == {
        "username": "ana",
        "name": "Ana",
        "email": "ana@example.com",
        "role": "basic",
        "organization": "Acme",
        "may": ["edit_context"],
    }


def test_an_e_mail_address_signs_in_as_well_as_the_user_name(cast):
    answer = post(LOGIN, {"email": "ana@example.com", "password": PASSWORD})
    assert answer.status_code == 200
    assert answer.json()["data"]["user"]["username"] == "ana"


def test_no_cookie_is_ever_set_by_signing_in(cast):
    answer = post(LOGIN, {"username": "ana", "password": PASSWORD})
    assert not answer.cookies


@pytest.mark.parametrize("username", ["ana", "nobody"])
def test_a_wrong_password_and_an_unknown_user_answer_alike(cast, username):
    answer = post(LOGIN, {"username": username, "password": "Wrong-password-1"})
    assert answer.status_code == 400
    assert [error["code"] for error in answer.json()["errors"]] == ["username_password_mismatch"]


def test_without_a_token_or_with_a_made_up_one_the_api_answers_401(cast):
    assert APIClient().get("/api/v3/me").status_code == 401
    for token in ("nonsense", "a:b", f"{sign_in('ana')}x"):
        answer = bearer(token).get("/api/v3/me")
        assert answer.status_code == 401
        assert answer.json()["error"]["code"] == "signed_out"


def test_the_stored_session_key_alone_opens_nothing(cast):
    sign_in("ana")
    assert bearer(Session.objects.get().session_key).get("/api/v3/me").status_code == 401


def test_signing_out_ends_the_token_at_once(cast):
    token = sign_in("ana")
    assert bearer(token).delete(SESSION).status_code == 401
    assert bearer(token).get("/api/v3/me").status_code == 401


def test_signing_out_with_allauths_own_header_ends_the_token_too(cast):
    token = sign_in("ana")
    assert Client().delete(SESSION, headers={"X-Session-Token": token}).status_code == 401
    assert bearer(token).get("/api/v3/me").status_code == 401


def test_allauths_own_header_opens_nothing_of_the_api(cast):
    assert Client().get("/api/v3/me", headers={"X-Session-Token": sign_in("ana")}).status_code == 401


def test_a_deactivated_member_is_out_with_the_next_call(cast):
    client = client_of(cast.ana)
    User.objects.filter(pk=cast.ana.pk).update(is_active=False)
    assert client.get("/api/v3/me").status_code == 401


def test_a_changed_password_ends_the_other_sessions(cast):
    client = client_of(cast.ana)
    cast.ana.set_password("Another-horse-8")
    cast.ana.save()
    assert client.get("/api/v3/me").status_code == 401


def test_an_expired_session_is_over(cast):
    client = client_of(cast.ana)
    Session.objects.update(expire_date="2020-01-01T00:00:00Z")
    assert client.get("/api/v3/me").status_code == 401


def test_a_temporary_password_opens_only_the_choice_of_an_own_one(cast):
    User.objects.filter(pk=cast.ana.pk).update(must_change_password=True)
    answer = post(LOGIN, {"username": "ana", "password": PASSWORD})
    assert answer.status_code == 401
    assert {"id": "new_password_required", "is_pending": True} in answer.json()["data"]["flows"]
    pending = answer.json()["meta"]["session_token"]
    assert bearer(pending).get("/api/v3/me").status_code == 401

    assert post(NEW_PASSWORD, {"new_password": "short"}, pending).status_code == 400
    assert post(NEW_PASSWORD, {"new_password": PASSWORD}, pending).status_code == 400
    done = post(NEW_PASSWORD, {"new_password": "My-own-word-7"}, pending)
    assert done.status_code == 200
    assert bearer(done.json()["meta"]["session_token"]).get("/api/v3/me").status_code == 200
    assert bearer(pending).get("/api/v3/me").status_code == 401
    assert post(LOGIN, {"username": "ana", "password": "My-own-word-7"}).status_code == 200


def test_the_new_password_step_is_refused_without_a_pending_sign_in(cast):
    assert post(NEW_PASSWORD, {"new_password": "My-own-word-7"}).status_code == 401
    assert post(NEW_PASSWORD, {"new_password": "My-own-word-7"}, sign_in("ana")).status_code == 401


def test_nobody_signs_up_alone_or_adds_an_address(cast):
    token = sign_in("ana")
    body = {"username": "eve", "email": "eve@example.com", "password": PASSWORD}
    for path in ("auth/signup", "auth/email/verify", "account/email", "account/phone", "auth/code/confirm"):
        assert post(f"/_allauth/app/v1/{path}", body).status_code == 404
        assert post(f"/_allauth/app/v1/{path}", body, token).status_code == 404
    assert not User.objects.filter(username="eve").exists()


def test_a_sixth_wrong_guess_no_longer_reaches_the_password(cast):
    for _ in range(5):
        post(LOGIN, {"username": "ana", "password": "Wrong-password-1"})
    answer = post(LOGIN, {"username": "ana", "password": PASSWORD})
    assert answer.status_code == 400
    assert answer.json()["errors"][0]["code"] == "too_many_login_attempts"


@pytest.mark.parametrize(("seconds", "status"), [(175, 200), (181, 401)])
def test_the_pending_choice_of_a_password_lives_three_minutes(cast, monkeypatch, seconds, status):
    User.objects.filter(pk=cast.ana.pk).update(must_change_password=True)
    pending = post(LOGIN, {"username": "ana", "password": PASSWORD}).json()["meta"]["session_token"]
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + seconds)
    assert post(NEW_PASSWORD, {"new_password": "My-own-word-7"}, pending).status_code == status


def test_a_new_role_holds_from_the_next_call_on(cast):
    client = client_of(cast.ana)
    assert client.post("/api/v3/invitations", {"email": "x@example.com"}, format="json").status_code == 403
    member_set_role(actor=cast.ada, user=cast.ana, role=Role.ADMIN)
    assert "manage_members" in client.get("/api/v3/me").json()["may"]
    assert client.post("/api/v3/invitations", {"email": "x@example.com"}, format="json").status_code == 201
    member_set_role(actor=cast.ada, user=cast.ana, role=Role.BASIC)
    assert client.post("/api/v3/invitations", {"email": "y@example.com"}, format="json").status_code == 403
