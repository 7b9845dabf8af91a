"""Language models from the picker to the usage in the admin, over stand-ins that speak the providers' wire formats."""

from __future__ import annotations

import json
import threading
from dataclasses import replace
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apps.analyst.approaches.models.fake import OF_THE_WIRE, FakeProviders, Fault
from apps.analyst.approaches.models.fake_formats import End, anthropic_events, format_of, google_answers, openai_chunks
from apps.analyst.approaches.models.layer import Reply, Said, talk
from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.errors import ProviderFailed
from apps.analyst.types import Answer
from apps.threads import copy, engine
from apps.threads.models import ModelUsage, Run
from apps.threads.services.usage import spent_this_month
from tests.apps.conftest import Cast
from tests.apps.threads.conftest import Member, Script

CONTRACTS = Path(__file__).resolve().parents[3] / "apps" / "analyst" / "approaches" / "models" / "contracts"
PROVIDERS: tuple[Provider, ...] = ("openai", "anthropic", "google")
ENDS: tuple[End, ...] = ("whole", "truncated", "refused")
TURNS = [Said("us", 'table "deals": 3 rows\nQuestion: How many?'), Said("model", "{}"), Said("us", "Again, please.")]


def spec_for(provider: Provider, fake: FakeProviders) -> ModelSpec:
    base = f"{fake.address}/v1" if provider == "openai" else fake.address
    return ModelSpec("m", "Model M", provider, "m-1", "a-key", base)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_each_wire_format_carries_rules_turns_and_temperature_and_brings_text_and_tokens(provider: Provider) -> None:
    with FakeProviders() as fake:
        reply = talk(spec_for(provider, fake), "The rules.", TURNS, seconds=30, temperature=0.5)
    assert json.loads(reply.text)["source"] == "deals"
    assert reply.input_tokens > 0
    assert reply.output_tokens > 0
    ((_, body),) = fake.requests
    said = json.dumps(body)
    assert all(text in said for text in ("The rules.", "Again, please.", "0.5", "m-1" if provider != "google" else ""))


@pytest.mark.parametrize("provider", PROVIDERS)
@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("fault", [fault for fault in OF_THE_WIRE if fault != "hang"])
def test_a_fault_of_a_provider_is_told_in_words_after_one_call(
    provider: Provider, fault: Fault, streamed: bool
) -> None:
    hear = [].append if streamed else None
    with FakeProviders(faults=(fault,)) as fake, pytest.raises(ProviderFailed, match="Model M"):
        talk(spec_for(provider, fake), "The rules.", TURNS, seconds=30, temperature=1, hear=hear)
    assert len(fake.requests) == 1, "retries are ours to decide, not the library's"


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_streamed_answer_is_heard_in_pieces_by_who_asked_and_is_the_same_in_the_end(provider: Provider) -> None:
    heard: list[tuple[str, int]] = []

    def hear(piece: str) -> None:
        heard.append((piece, threading.get_ident()))

    with FakeProviders(say=lambda texts: "One two three. Four five six. Seven eight.") as fake:
        reply = talk(spec_for(provider, fake), "The rules.", TURNS, seconds=30, temperature=1, hear=hear)
    assert reply.text == "".join(piece for piece, _ in heard) == "One two three. Four five six. Seven eight."
    assert len(heard) > 1
    assert {thread for _, thread in heard} == {threading.get_ident()}, "who hears may write to a database"
    assert reply.input_tokens > 0
    assert reply.output_tokens > 0


def test_what_the_hearer_raises_reaches_who_asked() -> None:
    class Stopped(Exception):
        pass

    def stop(piece: str) -> None:
        raise Stopped

    with FakeProviders(pace=0.01) as fake, pytest.raises(Stopped):
        talk(spec_for("openai", fake), "The rules.", TURNS, seconds=30, temperature=1, hear=stop)


@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_that_hangs_is_left_at_the_deadline(provider: Provider) -> None:
    with (
        FakeProviders(faults=("hang",)) as fake,
        pytest.raises(ProviderFailed, match=r"within 1 seconds|could not be reached"),
    ):
        talk(spec_for(provider, fake), "The rules.", TURNS, seconds=1, temperature=1)


def whole(path: str, body: dict[str, Any], end: End = "whole") -> dict[str, Any]:
    """What the stand-in answers to a request."""
    spoken = format_of(path)
    assert spoken is not None
    return spoken.whole(body, "" if end == "refused" else "Four five six.", end)


