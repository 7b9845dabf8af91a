"""What workers do for an organization that is deactivated: nothing. What was under way is canceled, and what slipped
past that is neither begun nor finished."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

import dramatiq
import pytest
from django.core.cache import cache

from apps.accounts.models import Organization
from apps.accounts.services.organizations import organization_activate, organization_deactivate
from apps.analyst.types import Answer, Question, Step
from apps.threads import engine
from apps.threads.brought import Wish, brought_find
from apps.threads.models import Message, Run, RunKind, RunState
from apps.threads.services.runs import RunStopped, run_claim, run_keep
from apps.threads.services.sweep import orphans_requeue, runs_sweep, worker_buried
from apps.threads.suggestions import suggestions_find
from apps.threads.warming import warm
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script, a_while, revenue_by_region
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)


def only_the_state(organization: Organization) -> None:
    """The organization is inactive, and whoever should have ended its work did not."""
    Organization.objects.filter(pk=organization.pk).update(is_active=False)


def states() -> list[str]:
    return list(Run.objects.order_by("created_at").values_list("state", flat=True))


def answers() -> int:
    return Message.objects.filter(role="assistant").count()


def test_a_question_that_waits_is_canceled_and_one_elsewhere_answered(
    cast: Cast, ana: Member, gus: Member, script: Script
) -> None:
    ana.send()
    sent = gus.send()
    organization_deactivate(organization=cast.acme)
    assert states() == [RunState.CANCELLED, RunState.QUEUED]
    ana.letterbox.deliver()
    assert gus.poll(sent)["status"] == "completed"
    assert len(script.asked) == 1


def test_a_question_that_is_worked_on_is_canceled_at_its_next_step(cast: Cast, ana: Member, script: Script) -> None:
    reached: list[str] = []

    def deactivated_meanwhile(question: Question, emit: Any) -> Answer:
        emit(Step("Reading the question"))
        organization_deactivate(organization=cast.acme)
        a_while()
        emit(Step("Computing"))
        reached.append("the end")
        return revenue_by_region()

    script.say = deactivated_meanwhile
    ana.send()
    ana.letterbox.deliver()
    assert (states(), reached, answers()) == ([RunState.CANCELLED], [], 0)


def test_a_check_under_way_is_canceled_too(cast: Cast, ana: Member) -> None:
    done = ana.ask()
    run = Run.objects.get(pk=done["run_id"])
    check = Run(
        thread=run.thread, question=run.question, kind=RunKind.VALIDATION, validates=run, deadline_at=run.deadline_at
    )
    check.save(force_insert=True)
    organization_deactivate(organization=cast.acme)
    assert states() == [RunState.COMPLETED, RunState.CANCELLED]


def test_what_was_asked_at_the_last_moment_is_never_begun(cast: Cast, ana: Member, script: Script) -> None:
    run_id = UUID(ana.send()["run_id"])
    only_the_state(cast.acme)
    assert run_claim(run_id) is None
    for again in (runs_sweep, orphans_requeue, lambda: worker_buried("nobody")):
        again()
        ana.letterbox.deliver()
    assert script.asked == []
    assert Run.objects.get().attempt == 0


def test_what_is_worked_on_is_never_finished(cast: Cast, ana: Member, script: Script) -> None:
    def meanwhile(question: Question, emit: Any) -> Answer:
        only_the_state(cast.acme)
        return revenue_by_region()

    script.say = meanwhile
    ana.send()
    ana.letterbox.deliver()
    assert answers() == 0


def test_the_watch_over_a_run_sees_it_within_a_second(cast: Cast, ana: Member) -> None:
    claim = run_claim(UUID(ana.send()["run_id"]))
    assert claim is not None
    run_keep(claim=claim)
    only_the_state(cast.acme)
    with pytest.raises(RunStopped):
        run_keep(claim=claim)


def test_nothing_is_found_out_for_it(cast: Cast, ana: Member, script: Script) -> None:
    looked: list[str] = []

    def suggest(catalog: Any, count: int) -> list[str]:
        looked.append(catalog.version)
        return []

    engine.use(replace(engine.current(), suggest=suggest))
    cache.set("wished.wish", Wish(member_id=cast.ana.pk, file_names=["deals.csv"]))
    only_the_state(cast.acme)
    only_the_state(cast.globex)
    suggestions_find(cast.acme.pk)
    brought_find("wished")
    warm()
    assert looked == []
    assert cache.get("wished") is None

    organization_activate(organization=cast.acme)
    suggestions_find(cast.acme.pk)
    brought_find("wished")
    assert looked == ["0"]
    assert cache.get("wished") is not None


def test_once_it_is_active_again_its_people_go_on_where_they_were(cast: Cast, ana: Member) -> None:
    done = ana.ask()
    ana.send(thread_id=done["thread_id"])
    organization_deactivate(organization=cast.acme)
    dramatiq.get_broker().flush_all()
    organization_activate(organization=cast.acme)
    back = Member(client_of(cast.ana), ana.letterbox)
    assert [row["thread_id"] for row in back.history()] == [done["thread_id"]]
    assert back.ask("And by month?", thread_id=done["thread_id"])["status"] == "completed"


def test_a_question_of_somebody_who_is_not_let_in_is_refused_by_every_route(cast: Cast, ana: Member) -> None:
    only_the_state(cast.acme)
    for body in ({"prompt": "Revenue?", "thread_id": None, "models": None}, {"give": "threads"}):
        answer = ana.post(body)
        assert (answer.status_code, answer.json()["error"]["code"]) == (401, "signed_out")
    assert not Run.objects.exists()
