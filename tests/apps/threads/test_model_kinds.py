"""Each provider and a local server, in each way in which a reply is held to its form: whatever comes back, the question
is answered truly, and what went wrong is told in words that help."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import pytest

from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.fake import FAULTS, FakeProviders, Fault
from apps.analyst.approaches.models.fake_words import asks_for_words, counting
from apps.analyst.approaches.models.instead import INSTEAD
from apps.analyst.approaches.models.layer import Said, talk
from apps.analyst.approaches.models.rules import REPLY_SCHEMA
from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.errors import ProviderFailed
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer
from tests.apps.threads.test_model_faults import ASKED

KINDS: tuple[tuple[Provider, str], ...] = (
    ("openai", "gpt-4.1"),
    ("openai", "qwen3:8b"),
    ("anthropic", "claude-sonnet-4-5"),
    ("google", "gemini-2.5-pro"),
)
"""The second is a local server's, of OpenAI's format."""
WAYS = {"schema": {}, "tool": {"forms": False}, "words": {"forms": False, "tools": False}}
WHY = {
    "400": "refused the request",
    "401": "did not accept the key",
    "404": "is not known at its provider",
    "429": "takes no more questions just now",
    "500": "failed at its provider",
    "bad json": "gave an answer that cannot be read",
    "refused": "would not answer",
    "truncated": "broke off its answer",
    "empty": "gave an empty answer",
}
CALL_SECONDS = 1.0


def spec_for(provider: Provider, model: str, fake: FakeProviders) -> ModelSpec:
    address = f"{fake.address}/v1" if provider == "openai" else fake.address
    return ModelSpec("m", "Model M", provider, model, "a-key", address)


@dataclass
class Desk:
    """Answers one question through a model, or as the built-in analyst does."""

    catalog: FixedCatalog
    warehouse: LocalWarehouse

    def answer(self, spec: ModelSpec, call_seconds: float = CALL_SECONDS) -> Answer:
        models = Models([spec], talk, seconds=20, call_seconds=call_seconds)
        return models.answer(
            ASKED, catalog=self.catalog, warehouse=self.warehouse, emit=lambda step: None, builtin=self.builtin
        )

    def builtin(self) -> Answer:
        return answer(ASKED, catalog=self.catalog, warehouse=self.warehouse, learned=False, onward=False)


@pytest.fixture
def desk(sales: FixedCatalog, warehouse: LocalWarehouse) -> Desk:
    return Desk(sales, warehouse)


def figure(given: Answer) -> Any:
    assert given.result is not None
    return given.result.rows[0][0]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("provider", "model"), KINDS)
def test_a_slow_model_and_one_that_thinks_aloud_are_answered_by(
    provider: Provider, model: str, way: str, desk: Desk
) -> None:
    def thinking(texts: list[str]) -> str:
        said = counting(texts)
        return said if asks_for_words(texts) or way != "words" else f"I could say {{this}}.</think>\n{said}"

    with FakeProviders(say=thinking, latency=0.4, pace=0.02, **WAYS[way]) as fake:  # type: ignore[arg-type]
        given = desk.answer(spec_for(provider, model, fake), call_seconds=20)
    assert (given.approach, figure(given)) == ("m", 240)
    assert given.text.endswith("These are the words of a stand-in, a few at a time.")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("provider", "model"), KINDS)
def test_whatever_goes_wrong_the_built_in_analyst_answers_and_the_reason_names_the_model(
    provider: Provider, model: str, way: str, desk: Desk
) -> None:
    with FakeProviders(**WAYS[way]) as fake:  # type: ignore[arg-type]
        spec = spec_for(provider, model, fake)
        for fault in FAULTS:
            fake.faults = () if fault == "obeys data" else (fault,)  # without an order in the data it counts rightly
            given = desk.answer(spec)
            assert figure(given) == 240, fault
            if fake.faults:
                assert (given.approach, given.assumptions[-1]) == ("builtin", INSTEAD), fault
                assert "Model M" in given.assumptions[0], fault


@pytest.mark.parametrize("fault", WHY)
@pytest.mark.parametrize(("provider", "model"), KINDS)
def test_why_there_is_no_answer_is_said_in_words_that_help(provider: Provider, model: str, fault: Fault) -> None:
    with FakeProviders(faults=(fault,)) as fake, pytest.raises(ProviderFailed) as failed:
        talk(spec_for(provider, model, fake), "", [Said("us", "x")], seconds=10, temperature=1, form=REPLY_SCHEMA)
    assert failed.value.message.startswith(f"Model M {WHY[fault]}")


@pytest.mark.parametrize("streamed", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(("provider", "model"), KINDS)
def test_a_model_that_takes_no_temperature_is_asked_without_one_from_then_on(
    provider: Provider, model: str, streamed: bool
) -> None:
    more: dict[str, Any] = {"hear": [].append} if streamed else {"form": REPLY_SCHEMA}
    with FakeProviders(temperature=False) as fake:
        spec = spec_for(provider, model, fake)
        for _ in range(2):
            assert talk(spec, "", [Said("us", 'table "t": 1 rows')], seconds=10, temperature=0.3, **more).text
    asked = ["temperature" in json.dumps(body) for _, body in fake.requests]
    assert asked == [True, False, False]


def test_arguments_of_a_tool_that_break_off_go_back_as_they_came() -> None:
    with FakeProviders(say=lambda texts: '{"sql": "SELECT 1', forms=False) as fake:
        spec = spec_for("openai", "qwen3:8b", fake)
        reply = talk(spec, "", [Said("us", "x")], seconds=10, temperature=1, form=REPLY_SCHEMA)
    assert reply.text == '{"sql": "SELECT 1'


def test_what_a_server_does_not_count_is_estimated_so_that_a_budget_holds_it() -> None:
    with FakeProviders(counts=False) as fake:
        reply = talk(
            spec_for("openai", "qwen3:8b", fake), "Rules of five words here.", [Said("us", 'table "t": 1 rows')],
            seconds=10, temperature=1,
        )  # fmt: skip
    assert reply.input_tokens >= 10
    assert reply.output_tokens >= 10


def test_an_address_of_the_own_network_is_said_to_be_one() -> None:
    with FakeProviders() as fake:
        spec = ModelSpec("own:m", "M", "openai", "m", "k", f"{fake.address}/v1", public_only=True)
        with pytest.raises(ProviderFailed, match="within the server's own network"):
            talk(spec, "", [Said("us", "x")], seconds=10, temperature=1)
    assert fake.requests == []