@pytest.mark.parametrize("end", ENDS)
def test_the_stand_in_keeps_the_providers_own_types(end: End) -> None:
    from anthropic.types import Message, RawMessageStreamEvent
    from google.genai.types import GenerateContentResponse
    from openai.types.chat import ChatCompletion, ChatCompletionChunk
    from pydantic import TypeAdapter

    with FakeProviders() as fake:
        for provider in PROVIDERS:
            talk(spec_for(provider, fake), "The rules.", TURNS, seconds=30, temperature=1)
        requests = list(fake.requests)
    for (path, body), kind in zip(requests, (ChatCompletion, Message, GenerateContentResponse), strict=True):
        kind.model_validate(whole(path, body, end), strict=False)
    (_, asked), (_, messages), (_, contents) = requests
    for chunk in openai_chunks({**asked, "stream_options": {"include_usage": True}}, "Four five six. Seven.", end):
        ChatCompletionChunk.model_validate(chunk)
    events: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    for event in anthropic_events(messages, "Four five six. Seven.", end):
        events.validate_python(event)
    for part in google_answers(contents, "Four five six. Seven.", end):
        GenerateContentResponse.model_validate(part)


def test_requests_keep_the_providers_own_types() -> None:
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming, MessageCreateParamsStreaming
    from google.genai.types import Content, GenerationConfig
    from pydantic import TypeAdapter

    with FakeProviders() as fake:
        for provider in ("anthropic", "google"):
            for hear in (None, lambda piece: None):
                talk(spec_for(provider, fake), "The rules.", TURNS, seconds=30, temperature=1, hear=hear)  # type: ignore[arg-type]
        whole_message, streamed_message, *generated = (body for _, body in fake.requests)
    for body, kind in (
        (whole_message, MessageCreateParamsNonStreaming),
        (streamed_message, MessageCreateParamsStreaming),
    ):
        kept: Any = TypeAdapter(kind).validate_python(body)
        assert [message["role"] for message in kept["messages"]] == ["user", "assistant", "user"]
        # The library's types have lost the temperature, which older models still take.
        assert set(body) - set(kept) <= {"temperature"}, "nothing that the provider does not know"
    for body in generated:
        assert [Content.model_validate(turn).role for turn in body["contents"]] == ["user", "model", "user"]
        Content.model_validate(body["systemInstruction"])
        GenerationConfig.model_validate(body["generationConfig"])


def nullable(schema: Any) -> Any:
    """The published schema, its `nullable` of an older dialect in words that a validator knows."""
    if isinstance(schema, list):
        return [nullable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: nullable(part) for key, part in schema.items() if key != "nullable"}
    return {"anyOf": [parts, {"type": "null"}]} if schema.get("nullable") is True else parts


@pytest.mark.parametrize("end", ENDS)
def test_requests_and_answers_keep_the_published_contract_of_chat_completions(end: End) -> None:
    contract = json.loads((CONTRACTS / "openai" / "chat_completions.json").read_text())
    with FakeProviders() as fake:
        talk(spec_for("openai", fake), "The rules.", TURNS, seconds=30, temperature=1)
        talk(spec_for("openai", fake), "The rules.", TURNS, seconds=30, temperature=1, hear=lambda piece: None)
        (path, body), (_, streamed) = fake.requests
    kept = [("CreateChatCompletionRequest", body), ("CreateChatCompletionRequest", streamed)]
    kept += [("CreateChatCompletionResponse", whole(path, body, end))]
    kept += [("CreateChatCompletionStreamResponse", chunk) for chunk in openai_chunks(streamed, "Four five six.", end)]
    for name, value in kept:
        schema = {"$ref": f"#/components/schemas/{name}", "components": nullable(contract["components"])}
        assert list(Draft202012Validator(schema).iter_errors(value)) == []


# ---------------------------------------------------------------- in the product
def test_what_a_model_wrote_stays_in_the_query_children_where_plans_go_to_the_cluster(script: Script) -> None:
    near, far = object(), object()
    routed = replace(engine.current(), warehouse=near, route=lambda catalog: far).over(OneTable())  # type: ignore[arg-type]
    assert (routed.warehouse, routed.sandbox) == (far, near)
    assert engine.current().over(OneTable()).sandbox is None, "where there is no cluster there is one warehouse for all"


class OneTable:
    """A catalog of which only the names matter."""

    version = "1"

    def tables(self) -> tuple[Any, ...]:
        return (object(),)

    def joins(self) -> tuple[()]:
        return ()


@pytest.fixture
def down(script: Script, settings: Any) -> None:
    """A configured model that cannot be reached."""

    def unreachable(spec: ModelSpec, system: str, turns: Any, **limits: Any) -> Reply:
        raise ProviderFailed(f"{spec.name} could not be reached.", retryable=True)

    configure(settings)
    engine.use(replace(engine.current(), talk=unreachable, catalog_of=lambda organization: NoTables()))


