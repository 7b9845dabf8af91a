"""A run is claimed under a lease, can be lost, cancelled or delivered twice, and ends exactly once."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from django.db import IntegrityError, OperationalError, transaction
from django.utils import timezone
from dramatiq.middleware import Shutdown

from apps.analyst.types import Answer, Question, Step
from apps.core import workers
from apps.threads import copy, limits, runner
from apps.threads.answers import draft_of
from apps.threads.models import Message, Run, RunState
from apps.threads.services.runs import RunStopped, run_claim, run_complete, run_step
from apps.threads.services.sweep import orphans_requeue, runs_sweep, worker_buried
from tests.apps.threads.conftest import Member, Script, a_while, revenue_by_region, usual

pytestmark = pytest.mark.django_db(transaction=True)

LONG_AGO = timezone.now() - timedelta(hours=1)


def answers() -> int:
    return Message.objects.filter(role="assistant").count()


def test_a_message_that_arrives_three_times_gives_one_answer(ana: Member, script: Script) -> None:
    sent = ana.send()
    ana.letterbox.deliver(times=3)
    assert ana.poll(sent)["status"] == "completed"
    assert (answers(), len(script.asked)) == (1, 1)


def test_only_one_of_two_workers_gets_a_run(ana: Member) -> None:
    run_id = UUID(ana.send()["run_id"])
    assert run_claim(run_id) is not None
    assert run_claim(run_id) is None


def test_a_brief_step_is_written_with_what_follows_it(ana: Member) -> None:
    sent = ana.send()
    claim = run_claim(UUID(sent["run_id"]))
    assert claim is not None
    run_step(claim=claim, label="Looking at deals", brief=True)
    assert ana.poll(sent)["steps"] == []
    run_step(claim=claim, label="Computing")
    run_step(claim=claim, label="Writing the answer", brief=True)
    assert [step["label"] for step in ana.poll(sent)["steps"]] == ["Looking at deals", "Computing"]
    run_complete(claim=claim, draft=draft_of(revenue_by_region(), steps=[], seconds=0))
    assert [step["label"] for step in ana.poll(sent)["steps"]][-1] == "Writing the answer"


def test_a_run_whose_lease_has_ended_is_claimed_again_and_the_first_worker_has_lost_it(ana: Member) -> None:
    run_id = UUID(ana.send()["run_id"])
    first = run_claim(run_id)
    assert first is not None
    Run.objects.update(lease_until=LONG_AGO)
    second = run_claim(run_id)
    assert second is not None
    assert second.run.attempt == 2
    draft = draft_of(revenue_by_region(), steps=[], seconds=0)
    with pytest.raises(RunStopped):
        run_step(claim=first, label="Computing")
    with pytest.raises(RunStopped):
        run_complete(claim=first, draft=draft)
    assert answers() == 0
    run_complete(claim=second, draft=draft)
    assert answers() == 1


def test_a_second_attempt_begins_its_steps_anew(ana: Member) -> None:
    sent = ana.send()
    first = run_claim(UUID(sent["run_id"]))
    assert first is not None
    run_step(claim=first, label="Reading the question")
    Run.objects.update(lease_until=LONG_AGO)
    ana.letterbox.deliver()
    assert [step["label"] for step in ana.poll(sent)["steps"]] == ["Reading the question", "Computing"]


def test_each_step_renews_the_lease(ana: Member) -> None:
    claim = run_claim(UUID(ana.send()["run_id"]))
    assert claim is not None
    Run.objects.update(lease_until=timezone.now() + timedelta(seconds=1))
    run_step(claim=claim, label="Computing", detail="deals")
    run = Run.objects.get()
    assert run.lease_until is not None
    assert run.lease_until > timezone.now() + timedelta(seconds=30)
    assert run.step_description == "Computing: deals"


def test_a_cancelled_run_stops_at_the_engines_next_step(ana: Member, script: Script) -> None:
    reached: list[str] = []

    def cancelled_meanwhile(question: Question, emit: Any) -> Answer:
        emit(Step("Reading the question"))
        cancelled = ana.post({}, f"/api/v3/runs/{sent['run_id']}/cancel").json()
        assert cancelled["status"] == "cancelled"
        a_while()
        emit(Step("Computing"))
        reached.append("the end")
        return revenue_by_region()

    script.say = cancelled_meanwhile
    sent = ana.send()
    ana.letterbox.deliver()
    done = ana.poll(sent)
    assert (done["status"], reached, answers()) == ("cancelled", [], 0)
    assert [message["content"] for message in done["messages"]] == ["Revenue by region?"]


def test_a_run_cancelled_in_the_queue_never_begins(ana: Member, script: Script) -> None:
    sent = ana.send()
    ana.post({}, f"/api/v3/runs/{sent['run_id']}/cancel")
    ana.letterbox.deliver()
    assert (ana.poll(sent)["status"], script.asked) == ("cancelled", [])


def test_cancelling_a_finished_run_changes_nothing(ana: Member) -> None:
    done = ana.ask()
    assert ana.post({}, f"/api/v3/runs/{done['run_id']}/cancel").json() == done


def test_a_question_after_a_cancelled_one_follows_it(ana: Member) -> None:
    sent = ana.send("One?")
    ana.post({}, f"/api/v3/runs/{sent['run_id']}/cancel")
    done = ana.ask("Two?", thread_id=sent["thread_id"], parent_message_id=sent["user_message_id"])
    assert done["messages"][0]["children"][0]["content"] == "Two?"


def test_a_lost_message_is_sent_again_by_the_sweep(ana: Member) -> None:
    sent = ana.send()
    ana.letterbox.lose_all()
    assert runs_sweep() == 0
    Run.objects.update(lease_until=LONG_AGO)
    assert (runs_sweep(), runs_sweep()) == (1, 0)
    ana.letterbox.deliver()
    assert ana.poll(sent)["status"] == "completed"


def test_the_run_of_a_dead_worker_is_done_by_another(ana: Member) -> None:
    sent = ana.send()
    ana.letterbox.lose_all()
    assert run_claim(UUID(sent["run_id"])) is not None
    assert runs_sweep() == 0
    Run.objects.update(lease_until=LONG_AGO)
    assert runs_sweep() == 1
    ana.letterbox.deliver()
    assert (ana.poll(sent)["status"], answers()) == ("completed", 1)


def test_the_runs_of_a_worker_that_is_buried_go_on_at_once_and_so_does_what_it_had_fetched(ana: Member) -> None:
    begun, fetched = ana.send(), ana.send()
    claim = run_claim(UUID(begun["run_id"]))
    assert claim is not None
    ana.letterbox.lose_all()
    assert worker_buried("somebody else") == 1  # the one that nobody has begun
    assert ana.letterbox.waiting() == [fetched["run_id"]]
    assert worker_buried(workers.ME) == 3
    ana.letterbox.deliver()
    assert [ana.poll(sent)["status"] for sent in (begun, fetched)] == ["completed", "completed"]
    assert answers() == 2
    with pytest.raises(RunStopped):
        run_step(claim=claim, label="of the dead")


def test_a_run_that_kills_its_worker_three_times_is_given_up(ana: Member) -> None:
    sent = ana.send()
    for _ in range(limits.MAX_ATTEMPTS):
        ana.letterbox.lose_all()
        assert run_claim(UUID(sent["run_id"])) is not None
        Run.objects.update(lease_until=LONG_AGO)
        runs_sweep()
    done = ana.poll(sent)
    assert (done["status"], done["error"], ana.letterbox.waiting()) == ("failed", copy.PROCESSING_FAILED, [])


def test_a_run_is_not_given_up_for_the_deaths_of_workers_that_had_others_too(ana: Member) -> None:
    near, guilty = ana.send("One?"), ana.send("Two?")
    for _ in range(limits.MAX_ATTEMPTS):
        for sent in (near, guilty):
            assert run_claim(UUID(sent["run_id"])) is not None
        worker_buried(workers.ME)
    assert run_claim(UUID(guilty["run_id"])) is not None
    worker_buried(workers.ME)  # nobody else was on it
    assert [ana.poll(sent)["status"] for sent in (near, guilty)] == ["queued", "failed"]
    ana.letterbox.deliver()
    assert ana.poll(near)["status"] == "completed"


def test_runs_that_die_together_again_and_again_are_given_up_in_the_end(ana: Member) -> None:
    both = [ana.send("One?"), ana.send("Two?")]
    for _ in range(limits.MAX_ATTEMPTS_IN_COMPANY):
        for sent in both:
            assert run_claim(UUID(sent["run_id"])) is not None
        worker_buried(workers.ME)
    assert [ana.poll(sent)["status"] for sent in both] == ["failed", "failed"]


@pytest.mark.parametrize("claimed", [True, False])
def test_a_run_past_its_time_is_ended_by_the_sweep(ana: Member, claimed: bool) -> None:
    sent = ana.send()
    if claimed:
        run_claim(UUID(sent["run_id"]))
    Run.objects.update(deadline_at=LONG_AGO)
    runs_sweep()
    assert ana.poll(sent)["status"] == "failed"


def test_at_the_start_of_the_only_process_every_unfinished_run_is_taken_up(ana: Member) -> None:
    queued, running, done = ana.send("One?"), ana.send("Two?"), ana.send("Three?")
    run_claim(UUID(running["run_id"]))
    runner.execute(UUID(done["run_id"]))
    ana.letterbox.lose_all()
    Run.objects.filter(state__in=["queued", "running"]).update(deadline_at=LONG_AGO)
    assert orphans_requeue() == 2
    assert ana.letterbox.waiting() == [queued["run_id"], running["run_id"]]
    ana.letterbox.deliver()
    assert [ana.poll(sent)["status"] for sent in (queued, running, done)] == ["completed"] * 3
    assert answers() == 3


def test_a_worker_that_is_being_stopped_gives_its_run_back(ana: Member, script: Script) -> None:
    def stopped(question: Question, emit: Any) -> Answer:
        emit(Step("Reading the question"))
        raise Shutdown

    script.say = stopped
    sent = ana.send()
    with pytest.raises(Shutdown):
        ana.letterbox.deliver()
    run = Run.objects.get()
    assert (run.state, run.attempt, run.owner) == (RunState.QUEUED, 0, "")
    script.say = usual
    assert runs_sweep() == 1
    ana.letterbox.deliver()
    assert ana.poll(sent)["status"] == "completed"


def test_a_run_in_whose_middle_the_database_goes_away_is_given_back_at_once(ana: Member, script: Script) -> None:
    def cut_off(question: Question, emit: Any) -> Answer:
        emit(Step("Reading the question"))
        raise OperationalError("the server closed the connection unexpectedly")

    script.say = cut_off
    sent = ana.send()
    with pytest.raises(OperationalError):  # so that its message comes again
        ana.letterbox.deliver()
    run = Run.objects.get()
    assert (run.state, run.attempt, run.owner) == (RunState.QUEUED, 0, "")
    script.say = usual
    assert runs_sweep() == 1
    ana.letterbox.deliver()
    assert ana.poll(sent)["status"] == "completed"


def test_nothing_is_sent_to_workers_where_the_question_was_not_written(ana: Member) -> None:
    with transaction.atomic():
        ana.send()
        transaction.set_rollback(True)
    assert ana.letterbox.waiting() == []
    assert Run.objects.count() == 0


@pytest.mark.parametrize(
    "change",
    [
        {"state": RunState.RUNNING},
        {"state": RunState.COMPLETED},
        {"finished_at": LONG_AGO},
    ],
)
def test_the_database_refuses_states_that_cannot_be(ana: Member, change: dict[str, Any]) -> None:
    ana.send()
    with pytest.raises(IntegrityError):
        Run.objects.update(**change)


def test_the_database_refuses_a_second_selected_answer_and_a_second_answer_of_an_approach(ana: Member) -> None:
    done = ana.ask()
    row = {
        "thread_id": done["thread_id"],
        "run_id": done["run_id"],
        "parent_id": done["user_message_id"],
        "role": "assistant",
    }
    with pytest.raises(IntegrityError):
        Message.objects.create(**row, model="other", is_selected_assistant=True)
    with pytest.raises(IntegrityError):
        Message.objects.create(**row, model="builtin")
