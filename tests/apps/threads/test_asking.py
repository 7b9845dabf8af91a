"""The way of a question: asked, queued, answered, polled, reloaded."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone

from apps.analyst.errors import QueryFailed, Unclear
from apps.analyst.types import Answer, OutputFile
from apps.threads import copy, limits
from apps.threads.models import Message, Run, Thread
from apps.threads.presets import PRESET_QUESTIONS
from tests.apps.threads.conftest import PLAN, Member, Script

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_question_is_taken_at_once_and_answered_by_a_worker(ana: Member) -> None:
    sent = ana.send("Revenue by region?")
    assert sorted(sent) == ["data_sources_being_accessed", "run_id", "thread_id", "user_message_id"]
    queued = ana.poll(sent)
    assert (queued["status"], queued["messages"], queued["steps"]) == ("queued", None, [])
    ana.letterbox.deliver()
    done = ana.poll(sent)
    assert (done["status"], done["error"]) == ("completed", None)
    assert done["steps"] == [{"label": "Reading the question", "detail": ""}, {"label": "Computing", "detail": "deals"}]
    assert done["data_sources_being_accessed"] == ["deals"]
    assert done["finished_at"] >= done["started_at"] >= done["created_at"]


def test_the_answer_is_the_selected_child_of_the_question(ana: Member) -> None:
    done = ana.ask()
    (question,) = done["messages"]
    assert (question["role"], question["message_id"], question["content"]) == (
        "user",
        done["user_message_id"],
        "Revenue by region?",
    )
    (answer,) = question["children"]
    assert answer["metadata"] == {
        "is_thumbs_up": None,
        "is_selected_assistant": True,
        "is_best_answer": True,
        "consensus_group": None,
        "reasoning_trace": answer["metadata"]["reasoning_trace"],
    }
    assert answer["parent_message_id"] == question["message_id"]
    assert answer["run_id"] == done["run_id"]
    assert answer["model"] == "builtin"
    assert answer["answer"]["table"]["rows"] == [["West", 20], ["East", 10]]
    (chart,) = answer["output_files"]
    assert json.loads(chart["content"])["type"] == "bar"


def test_a_file_of_an_answer_can_be_fetched_by_its_member_only(ana: Member, ben: Member) -> None:
    done = ana.ask()
    answer = done["messages"][0]["children"][0]
    query = {"thread_id": done["thread_id"], "message_id": answer["message_id"], "filename": "revenue-by-region.json"}
    assert ana.client.get("/api/v3/files", query).json() == answer["output_files"][0]
    assert ben.client.get("/api/v3/files", query).status_code == 404
    assert ana.client.get("/api/v3/files", {**query, "filename": "other.json"}).status_code == 404


def test_a_later_question_follows_in_the_same_thread_and_knows_the_earlier_plan(ana: Member, script: Script) -> None:
    first = ana.ask("Revenue by region?")
    answer_id = first["messages"][0]["children"][0]["message_id"]
    second = ana.ask("And in 2025?", thread_id=first["thread_id"], parent_message_id=answer_id)
    (turn,) = script.asked[-1].turns
    assert (turn.question, turn.plan, turn.answer) == ("Revenue by region?", PLAN, "**West** leads with 20.")
    (root,) = second["messages"]
    assert root["children"][0]["children"][0]["content"] == "And in 2025?"


def test_without_a_parent_a_question_follows_the_last_message(ana: Member, script: Script) -> None:
    first = ana.ask("One?")
    ana.ask("Two?", thread_id=first["thread_id"])
    ana.ask("Three?", thread_id=first["thread_id"])
    assert [turn.question for turn in script.asked[-1].turns] == ["One?", "Two?"]


def test_the_engine_is_told_no_more_than_the_last_turns(ana: Member, script: Script) -> None:
    thread_id = ana.ask("0?")["thread_id"]
    for number in range(1, limits.TURNS_READ + 3):
        ana.ask(f"{number}?", thread_id=thread_id)
    turns = [turn.question for turn in script.asked[-1].turns]
    assert turns == [f"{n}?" for n in range(2, limits.TURNS_READ + 2)]


def test_a_plan_of_an_older_version_counts_as_none(ana: Member, script: Script) -> None:
    first = ana.ask("One?")
    Message.objects.filter(role="assistant").update(plan={"kind": "forgotten"})
    ana.ask("Two?", thread_id=first["thread_id"])
    assert script.asked[-1].turns[0].plan is None


def test_history_shows_threads_newest_first(ana: Member) -> None:
    first = ana.ask("How much did we earn in the whole of last year, by region and by month, in the West alone?")
    second = ana.ask("Second?")
    ana.ask("Again?", thread_id=first["thread_id"])
    rows = ana.history()
    assert [row["thread_id"] for row in rows] == [first["thread_id"], second["thread_id"]]
    assert rows[0]["summary"] == "How much did we earn in the whole of last year, by region and by month, in the…"
    assert rows[0]["archived"] is False
    assert abs(rows[0]["updated_at"] - timezone.now().timestamp()) < 60


def test_a_thread_loads_as_it_was_left(ana: Member) -> None:
    done = ana.ask()
    loaded = ana.load(done["thread_id"])
    assert loaded["messages"] == done["messages"]
    assert (loaded["status"], loaded["run"], loaded["since_refreshed_files"]) == ("completed", None, [])


def test_a_thread_at_work_loads_with_its_run(ana: Member) -> None:
    sent = ana.send()
    loaded = ana.load(sent["thread_id"])
    assert loaded["status"] == "queued"
    assert loaded["run"] == ana.poll(sent)


def test_the_engine_is_told_what_the_member_chose(ana: Member, script: Script) -> None:
    ana.ask("Revenue?")
    question = script.asked[-1]
    assert (question.text, question.files, question.style, question.turns) == ("Revenue?", None, "Standard", ())
    assert question.today == timezone.localdate()


def test_files_that_the_organization_does_not_have_are_refused(ana: Member) -> None:
    refused = ana.post({"prompt": "Revenue?", "user_specified_files": ["nothing.csv"]})
    assert refused.status_code == 400
    assert refused.json()["error"] == {
        "code": "unknown_files",
        "message": "These files are no longer available: nothing.csv. Please choose again.",
    }
    assert Thread.objects.count() == 0


@pytest.mark.parametrize("error", [Unclear("I could not read that."), QueryFailed("The query took too long.")])
def test_what_the_engine_declines_is_an_answer_in_words(ana: Member, script: Script, error: Exception) -> None:
    def declining(*_: Any) -> Answer:
        raise error

    script.say = declining
    done = ana.ask()
    (answer,) = done["messages"][0]["children"]
    assert (done["status"], answer["answer"]["status"], answer["content"]) == ("completed", "declined", str(error))


def test_an_unexpected_error_fails_the_run_with_the_specs_sentence(
    ana: Member, script: Script, caplog: pytest.LogCaptureFixture
) -> None:
    def breaking(*_: Any) -> Answer:
        raise ZeroDivisionError("secret detail")

    script.say = breaking
    done = ana.ask()
    assert (done["status"], done["error"]) == ("failed", copy.PROCESSING_FAILED)
    (question,) = done["messages"]
    assert (question["children"], question["run_status"], question["run_error"]) == (
        [],
        "failed",
        copy.PROCESSING_FAILED,
    )
    assert "secret detail" not in json.dumps(done)
    assert done["run_id"] in caplog.text


def test_an_answer_that_cannot_be_stored_fails_the_run_and_leaves_nothing_half_written(
    ana: Member, script: Script
) -> None:
    twice = OutputFile("same.csv", "text/csv", b"a")
    script.say = lambda question, emit: Answer(status="answered", text="Here.", files=(twice, twice))
    done = ana.ask()
    assert (done["status"], done["error"]) == ("failed", copy.PROCESSING_FAILED)
    assert Message.objects.filter(role="assistant").count() == 0


def test_a_run_past_its_time_fails_at_its_next_step(ana: Member) -> None:
    sent = ana.send()
    Run.objects.update(deadline_at=timezone.now() - timedelta(seconds=1))
    ana.letterbox.deliver()
    done = ana.poll(sent)
    assert (done["status"], done["error"]) == ("failed", copy.PROCESSING_FAILED)


def test_a_thread_takes_a_hundred_questions_and_no_more(ana: Member) -> None:
    done = ana.ask()
    thread = Thread.objects.get()
    run = Run.objects.get()
    Message.objects.bulk_create(
        Message(thread=thread, run=run, role="user", content="x") for _ in range(limits.MAX_QUESTIONS_PER_THREAD - 1)
    )
    refused = ana.post({"prompt": "One more?", "thread_id": done["thread_id"]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (409, "thread_full")


def test_another_approach_can_be_selected_and_later_turns_use_it(ana: Member, script: Script) -> None:
    first = ana.ask("One?")
    ana.ask("Two?", thread_id=first["thread_id"])
    question_id, run_id = first["user_message_id"], first["run_id"]
    other = Message.objects.create(
        thread_id=first["thread_id"],
        run_id=run_id,
        parent_id=question_id,
        role="assistant",
        model="frames",
        content="Other.",
    )
    body = {"thread_id": first["thread_id"], "run_id": run_id, "selected_assistant_message_id": str(other.pk)}
    assert ana.post(body).json() == {}
    (root,) = ana.load(first["thread_id"])["messages"]
    selected = {child["message_id"]: child["metadata"]["is_selected_assistant"] for child in root["children"]}
    assert [id_ for id_, flag in selected.items() if flag] == [str(other.pk)]
    follower = next(child for child in root["children"] if child["message_id"] == str(other.pk))
    assert [child["content"] for child in follower["children"]] == ["Two?"]
    ana.ask("Three?", thread_id=first["thread_id"])
    first_turn = script.asked[-1].turns[0]
    assert (first_turn.question, first_turn.answer) == ("One?", "Other.")


def test_only_an_answer_of_the_run_can_be_selected(ana: Member) -> None:
    first, second = ana.ask("One?"), ana.ask("Two?")
    foreign = second["messages"][0]["children"][0]["message_id"]
    for message_id in (foreign, first["user_message_id"], str(uuid4())):
        body = {"thread_id": first["thread_id"], "run_id": first["run_id"], "selected_assistant_message_id": message_id}
        assert ana.post(body).status_code == 404


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b"nul", b"\xff\xfe", b'"text"', b"[" * 100_000, b'{"prompt": NaN}', b'{"prompt": "\\ud800"}'],
)
def test_a_malformed_body_is_the_senders_error(ana: Member, content: bytes) -> None:
    answer = ana.client.post("/api/v3/ask", content, content_type="application/json")
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]


def test_a_form_is_not_understood(ana: Member) -> None:
    assert ana.client.post("/api/v3/ask", {"prompt": "x"}, format="multipart").status_code == 415


def test_suggestions_come_from_the_own_tables_then_from_the_presets(ana: Member, script: Script) -> None:
    script.suggestions = ["What is the total amount?", "How many rows are there?"]
    rows = ana.client.get("/api/v3/question-suggestions").json()
    questions = [row["suggested_question"] for row in rows]
    assert set(questions[:2]) == set(script.suggestions)
    assert set(questions[2:]) <= set(PRESET_QUESTIONS)
    assert len(set(questions)) == 4
