"""Guesses are counted by the account and the place they come from: nobody far away keeps a member out."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from apps.accounts.flows import guesses
from apps.accounts.models import AuditAction, AuditEvent, User
from tests.apps.accounts.test_resetting_a_password import NEW, queued_code
from tests.cast import PASSWORD

LOGIN = "/_allauth/app/v1/auth/login"
RESET = "/_allauth/app/v1/auth/password"
WRONG = "Wrong-password-1"
OFFICE, HOME, AFAR = "192.0.2.10", "192.0.2.77", "203.0.113.5"


def sign_in(name: str, password: str, place: str) -> tuple[int, str]:
    """Status and the first error's code of a try from an address."""
    answer = Client().post(
        LOGIN, {"username": name, "password": password}, content_type="application/json", REMOTE_ADDR=place
    )
    return answer.status_code, (answer.json().get("errors") or [{"code": ""}])[0]["code"]


def many_places(count: int) -> list[str]:
    return [f"198.51.{number >> 8}.{number & 255}" for number in range(count)]


@pytest.fixture
def checked(monkeypatch) -> list[str]:
    """The accounts whose password was looked at."""
    seen: list[str] = []
    check = User.check_password

    def counted(self: User, raw: str) -> bool:
        seen.append(self.username)
        return check(self, raw)

    monkeypatch.setattr(User, "check_password", counted)
    return seen


def test_wrong_guesses_from_one_address_refuse_nobody_at_another(cast):
    answers = [sign_in("ana", WRONG, AFAR) for _ in range(20)]
    assert answers[-1] == (400, "too_many_login_attempts")
    assert sign_in("ana", PASSWORD, HOME)[0] == 200


def test_a_member_signs_in_where_they_did_before_however_many_addresses_guess(cast, checked):
    assert sign_in("ana", PASSWORD, OFFICE)[0] == 200
    checked.clear()
    for place in many_places(300):
        assert sign_in("ana", WRONG, place)[0] == 400
    assert len(checked) == guesses.TOGETHER
    assert sign_in("ana", PASSWORD, OFFICE)[0] == 200
    assert sign_in("ana", PASSWORD, HOME) == (400, "too_many_login_attempts")


def test_at_a_known_place_there_are_five_tries_too(cast, checked):
    assert sign_in("ana", PASSWORD, OFFICE)[0] == 200
    checked.clear()
    for _ in range(30):
        sign_in("ana", WRONG, OFFICE)
    assert len(checked) == guesses.OF_ITS_OWN + guesses.SHARED == 5
    assert sign_in("ana", PASSWORD, OFFICE) == (400, "too_many_login_attempts")
    assert sign_in("ana", PASSWORD, HOME)[0] == 200


def known(user: User, places: list[str]) -> None:
    """The member has signed in at each of these places, at the last one last."""
    for number, place in enumerate(places):
        then = timezone.now() - timedelta(hours=len(places) - number)
        AuditEvent.objects.create(actor=user, action=AuditAction.SIGNED_IN, address=place, created_at=then)


def test_however_many_places_an_account_has_nineteen_tries_reach_it(cast, checked):
    places = many_places(60)
    known(cast.ana, places)
    for _ in range(7):
        for place in [*places, AFAR, HOME]:
            sign_in("ana", WRONG, place)
    bound = guesses.OWN_PLACES * guesses.OF_ITS_OWN + guesses.SHARED + guesses.TOGETHER
    assert len(checked) == bound == 19


def test_guesses_at_some_known_places_leave_the_right_password_at_the_others(cast):
    places = many_places(guesses.OWN_PLACES)
    known(cast.ana, places)
    for place in places[:-1]:
        for _ in range(7):
            sign_in("ana", WRONG, place)
    for _ in range(3):
        assert sign_in("ana", PASSWORD, places[-1])[0] == 200