class NoTables(OneTable):
    def tables(self) -> tuple[Any, ...]:
        return ()


def configure(settings: Any, **more: Any) -> None:
    settings.MODEL_PROVIDERS = {
        "openai": {"api_key": "", "base_url": "http://127.0.0.1:9/v1", "models": ["local-7b"]},
        "anthropic": {"api_key": "", "base_url": "", "models": ["claude"]},
        "google": {"api_key": "k", "base_url": "", "models": ["gemini"]},
    }
    settings.MODEL_PRICES = {"local-7b": [2, 8]}
    settings.MODEL_STAND_INS = False
    for name, value in more.items():
        setattr(settings, name, value)


@pytest.mark.django_db
def test_the_picker_lists_the_built_in_analyst_and_what_has_a_key_or_an_address(ana: Member, settings: Any) -> None:
    configure(settings, MODELS_WITHOUT_TEMPERATURE=["gemini"])
    listed = ana.client.get("/api/v3/models").json()
    assert [(one["id"], one["name"], one["takes_temperature"]) for one in listed] == [
        ("builtin", "Built-in analyst", False),
        ("local-7b", "OpenAI local-7b", True),
        ("gemini", "Google gemini", False),
    ]
    assert "key" not in json.dumps(listed)


@pytest.mark.django_db(transaction=True)
def test_a_picked_model_is_asked_and_what_it_took_is_written_down(
    ana: Member, cast: Cast, script: Script, settings: Any, tmp_path: Path
) -> None:
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
    from tests.analyst.plans.sales import sales_catalog

    configure(settings)
    seen: list[float] = []
    plan = {
        "kind": "query",
        "source": "deals",
        "measures": [{"label": "Deals", "expr": {"kind": "aggregate", "fn": "count"}}],
    }

    def scripted(spec: ModelSpec, system: str, turns: list[Said], *, temperature: float, **more: Any) -> Reply:
        seen.append(temperature)
        wording = "Its template text:" in turns[-1].text
        return Reply("There are 240 deals." if wording else json.dumps(plan), 1_000, 100, 0.2)

    catalog = sales_catalog(tmp_path)
    warehouse = LocalWarehouse()
    engine.use(replace(engine.current(), talk=scripted, catalog_of=lambda organization: catalog, warehouse=warehouse))
    run = ana.ask("How many deals?", models=["local-7b"], temperature=0.3)
    warehouse.close()
    answer = run["messages"][0]["children"][0]
    assert (answer["model"], answer["answer"]["text"]) == ("local-7b", "There are 240 deals.")
    assert seen == [0.3, 0.3]
    used = ModelUsage.objects.get()
    assert (used.organization, used.member, used.model, used.calls) == (cast.acme, cast.ana, "local-7b", 2)
    assert (used.input_tokens, used.output_tokens, used.cost) == (2_000, 200, Decimal("0.005600"))
    assert spent_this_month(cast.acme) == Decimal("0.0056")
    assert spent_this_month(cast.globex) == 0


@pytest.mark.django_db(transaction=True)
def test_a_spent_budget_is_said_and_no_model_is_asked(ana: Member, cast: Cast, script: Script, settings: Any) -> None:
    configure(settings, MODEL_MONTHLY_BUDGET=5)

    def never(*args: Any, **limits: Any) -> Reply:
        raise AssertionError("asked although the budget is spent")

    engine.use(replace(engine.current(), talk=never, catalog_of=lambda organization: OneTable()))
    sent = ana.send()
    ModelUsage.objects.create(
        organization=cast.acme, run=Run.objects.get(pk=sent["run_id"]), member=cast.ana, model="local-7b", calls=1,
        input_tokens=1, output_tokens=1, cost=5, seconds=1,
    )  # fmt: skip
    script.say = lambda question, emit: Answer("answered", "From the built-in analyst.")
    ana.letterbox.deliver()
    answer = ana.ask("How many deals?", models=["local-7b"])["messages"][0]["children"][0]
    assert answer["model"] == "builtin"
    assert answer["answer"]["assumptions"] == [copy.BUDGET_SPENT]
    assert answer["answer"]["instead"] == copy.BUDGET_SPENT_FOR_CHECKS


@pytest.mark.django_db(transaction=True)
def test_an_unknown_model_and_an_empty_organization_are_answered_by_the_built_in_analyst(
    ana: Member, down: None
) -> None:
    for models in (["unheard-of"], ["local-7b"]):
        assert ana.ask("How many deals?", models=models)["messages"][0]["children"][0]["model"] == "builtin"
    assert not ModelUsage.objects.exists()
