"""Each kind of work has threads of its own: what takes long holds up nothing but its like."""

from __future__ import annotations

import threading
from typing import Any

import dramatiq
import pytest

from apps.core.jobs.broker import EmbeddedBroker
from apps.core.jobs.embedded import EmbeddedWorkers

PATIENCE = 60


@pytest.mark.parametrize("slow", ["files", "refreshes", "integrations", "mails"])
def test_an_answer_is_given_while_every_thread_of_other_work_is_taken(settings: Any, slow: str) -> None:
    settings.WORKER_THREADS = 2
    broker, over, answered = EmbeddedBroker(middleware=[]), threading.Event(), threading.Event()
    taken = threading.Semaphore(0)

    def hold() -> None:
        taken.release()
        over.wait(PATIENCE)

    holding = dramatiq.actor(hold, broker=broker, actor_name="tests.hold", queue_name=slow)
    answer = dramatiq.actor(answered.set, broker=broker, actor_name="tests.answer", queue_name="questions")
    workers = EmbeddedWorkers(broker)
    workers.start(alone=False)
    try:
        for _ in range(6):
            holding.send()
        assert all(taken.acquire(timeout=PATIENCE) for _ in range(2)), "all threads of that work are taken"
        answer.send()
        assert answered.wait(PATIENCE)
    finally:
        over.set()
        workers.stop()


def test_answers_share_their_queue_with_no_other_work() -> None:
    queues: dict[str, list[str]] = {}
    for actor in dramatiq.get_broker().actors.values():
        queues.setdefault(actor.queue_name, []).append(actor.actor_name)
    assert queues["questions"] == ["threads.answer_run"]
    assert {"files", "integrations", "refreshes", "slack", "mails"} <= set(queues)
