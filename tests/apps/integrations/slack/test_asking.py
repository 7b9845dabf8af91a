"""Asking in Slack: who is answered, where, with what, and how often."""

from __future__ import annotations

import re
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from apps.accounts.models import User
from apps.core.errors import Conflict
from apps.integrations.fakes.slack import direct_channel
from apps.integrations.models import Connection, SlackLink, SlackLinkRequest, SlackQuestion
from apps.integrations.slack.desk import Answered
from apps.integrations.slack.sending import questions_sweep
from tests.apps.integrations.slack.conftest import ANA, BEN, CHART, send, work
from tests.cast import client_of


def shown(post) -> str:
    parts = [block["text"]["text"] for block in post.blocks if block["type"] == "section"]
    ends = [part["text"] for block in post.blocks if block["type"] == "context" for part in block["elements"]]
    return "\n".join([*parts, *ends]) or post.text


def link_in(text: str) -> str:
    address = re.search(r"<(http[^|]+)\|", text)[1]
    return parse_qs(urlsplit(address).query)["slack-link"][0]


def test_a_command_is_acknowledged_at_once_and_answered_for_its_user_alone(slack, linked, desk_of_test, settings):
    said = send("commands", slack.command_body(ANA, "amount by region"))
    assert said.json() == {"response_type": "ephemeral", "text": "Working on it…"}
    assert slack.posts == []
    work()
    work()
    (post,) = slack.posts
    assert (post.channel, post.user) == (slack.channel, ANA)
    question = SlackQuestion.objects.get()
    assert shown(post) == (
        "*amount by region*\n*North* leads.\n```\nRegion  Amount\n------  ------\nNorth    1,200\nSouth        7\n```\n"
        "The chart is in your direct messages with Plumbline.  "
        f"<{settings.PUBLIC_URL}/chat/c/{question.thread_id}|Open in Plumbline>"
    )
    (picture,) = slack.uploads.values()
    assert (picture.channel, picture.title, picture.content[:4]) == (
        direct_channel(ANA),
        "Amount by region",
        b"\x89PNG",
    )
    assert (question.state, question.text) == ("answered", "")
    assert desk_of_test.asked == [("ana", "amount by region", None)]


def test_a_mention_is_answered_in_its_thread_for_the_asker_alone(slack, linked, desk_of_test):
    desk_of_test.answer = None
    assert send("events", slack.event_body(ANA, "amount by region")).status_code == 200
    work()
    assert [(post.text, post.user) for post in slack.posts] == [("Working on it…", ANA)]
    desk_of_test.answer = Answered("Seven.")
    work()
    first, answer = slack.posts
    assert (answer.user, answer.thread_ts) == (ANA, first.thread_ts)
    assert answer.thread_ts
    assert shown(answer).startswith("Seven.")


def test_a_direct_message_is_answered_in_its_thread_with_the_picture_and_nothing_unfurls(slack, linked, desk_of_test):
    send("events", slack.event_body(ANA, "amount by region", direct=True))
    work()
    (post,), (picture,) = slack.posts, slack.uploads.values()
    assert post.channel == picture.channel == direct_channel(ANA)
    assert post.thread_ts == picture.thread_ts != ""
    assert not post.unfurls


def test_a_question_in_the_same_slack_thread_follows_on_the_first(slack, linked, desk_of_test):
    send("events", slack.event_body(ANA, "amount by region", direct=True))
    work()
    root = SlackQuestion.objects.get()
    send("events", slack.event_body(ANA, "and by owner?", direct=True, thread_ts=root.thread_ts))
    work()
    assert desk_of_test.asked[1] == ("ana", "and by owner?", root.thread_id)


def test_an_admin_can_let_the_channel_see_answers(cast, slack, linked, desk_of_test):
    path, body = "/api/v3/slack/auth", {"answers_in_channel": True}
    assert client_of(cast.ana).put(path, body, format="json").status_code == 403
    assert client_of(cast.ada).put(path, body, format="json").json()["answers_in_channel"] is True
    send("events", slack.event_body(ANA, "amount by region"))
    work()
    (post,), (picture,) = slack.posts, slack.uploads.values()
    assert (post.user, post.channel, picture.channel) == ("", slack.channel, slack.channel)
    assert picture.thread_ts == post.thread_ts


