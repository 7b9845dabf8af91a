"""An organization with many questions keeps no other's waiting, and no thread is idle while something waits."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from uuid import UUID

import dramatiq
import pytest
from django.db import connections
from dramatiq import Worker

from apps.accounts.models import Organization
from apps.analyst.types import Answer, Question, Step
from apps.threads import runner
from apps.threads.models import Run, RunState
from apps.threads.services.fairness import runs_in_turn
from apps.threads.services.runs import run_claim
from apps.threads.watching import alone_on
from tests.apps.threads.conftest import Member, Script, usual

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 30.0


@pytest.fixture(autouse=True)
def four_threads(settings: Any) -> None:
    settings.WORKER_THREADS = 4


@pytest.fixture
def at_work() -> Iterator[Callable[[UUID], None]]:
    """Has this process work on runs."""
    with ExitStack() as held:

        def take(run_id: UUID) -> None:
            assert held.enter_context(alone_on(run_id))
            assert run_claim(run_id) is not None

        yield take


def sent(member: Member, prompt: str) -> UUID:
    return UUID(member.send(prompt)["run_id"])


def asked(script: Script) -> list[str]:
    return [question.text for question in script.asked]


def test_where_an_organization_holds_half_of_the_threads_anothers_question_comes_first(
    ana: Member, gus: Member, script: Script, at_work: Callable[[UUID], None]
) -> None:
    for prompt in ("One?", "Two?"):
        at_work(sent(ana, prompt))
    third, theirs = sent(ana, "Three?"), sent(gus, "Theirs?")
    runner.execute(third)
    assert asked(script) == ["Theirs?"]
    runner.execute(theirs)
    assert asked(script) == ["Theirs?", "Three?"]
    runner.execute(theirs)
    assert asked(script) == ["Theirs?", "Three?"]


def test_a_colleagues_question_is_the_organizations_own(
    ana: Member, ben: Member, script: Script, at_work: Callable[[UUID], None]
) -> None:
    for prompt in ("One?", "Two?"):
        at_work(sent(ana, prompt))
    third = sent(ana, "Three?")
    sent(ben, "Four?")
    runner.execute(third)
    assert asked(script) == ["Three?"]


def test_nobody_waits_where_threads_are_free_and_nobody_else_asks(
    ana: Member, script: Script, at_work: Callable[[UUID], None]
) -> None:
    for prompt in ("One?", "Two?", "Three?"):
        at_work(sent(ana, prompt))
    runner.execute(sent(ana, "Four?"))
    assert asked(script) == ["Four?"]


def test_below_its_share_an_organizations_questions_are_taken_as_they_came(
    ana: Member, gus: Member, script: Script, at_work: Callable[[UUID], None]
) -> None:
    at_work(sent(ana, "One?"))
    second, theirs = sent(ana, "Two?"), sent(gus, "Theirs?")
    runner.execute(second)
    runner.execute(theirs)
    assert asked(script) == ["Two?", "Theirs?"]


def test_where_both_hold_their_shares_each_message_is_about_its_own(
    ana: Member, gus: Member, at_work: Callable[[UUID], None]
) -> None:
    taken = [sent(member, prompt) for member in (ana, gus) for prompt in ("One?", "Two?")]
    for run_id in taken:
        at_work(run_id)
    third, _ = sent(ana, "Three?"), sent(gus, "Theirs?")
    assert next(runs_in_turn(third, frozenset(taken))) == third


def test_a_deactivated_organization_is_let_go_by(
    ana: Member, gus: Member, script: Script, at_work: Callable[[UUID], None], cast: Any
) -> None:
    for prompt in ("One?", "Two?"):
        at_work(sent(ana, prompt))
    third = sent(ana, "Three?")
    sent(gus, "Theirs?")
    Organization.objects.filter(pk=cast.globex.pk).update(is_active=False)
    runner.execute(third)
    assert asked(script) == ["Three?"]


def test_a_message_whose_run_was_cancelled_takes_what_waits(ana: Member, gus: Member, script: Script) -> None:
    mine = sent(ana, "Mine?")
    sent(gus, "Theirs?")
    ana.post({}, f"/api/v3/runs/{mine}/cancel")
    runner.execute(mine)
    assert asked(script) == ["Theirs?"]


def test_with_real_workers_the_fifth_question_answered_is_another_organizations(
    ana: Member, gus: Member, script: Script
) -> None:
    """Four threads, eight slow questions of one organization, then one of another."""
    begun, go_on = threading.Semaphore(0), threading.Semaphore(0)

    def slow(question: Question, emit: Callable[[Step], None]) -> Answer:
        begun.release()
        assert go_on.acquire(timeout=PATIENCE)
        return usual(question, emit)

    script.say = slow
    for number in range(8):
        ana.send(f"Number {number}?")
    worker = Worker(dramatiq.get_broker(), queues={"questions"}, worker_threads=4, worker_timeout=100)
    worker.start()
    try:
        assert all(begun.acquire(timeout=PATIENCE) for _ in range(4))
        theirs = gus.send("Theirs?")
        go_on.release()
        assert begun.acquire(timeout=PATIENCE)
        assert asked(script)[4] == "Theirs?"
        for _ in range(8):
            go_on.release()
        until = time.monotonic() + PATIENCE
        while Run.objects.exclude(state=RunState.COMPLETED).exists() and time.monotonic() < until:
            time.sleep(0.05)
        assert gus.poll(theirs)["status"] == "completed"
        assert not Run.objects.exclude(state=RunState.COMPLETED).exists(), "no run is lost"
        assert len(script.asked) == 9, "and none is answered twice"
    finally:
        for _ in range(9):
            go_on.release()
        worker.stop()
        connections.close_all()
