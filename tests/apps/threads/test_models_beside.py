"""Several picked approaches answer side by side, and a single model's text is seen as it grows, checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from apps.analyst.approaches.checking import Check, Checked, Selected, Voice
from apps.analyst.approaches.consensus import Standing
from apps.analyst.approaches.models.layer import Reply, Said
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import ProviderFailed
from apps.analyst.types import Answer, Question
from apps.threads import copy, engine
from apps.threads.asking_models import asked
from apps.threads.models import ModelBudget, ModelUsage, Run
from tests.analyst.plans.sales import sales_catalog
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script, revenue_by_region
from tests.apps.threads.test_memory import rate

pytestmark = pytest.mark.django_db(transaction=True)

COUNT = json.dumps(
    {"kind": "query", "source": "deals", "measures": [{"label": "Deals", "expr": {"kind": "aggregate", "fn": "count"}}]}
)
SUM = COUNT.replace('"fn": "count"', '"fn": "count", "distinct": true, "of": {"kind": "column", "table": "deals", '
                    '"column": "stage"}')  # fmt: skip


@dataclass
class Speaker:
    """A model that plans and says what the test wrote down; `pieces` are its words as they come."""

    plan: str = COUNT
    pieces: tuple[str, ...] = ("There are 240 deals.",)
    down: bool = False
    between: Callable[[], None] = lambda: None


@dataclass
class Company:
    """The models by their ids."""

    speakers: dict[str, Speaker] = field(default_factory=dict)
    told: list[str] = field(default_factory=list)
    """What they were told first of each question."""

    def talk(self, spec: ModelSpec, system: str, turns: list[Said], *, hear: Any = None, **limits: Any) -> Reply:
        speaker = self.speakers[spec.id]
        self.told.append(turns[0].text)
        if speaker.down:
            raise ProviderFailed(f"{spec.name} could not be reached.", retryable=True)
        if "Its template text:" not in turns[-1].text:
            return Reply(speaker.plan, 10, 1, 0.1)
        for piece in speaker.pieces:
            hear(piece)
            speaker.between()
        return Reply("".join(speaker.pieces), 10, 1, 0.1)


@pytest.fixture
def company(script: Script, settings: Any, tmp_path: Path) -> Iterator[Company]:
    settings.MODEL_PROVIDERS = {
        "openai": {"api_key": "k", "base_url": "", "models": ["one", "mini"]},
        "anthropic": {"api_key": "k", "base_url": "", "models": ["two"]},
        "google": {"api_key": "k", "base_url": "", "models": ["three"]},
    }
    settings.MODEL_PRICES = {"one": [1_000_000, 0]}
    made = Company({name: Speaker() for name in ("one", "mini", "two", "three")})
    catalog, warehouse = sales_catalog(tmp_path), LocalWarehouse()
    script.say = lambda question, emit: revenue_by_region()
    engine.use(replace(engine.current(), talk=made.talk, catalog_of=lambda organization: catalog, warehouse=warehouse))
    yield made
    warehouse.close()


def answers(run: dict[str, Any]) -> list[dict[str, Any]]:
    return list(run["messages"][0]["children"])


def selected(run: dict[str, Any]) -> dict[str, Any]:
    (one,) = [answer for answer in answers(run) if answer["metadata"]["is_selected_assistant"]]
    return one


def test_each_picked_approach_answers_and_the_first_of_them_is_selected(ana: Member, company: Company) -> None:
    company.speakers["two"].plan = SUM
    run = ana.ask("How many deals?", models=["two", "one", "builtin"])
    assert [answer["model"] for answer in answers(run)] == ["two", "one", "builtin"]
    assert selected(run)["model"] == "two"
    assert [answer["metadata"]["is_best_answer"] for answer in answers(run)] == [True, False, False]
    assert [answer["metadata"]["consensus_group"] for answer in answers(run)] == [None, None, None]
    assert {answer["model"]: answer["answer"]["table"]["rows"] for answer in answers(run)}["one"] == [[240]]
    assert any(step["label"] == "Asking several approaches" for step in run["steps"])
    assert {used.model for used in ModelUsage.objects.all()} == {"one", "two"}


def test_the_next_question_goes_on_from_the_answer_that_was_chosen(ana: Member, company: Company) -> None:
    run = ana.ask("How many deals?", models=["one", "two", "three"])
    other = next(answer for answer in answers(run) if answer["model"] == "two")
    ana.post(
        {
            "thread_id": run["thread_id"],
            "run_id": run["run_id"],
            "selected_assistant_message_id": other["message_id"],
        }
    )
    ana.ask("And by stage?", thread_id=run["thread_id"])
    thread = ana.load(run["thread_id"])
    chosen = next(a for a in thread["messages"][0]["children"] if a["metadata"]["is_selected_assistant"])
    assert (chosen["model"], [child["content"] for child in chosen["children"]]) == ("two", ["And by stage?"])


def test_one_that_fails_leaves_its_place_to_the_next_and_the_answer_says_so(ana: Member, company: Company) -> None:
    company.speakers["one"].down = True
    run = ana.ask("How many deals?", models=["one", "two"])
    assert [answer["model"] for answer in answers(run)] == ["two"]
    assert selected(run)["answer"]["assumptions"] == ["OpenAI one could not be reached."]


def test_where_all_fail_the_built_in_analyst_answers(ana: Member, company: Company) -> None:
    for name in ("one", "two"):
        company.speakers[name].down = True
    run = ana.ask("How many deals?", models=["one", "two"])
    assert [answer["model"] for answer in answers(run)] == ["builtin"]
    assert selected(run)["answer"]["assumptions"][-1] == "The built-in analyst answered instead."


def test_a_single_model_that_fails_gives_way_to_one_of_another_provider(ana: Member, company: Company) -> None:
    company.speakers["one"].down = True
    run = ana.ask("How many deals?", models=["one"])
    assert [answer["model"] for answer in answers(run)] == ["two"]
    assert selected(run)["answer"]["assumptions"] == ["OpenAI one could not be reached."]


def test_an_operator_may_forbid_others_than_the_picked_model(ana: Member, company: Company, settings: Any) -> None:
    settings.MODEL_STAND_INS = False
    company.speakers["one"].down = True
    assert selected(ana.ask("How many deals?", models=["one"]))["model"] == "builtin"


def test_a_models_text_is_seen_while_it_grows_and_gone_when_the_answer_is_there(ana: Member, company: Company) -> None:
    seen: list[str] = []
    sent = ana.send("How many deals?", models=["one"])
    company.speakers["one"].pieces = ("There are 240 deals. ", "All ", "deals count. ", "No deal is left out.")
    company.speakers["one"].between = lambda: seen.append(ana.poll(sent)["text_so_far"])
    ana.letterbox.deliver()
    assert list(dict.fromkeys(seen)) == ["There are 240 deals.", "There are 240 deals. All deals count."]
    done = ana.poll(sent)
    assert done["text_so_far"] == ""
    assert selected(done)["answer"]["text"] == "There are 240 deals. All deals count. No deal is left out."


def seen_of(ana: Member, models: list[str]) -> list[str]:
    """The texts that are shown while these answer side by side."""
    sent = ana.send("How many deals?", models=models)
    run, analyst, shown = Run.objects.get(pk=sent["run_id"]), engine.current(), list[str]()
    catalog = analyst.catalog_of(run.thread.organization)
    asked(run, analyst, Question("How many deals?", today=date(2026, 1, 5)), catalog, lambda step: None, shown.append)
    return shown


def test_of_models_side_by_side_the_text_of_the_first_is_seen_as_it_grows(ana: Member, company: Company) -> None:
    company.speakers["one"].pieces = ("There are 240 deals. ", "All deals count. ", "No deal is left out.")
    company.speakers["two"].pieces = ("They number 240. ", "Those are all deals. ", "No deal is left out.")
    assert seen_of(ana, ["one", "two"]) == ["There are 240 deals.", "There are 240 deals. All deals count."]
    assert seen_of(ana, ["two", "one"]) == ["They number 240.", "They number 240. Those are all deals."]


def test_where_the_first_of_several_fails_the_text_of_the_next_is_seen(ana: Member, company: Company) -> None:
    company.speakers["one"].down = True
    company.speakers["two"].pieces = ("They number 240. ", "Those are all deals.")
    assert seen_of(ana, ["one", "two"]) == ["They number 240."]


def test_a_figure_that_is_not_in_the_result_is_never_seen_and_takes_the_text_with_it(
    ana: Member, company: Company
) -> None:
    seen: list[str] = []
    sent = ana.send("How many deals?", models=["one"])
    company.speakers["one"].pieces = ("There are 240 deals. ", "They are worth 9,999", ",999. ", "So many. ")
    company.speakers["one"].between = lambda: seen.append(ana.poll(sent)["text_so_far"])
    ana.letterbox.deliver()
    assert seen == ["There are 240 deals.", "There are 240 deals.", "", ""]
    assert "9,999" not in selected(ana.poll(sent))["answer"]["text"]


def test_a_question_that_is_stopped_while_its_text_grows_stays_stopped(ana: Member, company: Company) -> None:
    sent = ana.send("How many deals?", models=["one"])
    company.speakers["one"].pieces = ("There are 240 deals. ", "All deals count. ", "No deal is left out.")
    company.speakers["one"].between = lambda: ana.post({}, f"/api/v3/runs/{sent['run_id']}/cancel")
    ana.letterbox.deliver()
    done = ana.poll(sent)
    assert (done["status"], done["text_so_far"]) == ("cancelled", "")
    assert answers(done) == []


def test_models_are_not_asked_for_longer_than_the_run_has_left(ana: Member, company: Company, settings: Any) -> None:
    seconds: list[float] = []
    given = engine.current().talk
    assert given is not None

    def timed(*args: Any, **limits: Any) -> Reply:
        seconds.append(limits["seconds"])
        return given(*args, **limits)

    engine.use(replace(engine.current(), talk=timed))
    settings.MODEL_SECONDS = settings.MODEL_CALL_SECONDS = 5_000.0
    sent = ana.send("How many deals?", models=["one"])
    Run.objects.filter(pk=sent["run_id"]).update(deadline_at=timezone.now() + timedelta(seconds=1_000))
    ana.letterbox.deliver()
    assert selected(ana.poll(sent))["model"] == "one"
    assert 0 < max(seconds) <= 985, "the built-in analyst keeps its share of the time"


def test_each_of_several_answers_tells_its_own_steps(ana: Member, company: Company) -> None:
    run = ana.ask("How many deals?", models=["one", "two"])
    traces = [answer["metadata"]["reasoning_trace"].splitlines()[0] for answer in answers(run)]
    assert traces == ["1. Asking a model to plan: OpenAI one", "1. Asking a model to plan: Anthropic two"]


def test_proven_questions_that_are_only_alike_are_told_to_models_and_not_to_the_built_in_analyst(
    ana: Member, company: Company, script: Script
) -> None:
    rate(ana, ana.ask("What is the revenue by region?"), up=True)
    for speaker in company.speakers.values():
        speaker.down = True
    for picked in (["one", "builtin"], ["one"]):
        company.told.clear()
        run = ana.ask("What is the revenue by region in 2024?", models=picked)
        assert selected(run)["model"] == "builtin"
        assert "proven question: What is the revenue by region?" in company.told[0]
        assert script.asked[-1].proven == ()


def test_the_next_question_is_told_the_query_that_a_model_wrote_for_want_of_a_plan(
    ana: Member, company: Company, script: Script
) -> None:
    sql = "SELECT count(*) * sign(count(*)) AS deals FROM deals"
    for planned, told in ((json.dumps({"sql": sql}), sql), (COUNT, "")):
        company.speakers["one"].plan = planned
        run = ana.ask("How many deals?", models=["one"])
        assert selected(run)["model"] == "one"
        ana.ask("And by stage?", thread_id=run["thread_id"])
        assert script.asked[-1].turns[-1].query == told


def test_a_query_that_a_model_wrote_and_no_plan_goes_to_the_warehouse_that_is_meant_for_it(
    ana: Member, company: Company
) -> None:
    usual, seen = engine.current().warehouse, []

    class Sandbox:
        def query(self, sql: str, *rest: Any, **limits: Any) -> Any:
            seen.append(sql)
            return usual.query(sql, *rest, **limits)

    engine.use(replace(engine.current(), sandbox=Sandbox()))  # type: ignore[arg-type]
    sql = "SELECT count(*) * sign(count(*)) AS deals FROM deals"
    for planned in (COUNT, json.dumps({"sql": sql})):
        company.speakers["one"].plan = planned
        assert selected(ana.ask("How many deals?", models=["one"]))["answer"]["table"]["rows"] == [[240]]
    assert seen == [sql]


def test_an_organization_may_have_a_budget_of_its_own(ana: Member, cast: Cast, company: Company, settings: Any) -> None:
    settings.MODEL_MONTHLY_BUDGET = 1_000.0
    first = ana.ask("How many deals?", models=["one"])
    assert selected(first)["model"] == "one", "twenty tokens at 1 each"
    ModelBudget.objects.create(organization=cast.acme, monthly=20)
    assert selected(ana.ask("How many deals?", models=["one"]))["answer"]["assumptions"] == [
        "by close date",
        copy.BUDGET_SPENT,
    ]
    ModelBudget.objects.update(monthly=0)
    assert selected(ana.ask("How many deals?", models=["one"]))["model"] == "one", "0 is no limit"
    assert Run.objects.filter(state="completed").count() == 3


def test_a_check_says_that_the_budget_for_models_is_spent(ana: Member, company: Company, cast: Cast) -> None:
    ModelBudget.objects.create(organization=cast.acme, monthly=10)
    run = ana.ask("How many deals?", models=["one"])
    heard: list[str] = []

    def check(question: Question, selected: Selected, *, models: tuple[tuple[str, Voice], ...], **ports: Any) -> Check:
        for _, voice in models:
            with pytest.raises(ProviderFailed) as spent:
                voice()
            heard.append(spent.value.message)
        return Check((Checked(selected.approach, Standing("A", best=True)),), "agree")

    engine.use(replace(engine.current(), check=check))
    ana.post({"thread_id": run["thread_id"], "run_id": run["run_id"], "should_validate": True})
    ana.letterbox.deliver()
    assert heard == ["Your organization's budget for language models is spent for this month."] * 3


def test_what_is_answered_in_words_only_stands_beside_nobody(ana: Member, company: Company, script: Script) -> None:
    script.say = lambda question, emit: Answer("declined", "I cannot say.")
    run = ana.ask("How many deals?", models=["builtin", "one"])
    assert [answer["model"] for answer in answers(run)] == ["one"]
    assert selected(run)["answer"]["assumptions"] == ["Built-in analyst: I cannot say."]
