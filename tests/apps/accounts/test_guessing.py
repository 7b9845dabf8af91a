"""Guessing at the door: how many tries reach a password, whom they disturb, and what the answers give away."""

from __future__ import annotations

import gzip
import json
import os
import statistics
import time
from datetime import timedelta
from itertools import count
from pathlib import Path

import pytest
from django.contrib.auth import password_validation
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.password_validation import validate_password
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from apps.accounts.models import OutgoingMail, User
from apps.accounts.services.members import member_set_temporary_password, temporary_password
from tests.cast import PASSWORD

LOGIN = "/_allauth/app/v1/auth/login"
REQUEST = "/_allauth/app/v1/auth/password/request"
GUESSES = int(os.environ.get("GUESSES", "300"))
"""The whole measurement is GUESSES=10000; the limit is the same from the sixth guess on."""

_addresses = count(1)


def post(path: str, body: dict[str, str], address: str | None = None) -> tuple[int, str]:
    """A call from an address of its own, as a botnet's."""
    number = next(_addresses)
    caller = address or f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
    answer = Client().post(path, body, content_type="application/json", REMOTE_ADDR=caller)
    return answer.status_code, answer.content.decode()


class Checked(list[str]):
    """The accounts whose password was looked at, in order, and when."""

    def __init__(self) -> None:
        super().__init__()
        self.times: list[float] = []


@pytest.fixture
def checked(monkeypatch) -> Checked:
    seen = Checked()
    check = User.check_password

    def counted(self: User, raw: str) -> bool:
        seen.append(self.username)
        seen.times.append(time.time())
        return check(self, raw)

    monkeypatch.setattr(User, "check_password", counted)
    return seen


def test_of_all_guesses_at_an_account_five_reach_the_password(cast, checked):
    names = [{"username": "ana"}, {"username": "ANA"}, {"email": "ana@example.com"}, {"email": "Ana@Example.com"}]
    begun = time.perf_counter()
    for guess in range(GUESSES):
        status, _ = post(LOGIN, {**names[guess % 4], "password": f"Guess-number-{guess}"})
        assert status == 400
    print(f"{GUESSES} guesses in {time.perf_counter() - begun:.1f} s, {len(checked)} reached the password")
    assert set(checked) == {"ana"}
    assert len(checked) >= 5
    for sixth, first in zip(checked.times[5:], checked.times, strict=False):  # where the guessing took so long
        assert sixth - first >= 300
    assert post(LOGIN, {"username": "ana", "password": PASSWORD})[0] == 400  # nor does the right one for a while
    assert post(LOGIN, {"username": "ben", "password": PASSWORD})[0] == 200  # and nobody else is held up


def test_guesses_cost_the_server_little_and_others_nothing(cast, settings):
    """The work of this thread is measured: what else the machine does tells nothing."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.PBKDF2PasswordHasher"]
    for user in (cast.ana, cast.ben):
        user.set_password(PASSWORD)
        user.save()

    def work(body: dict[str, str], status: int) -> float:
        begun = time.thread_time()
        assert post(LOGIN, body)[0] == status
        return time.thread_time() - begun

    right = {"username": "ben", "password": PASSWORD}
    before = statistics.median(work(right, 200) for _ in range(3))
    guesses = [work({"username": "ana", "password": f"Guess-number-{guess}"}, 400) for guess in range(200)]
    after = statistics.median(work(right, 200) for _ in range(3))
    refused = statistics.median(guesses[5:])
    print(f"sign-in {before * 1000:.0f} ms, after the guesses {after * 1000:.0f} ms; a guess {refused * 1000:.1f} ms")
    assert refused < before / 4
    assert after < before * 3


def test_after_five_minutes_five_more_may_be_tried(cast, checked, monkeypatch):
    now = time.time()
    for minutes in (0, 4.9, 5.1):
        monkeypatch.setattr(time, "time", lambda minutes=minutes: now + minutes * 60)
        for guess in range(8):
            post(LOGIN, {"username": "ana", "password": f"Guess-number-{guess}"})
    assert checked == ["ana"] * 10


def test_right_passwords_of_untouched_accounts_pass_behind_an_address_that_guesses_without_end(cast):
    for number in range(330):
        post(LOGIN, {"username": f"tried{number % 20}", "password": "Guess-number-1"}, "10.9.9.9")
    for name in ("ana", "ben", "gus"):
        assert post(LOGIN, {"username": name, "password": PASSWORD}, "10.9.9.9")[0] == 200


def test_the_door_of_the_admin_counts_with_it(cast, checked):
    for guess in range(3):
        post(LOGIN, {"username": "ada", "password": f"Guess-number-{guess}"})
    for guess in range(10):
        Client().post("/admin/login/", {"username": "ada@example.com", "password": f"Guess-number-{guess}"})
    assert len(checked) <= 5


def medians(path: str, known: dict[str, str], unknown: dict[str, str], rounds: int) -> tuple[float, float]:
    """Median seconds of both, in turn. Of this thread's own work: what else the machine does tells nothing."""
    taken: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for body, into in ((known, taken[0]), (unknown, taken[1])):
            cache.clear()
            begun = time.thread_time()
            post(path, body)
            into.append(time.thread_time() - begun)
    return statistics.median(taken[0]), statistics.median(taken[1])