def test_the_last_places_of_an_account_are_its_own(cast):
    places = many_places(guesses.OWN_PLACES + 1)
    known(cast.ana, [*places, *places[:1]])
    for place in many_places(40)[20:]:
        sign_in("ana", WRONG, place)
    assert sign_in("ana", PASSWORD, places[1]) == (400, "too_many_login_attempts")
    assert sign_in("ana", PASSWORD, places[0])[0] == 200


def test_right_passwords_are_not_counted_and_wipe_no_wrong_ones_out(cast, checked):
    for number in range(12):
        sign_in("ben", PASSWORD, AFAR)
        sign_in("ana", WRONG, AFAR)
        assert number < 4 or checked.count("ana") == guesses.FROM_ONE
    assert checked.count("ben") == 12


def test_a_place_of_a_colleague_is_no_known_place_of_the_account(cast, checked):
    assert sign_in("ben", PASSWORD, OFFICE)[0] == 200
    for place in many_places(40):
        sign_in("ana", WRONG, place)
    assert sign_in("ana", PASSWORD, OFFICE) == (400, "too_many_login_attempts")
    assert sign_in("ben", PASSWORD, OFFICE)[0] == 200


def test_a_place_is_forgotten_after_a_month(cast):
    for place, minutes in ((OFFICE, 1), (HOME, -1)):
        then = timezone.now() - guesses.KNOWN_FOR - timedelta(minutes=minutes)
        AuditEvent.objects.create(actor=cast.ana, action=AuditAction.SIGNED_IN, address=place, created_at=then)
    for place in many_places(40):
        sign_in("ana", WRONG, place)
    assert sign_in("ana", PASSWORD, OFFICE) == (400, "too_many_login_attempts")
    assert sign_in("ana", PASSWORD, HOME)[0] == 200


def test_a_reset_through_the_mailbox_opens_the_way_at_a_new_place(cast):
    for place in many_places(40):
        sign_in("ana", WRONG, place)
    assert sign_in("ana", PASSWORD, HOME)[0] == 400
    at_home = {"content_type": "application/json", "REMOTE_ADDR": HOME}
    asked = Client().post(f"{RESET}/request", {"email": "ana@example.com"}, **at_home).json()
    bearer = {"Authorization": f"Bearer {asked['meta']['session_token']}"}
    body = {"key": queued_code(), "password": NEW}
    assert Client().post(f"{RESET}/reset", body, headers=bearer, **at_home).status_code == 401
    assert sign_in("ana", NEW, HOME)[0] == 200


def test_an_untouched_account_behind_the_guessing_address_passes(cast):
    for number in range(30):
        sign_in(f"somebody{number}", WRONG, AFAR)
        sign_in("ana", WRONG, AFAR)
    assert sign_in("ben", PASSWORD, AFAR)[0] == 200


def test_addresses_of_one_ipv6_network_are_one_place(cast, checked):
    for number in range(60):
        sign_in("ana", WRONG, f"2001:db8:1:2::{number:x}")
    assert len(checked) == guesses.FROM_ONE
    assert sign_in("ana", PASSWORD, "2001:db8:9:9::1")[0] == 200
    for number in range(60):
        sign_in("ana", WRONG, f"2001:db8:{number:x}:3::1")
    assert sign_in("ana", PASSWORD, "2001:db8:9:9::ffff")[0] == 200


def test_guesses_at_many_names_do_not_push_the_counts_out(cast, checked):
    for _ in range(6):
        sign_in("ana", WRONG, AFAR)
    for number in range(400):
        cache.set(f"something-else-{number}", number)
        sign_in(f"somebody{number}", WRONG, AFAR)
    sign_in("ana", WRONG, AFAR)
    assert checked.count("ana") == guesses.FROM_ONE


def test_known_and_unknown_names_are_told_the_same_from_every_place(cast):
    places = [AFAR] * 7 + many_places(8)
    assert [sign_in("ana", WRONG, place) for place in places] == [sign_in("nobody", WRONG, place) for place in places]
