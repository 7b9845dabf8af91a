"""What people found right is remembered for the organization, and for nobody else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import AuditEvent
from apps.analyst.approaches.grounds import Grounds
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Column, Table
from apps.threads import engine
from apps.threads.models import Message, ProvenQuestion
from apps.threads.presets import PRESET_QUESTIONS
from apps.threads.services.memory import proven_near
from apps.threads.suggestions import suggestions_find
from tests.analyst.plans.sales import sales_catalog
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script
from tests.apps.threads.test_validations import CONFIRMED, agreeing, mixed, validate
from tests.apps.threads.test_validations import checks as checks
from tests.cast import PASSWORD

pytestmark = pytest.mark.django_db(transaction=True)


def holding_deals(organization: Any) -> FixedCatalog:
    """A catalog over which the scripted answers' plan holds."""
    columns = (Column("region", "text", "dimension"), Column("amount", "integer", "measure"))
    return FixedCatalog("1", (Table("deals", "deals.csv", Path("deals.parquet"), 3, columns),))


def rate(member: Member, run: dict[str, Any], up: bool) -> None:
    answer = run["messages"][-1]["children"][0]["message_id"]
    body = {"thread_id": run["thread_id"], "message_id": answer, "is_thumbs_up": up}
    assert member.post(body, "/api/v3/rate-answer").status_code == 200


def test_an_answer_rated_up_is_offered_to_the_next_who_asks_the_same(ana: Member, ben: Member, script: Script) -> None:
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    ben.ask("revenue by region")
    known = script.asked[-1].proven
    assert [one.question for one in known] == ["What is the revenue by region?"]
    assert known[0].why.startswith("its answer was rated up on ")


def test_another_organization_and_another_question_get_nothing_of_it(ana: Member, gus: Member, script: Script) -> None:
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    gus.ask("revenue by region")
    assert script.asked[-1].proven == ()
    ana.ask("revenue by region in 2024")
    assert script.asked[-1].proven == ()


def test_questions_like_it_are_examples_for_models_and_answers_for_nobody(ana: Member, cast: Cast) -> None:
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    rate(ana, ana.ask("How many tickets are open?"), up=True)
    assert [one.question for one in proven_near(cast.acme, "revenue by region in 2024")] == [
        "What is the revenue by region?"
    ]
    assert proven_near(cast.acme, "revenue by region") == (), "that one is no example, it is the same"
    assert proven_near(cast.globex, "revenue by region in 2024") == ()


def test_a_proven_question_whose_column_is_gone_is_not_suggested(ana: Member, ben: Member, tmp_path: Path) -> None:
    engine.use(replace(engine.current(), catalog_of=holding_deals))
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    other = sales_catalog(tmp_path)
    engine.use(replace(engine.current(), catalog_of=lambda organization: other))
    asked = [one["suggested_question"] for one in ben.client.get("/api/v3/question-suggestions").json()]
    assert "What is the revenue by region?" not in asked


def test_presets_that_the_data_cannot_answer_are_not_suggested(
    ana: Member, script: Script, tmp_path: Path, cast: Cast
) -> None:
    catalog, fitting = sales_catalog(tmp_path), "How many open tickets are there by priority?"
    script.suggestions = ["How many deals are there?"]
    engine.use(
        replace(
            engine.current(), catalog_of=lambda organization: catalog, can_answer=lambda text, held: text == fitting
        )
    )
    suggestions_find(cast.acme.pk)
    asked = {one["suggested_question"] for one in ana.client.get("/api/v3/question-suggestions").json()}
    assert asked == {"How many deals are there?", fitting}


def test_without_any_table_presets_show_what_may_be_asked(ana: Member, script: Script) -> None:
    engine.use(replace(engine.current(), can_answer=lambda text, held: False))
    asked = {one["suggested_question"] for one in ana.client.get("/api/v3/question-suggestions").json()}
    assert (len(asked), asked - set(PRESET_QUESTIONS)) == (4, set())