class FewerRounds(PBKDF2PasswordHasher):
    """A fifth of the work: a busy machine's noise grows with it, and one look at a password stays well above 50 ms."""

    algorithm = "fewer_rounds"
    iterations = PBKDF2PasswordHasher.iterations // 5


def test_the_time_of_a_sign_in_does_not_tell_whether_there_is_an_account(cast, settings):
    settings.PASSWORD_HASHERS = ["tests.apps.accounts.test_guessing.FewerRounds"]
    cast.ana.set_password(PASSWORD)
    cast.ana.save()
    wrong = {"password": "Wrong-password-1"}
    known, unknown = medians(LOGIN, {"username": "ana", **wrong}, {"username": "nobody", **wrong}, 9)
    print(f"sign-in: known {known * 1000:.0f} ms, unknown {unknown * 1000:.0f} ms")
    assert abs(known - unknown) < 0.05


def test_neither_does_the_time_of_a_reset(cast):
    known, unknown = medians(REQUEST, {"email": "ana@example.com"}, {"email": "nobody@example.com"}, 15)
    print(f"reset: known {known * 1000:.0f} ms, unknown {unknown * 1000:.0f} ms")
    assert abs(known - unknown) < 0.05


def test_a_sign_in_and_a_locked_one_tell_the_same_of_known_and_unknown(cast):
    for _ in range(7):
        known = post(LOGIN, {"username": "ana", "password": "Wrong-password-1"})
        unknown = post(LOGIN, {"username": "nobody", "password": "Wrong-password-1"})
        assert known == unknown


def test_a_reset_asked_for_again_and_again_tells_the_same_of_known_and_unknown(cast):
    def told(email: str) -> tuple[int, object]:
        status, answer = post(REQUEST, {"email": email})
        said = json.loads(answer)
        return status, (said.get("data"), said.get("errors"))

    answers = [(told("ana@example.com"), told("nobody@example.com")) for _ in range(8)]
    assert all(answer == answers[0] for answer in answers)
    assert all(known == unknown for known, unknown in answers)
    assert OutgoingMail.objects.count() == 1  # and there is an end to it


def test_a_temporary_password_is_random_and_over_after_a_week(cast):
    assert len({temporary_password() for _ in range(1000)}) == 1000
    password = member_set_temporary_password(actor=None, user=cast.ana)
    assert post(LOGIN, {"username": "ana", "password": password})[0] == 401  # asks for an own one
    User.objects.filter(pk=cast.ana.pk).update(temporary_until=timezone.now() - timedelta(seconds=1))
    late = post(LOGIN, {"username": "ana", "password": password})
    assert late == post(LOGIN, {"username": "ben", "password": "Wrong-password-1"})


def test_a_reset_makes_a_temporary_password_an_own_one_that_stays(cast):
    from apps.accounts.services.passwords import password_choose

    member_set_temporary_password(actor=None, user=cast.ana)
    password_choose(user=cast.ana, password="My-own-word-7")
    assert (cast.ana.must_change_password, cast.ana.temporary_until) == (False, None)


def test_the_three_thousand_most_used_passwords_are_refused():
    listed = Path(password_validation.__file__).with_name("common-passwords.txt.gz")
    with gzip.open(listed, "rt", encoding="utf-8") as lines:
        common = [line.strip() for line, _ in zip(lines, range(3000), strict=False)]
    assert len(common) == 3000
    for password in common:
        with pytest.raises(ValidationError):
            validate_password(password)


def test_a_long_password_is_welcome(cast):
    validate_password("A1-" + "x" * 200, cast.ana)


@pytest.mark.parametrize(
    "password", ["Short-1a", "no-upper-case-1", "NO-LOWER-CASE-1", "No-number-here", "NoSpecial123"]
)
def test_each_part_of_the_rule_counts(password):
    with pytest.raises(ValidationError, match="Use one uppercase letter"):
        validate_password(password)
