"""A plan is asked for in a form where the provider can hold a model to one, and in words alone where it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.layer import Said, talk
from apps.analyst.approaches.models.rules import REPLY_SCHEMA
from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.errors import ProviderFailed
from tests.apps.threads.test_models import CONTRACTS, nullable

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


@pytest.mark.parametrize(("provider", "model"), MODELS)
def test_a_server_that_knows_no_forms_is_asked_in_words_at_once_and_from_then_on(
    provider: Provider, model: str
) -> None:
    with FakeProviders(forms=False) as fake:
        spec = spec_for(provider, model, fake)
        replies = [talk(spec, "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA) for _ in range(2)]
    assert all(json.loads(reply.text)["source"] == "deals" for reply in replies)
    assert len(fake.requests) == 3, "the form is tried once"


def test_an_outage_is_no_refusal_of_the_form() -> None:
    with FakeProviders(faults=("500",)) as fake, pytest.raises(ProviderFailed):
        talk(spec_for("openai", "qwen3:8b", fake), "", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    assert len(fake.requests) == 1


def test_the_request_for_a_form_keeps_the_published_contract_of_chat_completions() -> None:
    contract = json.loads(Path(CONTRACTS / "openai" / "chat_completions.json").read_text())
    with FakeProviders() as fake:
        talk(spec_for("openai", "gpt-5", fake), "The rules.", TURNS, seconds=30, temperature=1, form=REPLY_SCHEMA)
    ((_, body),) = fake.requests
    schema = {
        "$ref": "#/components/schemas/CreateChatCompletionRequest",
        "components": nullable(contract["components"]),
    }
    assert list(Draft202012Validator(schema).iter_errors(body)) == []
