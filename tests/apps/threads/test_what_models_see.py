"""What leaves the house for an answer: read word for word by whoever may see the thread, and limited by admins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from apps.accounts.models import AuditEvent
from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.fake_words import asks_for_words
from apps.analyst.approaches.models.instead import INSTEAD
from apps.analyst.approaches.models.rules import SYSTEM
from apps.threads import copy, engine
from apps.threads.models import Message, ModelPolicy, ModelTranscript, Thread
from apps.threads.services.history import thread_delete, threads_purge
from apps.threads.services.model_policy import told_of
from apps.threads.services.usage import spent_this_month
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script
from tests.cast import client_of

POLICY = "/api/v3/models/policy"
MODEL = {"provider": "openai", "model": "local-7b", "key": "sk-secret", "input_price": 1, "output_price": 1}
COUNT = json.dumps({"sql": "SELECT count(*) AS deals FROM deals"})


def say(texts: list[str]) -> str:
    return "There are 240 deals." if asks_for_words(texts) else COUNT


@pytest.fixture
def local(cast: Cast, script: Script, settings: Any, tmp_path: Path) -> Iterator[FakeProviders]:
    """Acme has added a local model, and has a table of deals."""
    from apps.analyst.approaches.models.layer import talk
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
    from tests.analyst.plans.sales import sales_catalog

    settings.MODEL_PRIVATE_ADDRESSES = True
    catalog, warehouse = sales_catalog(tmp_path), LocalWarehouse()
    engine.use(replace(engine.current(), talk=talk, catalog_of=lambda organization: catalog, warehouse=warehouse))
    with FakeProviders(say=say) as fake:
        added = client_of(cast.ada).post(
            "/api/v3/models/own", {**MODEL, "base_url": f"{fake.address}/v1"}, format="json"
        )
        assert added.status_code == 201
        yield fake
    warehouse.close()


def told(member: Any, answer: dict[str, Any], thread_id: str) -> Any:
    return client_of(member).get(f"/api/v3/answers/told?thread_id={thread_id}&message_id={answer['message_id']}")


def asked(ana: Member, text: str, **more: Any) -> tuple[dict[str, Any], str]:
    """The answer to a question that the model is asked, and its thread."""
    run = ana.ask(text, models=["own:local-7b"], **more)
    return run["messages"][-1]["children"][0], str(Message.objects.latest("created_at").thread_id)


@pytest.mark.django_db(transaction=True)
def test_the_exact_prompts_and_replies_of_an_answer_are_shown_to_who_may_see_its_thread(
    ana: Member, cast: Cast, local: FakeProviders
) -> None:
    answer, thread = asked(ana, "How many deals are there?")
    assert answer["model"] == "own:local-7b"
    assert answer["answer"]["told_to"] == ["local-7b"]
    (model,) = told(cast.ana, answer, thread).json()["models"]
    assert (model["name"], model["gave_way"]) == ("local-7b", False)
    assert [turn["by"] for turn in model["turns"]] == ["rules", "form", "us", "model", "us", "model"]
    rules, form, prompt, reply, wording, words = (turn["text"] for turn in model["turns"])
    assert rules == SYSTEM
    assert json.loads(form)["type"] == "object"
    assert (reply, words) == (COUNT, "There are 240 deals.")
    sent = [[message["content"] for message in body["messages"]] for _, body in local.requests]
    assert sent == [[rules, prompt], [rules, prompt, reply, wording]]
    assert "sk-secret" not in json.dumps(model)


@pytest.mark.django_db(transaction=True)
def test_nobody_else_reads_them_neither_of_the_organization_nor_of_another(
    ana: Member, cast: Cast, local: FakeProviders
) -> None:
    answer, thread = asked(ana, "How many deals are there?")
    for stranger in (cast.ben, cast.ada, cast.gus, cast.gia):
        refused = told(stranger, answer, thread)
        assert refused.status_code == 404
        assert "deals" not in refused.content.decode()
    assert ModelTranscript.objects.of(cast.acme).count() == 1
    assert not ModelTranscript.objects.of(cast.globex).exists()


@pytest.mark.django_db(transaction=True)
def test_what_a_model_was_told_that_gave_way_is_shown_with_the_built_in_analysts_answer(
    ana: Member, cast: Cast, local: FakeProviders
) -> None:
    local.say = lambda texts: "I would rather not."
    answer, thread = asked(ana, "How many deals are there?")
    assert answer["model"] == "builtin"
    assert INSTEAD in answer["answer"]["assumptions"]
    (model,) = told(cast.ana, answer, thread).json()["models"]
    assert model["gave_way"] is True
    assert model["turns"][-1] == {"by": "model", "text": "I would rather not."}


@pytest.mark.django_db(transaction=True)
def test_with_its_thread_goes_what_a_model_was_told_and_what_it_cost_stays_counted(
    ana: Member, cast: Cast, local: FakeProviders
) -> None:
    _, thread = asked(ana, "How many deals are there?")
    before = spent_this_month(cast.acme, own=True)
    assert before > 0
    thread_delete(by=cast.ana, pk=UUID(thread))
    Thread.objects.filter(pk=thread).update(deleted_at=timezone.now() - timedelta(hours=1))
    assert threads_purge() == 1
    assert not ModelTranscript.objects.exists()
    assert spent_this_month(cast.acme, own=True) == before


@pytest.mark.django_db(transaction=True)
def test_an_answer_without_a_model_has_nothing_to_show(ana: Member, cast: Cast, local: FakeProviders) -> None:
    run = ana.ask("How many deals are there?", models=["builtin"])
    answer = run["messages"][0]["children"][0]
    assert answer["answer"]["told_to"] == []
    thread = str(Message.objects.latest("created_at").thread_id)
    assert told(cast.ana, answer, thread).json() == {"models": []}
    assert local.requests == []


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("level", ["names", "ranges"])
def test_an_admin_limits_what_models_see_and_it_is_written_down(
    level: str, ana: Member, cast: Cast, local: FakeProviders
) -> None:
    admin = client_of(cast.ada)
    assert admin.get(POLICY).json()["told"] == "values"
    assert admin.put(POLICY, {"told": level}, format="json").json()["told"] == level
    event = AuditEvent.objects.of(cast.acme).get(action="organization_changed")
    assert (event.actor, event.target) == (cast.ada, "what language models see")
    assert event.details == {"before": "values", "after": level}
    answer, thread = asked(ana, "How many deals are in the West?")
    assert answer["model"] == "own:local-7b"
    (model,) = told(cast.ana, answer, thread).json()["models"]
    assert [turn["by"] for turn in model["turns"]] == ["rules", "form", "us", "model"]
    data = model["turns"][2]["text"].split("<data>")[1].split("</data>")[0]
    assert "West" not in data
    assert "240 rows" in data if level == "ranges" else "240 rows" not in data
    assert len(local.requests) == 1


@pytest.mark.django_db
def test_members_read_the_setting_and_only_admins_of_the_organization_change_it(cast: Cast) -> None:
    assert client_of(cast.ana).get(POLICY).json()["may_manage"] is False
    assert client_of(cast.ana).put(POLICY, {"told": "names"}, format="json").status_code == 403
    assert client_of(cast.gia).put(POLICY, {"told": "ranges"}, format="json").status_code == 200
    assert told_of(cast.acme) == "values"
    assert told_of(cast.globex) == "ranges"
    assert ModelPolicy.objects.get().organization == cast.globex


@pytest.mark.django_db
def test_what_cannot_be_chosen_is_refused(cast: Cast) -> None:
    admin = client_of(cast.ada)
    assert admin.put(POLICY, {"told": "everything"}, format="json").status_code == 400
    refused = admin.put(POLICY, {"first": "own:of-globex"}, format="json")
    assert refused.status_code == 400
    assert copy.FIRST_UNKNOWN in refused.content.decode()
    assert not ModelPolicy.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_model_comes_first_where_there_is_one_unless_an_admin_chooses_another(
    cast: Cast, local: FakeProviders
) -> None:
    def first(member: Any) -> str:
        (chosen,) = [one["id"] for one in client_of(member).get("/api/v3/models").json() if one["first"]]
        return str(chosen)

    assert first(cast.ana) == "own:local-7b"
    assert first(cast.gus) == "builtin"
    chosen = client_of(cast.ada).put(POLICY, {"first": "builtin"}, format="json").json()
    assert (chosen["first"], first(cast.ana)) == ("builtin", "builtin")
    client_of(cast.ada).put(POLICY, {"first": "own:local-7b"}, format="json")
    own = client_of(cast.ada).get("/api/v3/models/own").json()["models"][0]["id"]
    client_of(cast.ada).delete(f"/api/v3/models/own?id={own}")
    assert first(cast.ana) == "builtin"