def test_a_thumb_down_forgets_it_unless_an_admin_verified_it(ana: Member, ben: Member) -> None:
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    rate(ben, ben.ask("revenue by region"), up=False)
    assert not ProvenQuestion.objects.exists()
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    ProvenQuestion.objects.update(reason="verified")
    rate(ben, ben.ask("revenue by region"), up=False)
    assert ProvenQuestion.objects.get().reason == "verified"


def test_approaches_that_agree_prove_a_question_and_those_that_do_not_prove_nothing(ana: Member, checks: Any) -> None:
    checks(mixed)
    validate(ana, ana.ask("What is the revenue by region?"))
    ana.letterbox.deliver()
    assert not ProvenQuestion.objects.exists()
    checks(agreeing(CONFIRMED))
    validate(ana, ana.ask("What is the revenue by owner?"))
    ana.letterbox.deliver()
    assert ProvenQuestion.objects.get().reason == "agreed"


@pytest.mark.parametrize(
    "found", [replace(CONFIRMED, read_same=1), replace(CONFIRMED, unread=("web",)), replace(CONFIRMED, chance=0.4)]
)
def test_one_reading_that_is_only_computed_again_proves_nothing(ana: Member, checks: Any, found: Grounds) -> None:
    checks(agreeing(found))
    validate(ana, ana.ask("What is the revenue by region?"))
    ana.letterbox.deliver()
    assert not ProvenQuestion.objects.exists()


def test_a_conversation_that_is_deleted_takes_what_it_proved_with_it(ana: Member) -> None:
    run = ana.ask("What is the revenue by region?")
    rate(ana, run, up=True)
    Message.objects.filter(run_id=run["run_id"], role="assistant").delete()
    assert not ProvenQuestion.objects.exists()


def test_an_admin_sees_rated_answers_with_their_evidence_and_verifies_one(
    cast: Cast, ana: Member, script: Script
) -> None:
    run = ana.ask("What is the revenue by region?")
    rate(ana, run, up=False)
    answer = Message.objects.get(run_id=run["run_id"], role="assistant")
    desk = Client()
    assert desk.post("/admin/login/", {"username": "ada", "password": PASSWORD}).status_code == 302
    listed = desk.get("/admin/threads/ratedanswer/").content.decode()
    assert str(answer.pk) in listed
    opened = desk.get(f"/admin/threads/ratedanswer/{answer.pk}/change/").content.decode()
    assert "What is the revenue by region?" in opened
    assert "Revenue by region." in opened
    assert "SELECT 1" in opened
    assert AuditEvent.objects.filter(action="conversation_read", target=run["thread_id"]).exists()
    desk.post("/admin/threads/ratedanswer/", {"action": "verify", "_selected_action": [str(answer.pk)]})
    assert ProvenQuestion.objects.get().reason == "verified"


def test_the_answer_says_on_which_proven_question_it_stands(ana: Member, script: Script) -> None:
    from dataclasses import replace

    from apps.analyst.types import Proven
    from tests.apps.threads.conftest import PLAN, revenue_by_region

    script.say = lambda question, emit: replace(
        revenue_by_region(), memory=Proven("Revenue by region?", PLAN, "verified by an admin on 3 May 2026")
    )
    shown = ana.ask()["messages"][0]["children"][0]["answer"]["memory"]
    assert shown["question"] == "Revenue by region?"
    assert "verified by an admin" in shown["text"]


def test_what_was_proven_is_suggested_to_the_organization_and_to_no_other(
    ana: Member, ben: Member, gus: Member, cast: Cast
) -> None:
    engine.use(replace(engine.current(), catalog_of=holding_deals))
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    for organization in (cast.acme, cast.globex):
        suggestions_find(organization.pk)

    def suggested(member: Member) -> list[str]:
        return [one["suggested_question"] for one in member.client.get("/api/v3/question-suggestions").json()]

    assert "What is the revenue by region?" in suggested(ben)
    assert len(suggested(ben)) == 4
    assert "What is the revenue by region?" not in suggested(gus)
