"""What reaches the routes that Slack calls: its own requests quickly, everybody else's never, and never an error."""

from __future__ import annotations

import logging
import os

import pytest
from django.test import Client

from apps.integrations.models import Connection, SlackQuestion
from tests.apps.integrations.consents import allow, start
from tests.apps.integrations.places import admin_pages, dumped, found_in
from tests.apps.integrations.slack.conftest import ANA, send, work
from tests.cast import client_of

QUOTED = "the-provider-quotes-a-secret"
REQUESTS = int(os.environ.get("SLACK_REQUESTS", "30"))


def test_a_challenge_is_given_back(slack, db):
    answer = send("events", b'{"type": "url_verification", "token": "x", "challenge": "abc<1>"}')
    assert (answer.status_code, answer.content, answer["Content-Type"]) == (200, b"abc<1>", "text/plain")


@pytest.mark.parametrize("path", ["events", "commands"])
@pytest.mark.parametrize(
    "wrong",
    [{"stamp": "soon"}, {"stamp": ""}, {"stamp": "1e9"}, {"stamp": "1531420618"}, {"stamp": "9" * 30}, {"sign": ""},
     {"sign": "v0=" + "0" * 64}, {"sign": "v1=x"}],
)  # fmt: skip
def test_a_bad_old_or_unreadable_stamp_or_signature_is_401(slack, linked, path, wrong):
    body = slack.command_body(ANA, "x") if path == "commands" else slack.event_body(ANA, "x")
    assert send(path, body, **wrong).status_code == 401
    assert not SlackQuestion.objects.exists()


@pytest.mark.parametrize("path", ["events", "commands"])
def test_without_headers_or_secret_nobody_is_believed(slack, linked, settings, path):
    assert Client().post(f"/api/v3/slack/{path}", b"{}", content_type="application/json").status_code == 401
    assert Client().get(f"/api/v3/slack/{path}").status_code == 405
    settings.SLACK_SIGNING_SECRET = ""
    assert send(path, b"{}").status_code == 401


@pytest.mark.parametrize(
    "body",
    [b"", b"null", b"[]", b"\xff\xfe", b'{"type": "event_callback"}', b'{"type": "event_callback", "event": []}',
     b"[" * 5_000, b'{"type": "event_callback", "event": {"type": "app_mention", "user": {"a": 1}}}'],
)  # fmt: skip
@pytest.mark.parametrize("path", ["events", "commands"])
def test_signed_nonsense_is_passed_over(slack, linked, path, body):
    assert send(path, body).status_code == 200
    assert not SlackQuestion.objects.exists()


def test_a_body_past_the_limit_is_refused(slack, db):
    assert send("events", b"x" * (1024 * 1024 + 1)).status_code == 401