@pytest.mark.parametrize("how", ["commands", "events"])
def test_who_is_not_linked_gets_a_link_and_never_data(slack, workspace, desk_of_test, how):
    body = slack.command_body(BEN, "secret sums") if how == "commands" else slack.event_body(BEN, "secret sums")
    send(how, body)
    work()
    (post,) = slack.posts
    assert post.user == BEN
    assert "log in, and confirm" in post.text
    assert desk_of_test.asked == []
    assert SlackQuestion.objects.get().text == ""


def test_the_link_works_once_for_a_member_of_the_organization_after_a_confirmation(
    cast, slack, workspace, desk_of_test
):
    send("commands", slack.command_body(BEN, "how many deals?"))
    work()
    code = link_in(slack.posts[0].text)
    for stranger in (cast.gus, cast.gia):
        client = client_of(stranger)
        assert client.get(f"/api/v3/slack/link?code={code}").status_code == 400
        assert client.post("/api/v3/slack/link", {"code": code}, format="json").status_code == 400
    ben = client_of(cast.ben)
    offer = ben.get(f"/api/v3/slack/link?code={code}").json()
    assert offer == {"workspace": "Acme's workspace", "slack_name": "ben"}
    assert not SlackLink.objects.exists()
    assert ben.post("/api/v3/slack/link", {"code": code}, format="json").json()["linked_as"] == "ben"
    assert ben.post("/api/v3/slack/link", {"code": code}, format="json").status_code == 400
    send("commands", slack.command_body(BEN, "how many deals?"))
    work()
    assert desk_of_test.asked == [("ben", "how many deals?", None)]
    assert ben.delete("/api/v3/slack/link").json()["linked_as"] is None
    send("commands", slack.command_body(BEN, "and now?"))
    work()
    assert len(desk_of_test.asked) == 1


def test_an_old_link_is_refused(cast, slack, workspace):
    send("commands", slack.command_body(BEN, "?"))
    work()
    SlackLinkRequest.objects.update(expires_at=timezone.now())
    code = link_in(slack.posts[0].text)
    assert client_of(cast.ben).post("/api/v3/slack/link", {"code": code}, format="json").status_code == 400


@pytest.mark.parametrize("change", [{"is_active": False}, {"organization": None}])
def test_who_left_meanwhile_is_told_nothing(cast, slack, linked, desk_of_test, change):
    desk_of_test.answer = None
    send("events", slack.event_body(ANA, "amount by region"))
    work()
    User.objects.filter(pk=cast.ana.pk).update(**change)
    desk_of_test.answer = Answered("Seven.")
    work()
    assert all("Seven" not in shown(post) for post in slack.posts)
    assert SlackQuestion.objects.get().state == "declined"


def test_three_deliveries_of_one_event_are_one_question_and_one_answer(slack, linked, desk_of_test):
    body = slack.event_body(ANA, "amount by region", direct=True)
    for number in ("0", "1", "2"):
        assert send("events", body, **{"X-Slack-Retry-Num": number}).status_code == 200
        work()
    assert len(desk_of_test.asked) == len(slack.posts) == 1


def test_an_empty_question_is_helped_and_a_refusal_is_said(slack, linked, desk_of_test, monkeypatch):
    send("commands", slack.command_body(ANA, "  "))
    work()
    assert "/ask Which deals" in slack.posts[-1].text

    def full(**_: object):
        raise Conflict("This conversation has reached 100 questions. Please start a new chat.")

    monkeypatch.setattr(desk_of_test, "ask", full)
    send("commands", slack.command_body(ANA, "one more"))
    work()
    assert slack.posts[-1].text.startswith("This conversation has reached")


@pytest.mark.parametrize(
    "change",
    [
        {"bot_id": "B1"},
        {"subtype": "message_changed"},
        {"user": "UPLUMB001"},
        {"user": ""},
        {"channel": 5},
        {"text": None},
    ],
)
def test_messages_of_apps_and_broken_ones_are_passed_over(slack, linked, desk_of_test, change):
    import json

    event = json.loads(slack.event_body(ANA, "amount by region", direct=True))
    event["event"].update(change)
    assert send("events", json.dumps(event).encode()).status_code == 200
    work()
    assert desk_of_test.asked == []


