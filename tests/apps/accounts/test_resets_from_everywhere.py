"""Resets, their codes and invitations: nobody is refused for what others do, a mailbox is not flooded, and a guesser
gets no further for it."""

from __future__ import annotations

import re
import time

import pytest
from django.contrib.sessions.models import Session
from django.db import OperationalError, connection
from django.test import Client

from apps.accounts.flows import resets
from apps.accounts.flows.session_store import SessionStore
from apps.accounts.flows.turns import TOGETHER, WRONG_SECONDS
from apps.accounts.models import OutgoingMail, User
from apps.accounts.services.delivery import mail_send
from apps.accounts.services.passwords import password_choose
from tests.apps.accounts.test_guessing_from_afar import AFAR, HOME, OFFICE, many_places
from tests.apps.accounts.test_members import ACCEPT, invite
from tests.apps.accounts.test_resetting_a_password import NEW, REQUEST, RESET, queued_code

ANA, BEN = "ana@example.com", "ben@example.com"
WRONG = "BBBB-BBBB-BBBB"
MANY = 60
"""More than any rate by address let through in a minute."""


def ask(email: str, place: str) -> str:
    """The token of a new attempt."""
    answer = Client().post(REQUEST, {"email": email}, content_type="application/json", REMOTE_ADDR=place)
    assert answer.status_code == 401, answer.content
    assert {"id": "password_reset_by_code", "is_pending": True} in answer.json()["data"]["flows"]
    return answer.json()["meta"]["session_token"]


def confirm(pending: str, code: str, place: str) -> int:
    headers = {"Authorization": f"Bearer {pending}", "X-Password-Reset-Key": code}
    return Client().get(RESET, headers=headers, REMOTE_ADDR=place).status_code


def reset(pending: str, code: str, place: str, password: str = NEW) -> int:
    headers, body = {"Authorization": f"Bearer {pending}"}, {"key": code, "password": password}
    call = {"content_type": "application/json", "headers": headers, "REMOTE_ADDR": place}
    return Client().post(RESET, body, **call).status_code


def accept(key: str, username: str) -> int:
    body = {"key": key, "username": username, "password": "First-word-of-9", "privacy_accepted": True}
    return Client().post(ACCEPT, body, content_type="application/json", REMOTE_ADDR=OFFICE).status_code


def test_whoever_asks_for_many_resets_refuses_none_to_others_behind_the_address(cast):
    for number in range(MANY):
        ask(f"somebody{number}@example.com", OFFICE)
    pending = ask(ANA, OFFICE)
    assert reset(pending, queued_code(), OFFICE) == 401
    assert User.objects.get(pk=cast.ana.pk).check_password(NEW)


@pytest.mark.parametrize("place", [HOME, AFAR])
def test_a_member_resets_the_password_while_others_ask_for_it_from_everywhere(cast, place):
    for other in [*many_places(MANY), *[AFAR] * MANY]:
        ask(ANA, other)
    pending = ask(ANA, place)
    for other in many_places(MANY):
        ask(ANA, other)
    assert confirm(pending, queued_code(), place) == 200
    assert reset(pending, queued_code(), place) == 401
    assert User.objects.get(pk=cast.ana.pk).check_password(NEW)


def test_wrong_codes_from_everywhere_keep_a_right_one_out_of_no_attempt(cast):
    pending = ask(ANA, OFFICE)
    for other in [*many_places(MANY), *[OFFICE] * MANY]:
        assert reset(ask(ANA, other), WRONG, other) == 400
    assert reset(pending, queued_code(), OFFICE) == 401


def test_wrong_keys_of_invitations_refuse_no_right_one_behind_the_address(cast):
    key = invite(cast)
    for number in range(MANY):
        assert accept(f"{'x' * 42}{number % 10}", f"tried{number}") == 404
    assert accept(key, "newt") == 201


