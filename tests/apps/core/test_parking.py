"""A job that fails again and again is put aside after three tries, and staff may send it again."""

from __future__ import annotations

from collections.abc import Callable
from queue import PriorityQueue
from typing import Any

import dramatiq
import pytest
from django.contrib.admin import site
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from dramatiq.broker import MessageProxy
from dramatiq.brokers.stub import StubBroker
from dramatiq.middleware import Retries
from dramatiq.worker import WorkerThread

from apps.accounts.models import User
from apps.core import parked
from apps.core.jobs.parking import Parking
from apps.core.models import ParkedMessage
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db


class Line:
    """A worker on this thread: it processes a message as Dramatiq's does, and says what became of it."""

    def __init__(self) -> None:
        self.broker = StubBroker(middleware=[Retries(max_retries=10, min_backoff=1, max_backoff=2), Parking()])
        self.failing = True
        self.done: list[str] = []
        self.error: Callable[[], Exception] = lambda: ValueError("Ana earns 7,000.")

        @dramatiq.actor(broker=self.broker, actor_name="sums.add", queue_name="sums")
        def add(number: str) -> None:
            if self.failing:
                raise self.error()
            self.done.append(number)

        self.actor = add

    def post_process_message(self, message: MessageProxy) -> None:
        """What a consumer does with a message that is through."""
        self.ended = "failed" if message.failed else "taken"
        if message.failed:
            self.broker.emit_before("nack", message)
            self.broker.emit_after("nack", message)

    def work_on(self, message: dramatiq.Message[Any]) -> str:
        consumers: Any = {"sums": self}
        waiting: Any = PriorityQueue()
        waiting.put(1)
        thread = WorkerThread(broker=self.broker, consumers=consumers, work_queue=waiting, worker_timeout=10)
        thread.process_message(MessageProxy(message))
        return self.ended


@pytest.fixture
def line() -> Line:
    return Line()


def test_after_three_tries_a_job_is_parked_and_the_row_tells_kind_and_place_but_not_the_words(line: Line) -> None:
    message = line.actor.message("one")
    assert [line.work_on(message) for _ in range(3)] == ["taken", "taken", "failed"]  # taken: it is tried again
    row = ParkedMessage.objects.get()
    assert (row.actor, row.queue, row.arguments, row.tries) == ("sums.add", "sums", ["one"], 3)
    assert row.parked_at is not None
    assert row.failure.startswith("ValueError in ")
    assert "7,000" not in row.failure


def test_a_parked_job_is_passed_over_whoever_sends_it_and_the_others_are_not(line: Line) -> None:
    for _ in range(3):
        line.work_on(line.actor.message("one"))
    line.failing = False
    assert line.work_on(line.actor.message("one")) == "taken"
    line.work_on(line.actor.message("two"))
    assert line.done == ["two"]


def test_a_success_forgets_the_failures_before_it(line: Line) -> None:
    for _ in range(2):
        line.work_on(line.actor.message("one"))
    line.failing = False
    line.work_on(line.actor.message("one"))
    assert not ParkedMessage.objects.exists()


@pytest.mark.parametrize("error", [OperationalError("the server closed the connection"), ConnectionError()])
def test_servers_that_cannot_be_reached_are_no_fault_of_the_job(line: Line, error: Exception) -> None:
    line.error = lambda: error
    for _ in range(5):
        line.work_on(line.actor.message("one"))
    assert not ParkedMessage.objects.exists()


def test_what_no_actor_takes_is_parked_at_once_and_cannot_be_replayed(line: Line) -> None:
    message = MessageProxy(
        dramatiq.Message(queue_name="sums", actor_name="sums.subtract", args=("one",), kwargs={}, options={})
    )
    message.fail()
    line.post_process_message(message)
    row = ParkedMessage.objects.get()
    assert (row.actor, row.failure, row.parked_at is not None) == ("sums.subtract", "ActorNotFound", True)
    assert parked.replay([row]) == (0, 1)
    assert ParkedMessage.objects.exists()


def park_mail(tries: int = 3) -> ParkedMessage:
    for _ in range(tries):
        parked.failed("accounts.send_mail", "mails", ["an-id"], "ValueError in mails.py:1")
    return ParkedMessage.objects.get()


def enter(username: str) -> Client:
    client = Client()
    client.post(reverse("admin:login"), {"username": username, "password": PASSWORD})
    return client


def test_staff_see_and_replay_parked_jobs_in_the_admin(cast) -> None:
    row = park_mail()
    User.objects.filter(pk=cast.ada.pk).update(is_superuser=True)
    staff = enter("ada")
    address = reverse("admin:core_parkedmessage_changelist")
    assert "ValueError in mails.py:1" in staff.get(address).content.decode()
    answer = staff.post(address, {"action": "replay", "_selected_action": [str(row.pk)]}, follow=True)
    assert "Sent to the workers again: 1." in answer.content.decode()
    assert not ParkedMessage.objects.exists()
    waiting = dramatiq.get_broker().queues["mails"]
    sent = [dramatiq.Message.decode(waiting.get_nowait()) for _ in range(waiting.qsize())]
    assert [message.args for message in sent if message.actor_name == "accounts.send_mail"][-1] == ("an-id",)


def test_admins_of_organizations_see_none_of_it(cast) -> None:
    row = park_mail()
    admin = enter("ada")
    for address in (
        reverse("admin:core_parkedmessage_changelist"),
        reverse("admin:core_parkedmessage_change", args=[row.pk]),
        reverse("admin:core_parkedmessage_delete", args=[row.pk]),
    ):
        assert admin.get(address).status_code in (302, 403, 404)
    chosen = {"action": "replay", "_selected_action": [str(row.pk)]}
    assert admin.post(reverse("admin:core_parkedmessage_changelist"), chosen).status_code == 403
    assert ParkedMessage.objects.exists()
    assert site.is_registered(ParkedMessage)


def test_the_metrics_tell_how_many_are_parked_and_how_many_fail(cast) -> None:
    park_mail()
    parked.failed("feedback.pass_on", "feedback", ["another"], "KeyError")
    told = {(figure.name, *figure.labels.values()): figure.value for figure in parked.figures()}
    assert told == {("parked_messages", "accounts.send_mail"): 1, ("failing_messages",): 1}