def test_a_foreign_workspace_is_passed_over(slack, linked, desk_of_test):
    slack.team_id = "T0OTHER001"
    assert send("events", slack.event_body(ANA, "amount by region")).status_code == 200
    assert "not connected" in send("commands", slack.command_body(ANA, "x")).json()["text"]
    assert not SlackQuestion.objects.exists()


def test_a_question_nobody_took_up_is_sent_again_and_old_ones_are_given_up(slack, linked, desk_of_test, settings):
    sent: list[str] = []
    settings.SLACK_COMMAND = "/ask"
    send("events", slack.event_body(ANA, "amount by region"))
    SlackQuestion.objects.update(created_at=timezone.now() - timedelta(minutes=1))
    import dramatiq

    broker = dramatiq.get_broker()
    before = broker.queues["slack"].qsize()
    questions_sweep()
    assert broker.queues["slack"].qsize() == before + 1
    SlackQuestion.objects.update(created_at=timezone.now() - timedelta(minutes=61))
    questions_sweep()
    question = SlackQuestion.objects.get()
    assert (question.state, question.text, sent) == ("failed", "", [])


def make_late():
    SlackQuestion.objects.update(created_at=timezone.now() - timedelta(minutes=31))


def test_an_answer_that_comes_after_slacks_time_is_shown_to_the_asker_another_way(slack, linked, desk_of_test):
    desk_of_test.answer = None
    send("commands", slack.command_body(ANA, "amount by region"))
    work()
    make_late()
    desk_of_test.answer = Answered("Seven.", None, ())
    slack.fail("response_url", status=404, times=None)
    work()
    (post,) = slack.posts
    assert (post.channel, post.user, "Seven." in shown(post)) == (slack.channel, ANA, True)
    assert SlackQuestion.objects.get().state == "answered"


@pytest.mark.parametrize("put", [True, False])
def test_who_gets_no_answer_in_time_is_told_so_once(slack, linked, desk_of_test, put):
    desk_of_test.answer = None
    send("commands", slack.command_body(ANA, "amount by region"))
    if put:
        work()
    make_late()
    work()
    work()
    (post,) = slack.posts
    assert (post.user, post.text) == (ANA, "Sorry, your question could not be answered in time. Please ask again.")
    question = SlackQuestion.objects.get()
    assert (question.state, question.reason, question.text) == ("failed", "late", "")
    assert bool(desk_of_test.asked) == put


def test_who_asks_what_fails_again_and_again_is_told_so(slack, linked, desk_of_test):
    def fails(**_):
        raise ZeroDivisionError

    desk_of_test.ask = fails
    send("commands", slack.command_body(ANA, "amount by region"))
    for _ in range(3):
        assert SlackQuestion.objects.get().state == "received"
        SlackQuestion.objects.update(lease_until=None)
        work()
    (post,) = slack.posts
    assert post.text == "Sorry, I'm having trouble processing your request. Please try again."
    assert SlackQuestion.objects.get().state == "failed"


def test_a_chart_that_cannot_be_drawn_leaves_the_answer_whole(slack, linked, desk_of_test):
    desk_of_test.answer = Answered("Seven.", None, ("{}", CHART.replace("bar", "sunburst")))
    send("events", slack.event_body(ANA, "x", direct=True))
    work()
    assert len(slack.posts) == 1
    assert not slack.uploads


def test_one_workspace_is_one_organizations(cast, slack, workspace):
    from tests.apps.integrations.consents import allow, start

    client = client_of(cast.gia)
    back = allow(start(client, "slack"))
    body = {"slackCode": back["code"], "state": back["state"], "redirect_uri": "http://testserver/slack-callback"}
    assert client.post("/api/v3/slack/auth", body, format="json").status_code == 409
    assert Connection.objects.filter(service="slack").count() == 1
    assert client_of(cast.ana).post("/api/v3/connections", {"service": "slack"}, format="json").status_code in (
        400,
        403,
    )