def test_however_many_ask_a_mailbox_gets_one_mail_in_three_minutes(cast, monkeypatch):
    now = time.time()
    for sent, seconds in enumerate((0, resets.MAIL_SECONDS + 1, 2 * resets.MAIL_SECONDS + 2), start=1):
        monkeypatch.setattr(time, "time", lambda seconds=seconds: now + seconds)
        for other in many_places(MANY):
            ask(ANA if other[-1] != "1" else "ANA@example.com", other)
        assert OutgoingMail.objects.count() == sent
    ask(BEN, AFAR)
    assert OutgoingMail.objects.latest("created_at").recipient == BEN


def test_a_mail_that_came_before_the_attempt_still_has_time(cast, monkeypatch, settings):
    ask(ANA, AFAR)
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + resets.MAIL_SECONDS - 1)
    pending = ask(ANA, HOME)
    monkeypatch.setattr(time, "time", lambda: now + settings.ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT - 1)
    assert OutgoingMail.objects.count() == 1
    assert reset(pending, queued_code(), HOME) == 401


def test_a_mail_that_could_not_be_written_down_is_not_waited_for(cast, monkeypatch):
    def locked(**_: object) -> None:
        raise OperationalError("database is locked")

    with monkeypatch.context() as patched:
        patched.setattr("apps.accounts.flows.adapters.mail_queue", locked)
        answer = Client(raise_request_exception=False).post(REQUEST, {"email": ANA}, content_type="application/json")
        assert answer.status_code == 503
    pending = ask(ANA, HOME)
    ask(ANA, AFAR)
    assert OutgoingMail.objects.count() == 1
    assert reset(pending, queued_code(), HOME) == 401


def test_a_code_of_many_attempts_is_good_for_one_new_password(cast):
    first, second = ask(ANA, HOME), ask(ANA, AFAR)
    code = queued_code()
    assert reset(first, code, HOME) == 401
    assert reset(second, code, AFAR, "Other-new-word-4") == 400
    assert reset(ask(ANA, HOME), code, HOME, "Other-new-word-4") == 400
    assert reset(ask(ANA, HOME), queued_code(), HOME, "Other-new-word-4") == 401


def test_a_code_is_none_any_more_once_the_member_has_changed_the_password(cast):
    pending, code = ask(ANA, AFAR), queued_code()
    password_choose(user=cast.ana, password=NEW)
    assert reset(pending, code, AFAR, "Other-new-word-4") == 400


def test_an_attempt_is_over_after_three_wrong_codes_and_many_attempts_are_no_way_either(cast):
    """A web lets four tries in at a time, and wrong ones keep their turns: while a code lives they find it less than
    once in a million times."""
    pending = ask(ANA, AFAR)
    assert [reset(pending, WRONG, AFAR) for _ in range(4)] == [400, 400, 400, 409]
    assert reset(pending, queued_code(), AFAR) == 409
    letters = re.sub("-", "", queued_code())
    assert re.fullmatch(r"[B-DF-HJ-NP-TV-XZ]{8}", letters)
    tries_a_second = TOGETHER / WRONG_SECONDS
    assert tries_a_second * (resets.MAIL_SECONDS + 600) / 20 ** len(letters) < 1e-6


def rows_with(code: str) -> set[str]:
    """The tables of which a row as it is stored holds the code, spelled in any way; sessions also as they are read."""
    texts = [("sessions", str(SessionStore().decode(row.session_data))) for row in Session.objects.all()]
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names():
            cursor.execute(f'SELECT * FROM "{table}"')
            texts += [(table, str(row)) for row in cursor.fetchall()]
    spellings = (code, code.replace("-", ""))
    return {table for table, text in texts if any(spelled in text.upper() for spelled in spellings)}


def test_no_row_holds_the_code_of_a_reset_whether_its_mail_waits_or_is_sent(cast):
    pending = ask(ANA, HOME)
    code = queued_code()
    assert rows_with(code) == set()
    assert rows_with("ANA@EXAMPLE.COM") >= {"accounts_outgoingmail"}  # rows are looked at
    mail_send(mail_id=OutgoingMail.objects.get().pk)
    assert rows_with(code) == set()
    assert confirm(pending, code.replace("-", " ").lower(), HOME) == 200
    assert rows_with(code) == set()
