"""An answer is checked with other approaches: durable, once, in its member's thread, and it changes no selection."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from apps.analyst.approaches.checking import Check, Checked, Selected
from apps.analyst.approaches.consensus import Standing
from apps.analyst.approaches.grounds import Grounds
from apps.analyst.errors import PlanRejected
from apps.analyst.plan.parting import Parting
from apps.analyst.types import Answer, Question, Step
from apps.threads import copy, engine
from apps.threads.models import Message, Run
from apps.threads.services.sweep import runs_sweep
from tests.apps.threads.conftest import Letterbox, Member, Script, revenue_by_region

pytestmark = pytest.mark.django_db

Checks = Callable[..., Check]
DISPUTED = Grounds(computed_same=1, computed_other=1, read_same=1, one_figure=False)
CONFIRMED = Grounds(computed_same=1, read_same=2)
JOINED = Parting("join", "Joins first and adds up then: 3 rows become 9.")


def mixed(question: Question, selected: Selected, **ports: Any) -> Check:
    """A recount agrees, the other does not."""
    ports["emit"](Step("Comparing the results"))
    return Check(
        checked=(
            Checked(selected.approach, Standing("A", best=True), grounds=DISPUTED),
            Checked("frames", Standing("A", best=False), revenue_by_region(approach="frames")),
            Checked("sheet", Standing("B", best=False), revenue_by_region(approach="sheet"), JOINED),
        ),
        verdict="mixed",
        absent=(("memory", "No earlier question asks this."),),
        readers=(("rules", "the same result"),),
    )


def agreeing(found: Grounds) -> Checks:
    """One result, and this found out about the selected answer."""

    def check(question: Question, selected: Selected, **ports: Any) -> Check:
        first, second, _ = mixed(question, selected, **ports).checked
        return Check((replace(first, grounds=found), second), "agree")

    return check


@pytest.fixture
def checks(script: Script) -> Callable[[Checks], list[Selected]]:
    """Gives the scripted engine a check, and remembers what was to be checked."""

    def use(function: Checks) -> list[Selected]:
        seen: list[Selected] = []

        def check(question: Question, selected: Selected, **ports: Any) -> Check:
            seen.append(selected)
            return function(question, selected, **ports)

        engine.use(replace(engine.current(), check=check))
        return seen

    return use


def validate(member: Member, run: dict[str, Any]) -> Any:
    return member.post({"thread_id": run["thread_id"], "run_id": run["run_id"], "should_validate": True})


def answers_in(snapshot: dict[str, Any]) -> list[dict[str, Any]]:
    return list(snapshot["messages"][0]["children"])


@pytest.mark.django_db(transaction=True)
def test_a_validation_leaves_every_approach_with_its_group_and_its_trace(ana: Member, checks: Any) -> None:
    seen = checks(mixed)
    run = ana.ask()
    started = validate(ana, run)
    assert started.status_code == 200
    begun = started.json()
    assert (begun["status"], begun["kind"], begun["validates"]) == ("queued", "validation", run["run_id"])
    assert begun["user_message_id"] == run["user_message_id"]
    ana.letterbox.deliver()
    done = ana.poll(begun)
    assert done["status"] == "completed"
    answers = {answer["model"]: answer for answer in answers_in(done)}
    assert set(answers) == {"builtin", "frames", "sheet"}
    assert {model: a["metadata"]["consensus_group"] for model, a in answers.items()} == {
        "builtin": "A", "frames": "A", "sheet": "B",
    }  # fmt: skip
    assert [m for m, a in answers.items() if a["metadata"]["is_best_answer"]] == ["builtin"]
    assert [m for m, a in answers.items() if a["metadata"]["is_selected_assistant"]] == ["builtin"]
    assert all(answer["run_id"] == run["run_id"] for answer in answers.values())
    assert "Checked against" in answers["builtin"]["metadata"]["reasoning_trace"]
    assert "No earlier question asks this." in answers["builtin"]["metadata"]["reasoning_trace"]
    assert "the same figures" in answers["frames"]["metadata"]["reasoning_trace"]
    assert "Parts from the selected approach at the join" in answers["sheet"]["metadata"]["reasoning_trace"]
    assert answers["builtin"]["answer"]["check"] == {
        "state": "disputed",
        "doubts": [],
        "recomputed": "Recomputed in 2 other ways: 1 with the same figures, 1 with other figures.",
        "read": "Read in 1 way: nothing disagrees, nothing confirms.",
    }
    assert answers["frames"]["answer"]["check"] is None
    assert "**Read again**\n- Reading by rules: the same result" in answers["builtin"]["metadata"]["reasoning_trace"]
    assert answers["sheet"]["answer"]["parting"] == {"step": "join", "text": JOINED.text}
    assert answers["frames"]["answer"]["parting"] is None
    assert answers["sheet"]["answer"]["approach_name"] == "Recount on one flat sheet"
    assert answers["sheet"]["output_files"], "an approach's answer comes with its chart"
    assert list(seen[0].result.rows) == [("West", 20), ("East", 10)], "checked is what was shown"


@pytest.mark.django_db(transaction=True)
def test_pressing_again_gives_the_same_validation(ana: Member, checks: Any) -> None:
    seen = checks(mixed)
    run = ana.ask()
    first, second = validate(ana, run).json(), validate(ana, run).json()
    assert first["run_id"] == second["run_id"]
    ana.letterbox.deliver(times=2)
    assert validate(ana, run).json()["status"] == "completed"
    assert len(seen) == 1
    assert Message.objects.filter(role="assistant").count() == 3


@pytest.mark.django_db(transaction=True)
def test_the_thread_tells_of_its_validation_and_keeps_its_question_apart(ana: Member, checks: Any) -> None:
    checks(mixed)
    run = ana.ask()
    begun = validate(ana, run).json()
    thread = ana.load(run["thread_id"])
    assert (thread["status"], thread["run"], thread["validation"]["run_id"]) == ("queued", None, begun["run_id"])
    assert thread["messages"][0]["run_status"] == "completed"
    ana.letterbox.deliver()
    thread = ana.load(run["thread_id"])
    assert (thread["status"], thread["run"], thread["validation"]) == ("completed", None, None)


@pytest.mark.django_db(transaction=True)
def test_a_validation_that_no_other_way_can_do_fails_in_words_and_may_be_tried_again(ana: Member, checks: Any) -> None:
    def nobody(question: Question, selected: Selected, **ports: Any) -> Check:
        raise PlanRejected("This answer could not be checked in another way.")

    checks(nobody)
    run = ana.ask()
    begun = validate(ana, run).json()
    ana.letterbox.deliver()
    failed = ana.poll(begun)
    assert (failed["status"], failed["error"]) == ("failed", "This answer could not be checked in another way.")
    assert len(answers_in(failed)) == 1
    checks(mixed)
    assert validate(ana, run).json()["run_id"] != begun["run_id"]


@pytest.mark.django_db(transaction=True)
def test_a_validation_that_breaks_fails_with_the_sentence_of_the_specification(ana: Member, checks: Any) -> None:
    def broken(question: Question, selected: Selected, **ports: Any) -> Check:
        raise ZeroDivisionError

    checks(broken)
    begun = validate(ana, ana.ask()).json()
    ana.letterbox.deliver()
    assert ana.poll(begun)["error"] == "Error validating message. Please refresh and try again."


@pytest.mark.django_db(transaction=True)
def test_a_cancelled_validation_leaves_the_answer_as_it_was(ana: Member, checks: Any, letterbox: Letterbox) -> None:
    run = ana.ask()
    begun: dict[str, Any] = {}

    def cancelled_meanwhile(question: Question, selected: Selected, **ports: Any) -> Check:
        ana.post({}, f"/api/v3/runs/{begun['run_id']}/cancel")
        return mixed(question, selected, **ports)

    checks(cancelled_meanwhile)
    begun.update(validate(ana, run).json())
    letterbox.deliver()
    after = ana.poll(begun)
    assert after["status"] == "cancelled"
    assert [answer["metadata"]["consensus_group"] for answer in answers_in(after)] == [None]


@pytest.mark.django_db(transaction=True)
def test_a_validation_whose_message_was_lost_is_sent_again_and_one_that_is_late_is_given_up(
    ana: Member, checks: Any, letterbox: Letterbox
) -> None:
    checks(mixed)
    begun = validate(ana, ana.ask()).json()
    letterbox.lose_all()
    Run.objects.filter(pk=begun["run_id"]).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert runs_sweep() == 1
    letterbox.lose_all()
    Run.objects.filter(pk=begun["run_id"]).update(deadline_at=timezone.now() - timedelta(seconds=1))
    runs_sweep()
    late = ana.poll(begun)
    assert (late["status"], late["error"]) == ("failed", copy.VALIDATION_FAILED)


@pytest.mark.django_db(transaction=True)
def test_an_answer_without_a_figure_and_a_question_at_work_cannot_be_checked(
    ana: Member, script: Script, checks: Any
) -> None:
    checks(mixed)
    early = validate(ana, ana.send())
    assert (early.status_code, early.json()["error"]["code"]) == (409, "run_not_finished")
    ana.letterbox.lose_all()
    script.say = lambda question, emit: Answer("declined", "I could not answer this surely.")
    declined = validate(ana, ana.ask("What?"))
    assert (declined.status_code, declined.json()["error"]["code"]) == (409, "nothing_to_check")


@pytest.mark.django_db(transaction=True)
def test_another_approach_is_selected_and_the_next_question_goes_on_from_it(
    ana: Member, script: Script, checks: Any
) -> None:
    checks(mixed)
    run = ana.ask()
    begun = validate(ana, run).json()
    ana.letterbox.deliver()
    sheet = next(a for a in answers_in(ana.poll(begun)) if a["model"] == "sheet")
    chosen = ana.post(
        {"thread_id": run["thread_id"], "run_id": run["run_id"], "selected_assistant_message_id": sheet["message_id"]}
    )
    assert chosen.status_code == 200
    Message.objects.filter(pk=sheet["message_id"]).update(answer={**sheet["answer"], "text": "By hand it is 30."})
    ana.ask("and by month?", thread_id=run["thread_id"], parent_message_id=sheet["message_id"])
    assert [turn.answer for turn in script.asked[-1].turns] == ["By hand it is 30."]


@pytest.mark.django_db(transaction=True)
def test_after_a_check_the_next_question_follows_the_selected_answer_and_not_the_last_one_written(
    ana: Member, checks: Any
) -> None:
    checks(mixed)
    run = ana.ask()
    validate(ana, run)
    ana.letterbox.deliver()
    ana.ask("and by month?", thread_id=run["thread_id"])
    following = {
        answer["model"]: answer["children"] for answer in ana.load(run["thread_id"])["messages"][0]["children"]
    }
    assert {model: len(children) for model, children in following.items()} == {"builtin": 1, "frames": 0, "sheet": 0}


@pytest.mark.django_db(transaction=True)
def test_nobody_validates_or_selects_in_another_members_thread(
    ana: Member, ben: Member, gus: Member, checks: Any
) -> None:
    checks(mixed)
    run = ana.ask()
    begun = validate(ana, run).json()
    for other in (ben, gus):
        assert validate(other, run).status_code == 404
        assert other.post({"thread_id": run["thread_id"], "run_id": begun["run_id"]}).status_code == 404
        assert other.post({}, f"/api/v3/runs/{begun['run_id']}/cancel").status_code == 404
