"""Other readings of an answer's parts: found on demand, taken in place, kept for the organization."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.accounts.models import AuditEvent, User
from apps.analyst.approaches.checking import Check, Checked, Selected
from apps.analyst.approaches.consensus import Standing
from apps.analyst.types import Question
from apps.datasources.models import Teaching
from apps.datasources.services.teaching import teach
from apps.preferences.services.contexts import keywords_replace
from apps.threads import copy, engine, limits
from apps.threads.models import Message, ProvenQuestion, Role, Run, Thread
from apps.threads.services.memory import key_of
from apps.threads.services.validations import validation_beside
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member
from tests.apps.threads.readings import PATH, asked, asking, others, take
from tests.cast import client_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def analyst(ana: Member, cast: Cast, tmp_path: Path) -> Iterator[Member]:
    """Ana, an admin, asking the real engine about forty orders."""
    yield from asking(ana, cast, tmp_path, "orders")


def test_an_answer_comes_with_the_parts_of_its_reading(analyst: Member) -> None:
    read_as = asked(analyst)["answer"]["read_as"]
    assert [(chip["key"], chip["label"]) for chip in read_as["chips"]] == [
        ("figure:0", "Total net amount"),
        ("group:0", "By region"),
    ]
    assert read_as["chips"][0]["opens"]
    assert read_as["unread"] == []


def test_each_other_reading_says_the_figure_it_would_give(analyst: Member) -> None:
    found = others(analyst, asked(analyst), "figure:0")
    figures = {one["label"]: one["figure"] for one in found}
    assert figures["Total gross amount"].startswith("North: 5,040")
    assert len(found) <= 4


def test_a_reading_that_is_taken_answers_in_place_and_the_former_answer_stays(analyst: Member) -> None:
    said = asked(analyst)
    gross = next(one for one in others(analyst, said, "figure:0") if one["label"] == "Total gross amount")
    follow_up = analyst.ask("only North", thread_id=said["about"]["thread_id"])
    assert follow_up["status"] == "completed"
    done = take(analyst, said, "figure:0", gross)
    assert done.status_code == 200, done.content
    (question,) = done.json()["messages"]
    former, new = question["children"]
    assert former["message_id"] == said["message_id"]
    assert (former["metadata"]["is_selected_assistant"], new["metadata"]["is_selected_assistant"]) == (False, True)
    assert new["message_id"] == done.json()["message_id"]
    assert [row[1] for row in new["answer"]["table"]["rows"]] == [5040, 4800]
    assert new["answer"]["read_as"]["chips"][0]["label"] == "Total gross amount"
    assert [child["content"] for child in new["children"]] == ["only North"]
    back = others(analyst, {**new, "about": {**said["about"], "message_id": new["message_id"]}}, "figure:0")
    assert back[0]["label"] == "Total net amount"


def test_a_definition_opens_with_what_the_question_means_without_it(analyst: Member, cast: Cast) -> None:
    keywords_replace(by=cast.ana, keywords={"Takings": "gross amount", "Net amount": "gross amount minus 1"})
    said = asked(analyst)
    chip = next(chip for chip in said["answer"]["read_as"]["chips"] if chip["part"] == "definition")
    assert chip["opens"]
    (without,) = others(analyst, said, chip["key"])
    assert (without["label"], without["figure"]) == ("Without this definition", "North: 4,200, …")
    done = take(analyst, said, chip["key"], without)
    assert done.status_code == 200, done.content
    new = done.json()["messages"][0]["children"][1]
    assert [row[1] for row in new["answer"]["table"]["rows"]] == [4200, 4000]
    back = others(analyst, {**new, "about": {**said["about"], "message_id": new["message_id"]}}, "figure:0")
    assert back[0]["figure"].startswith("North: 5,0")


def test_a_check_is_told_whether_a_person_chose_the_reading(analyst: Member) -> None:
    seen: list[bool] = []

    def check(question: Question, selected: Selected, **ports: Any) -> Check:
        seen.append(selected.chosen)
        return Check((Checked(selected.approach, Standing("A", best=True)),), "agree")

    def validate(answer: dict[str, Any], thread_id: str) -> None:
        analyst.post({"thread_id": thread_id, "run_id": answer["run_id"], "should_validate": True})
        analyst.letterbox.deliver()

    engine.use(replace(engine.current(), check=check))
    said = asked(analyst)
    validate(said, said["about"]["thread_id"])
    other = asked(analyst)
    taken = take(analyst, other, "figure:0", others(analyst, other, "figure:0")[0]).json()
    validate(taken["messages"][0]["children"][1], other["about"]["thread_id"])
    assert seen == [False, True]


def test_going_back_selects_the_former_answer_again(analyst: Member) -> None:
    said = asked(analyst)
    take(analyst, said, "figure:0", others(analyst, said, "figure:0")[0])
    body = {"thread_id": said["about"]["thread_id"], "run_id": said["run_id"]}
    assert analyst.post({**body, "selected_assistant_message_id": said["message_id"]}).status_code == 200
    (question,) = analyst.load(said["about"]["thread_id"])["messages"]
    assert [child["metadata"]["is_selected_assistant"] for child in question["children"]] == [True, False]


def test_a_question_sent_while_another_reading_is_taken_follows_the_answer_that_is_shown(analyst: Member) -> None:
    said = asked(analyst)
    new = take(analyst, said, "figure:0", others(analyst, said, "figure:0")[0]).json()
    thread_id = said["about"]["thread_id"]
    analyst.ask("only North", thread_id=thread_id, parent_message_id=said["message_id"])
    (question,) = analyst.load(thread_id)["messages"]
    below = {child["message_id"]: [turn["content"] for turn in child["children"]] for child in question["children"]}
    assert below == {said["message_id"]: [], new["message_id"]: ["only North"]}


def teachable(member: Member) -> tuple[dict[str, Any], dict[str, Any]]:
    """An answer about amounts that may be net or gross, and another reading of its figure that can be taught."""
    for prompt in ("invoice amount by region", "sales by region", "total revenue in 2024", "total sales in the North"):
        done = member.ask(prompt)
        said = done["messages"][0]["children"][0]
        said["about"] = {"thread_id": done["thread_id"], "message_id": said["message_id"]}
        said["asked"] = prompt
        found = others(member, said, "figure:0") if said["answer"]["status"] == "answered" else []
        for other in found:
            if other["teaches"] is not None:
                return said, other
    raise AssertionError("no reading of sales could be taught")


def test_a_check_holds_no_former_reading_against_the_new_answer(analyst: Member) -> None:
    said = asked(analyst)
    done = take(analyst, said, "figure:0", others(analyst, said, "figure:0")[0]).json()
    new = Message.objects.get(pk=done["message_id"])
    assert new.run_id != Message.objects.get(pk=said["message_id"]).run_id
    assert validation_beside(new) == []


def test_a_choice_that_can_be_taught_is_kept_with_always(analyst: Member, cast: Cast) -> None:
    said, other = teachable(analyst)
    done = take(analyst, said, "figure:0", other, always=True)
    assert done.status_code == 200, done.content
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    (word,) = entry.after["synonyms"]
    assert (entry.by, entry.table_name) == (cast.ana, "orders")
    assert other["teaches"] == f"“{word}” will mean {entry.column.replace('_', ' ')} in orders."


def test_what_was_taught_before_is_kept_beside_it(analyst: Member, cast: Cast) -> None:
    for column in ("net_amount", "gross_amount"):
        teach(by=cast.ana, file_name="orders.csv", table_name="orders", column=column, said={"unit": "EUR"})
    said, other = teachable(analyst)
    assert take(analyst, said, "figure:0", other, always=True).status_code == 200
    taught = Teaching.objects.of(cast.acme).filter(current=True, number=2).get()
    assert taught.after["unit"] == "EUR"
    assert len(taught.after["synonyms"]) == 1


def test_always_keeps_the_date_that_periods_go_by(analyst: Member, cast: Cast) -> None:
    said = asked(analyst, "Total net amount in March 2024")
    shipped = next(one for one in others(analyst, said, "period:0") if one["label"] == "By ship date")
    assert shipped["teaches"] == "Periods of orders will go by ship date."
    done = take(analyst, said, "period:0", shipped, always=True)
    assert done.status_code == 200, done.content
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    assert (entry.column, entry.after, entry.by) == ("", {"date_column": "ship_date"}, cast.ana)


def test_members_who_may_not_teach_are_not_offered_it(analyst: Member, cast: Cast) -> None:
    User.objects.filter(pk=cast.ana.pk).update(role="basic")
    said = asked(analyst)
    found = others(analyst, said, "figure:0")
    assert {one["teaches"] for one in found} == {None}
    assert take(analyst, said, "figure:0", found[0], always=True).status_code == 403
    assert not Teaching.objects.exists()


def test_always_keeps_a_choice_that_no_word_means_with_its_question(analyst: Member, ben: Member, cast: Cast) -> None:
    said = asked(analyst, "Net amount trend")
    weeks = next(one for one in others(analyst, said, "group:0") if "week" in one["label"])
    assert weeks["teaches"] == "Kept for this question."
    done = take(analyst, said, "group:0", weeks, always=True).json()
    (kept,) = ProvenQuestion.objects.of(cast.acme)
    assert (kept.by, kept.question) == (cast.ana, "Net amount trend")
    assert not Teaching.objects.exists()
    assert AuditEvent.objects.filter(organization=cast.acme, actor=cast.ana, target=str(kept)).count() == 1
    Thread.objects.all().delete()
    again = ben.ask("Trend of the net amount")["messages"][0]["children"][0]
    chosen = next(one for one in done["messages"][0]["children"] if one["message_id"] == done["message_id"])
    assert again["answer"]["table"] == chosen["answer"]["table"], "whoever asks, and when its thread is gone"
    assert again["answer"]["table"] != said["answer"]["table"]
    assert "verified by an admin" in str(again["answer"])


def test_a_choice_against_the_words_of_the_question_holds_this_time_only(analyst: Member) -> None:
    said = asked(analyst, "Total net amount by month in 2024")
    always = next(one for one in others(analyst, said, "period:0") if one["label"] == "All time")
    assert always["teaches"] is None


def test_what_a_word_is_taught_to_mean_takes_the_place_of_a_kept_question(analyst: Member, cast: Cast) -> None:
    said, other = teachable(analyst)
    ProvenQuestion.objects.create(
        organization=cast.acme, question=said["asked"], key=key_of(said["asked"]), plan={}, reason="verified"
    )
    assert take(analyst, said, "figure:0", other, always=True).status_code == 200
    assert not ProvenQuestion.objects.of(cast.acme).exists()


def test_what_cannot_be_taught_is_not_kept(analyst: Member) -> None:
    said = asked(analyst, "Total net amount by month so far")
    # What "so far" comes to is something else tomorrow: such a question is not kept with its plan.
    found = [one for one in others(analyst, said, "group:0") if one["teaches"] is None]
    assert take(analyst, said, "group:0", found[0], always=True).status_code == 409
    assert not Teaching.objects.exists()
    assert not ProvenQuestion.objects.exists()
    assert Message.objects.filter(role=Role.ASSISTANT).count() == 1


def test_a_refusal_asks_for_the_word_and_a_choice_teaches_it(analyst: Member, cast: Cast) -> None:
    done = analyst.ask("frobnicated brouhaha per snark")
    said = done["messages"][0]["children"][0]
    assert said["answer"]["status"] == "declined", said["content"]
    meanings = [place for place, one in enumerate(said["answer"]["choices"]) if one["kind"] == "meaning"]
    assert said["answer"]["read_as"]["unread"]
    assert meanings, said["answer"]["choices"]
    choice = said["answer"]["choices"][meanings[0]]
    about = {"thread_id": done["thread_id"], "message_id": said["message_id"]}
    assert analyst.client.put(PATH, {**about, "choice": meanings[0]}, format="json").status_code == 200
    (entry,) = Teaching.objects.of(cast.acme).filter(current=True)
    assert (entry.column, entry.after["synonyms"]) == (choice["lesson"]["column"], [choice["lesson"]["synonym"]])
    chosen = analyst.ask(choice["question"], thread_id=done["thread_id"])
    answer_to_it = chosen["messages"][0]["children"][0]["children"][0]["children"][0]
    assert answer_to_it["answer"]["status"] == "answered"


def test_only_what_a_choice_teaches_is_kept_and_only_by_who_may(analyst: Member, cast: Cast) -> None:
    said = asked(analyst)
    assert analyst.client.put(PATH, {**said["about"], "choice": 0}, format="json").status_code == 404
    assert analyst.client.put(PATH, {**said["about"], "choice": "0"}, format="json").status_code == 400
    lesson = {
        "file_name": "orders.csv", "table": "orders", "column": "net_amount", "text": "", "synonym": "loot",
    }  # fmt: skip
    kept = Message.objects.get(pk=said["message_id"])
    kept.answer = {**kept.answer, "choices": [{"label": "Net", "question": "?", "lesson": lesson}]}
    kept.save(update_fields=["answer"])
    User.objects.filter(pk=cast.ana.pk).update(role="basic")
    assert analyst.client.put(PATH, {**said["about"], "choice": 0}, format="json").status_code == 403
    assert client_of(cast.ben).put(PATH, {**said["about"], "choice": 0}, format="json").status_code == 404
    assert not Teaching.objects.exists()


def test_a_part_or_a_reading_that_is_not_there_is_not_found(analyst: Member) -> None:
    said = asked(analyst)
    assert analyst.client.get(PATH, {**said["about"], "chip": "filter:3"}).status_code == 404
    assert take(analyst, said, "figure:0", {"key": "0" * 16}).status_code == 404
    assert analyst.client.get(PATH, {"thread_id": "1", "message_id": "2", "chip": "figure:0"}).status_code == 404
    assert analyst.post([], PATH).status_code == 400
    question = {**said["about"], "message_id": said["parent_message_id"]}
    assert analyst.client.get(PATH, {**question, "chip": "figure:0"}).status_code == 404


def test_nobody_reads_or_changes_answers_of_others(analyst: Member, ben: Member, cast: Cast) -> None:
    said = asked(analyst)
    found = others(analyst, said, "figure:0")[0]
    runs = Run.objects.count()
    for other in (client_of(cast.ben), client_of(cast.gus)):
        assert other.get(PATH, {**said["about"], "chip": "figure:0"}).status_code == 404
        body = {**said["about"], "chip": "figure:0", "reading": found["key"]}
        assert other.post(PATH, body, format="json").status_code == 404
    assert Run.objects.count() == runs


def test_other_readings_that_take_too_long_are_given_up_in_words(analyst: Member, monkeypatch) -> None:
    said = asked(analyst)

    def endless(*_: Any, **__: Any) -> Any:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            sum(range(1000))

    engine.use(replace(engine.current(), offered=endless, take=endless))
    monkeypatch.setattr(limits, "OTHER_READINGS_SECONDS", 0.2)
    begun = time.monotonic()
    for tried in (
        analyst.client.get(PATH, {**said["about"], "chip": "figure:0"}),
        take(analyst, said, "figure:0", {"key": "any"}),
    ):
        assert tried.status_code == 503
        assert copy.OTHER_READINGS_TOOK_TOO_LONG in str(tried.json())
    assert time.monotonic() - begun < 5
