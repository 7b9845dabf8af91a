"""Only Slack's own requests of the last five minutes are believed; nothing a stranger sends makes the check fail."""

from __future__ import annotations

import pytest

from apps.integrations.slack.signing import is_from_slack, signature

# Slack's published example (INTEGRATIONS.md section 3.3).
SECRET = "8f742231b10e8888abcd99yyyzzz85a5"
STAMP = "1531420618"
BODY = (
    b"token=xyzz0WbapA4vBCDEFasx0q6G&team_id=T1DC2JH3J&team_domain=testteamnow&channel_id=G8PSS9T3V&channel_name=foobar"
    b"&user_id=U2CERLKJA&user_name=roadrunner&command=%2Fwebhook-collect&text=&response_url=https%3A%2F%2Fhooks.slack.com"
    b"%2Fcommands%2FT1DC2JH3J%2F397700885554%2F96rGlfmibIGlgcZRskXaIFfN&trigger_id=398738663015.47445629121."
    b"803a0bc887a14d10d2c447fce8b6703c"
)
GIVEN = "v0=a2114d57b48eac39b9ad189dd8316235a7b4a8d21a10bd27519666489c69b503"


def check(**changed: object) -> bool:
    sent = {"secret": SECRET, "timestamp": STAMP, "given": GIVEN, "body": BODY, "now": float(STAMP), **changed}
    return is_from_slack(**sent)


def test_the_published_signature_verifies():
    assert signature(SECRET, STAMP, BODY) == GIVEN
    assert check()


@pytest.mark.parametrize("seconds", [-300, 0, 300])
def test_a_stamp_within_five_minutes_is_fresh(seconds):
    assert check(now=float(STAMP) + seconds)


@pytest.mark.parametrize("seconds", [-301, 301, 86_400])
def test_an_older_or_future_stamp_is_refused(seconds):
    assert not check(now=float(STAMP) + seconds)


@pytest.mark.parametrize(
    "stamp", ["", "soon", "1e9", "-1531420618", "１５３１４２０６１８", "1" * 400, "15314206.18", "NaN", " "]
)
def test_a_stamp_that_is_no_number_is_refused(stamp):
    assert not check(timestamp=stamp)


@pytest.mark.parametrize(
    "given", ["", "v0=", "v1" + GIVEN[2:], GIVEN[:-1] + "4", GIVEN.upper(), "v0=ü\udce9", "x" * 9_000]
)
def test_any_other_signature_is_refused(given):
    assert not check(given=given)


def test_a_changed_body_is_refused():
    assert not check(body=BODY + b"&")


def test_without_a_secret_nobody_is_believed():
    assert not check(secret="", given=signature("", STAMP, BODY))
