"""Slack's stand-in on a loopback port, Acme's workspace in it, and a desk that answers what the test says."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.integrations.fakes import names
from apps.integrations.fakes.base import serving
from apps.integrations.fakes.slack import FakeSlack
from apps.integrations.models import Connection, SlackLink, SlackQuestion
from apps.integrations.slack import desk
from apps.integrations.slack.answering import question_answer
from apps.integrations.slack.desk import Answered, Asked, ShownTable
from apps.integrations.slack.signing import signature
from tests.apps.integrations.consents import allow, start
from tests.cast import client_of

ANA, BEN = "U0ANA00001", "U0BEN00001"
CHART = (
    '{"type": "bar", "title": "Amount by region", "labels": ["a", "b"], "datasets": [{"label": "x", "data": [1, 2]}]}'
)
TABLE = ShownTable(
    names=["Region", "Amount"], right=[False, True], rows=[["North", "1,200"], ["South", "7"]], total_rows=2
)


@dataclass
class ScriptedDesk:
    """Answers with `answer`; None keeps everybody waiting."""

    answer: Answered | None = field(default_factory=lambda: Answered("**North** leads.", TABLE, (CHART,)))
    asked: list[tuple[str, str, UUID | None]] = field(default_factory=list)

    def ask(self, *, member: User, prompt: str, thread_id: UUID | None) -> Asked:
        self.asked.append((member.username, prompt, thread_id))
        return Asked(thread_id=thread_id or uuid4(), run_id=uuid4())

    def answered(self, *, member: User, run_id: UUID) -> Answered | None:
        return self.answer


@pytest.fixture
def desk_of_test() -> Iterator[ScriptedDesk]:
    scripted, usual = ScriptedDesk(), desk.desk()
    desk.desk_served_by(scripted)
    yield scripted
    desk.desk_served_by(usual)


@pytest.fixture
def slack(settings: Any) -> Iterator[FakeSlack]:
    """The stand-in; at the end nothing that was said kept the contract less than it had to."""
    fake = FakeSlack()
    with serving(fake) as address:
        fake.address = address
        settings.SLACK_URL = settings.SLACK_HOOKS_URL = settings.SLACK_FILES_URL = address
        settings.SLACK_CLIENT_ID, settings.SLACK_CLIENT_SECRET = names.SLACK_CLIENT_ID, names.SLACK_CLIENT_SECRET
        settings.SLACK_SIGNING_SECRET = names.SLACK_SIGNING_SECRET
        settings.INTEGRATIONS_TIMEOUT = 5
        yield fake
    assert fake.violations == []


@pytest.fixture
def workspace(cast: Any, slack: FakeSlack) -> Connection:
    """Acme's workspace, connected through the real routes."""
    client = client_of(cast.ada)
    back = allow(start(client, "slack"))
    body = {"slackCode": back["code"], "state": back["state"], "redirect_uri": "http://testserver/slack-callback"}
    answer = client.post("/api/v3/slack/auth", body, format="json")
    assert answer.status_code == 200, answer.content
    assert answer.json()["workspace"] == "Acme's workspace"
    return Connection.objects.get(service="slack")


@pytest.fixture
def linked(cast: Any, workspace: Connection) -> SlackLink:
    """Ana is known in Slack."""
    return SlackLink.objects.create(
        organization=cast.acme, connection=workspace, member=cast.ana, slack_user_id=ANA, slack_name="ana"
    )


def send(path: str, body: bytes, *, stamp: str | None = None, sign: str | None = None, **headers: str) -> Any:
    """A request as Slack sends it, or with another stamp or signature."""
    at = stamp if stamp is not None else str(int(time.time()))
    given = sign if sign is not None else signature(names.SLACK_SIGNING_SECRET, at, body)
    kind = "application/x-www-form-urlencoded" if path.endswith("commands") else "application/json"
    sent = {"X-Slack-Request-Timestamp": at, "X-Slack-Signature": given, **headers}
    return Client().post(f"/api/v3/slack/{path}", body, content_type=kind, headers=sent)


def work() -> None:
    """What the workers do with the questions that are open."""
    for pk in SlackQuestion.objects.order_by("created_at").values_list("pk", flat=True):
        question_answer(pk)
