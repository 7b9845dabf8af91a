"""Work on a question ends when its time is over or nobody waits for it, and never stands beside a second attempt."""

from __future__ import annotations

import threading
import time
from contextlib import suppress
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import connections
from django.utils import timezone

from apps.analyst.approaches.aside_child import LEARNING
from apps.analyst.types import Answer, Question, Step
from apps.core.jobs.interrupting import TimeUp, within
from apps.threads import copy, limits, runner
from apps.threads.models import Run, RunState
from apps.threads.services.runs import run_cancel
from tests.apps.threads.conftest import Member, Script, revenue_by_region

pytestmark = pytest.mark.django_db(transaction=True)


def busy(seconds: float = 20.0) -> None:
    """Work that tells nothing and takes every error for its own."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            sum(range(1000))
        except Exception:
            continue


def never_read(question: Question, emit: Any) -> Answer:
    emit(Step("Reading the question"))
    busy()
    return revenue_by_region()


def test_a_question_that_cannot_be_read_in_time_is_declined_in_words(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 0.3)
    script.say = never_read
    begun = time.monotonic()
    answered = ana.ask()
    assert time.monotonic() - begun < 5
    assert answered["status"] == "completed"
    assert copy.READING_TOOK_TOO_LONG in str(answered)
    assert Run.objects.get().attempt == 1


def test_tables_that_are_not_learned_in_time_are_declined_in_words(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "LEARNING_SECONDS", 0.3)

    def never_learned(question: Question, emit: Any) -> Answer:
        emit(Step(LEARNING))
        busy()
        return revenue_by_region()

    script.say = never_learned
    begun = time.monotonic()
    assert copy.READING_TOOK_TOO_LONG in str(ana.ask())
    assert time.monotonic() - begun < 5


def test_reading_has_its_time_once_the_tables_are_learned(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 0.5)

    def learned(question: Question, emit: Any) -> Answer:
        emit(Step(LEARNING))
        busy(0.8)
        emit(Step("Reading the question"))
        busy(0.1)
        emit(Step("Computing"))
        return revenue_by_region()

    script.say = learned
    assert "West" in str(ana.ask())

    def never_read_then(question: Question, emit: Any) -> Answer:
        emit(Step(LEARNING))
        return never_read(question, emit)

    script.say = never_read_then
    begun = time.monotonic()
    assert copy.READING_TOOK_TOO_LONG in str(ana.ask())
    assert time.monotonic() - begun < 5


def test_what_comes_after_reading_may_take_longer(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "READING_SECONDS", 0.2)

    def slow_query(question: Question, emit: Any) -> Answer:
        emit(Step("Reading the question"))
        emit(Step("Computing"))
        busy(0.6)
        return revenue_by_region()

    script.say = slow_query
    assert "West" in str(ana.ask())


def test_a_run_past_its_deadline_ends_in_the_middle_of_its_work(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "WATCH_SECONDS", 0.1)
    script.say = never_read
    sent = ana.send()
    Run.objects.update(deadline_at=timezone.now() + timedelta(seconds=0.5))
    begun = time.monotonic()
    ana.letterbox.deliver()
    assert time.monotonic() - begun < 5
    assert ana.poll(sent)["status"] == "failed"


def test_work_whose_member_stopped_it_ends_without_a_step(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "WATCH_SECONDS", 0.1)
    stopped: list[float] = []

    def stopped_meanwhile(question: Question, emit: Any) -> Answer:
        emit(Step("Computing"))
        run_cancel(run=Run.objects.get())
        stopped.append(time.monotonic())
        busy()
        return revenue_by_region()

    script.say = stopped_meanwhile
    sent = ana.send()
    ana.letterbox.deliver()
    assert time.monotonic() - stopped[0] < 5
    assert ana.poll(sent)["status"] == "cancelled"


def test_work_that_tells_nothing_keeps_its_lease(ana: Member, script: Script, monkeypatch) -> None:
    monkeypatch.setattr(limits, "WATCH_SECONDS", 0.1)

    def silent(question: Question, emit: Any) -> Answer:
        Run.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
        time.sleep(0.6)
        lease = Run.objects.get().lease_until
        assert lease is not None
        assert lease > timezone.now() + limits.LEASE / 2
        return revenue_by_region()

    script.say = silent
    assert ana.ask()["status"] == "completed"


def test_a_second_attempt_never_runs_beside_the_first(ana: Member, script: Script) -> None:
    at_once, most = [], []

    def beside(question: Question, emit: Any) -> Answer:
        at_once.append(1)
        most.append(len(at_once))
        if len(most) == 1:
            Run.objects.update(state=RunState.QUEUED, owner="")
            second = threading.Thread(target=lambda: (runner.execute(run_id), connections.close_all()))
            second.start()
            second.join()
        at_once.pop()
        return revenue_by_region()

    script.say = beside
    run_id = UUID(ana.send()["run_id"])
    ana.letterbox.deliver()
    assert most == [1]


def test_a_block_past_its_time_is_left_although_it_swallows_errors() -> None:
    begun = time.monotonic()
    with pytest.raises(TimeUp), within(0.2):
        busy()
    assert time.monotonic() - begun < 3


def test_a_block_within_its_time_is_never_interrupted_afterwards() -> None:
    for _ in range(300):
        with suppress(TimeUp), within(0.001):
            pass
    busy(0.3)