def test_many_signed_requests_are_each_acknowledged_and_kept_once(slack, linked):
    """SLACK_REQUESTS=1000 for the whole claim; the bench `slack` measures the time on the running product."""
    for number in range(REQUESTS):
        assert send("events", slack.event_body(ANA, "a question", event_id=f"Ev{number // 3}")).status_code == 200
    assert SlackQuestion.objects.count() == -(-REQUESTS // 3)


def test_an_uninstalled_app_is_shown_as_such(cast, slack, linked):
    body = b'{"type": "event_callback", "team_id": "T0ACME001", "event": {"type": "app_uninstalled"}, "event_id": "E"}'
    send("events", body)
    assert Connection.objects.get().state == "needs_sign_in"


FAULTS = {
    "revoked": lambda fake: fake.tokens.clear(),
    "401": lambda fake: fake.fail("*", status=401, json={"ok": False, "error": "invalid_auth"}, times=None),
    "a missing scope": lambda fake: fake.tokens.update(dict.fromkeys(fake.tokens, "commands")),
    "429 with Retry-After": lambda fake: fake.fail(
        "chat.postMessage", status=429, json={"ok": False, "error": "ratelimited"}, headers={"retry-after": "0"}
    ),
    "429 without": lambda fake: fake.fail("chat.postMessage", status=429, json={"ok": False, "error": "ratelimited"}),
    "500": lambda fake: fake.fail("chat.postMessage", status=500),
    "a cut answer": lambda fake: fake.fail("chat.postMessage", "cut"),
    "slow": lambda fake: fake.fail("chat.postMessage", "slow", seconds=0.5),
    "500 for good": lambda fake: fake.fail("chat.postMessage", status=500, times=None),
    "only cut answers": lambda fake: fake.fail("chat.postMessage", "cut", times=None),
    "a failing upload": lambda fake: fake.fail("files.getUploadURLExternal", status=500, times=None),
}
ENDS = {
    "revoked": ("failed", "needs_sign_in"),
    "401": ("failed", "needs_sign_in"),
    "a missing scope": ("failed", "needs_sign_in"),
    "500 for good": ("failed", "failed"),
    "only cut answers": ("failed", "failed"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_each_fault_ends_answered_or_in_a_stated_error(slack, linked, desk_of_test, name):
    FAULTS[name](slack)
    send("events", slack.event_body(ANA, "amount by region", direct=True))
    for _ in range(4):
        work()
    expected = ENDS.get(name, ("answered", "connected"))
    connection = Connection.objects.get()
    assert (SlackQuestion.objects.get().state, connection.state) == expected
    assert bool(connection.reason) == (expected[1] != "connected")
    if expected[0] == "answered":
        texts = [post.text for post in slack.posts if "leads" in post.text]
        assert 1 <= len(texts) <= 2, "a cut answer cannot tell whether the message was taken"


def test_a_channel_the_app_is_not_in_gets_its_answer_as_a_direct_message(slack, linked, desk_of_test):
    slack.bot_channels.clear()
    send("events", slack.event_body(ANA, "amount by region"))
    work()
    assert {post.channel for post in slack.posts} == {f"D{ANA[1:]}"}
    assert SlackQuestion.objects.get().state == "answered"


def test_an_upload_is_sent_to_slack_only(slack, linked, desk_of_test, settings):
    slack.address = "http://127.0.0.1:9"
    send("events", slack.event_body(ANA, "amount by region", direct=True))
    work()
    assert not [file for file in slack.uploads.values() if file.content]
    assert [post.text for post in slack.posts][-1] == "The chart is in Plumbline: Slack did not take its picture."


def test_no_secret_of_slack_is_in_a_log_answer_error_admin_page_or_dump(
    cast, slack, linked, desk_of_test, caplog, settings
):
    caplog.set_level(logging.DEBUG)
    admin = client_of(cast.ada)
    back = allow(start(admin, "slack"))
    body = {"slackCode": back["code"], "state": back["state"], "redirect_uri": "http://testserver/slack-callback"}
    said = [admin.post("/api/v3/slack/auth", body, format="json").content.decode() for _ in range(2)]
    said.append(send("commands", slack.command_body(ANA, "amount by region")).content.decode())
    slack.fail("response_url", status=500, json={"ok": False, "error": QUOTED})
    work()
    said += [client_of(user).get(path).content.decode() for user in (cast.ana, cast.ada)
             for path in ("/api/v3/connections", "/api/v3/slack/status")]  # fmt: skip
    secrets = {
        **{f"token {n}": token for n, token in enumerate(slack.tokens)},
        **{f"response address {n}": address for n, address in enumerate(slack.responses)},
        "code": back["code"],
        "state": back["state"],
        "client secret": settings.SLACK_CLIENT_SECRET,
        "signing secret": settings.SLACK_SIGNING_SECRET,
        "encryption key": settings.CREDENTIAL_KEYS[0],
        "what Slack quotes": QUOTED,
    }
    assert len(secrets) >= 8
    places = {"log": caplog.text, "answers": "".join(said), "admin": admin_pages(), "dump": dumped()}
    assert found_in(places, secrets) == []
    assert Connection.objects.get().sealed not in places["admin"] + places["answers"]
