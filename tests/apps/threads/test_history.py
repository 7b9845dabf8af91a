"""Threads are renamed, archived and deleted by their owner, and each of it can be taken back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.threads import copy, limits
from apps.threads.models import Message, Run, Thread
from apps.threads.services.sweep import sweep
from tests.apps.threads.conftest import Member

pytestmark = pytest.mark.django_db(transaction=True)
THREADS = "/api/v3/threads"


def change(member: Member, thread_id: str, **said: Any) -> Any:
    return member.client.put(THREADS, {"thread_id": thread_id, **said}, format="json")


def delete(member: Member, thread_id: str) -> Any:
    return member.client.delete(f"{THREADS}?thread_id={thread_id}")


def restore(member: Member, thread_id: str) -> Any:
    return member.post({"thread_id": thread_id}, f"{THREADS}/restore")


def test_a_thread_gets_another_name_and_keeps_its_place(ana: Member) -> None:
    older, newer = ana.ask()["thread_id"], ana.ask("Revenue by month?")["thread_id"]
    rows = change(ana, older, summary=" West in spring ").json()
    assert [(row["thread_id"], row["summary"]) for row in rows] == [
        (newer, "Revenue by month?"),
        (older, "West in spring"),
    ]
    assert rows == ana.history()


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"summary": "  "}, "nameless"),
        ({"summary": 5}, "not_text"),
        ({"summary": "x" * (limits.SUMMARY_LENGTH + 1)}, "too_long"),
        ({"archived": "yes"}, "not_boolean"),
    ],
)
def test_what_cannot_be_a_name_or_a_place_is_refused(ana: Member, said: dict[str, Any], code: str) -> None:
    thread_id = ana.ask()["thread_id"]
    before = ana.history()
    answer = change(ana, thread_id, **said)
    assert (answer.status_code, answer.json()["error"]["code"]) == (400, code)
    assert ana.history() == before


def test_a_thread_goes_into_the_archive_and_comes_back_as_it_was(ana: Member) -> None:
    thread_id = ana.ask()["thread_id"]
    before = ana.history()
    assert [row["archived"] for row in change(ana, thread_id, archived=True).json()] == [True]
    assert ana.load(thread_id)["messages"]
    assert change(ana, thread_id, archived=False).json() == before


def test_a_deleted_thread_is_gone_at_once_and_comes_back_as_it_was(ana: Member) -> None:
    thread_id = ana.ask()["thread_id"]
    loaded, before = ana.load(thread_id), ana.history()
    assert delete(ana, thread_id).json() == []
    answer = ana.post({"thread_id": thread_id})
    assert (answer.status_code, answer.json()["error"]["message"]) == (404, copy.THREAD_NOT_FOUND)
    assert ana.post({"prompt": "And by month?", "thread_id": thread_id, "models": None}).status_code == 404
    assert restore(ana, thread_id).json() == before
    assert ana.load(thread_id) == loaded


def test_work_on_a_deleted_thread_ends(ana: Member) -> None:
    sent = ana.send()
    delete(ana, sent["thread_id"])
    assert Run.objects.get().state == "cancelled"
    ana.letterbox.deliver()
    assert not Message.objects.filter(role="assistant").exists()


def test_a_deleted_thread_is_removed_for_good_after_a_moment(ana: Member) -> None:
    thread_id, kept = ana.ask()["thread_id"], ana.ask()["thread_id"]
    delete(ana, thread_id)
    sweep()
    assert Thread.objects.filter(pk=thread_id).exists()
    over = timezone.now() - limits.DELETED_KEPT - timedelta(seconds=1)
    Thread.objects.filter(pk=thread_id).update(deleted_at=over)
    sweep()
    assert [str(thread.pk) for thread in Thread.objects.all()] == [kept]
    assert not Message.objects.filter(thread_id=thread_id).exists()
    answer = restore(ana, thread_id)
    assert (answer.status_code, answer.json()["error"]["message"]) == (404, copy.THREAD_GONE)


def test_nobody_but_the_owner_changes_a_thread(ana: Member, ben: Member) -> None:
    thread_id = ana.ask()["thread_id"]
    before = ana.history()
    answers = [change(ben, thread_id, archived=True), delete(ben, thread_id), restore(ben, thread_id)]
    assert [answer.status_code for answer in answers] == [404, 404, 404]
    delete(ana, thread_id)
    assert restore(ben, thread_id).status_code == 404
    assert restore(ana, thread_id).json() == before
