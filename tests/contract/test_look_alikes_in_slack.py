"""Nobody is told of another organization in Slack: Acme's workspace has users, a thread and a delivery that Globex
has, too, in its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from apps.integrations.fakes.slack import FakeSlack
from apps.integrations.models import SlackLink, SlackLinkRequest, SlackQuestion
from tests.apps.integrations.slack.conftest import ANA, BEN, ScriptedDesk, send, work
from tests.contract.look_alikes import PRIVATE, Named, look_alikes
from tests.contract.test_matrix import taken_back

DELIVERY = "Ev0LOOKALIKE"
THREAD_TS = "1732000000.000001"
KEY = re.compile(r"(?<=slack-link=)[\w-]+")
Bodies = Callable[[FakeSlack, Named], list[bytes]]
SENT: dict[str, Bodies] = {
    "events": lambda fake, of: [
        fake.event_body(ANA, f"How many {of.table}?", thread_ts=THREAD_TS, event_id=DELIVERY),
        fake.event_body(BEN, f"How many {of.table}?", direct=True),
    ],
    "commands": lambda fake, of: [
        fake.command_body(ANA, f"How many {of.table}?"),
        fake.command_body(BEN, of.ids.thread),
    ],
}


def known_in_globex(globex: Any, fake: FakeSlack) -> Named:
    """Globex's own workspace has the same users, a question in the same thread, and the same delivery."""
    of = look_alikes(globex)
    SlackLink.objects.of(globex).update(slack_user_id=ANA)
    SlackLinkRequest.objects.of(globex).filter(slack_user_id="U2").update(slack_user_id=BEN)
    SlackQuestion.objects.of(globex).update(
        delivery_id=DELIVERY, slack_user_id=ANA, channel_id=fake.channel, thread_ts=THREAD_TS, thread_id=of.ids.thread
    )
    return of


def said(fake: FakeSlack, desk: ScriptedDesk, path: str, bodies: list[bytes]) -> list[Any]:
    """What Slack is answered, what is posted for whom, and what was asked for whom."""
    fake.posts.clear()
    desk.asked.clear()
    answers = []
    with taken_back():
        for body in bodies:
            answer = send(path, body)
            answers.append((answer.status_code, answer.content))
        work()
    posts = [(post.channel, post.user, KEY.sub("*", post.text), post.thread_ts) for post in fake.posts]
    return [answers, posts, list(desk.asked)]


@pytest.mark.parametrize("path", SENT)
@pytest.mark.parametrize("linked", [False, True], ids=["nobody is linked", "Ana is linked"])
def test_slack_is_told_the_same_where_another_workspace_has_look_alikes(
    cast, services, workspace, slack, desk_of_test, path, linked
):
    if linked:
        SlackLink.objects.create(
            organization=cast.acme, connection=workspace, member=cast.ana, slack_user_id=ANA, slack_name="ana"
        )
    with taken_back():
        of = known_in_globex(cast.globex, slack)
        bodies = SENT[path](slack, of)
        there = said(slack, desk_of_test, path, bodies)
    assert there == said(slack, desk_of_test, path, bodies)
    answers, posts, asked = there
    assert [status for status, _ in answers] == [200, 200]
    assert len(posts) == 2
    assert [username for username, _, _ in asked] == (["ana"] if linked else [])
    assert not [word for word in PRIVATE for post in posts for part in post if word in part.replace(of.table, "")]
