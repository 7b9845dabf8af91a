"""A plan is asked for in a form where the provider can hold a model to one, as a call of a tool where there are only
those, and in words alone where there is neither."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apps.analyst.approaches.models.fake import FakeProviders, Fault
from apps.analyst.approaches.models.fake_formats import format_of
from apps.analyst.approaches.models.layer import Said, talk
from apps.analyst.approaches.models.rules import REPLY_SCHEMA
from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.errors import ProviderFailed
from tests.apps.threads.test_models import CONTRACTS, ENDS, nullable

TURNS = [Said("us", 'table "deals": 3 rows\nQuestion: How many?')]
MODELS: tuple[tuple[Provider, str], ...] = (
    ("openai", "qwen3:8b"),
    ("anthropic", "claude-sonnet-4-5"),
    ("google", "gemini-2.5-pro"),
)


def spec_for(provider: Provider, model: str, fake: FakeProviders) -> ModelSpec:
    return ModelSpec(
        "m", "Model M", provider, model, "a-key", f"{fake.address}/v1" if provider == "openai" else fake.address
    )


@pytest.mark.parametrize(("provider", "model"), MODELS)
def test_a_plan_is_asked_for_in_the_form_of_a_reply_and_words_are_not(provider: Provider, model: str) -> None:
    with FakeProviders() as fake:
        spec = spec_for(provider, model, fake)
        talk(spec, "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
        talk(spec, "The rules.", TURNS, seconds=30, temperature=1, hear=lambda piece: None)
    (_, planned), (_, worded) = fake.requests
    assert '"statistic"' in json.dumps(planned)
    assert '"statistic"' not in json.dumps(worded)


def asks_for(path: str, body: dict[str, Any]) -> str:
    """How a request holds its reply to a form."""
    spoken = format_of(path)
    assert spoken is not None
    if spoken.asks_for_a_form(body):
        return "schema"
    return "tool" if spoken.asks_for_a_tool(body) else "words"


@pytest.mark.parametrize(("provider", "model"), MODELS)
@pytest.mark.parametrize(
    ("tools", "ways"),
    [(True, ["schema", "tool", "tool"]), (False, ["schema", "tool", "words", "words"])],
    ids=["tool calls alone", "neither"],
)
def test_a_server_that_knows_no_schema_is_given_a_tool_to_call_and_else_asked_in_words(
    provider: Provider, model: str, tools: bool, ways: list[str]
) -> None:
    with FakeProviders(forms=False, tools=tools) as fake:
        spec = spec_for(provider, model, fake)
        replies = [talk(spec, "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA) for _ in range(2)]
    assert all(json.loads(reply.text)["source"] == "deals" for reply in replies)
    assert [asks_for(*request) for request in fake.requests] == ways, "what was refused is not asked again"


def test_a_model_whose_provider_has_no_schema_for_it_is_given_a_tool_at_once() -> None:
    with FakeProviders() as fake:
        spec = spec_for("anthropic", "claude-3-5-haiku-latest", fake)
        reply = talk(spec, "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    assert json.loads(reply.text)["source"] == "deals"
    assert [asks_for(*request) for request in fake.requests] == ["tool"]


def test_text_instead_of_the_offered_tool_is_taken_as_the_reply() -> None:
    with FakeProviders(forms=False, calls=False) as fake:
        spec = spec_for("openai", "qwen3:8b", fake)
        reply = talk(spec, "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    assert json.loads(reply.text)["source"] == "deals"


def test_a_request_that_is_refused_in_every_way_is_asked_in_the_strictest_again_next_time() -> None:
    with FakeProviders(faults=("400",)) as fake:
        spec = spec_for("openai", "qwen3:8b", fake)
        for _ in range(2):
            with pytest.raises(ProviderFailed):
                talk(spec, "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    assert [asks_for(*request) for request in fake.requests] == ["schema", "tool", "words"] * 2


def test_an_outage_is_no_refusal_of_the_form() -> None:
    with FakeProviders(faults=("500",)) as fake, pytest.raises(ProviderFailed):
        talk(spec_for("openai", "qwen3:8b", fake), "", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    assert len(fake.requests) == 1


def kept_by(name: str, value: Any) -> list[Any]:
    """What breaks a published shape of chat completions."""
    contract = json.loads(Path(CONTRACTS / "openai" / "chat_completions.json").read_text())
    schema = {"$ref": f"#/components/schemas/{name}", "components": nullable(contract["components"])}
    return list(Draft202012Validator(schema).iter_errors(value))


@pytest.mark.parametrize("forms", [True, False], ids=["schema", "tool"])
def test_requests_for_a_form_and_a_called_tool_keep_the_published_contract_of_chat_completions(forms: bool) -> None:
    with FakeProviders(forms=forms) as fake:
        talk(spec_for("openai", "gpt-5", fake), "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    path, body = fake.requests[-1]
    spoken = format_of(path)
    assert spoken is not None
    for end in ENDS:
        said = "" if end == "refused" else '{"sql": "SELECT 1"}'
        assert kept_by("CreateChatCompletionResponse", spoken.whole(body, said, end)) == []
    assert kept_by("CreateChatCompletionRequest", body) == []


def test_a_called_tool_keeps_the_types_of_the_other_providers() -> None:
    from anthropic.types import Message
    from anthropic.types.message_create_params import MessageCreateParamsNonStreaming
    from google.genai.types import GenerateContentResponse, Tool
    from pydantic import TypeAdapter

    with FakeProviders(forms=False) as fake:
        for provider, model in MODELS[1:]:
            talk(spec_for(provider, model, fake), "", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    asked = [(path, body) for path, body in fake.requests if asks_for(path, body) == "tool"]
    for (path, body), kind in zip(asked, (Message, GenerateContentResponse), strict=True):
        spoken = format_of(path)
        assert spoken is not None
        kind.model_validate(spoken.whole(body, '{"sql": "SELECT 1"}', "whole"), strict=False)
    (_, messages), (_, contents) = asked
    types: Any = TypeAdapter(MessageCreateParamsNonStreaming)
    assert [tool["name"] for tool in types.validate_python(messages)["tools"]] == ["reply"]
    assert [Tool.model_validate(tool).function_declarations[0].name for tool in contents["tools"]] == ["reply"]  # type: ignore[index]


@pytest.mark.parametrize(("provider", "model"), MODELS)
@pytest.mark.parametrize("fault", ["truncated", "refused", "empty", "cut"])
def test_what_goes_wrong_with_a_called_tool_is_told_in_words(provider: Provider, model: str, fault: Fault) -> None:
    with FakeProviders(forms=False) as fake:
        spec = spec_for(provider, model, fake)
        talk(spec, "", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
        fake.faults = (fault,)
        with pytest.raises(ProviderFailed, match="Model M"):
            talk(spec, "", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
