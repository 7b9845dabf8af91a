"""The only place that knows the model library. One call in, one text out, under a deadline; no retries of its own.

A model object belongs to the event loop it was first used on, so each call makes its own and closes it: calls come from
worker threads that share nothing.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from queue import SimpleQueue
from typing import TYPE_CHECKING, Literal, Protocol

from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.errors import ProviderFailed

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

MOST_OUTPUT_TOKENS = 16_000
"""Models that think before they answer count their thoughts as output."""
Hear = Callable[[str], None]
"""Takes a piece of an answer as it comes. What it raises goes to who asked."""


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
    """Asks a model once, in pieces where `hear` is given. Raises ProviderFailed, and what `hear` raises."""

    def __call__(
        self,
        spec: ModelSpec,
        system: str,
        turns: Sequence[Said],
        *,
        seconds: float,
        temperature: float,
        hear: Hear | None = None,
    ) -> Reply: ...


def talk(
    spec: ModelSpec,
    system: str,
    turns: Sequence[Said],
    *,
    seconds: float,
    temperature: float,
    hear: Hear | None = None,
) -> Reply:
    """Asks the model once, over the network. Raises ProviderFailed with a sentence for people, and what `hear` does."""
    from pydantic_ai.direct import model_request  # noqa: F401 - loading it is no part of the model's time

    model = _model(spec)
    begun = time.monotonic()
    pieces: SimpleQueue[str | None] = SimpleQueue()
    left = threading.Event()
    answer = _answering(model, spec, _messages(system, turns), seconds, temperature, pieces if hear else None, left)
    try:
        if hear is not None:
            for piece in _until_the_end(pieces):
                hear(piece)
    except BaseException:
        left.set()  # nobody listens any more: the stream ends with its next piece
        raise
    try:
        response = answer.result()
    except TimeoutError as error:
        raise ProviderFailed(f"{spec.name} did not answer within {seconds:.0f} seconds.", retryable=True) from error
    except Exception as error:  # the SDKs of three providers have a family of errors each, and transports theirs
        raise ProviderFailed(f"{spec.name} could not be reached ({type(error).__name__}).", retryable=True) from error
    text = _text(response)
    if response.finish_reason not in (None, "stop"):
        raise ProviderFailed(f"{spec.name} broke off its answer.", retryable=True)
    if not text.strip():
        raise ProviderFailed(f"{spec.name} gave an empty answer.", retryable=True)
    taken = response.usage
    return Reply(text, taken.input_tokens or 0, taken.output_tokens or 0, time.monotonic() - begun)


def _answering(
    model: Model,
    spec: ModelSpec,
    messages: list[ModelMessage],
    seconds: float,
    temperature: float,
    pieces: SimpleQueue[str | None] | None,
    left: threading.Event,
) -> Future[ModelResponse]:
    """The model's answer to come, asked for on an event loop in a thread of its own.

    Pieces are handed over through a queue, because whoever hears them may write to a database, which must not be done
    on an event loop.
    """
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(max_tokens=MOST_OUTPUT_TOKENS, timeout=seconds)
    if spec.takes_temperature:
        settings["temperature"] = temperature
    answer: Future[ModelResponse] = Future()

    def work() -> None:
        try:
            asking = _request(model, spec, messages, settings, pieces, left)
            answer.set_result(asyncio.run(asyncio.wait_for(asking, seconds)))
        except BaseException as error:
            answer.set_exception(error)
        finally:
            if pieces is not None:
                pieces.put(None)

    threading.Thread(target=work, name=f"model-{spec.id}", daemon=True).start()
    return answer


def _until_the_end(pieces: SimpleQueue[str | None]) -> Iterator[str]:
    while (piece := pieces.get()) is not None:
        yield piece


async def _request(
    model: Model,
    spec: ModelSpec,
    messages: list[ModelMessage],
    settings: ModelSettings,
    pieces: SimpleQueue[str | None] | None,
    left: threading.Event,
) -> ModelResponse:
    from pydantic_ai.direct import model_request

    try:
        if pieces is None:
            return await model_request(model, messages, model_settings=settings)
        return await _streamed(model, messages, settings, pieces, left)
    finally:
        client = getattr(model, "client", None)
        if client is not None and spec.provider != "google":  # the connections of this call; Google's closes its own
            await client.close()


async def _streamed(
    model: Model,
    messages: list[ModelMessage],
    settings: ModelSettings,
    pieces: SimpleQueue[str | None],
    left: threading.Event,
) -> ModelResponse:
    from pydantic_ai.direct import model_request_stream

    told = 0
    async with model_request_stream(model, messages, model_settings=settings) as stream:
        async for _ in stream:
            if left.is_set():
                break
            text = _text(stream.get())
            if len(text) > told:
                pieces.put(text[told:])
                told = len(text)
        return stream.get()


def _text(response: ModelResponse) -> str:
    from pydantic_ai.messages import TextPart

    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def _messages(system: str, turns: Sequence[Said]) -> list[ModelMessage]:
    """The conversation in the library's words."""
    from pydantic_ai.messages import ModelRequest, ModelResponse, SystemPromptPart, TextPart, UserPromptPart

    messages: list[ModelMessage] = []
    for place, turn in enumerate(turns):
        if turn.by == "model":
            messages.append(ModelResponse(parts=[TextPart(turn.text)]))
        elif place == 0:
            messages.append(ModelRequest(parts=[SystemPromptPart(system), UserPromptPart(turn.text)]))
        else:
            messages.append(ModelRequest(parts=[UserPromptPart(turn.text)]))
    return messages


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
