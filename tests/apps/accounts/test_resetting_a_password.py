"""Forgot password -> code by e-mail -> new password, on allauth's flow; and what it must not tell."""

from __future__ import annotations

import math
import re
import time

import pytest
from django.core import mail
from django.test import Client
from rest_framework.test import APIClient

from apps.accounts.models import AuditEvent, OutgoingMail, User
from tests.cast import PASSWORD, client_of

REQUEST = "/_allauth/app/v1/auth/password/request"
RESET = "/_allauth/app/v1/auth/password/reset"
NEW = "Brand-new-word-3"


def ask(email: str) -> str:
    answer = Client().post(REQUEST, {"email": email}, content_type="application/json")
    assert answer.status_code == 401
    assert {"id": "password_reset_by_code", "is_pending": True} in answer.json()["data"]["flows"]
    return answer.json()["meta"]["session_token"]


def queued_code() -> str:
    text = OutgoingMail.objects.latest("created_at").text
    return re.search(r"^\s{4}(\S+)$", text, re.M)[1]


def confirm(pending: str, code: str) -> int:
    headers = {"Authorization": f"Bearer {pending}", "X-Password-Reset-Key": code}
    return Client().get(RESET, headers=headers).status_code


def reset(pending: str, code: str, password: str = NEW) -> int:
    headers = {"Authorization": f"Bearer {pending}"}
    body = {"key": code, "password": password}
    return Client().post(RESET, body, content_type="application/json", headers=headers).status_code


def sign_in_status(password: str) -> int:
    body = {"username": "ana", "password": password}
    return Client().post("/_allauth/app/v1/auth/login", body, content_type="application/json").status_code


def test_a_code_from_the_inbox_sets_a_new_password_and_ends_the_old_sessions(cast):
    earlier = client_of(cast.ana)
    pending = ask("ana@example.com")
    code = queued_code()
    assert confirm(pending, code) == 200
    assert reset(pending, code) == 401  # done, and nobody is signed in by it
    assert sign_in_status(NEW) == 200
    assert sign_in_status(PASSWORD) == 400
    assert earlier.get("/api/v3/me").status_code == 401


def test_a_known_and_an_unknown_address_answer_alike_and_only_one_gets_a_mail(cast):
    known = Client().post(REQUEST, {"email": "ana@example.com"}, content_type="application/json")
    unknown = Client().post(REQUEST, {"email": "nobody@example.com"}, content_type="application/json")
    assert known.status_code == unknown.status_code
    assert known.json()["data"] == unknown.json()["data"]
    assert [m.recipient for m in OutgoingMail.objects.all()] == ["ana@example.com"]


@pytest.mark.parametrize("code", ["AAAA-BBBB", "", "\u00e9"])
@pytest.mark.parametrize("password", [NEW, "short", "password", ""])
def test_a_wrong_code_answers_alike_for_a_known_and_an_unknown_address(cast, code, password):
    answers = []
    for email in ("ana@example.com", "nobody@example.com"):
        headers = {"Authorization": f"Bearer {ask(email)}", "X-Password-Reset-Key": code}
        looked = Client().get(RESET, headers=headers)
        body = {"key": code, "password": password}
        sent = Client().post(RESET, body, content_type="application/json", headers=headers)
        answers.append([(answer.status_code, answer.json()) for answer in (looked, sent)])
    assert answers[0] == answers[1]
    assert [status for status, _ in answers[0]] == [400, 400]


def test_three_wrong_codes_end_the_attempt_for_an_unknown_address_too(cast):
    for email in ("ana@example.com", "nobody@example.com"):
        pending = ask(email)
        assert [confirm(pending, "AAAA-BBBB") for _ in range(4)] == [400, 400, 400, 409], email


def test_a_code_works_once(cast):
    pending = ask("ana@example.com")
    code = queued_code()
    assert reset(pending, code) == 401
    assert reset(pending, code, "Other-new-word-4") in (409, 410)
    assert sign_in_status("Other-new-word-4") == 400


def test_three_wrong_codes_end_the_attempt(cast):
    pending = ask("ana@example.com")
    code = queued_code()
    for _ in range(3):
        assert confirm(pending, "AAAA-BBBB") == 400
    assert reset(pending, code) in (409, 410)


def test_a_weak_or_common_password_is_refused(cast):
    pending = ask("ana@example.com")
    code = queued_code()
    assert reset(pending, code, "password") == 400
    assert reset(pending, code, "short-1A") == 400
    assert reset(pending, code, "x" * 70 + "-Long-pass-1") == 401


def test_the_pending_token_opens_nothing_of_the_api(cast):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {ask('ana@example.com')}")
    assert client.get("/api/v3/me").status_code == 401


def test_the_mail_is_sent_in_text_and_html_and_then_forgotten(cast):
    from apps.accounts.services.delivery import mail_send

    ask("ana@example.com")
    queued = OutgoingMail.objects.get()
    mail_send(mail_id=queued.pk)
    mail_send(mail_id=queued.pk)  # a second delivery of the same message
    assert [message.to for message in mail.outbox] == [["ana@example.com"]]
    assert "10 minutes" in mail.outbox[0].body
    assert mail.outbox[0].alternatives[0].mimetype == "text/html"
    assert not OutgoingMail.objects.exists()


def test_the_audit_log_tells_of_the_reset(cast):
    pending = ask("ana@example.com")
    reset(pending, queued_code())
    changed, asked = AuditEvent.objects.of(cast.acme)[:2]
    assert (changed.action, changed.target, changed.address) == ("password_changed", "ana", "127.0.0.1")
    assert (asked.action, asked.target, asked.actor) == ("password_reset_asked", "ana", None)


def test_the_log_of_nobody_tells_of_an_unknown_address(cast):
    ask("nobody@example.com")
    assert not AuditEvent.objects.filter(action="password_reset_asked").exists()


def test_the_code_is_over_after_ten_minutes(cast, monkeypatch):
    pending = ask("ana@example.com")
    code = queued_code()
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + 601)
    assert reset(pending, code) in (409, 410)
    assert sign_in_status(PASSWORD) == 200


def test_codes_are_long_enough_not_to_be_guessed(cast):
    from django.core.cache import cache

    codes = set()
    for _ in range(40):
        cache.clear()
        ask("ana@example.com")
        codes.add(queued_code())
    assert len(codes) == 40
    signs = set("".join(codes)) - {"-"}
    assert min(len(code.replace("-", "")) for code in codes) * math.log2(len(signs)) > 20


def test_a_deactivated_account_gets_no_code_and_the_answer_does_not_tell(cast):
    User.objects.filter(pk=cast.ana.pk).update(is_active=False)
    ask("ana@example.com")
    assert not OutgoingMail.objects.exists()
