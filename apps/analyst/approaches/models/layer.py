"""The only place that knows the model library. One call in, one text out, under a deadline; no retries of its own.

A model object belongs to the event loop it was first used on, so each call makes its own and closes it: calls come from
worker threads that share nothing.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.errors import ProviderFailed

if TYPE_CHECKING:
    from pydantic_ai.models import Model

MOST_OUTPUT_TOKENS = 4_000


@dataclass(frozen=True, slots=True)
class Said:
    """A turn of the conversation with a model."""

    by: Literal["us", "model"]
    text: str


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered, and what it took."""

    text: str
    input_tokens: int
    output_tokens: int
    seconds: float


class Talk(Protocol):
    """Asks a model once. Raises ProviderFailed."""

    def __call__(
        self, spec: ModelSpec, system: str, turns: Sequence[Said], *, seconds: float, temperature: float
    ) -> Reply: ...


def talk(spec: ModelSpec, system: str, turns: Sequence[Said], *, seconds: float, temperature: float) -> Reply:
    """Asks the model once, over the network. Raises ProviderFailed with a sentence for people."""
    from pydantic_ai.direct import model_request  # noqa: F401 - loading it is no part of the model's time

    model = _model(spec)
    begun = time.monotonic()
    try:
        request = _request(model, spec, system, turns, seconds=seconds, temperature=temperature)
        text, taken = asyncio.run(asyncio.wait_for(request, seconds))
    except TimeoutError as error:
        raise ProviderFailed(f"{spec.name} did not answer within {seconds:.0f} seconds.", retryable=True) from error
    except Exception as error:  # the SDKs of three providers have a family of errors each, and transports theirs
        raise ProviderFailed(f"{spec.name} could not be reached ({type(error).__name__}).", retryable=True) from error
    if not text.strip():
        raise ProviderFailed(f"{spec.name} gave an empty answer.", retryable=True)
    return Reply(text, taken[0], taken[1], time.monotonic() - begun)


async def _request(
    model: Model, spec: ModelSpec, system: str, turns: Sequence[Said], *, seconds: float, temperature: float
) -> tuple[str, tuple[int, int]]:
    from pydantic_ai.direct import model_request
    from pydantic_ai.messages import (
        ModelMessage,
        ModelRequest,
        ModelResponse,
        SystemPromptPart,
        TextPart,
        UserPromptPart,
    )
    from pydantic_ai.settings import ModelSettings

    messages: list[ModelMessage] = []
    for place, turn in enumerate(turns):
        if turn.by == "model":
            messages.append(ModelResponse(parts=[TextPart(turn.text)]))
        elif place == 0:
            messages.append(ModelRequest(parts=[SystemPromptPart(system), UserPromptPart(turn.text)]))
        else:
            messages.append(ModelRequest(parts=[UserPromptPart(turn.text)]))
    settings = ModelSettings(max_tokens=MOST_OUTPUT_TOKENS, timeout=seconds)
    if spec.takes_temperature:
        settings["temperature"] = temperature
    try:
        response = await model_request(model, messages, model_settings=settings)
    finally:
        client = getattr(model, "client", None)
        if client is not None and spec.provider != "google":  # the connections of this call; Google's closes its own
            await client.close()
    text = "".join(part.content for part in response.parts if isinstance(part, TextPart))
    return text, (response.usage.input_tokens or 0, response.usage.output_tokens or 0)


def _model(spec: ModelSpec) -> Model:
    """The library's model, its SDK without retries. Each SDK loads only where it is configured."""
    if spec.provider == "openai":
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        client = AsyncOpenAI(api_key=spec.api_key, base_url=spec.base_url, max_retries=0)
        return OpenAIChatModel(spec.model, provider=OpenAIProvider(openai_client=client))
    if spec.provider == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        asking = AsyncAnthropic(api_key=spec.api_key, base_url=spec.base_url, max_retries=0)
        return AnthropicModel(spec.model, provider=AnthropicProvider(anthropic_client=asking))
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=spec.api_key, base_url=spec.base_url)
    return GoogleModel(spec.model, provider=provider)
