"""Threads are their member's alone: a colleague and another organization meet the same "not found"."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest

from apps.threads.models import Message, Run, Thread
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member

pytestmark = pytest.mark.django_db(transaction=True)


def bodies(done: dict[str, Any]) -> list[dict[str, Any]]:
    """Every way of /ask to reach a thread."""
    thread = {"thread_id": done["thread_id"]}
    run = {**thread, "run_id": done["run_id"]}
    answer = done["messages"][0]["children"][0]["message_id"]
    return [
        thread,
        run,
        {**run, "should_validate": True, "organization": "Acme"},
        {**run, "selected_assistant_message_id": answer},
        {**thread, "prompt": "Mine now?"},
    ]


@pytest.mark.parametrize("stranger", ["ben", "gus"])
def test_nobody_else_reaches_a_thread_by_any_meaning_of_ask(
    ana: Member, stranger: str, request: pytest.FixtureRequest
) -> None:
    done = ana.ask()
    other: Member = request.getfixturevalue(stranger)
    before = Message.objects.count()
    absent = {"thread_id": str(uuid4())}
    said = other.post(absent)
    assert said.status_code == 404
    for body in bodies(done):
        answer = other.post(body)
        assert answer.status_code == 404, body
        if "run_id" not in body:
            assert answer.json() == said.json()
    assert other.history() == []
    assert Message.objects.count() == before


@pytest.mark.parametrize("stranger", ["ben", "gus"])
def test_nobody_else_can_cancel_rate_or_see_a_run(ana: Member, stranger: str, request: pytest.FixtureRequest) -> None:
    sent = ana.send()
    other: Member = request.getfixturevalue(stranger)
    assert other.post({}, f"/api/v3/runs/{sent['run_id']}/cancel").status_code == 404
    assert Run.objects.get().state == "queued"
    ana.letterbox.deliver()
    answer = ana.poll(sent)["messages"][0]["children"][0]["message_id"]
    rating = {"thread_id": sent["thread_id"], "message_id": answer, "is_thumbs_up": True}
    assert other.post(rating, "/api/v3/rate-answer").status_code == 404
    assert Message.objects.get(pk=answer).is_thumbs_up is None


def test_ids_of_different_threads_cannot_be_mixed(ana: Member, gus: Member) -> None:
    mine, own_other, foreign = ana.ask("One?"), ana.ask("Two?"), gus.ask("Three?")
    for other in (own_other, foreign):
        answer = other["messages"][0]["children"][0]["message_id"]
        mixed: list[tuple[dict[str, Any], str]] = [
            ({"thread_id": mine["thread_id"], "run_id": other["run_id"]}, "/api/v3/ask"),
            ({"thread_id": mine["thread_id"], "prompt": "x", "parent_message_id": answer}, "/api/v3/ask"),
            ({"prompt": "x", "parent_message_id": answer}, "/api/v3/ask"),
            (
                {"thread_id": mine["thread_id"], "run_id": mine["run_id"], "selected_assistant_message_id": answer},
                "/api/v3/ask",
            ),
            ({"thread_id": mine["thread_id"], "message_id": answer, "is_thumbs_up": True}, "/api/v3/rate-answer"),
        ]
        for body, path in mixed:
            assert ana.post(body, path).status_code == 404, body
    assert Thread.objects.count() == 3


def test_a_member_who_changes_organization_leaves_the_threads_behind(ana: Member, cast: Cast) -> None:
    done = ana.ask()
    cast.ana.organization = cast.globex
    cast.ana.save()
    assert ana.history() == []
    assert ana.post({"thread_id": done["thread_id"]}).status_code == 404


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("post", "/api/v3/ask"),
        ("post", "/api/v3/runs/00000000-0000-4000-8000-000000000000/cancel"),
        ("post", "/api/v3/socket-ticket"),
        ("get", "/api/v3/question-suggestions"),
        ("post", "/api/v3/rate-answer"),
        ("post", "/api/v3/feedback"),
    ],
)
def test_without_a_session_there_is_nothing(ana: Member, method: str, path: str) -> None:
    ana.client.credentials()
    assert getattr(ana.client, method)(path).status_code == 401
    ana.client.credentials(HTTP_AUTHORIZATION="Bearer forged")
    assert getattr(ana.client, method)(path).status_code == 401
