"""The only place that knows the model library. One call in, one text out, under a deadline; no retries of its own.

A model object belongs to the event loop it was first used on. All calls of a process therefore run on one loop, in a
thread of its own, and share one model a spec with its open connections; worker threads hand calls over and wait.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeVar

from apps.analyst.approaches.models.forms import Form, formed, said
from apps.analyst.approaches.models.refusing import refuses_temperature, why
from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.approaches.models.tokens import estimated_tokens
from apps.analyst.errors import ProviderFailed

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse
    from pydantic_ai.models import Model
    from pydantic_ai.settings import ModelSettings

MOST_OUTPUT_TOKENS = 16_000
"""Models that think before they answer count their thoughts as output."""
T = TypeVar("T")
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
    """Asks a model once, in pieces where `hear` is given. A reply that is held to a `form` is whole. Raises
    ProviderFailed, and what `hear` raises."""

    def __call__(
        self,
        spec: ModelSpec,
        system: str,
        turns: Sequence[Said],
        *,
        seconds: float,
        temperature: float,
        hear: Hear | None = None,
        form: Form | None = None,
    ) -> Reply: ...


def talk(
    spec: ModelSpec,
    system: str,
    turns: Sequence[Said],
    *,
    seconds: float,
    temperature: float,
    hear: Hear | None = None,
    form: Form | None = None,
) -> Reply:
    """Asks the model once, over the network. Raises ProviderFailed with a sentence for people, and what `hear` does."""
    _load(spec.provider)  # no part of the model's time
    begun = time.monotonic()
    pieces: SimpleQueue[str | None] = SimpleQueue()
    settings = _settings(spec, seconds, temperature)
    asking = _request(spec, _messages(system, turns), settings, pieces if hear else None, form)
    answer = asyncio.run_coroutine_threadsafe(asyncio.wait_for(asking, seconds), _loop())
    if hear is not None:
        answer.add_done_callback(lambda _: pieces.put(None))
    try:
        if hear is not None:
            for piece in _until_the_end(pieces):
                hear(piece)
    except BaseException:
        answer.cancel()  # nobody listens any more
        raise
    try:
        response = answer.result()
    except TimeoutError as error:
        raise ProviderFailed(f"{spec.name} did not answer within {seconds:.0f} seconds.", retryable=True) from error
    except Exception as error:  # the SDKs of three providers have a family of errors each, and transports theirs
        raise ProviderFailed(why(spec.name, error), retryable=True) from error
    text = said(response)
    if response.finish_reason == "content_filter":
        raise ProviderFailed(f"{spec.name} would not answer.", retryable=True)
    if response.finish_reason not in (None, "stop", "tool_call"):
        raise ProviderFailed(f"{spec.name} broke off its answer.", retryable=True)
    if not text.strip():
        raise ProviderFailed(f"{spec.name} gave an empty answer.", retryable=True)
    # Some servers count nothing; a budget holds them as well.
    told = response.usage.input_tokens or sum(map(estimated_tokens, [system, *(turn.text for turn in turns)]))
    return Reply(text, told, response.usage.output_tokens or estimated_tokens(text), time.monotonic() - begun)


def _settings(spec: ModelSpec, seconds: float, temperature: float) -> ModelSettings:
    from pydantic_ai.settings import ModelSettings

    settings = ModelSettings(max_tokens=MOST_OUTPUT_TOKENS, timeout=seconds)
    if spec.takes_temperature:
        settings["temperature"] = temperature
    return settings


def _until_the_end(pieces: SimpleQueue[str | None]) -> Iterator[str]:
    while (piece := pieces.get()) is not None:
        yield piece


async def _request(
    spec: ModelSpec,
    messages: list[ModelMessage],
    settings: ModelSettings,
    pieces: SimpleQueue[str | None] | None,
    form: Form | None,
) -> ModelResponse:
    """One request, on the loop. Pieces are handed over through a queue, because whoever hears them may write to a
    database, which must not be done on an event loop."""
    model = await _kept(spec)
    if spec in _cool:
        settings.pop("temperature", None)
    try:
        return await _asked(spec, model, messages, settings, pieces, form)
    except Exception as error:
        if "temperature" not in settings or not refuses_temperature(error):
            raise
    _cool.add(spec)
    del settings["temperature"]
    return await _asked(spec, model, messages, settings, pieces, form)


async def _asked(
    spec: ModelSpec,
    model: Model,
    messages: list[ModelMessage],
    settings: ModelSettings,
    pieces: SimpleQueue[str | None] | None,
    form: Form | None,
) -> ModelResponse:
    from pydantic_ai.direct import model_request

    if pieces is None and form is not None:
        return await formed(spec, model, messages, settings, form)
    if pieces is None:
        return await model_request(model, messages, model_settings=settings)
    return await _streamed(model, messages, settings, pieces)


async def _streamed(
    model: Model,
    messages: list[ModelMessage],
    settings: ModelSettings,
    pieces: SimpleQueue[str | None],
) -> ModelResponse:
    from pydantic_ai.direct import model_request_stream

    told = 0
    async with model_request_stream(model, messages, model_settings=settings) as stream:
        async for _ in stream:
            text = said(stream.get())
            if len(text) > told:
                pieces.put(text[told:])
                told = len(text)
        return stream.get()


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


# ---------------------------------------------------------------- one loop, and the models on it
MOST_KEPT = 16
_lock = threading.Lock()
_running: asyncio.AbstractEventLoop | None = None
_models: OrderedDict[ModelSpec, Model] = OrderedDict()
"""Touched on the loop only."""
_cool: set[ModelSpec] = set()
"""Models that refused the temperature that was sent; they answer at their own. Touched on the loop only."""


def on_the_loop(work: Coroutine[Any, Any, T], seconds: float) -> T:
    """What a piece of work for the loop comes to. Raises TimeoutError when its time is up, however far it has come."""
    return asyncio.run_coroutine_threadsafe(asyncio.wait_for(work, seconds), _loop()).result()


def _loop() -> asyncio.AbstractEventLoop:
    """The loop of all calls of this process; it ends with it."""
    global _running
    with _lock:
        if _running is None:
            _running = asyncio.new_event_loop()
            threading.Thread(target=_running.run_forever, name="models", daemon=True).start()
        return _running


async def _kept(spec: ModelSpec) -> Model:
    """The spec's model with its connections, made once."""
    model = _models.get(spec)
    if model is None:
        model = _models[spec] = _model(spec)
        if len(_models) > MOST_KEPT:
            _, oldest = _models.popitem(last=False)
            client = getattr(oldest, "client", None)
            if client is not None and hasattr(client, "max_retries"):  # Google's closes its own
                await client.close()
    _models.move_to_end(spec)
    return model


def ready(specs: Iterable[ModelSpec]) -> None:
    """Loads what asking these models takes; the first question would wait for it for seconds."""
    for spec in specs:
        _load(spec.provider)
        asyncio.run_coroutine_threadsafe(_kept(spec), _loop()).result()


def _load(provider: Provider) -> None:
    """Imports what a provider's model needs, in the caller's thread: seconds on the loop would hold up all calls."""
    import pydantic_ai.direct  # noqa: F401

    import_module(f"pydantic_ai.models.{provider}")
    import_module(f"pydantic_ai.providers.{provider}")


def _model(spec: ModelSpec) -> Model:
    """The library's model, its SDK without retries. Each SDK loads only where it is configured."""
    if spec.provider == "openai":
        from openai import AsyncOpenAI
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        from apps.analyst.approaches.models.public import public_client

        through = public_client() if spec.public_only else None
        client = AsyncOpenAI(api_key=spec.api_key, base_url=spec.base_url, max_retries=0, http_client=through)
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
