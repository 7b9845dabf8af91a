"""The three wire formats of the stand-in: what a request says, a whole answer, and an answer in pieces. Pure."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Body = dict[str, Any]
End = Literal["whole", "truncated", "refused"]
"""How an answer ends: as it should, at the limit of its tokens, or because the provider does not answer such things."""
WORDS_A_PIECE = 3
REFUSAL = "I can't help with that."


@dataclass(frozen=True, slots=True)
class Format:
    """One provider's way to ask and to answer."""

    path: str
    """A pattern of the address, without its query."""
    texts: Callable[[Body], list[str]]
    whole: Callable[[Body, str, End], Body]
    pieces: Callable[[Body, str, End], Iterator[str]]
    """The events of a streamed answer, each as its text on the wire."""

    def asks_for_a_form(self, body: Body) -> bool:
        """Whether the request wants its answer in a form that it describes."""
        generation = body.get("generationConfig") or {}
        return bool(body.get("response_format") or body.get("output_config") or generation.get("responseJsonSchema"))

    def asks_for_a_temperature(self, body: Body) -> bool:
        """Whether the request sets a temperature."""
        return "temperature" in {**body, **(body.get("generationConfig") or {})}

    def asks_for_a_tool(self, body: Body) -> bool:
        """Whether the request wants a tool called."""
        return bool(body.get("tools"))

    def streams(self, path: str, body: Body) -> bool:
        """Whether the request wants its answer in pieces."""
        return bool(body.get("stream")) or ":streamGenerateContent" in path


def format_of(path: str) -> Format | None:
    """The format that is spoken at an address."""
    bare = path.partition("?")[0]
    return next((one for one in FORMATS if re.fullmatch(one.path, bare)), None)


def names_of(path: str, names: Sequence[str]) -> Body | None:
    """A provider's list of models; None where the address lists none."""
    bare = path.partition("?")[0]
    if bare == "/v1beta/models":
        return {"models": [{"name": f"models/{name}"} for name in names]}
    if bare != "/v1/models":
        return None
    made = [{"id": name, "object": "model", "created": 1_700_000_000, "owned_by": "fake"} for name in names]
    return {"object": "list", "data": made}


def _tool(body: Body, said: str) -> str:
    """The name of the tool that an answer calls; "" where it is text: none was offered, or there is nothing to say."""
    offered = (body.get("tools") or [{}])[0]
    declared = offered.get("function") or (offered.get("functionDeclarations") or [offered])[0]
    return str(declared.get("name", "")) if said else ""


def _arguments(said: str) -> Body:
    """What a tool is called with, where the wire carries it as an object."""
    try:
        read = json.loads(said)
    except ValueError:
        return {}
    return read if isinstance(read, dict) else {}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or ())


def _tokens(texts: list[str]) -> int:
    return max(1, sum(map(len, texts)) // 4)


def _cut(said: str) -> list[str]:
    """A text in pieces of a few words."""
    words = re.findall(r"\s*\S+\s*", said)
    return ["".join(words[at : at + WORDS_A_PIECE]) for at in range(0, len(words), WORDS_A_PIECE)]


def _event(data: Body, name: str = "") -> str:
    return (f"event: {name}\n" if name else "") + f"data: {json.dumps(data)}\n\n"


# ---------------------------------------------------------------- OpenAI, and all who speak its format
def _openai_texts(body: Body) -> list[str]:
    return [_text(message.get("content")) for message in body["messages"]]


def _openai_usage(body: Body, said: str) -> Body:
    taken = {"prompt_tokens": _tokens(_openai_texts(body)), "completion_tokens": _tokens([said])}
    return {**taken, "total_tokens": sum(taken.values())}


_OPENAI_ENDS = {"whole": "stop", "truncated": "length", "refused": "stop"}


def _openai(body: Body, said: str, end: End = "whole") -> Body:
    message: Body = {"role": "assistant", "content": said, "refusal": None}
    ends = _OPENAI_ENDS[end]
    if end == "refused":
        message = {**message, "content": None, "refusal": REFUSAL}
    elif name := _tool(body, said):
        call = {"id": "call_fake", "type": "function", "function": {"name": name, "arguments": said}}
        message = {**message, "content": None, "tool_calls": [call]}
        ends = "tool_calls" if end == "whole" else ends
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": ends, "message": message, "logprobs": None}],
        "usage": _openai_usage(body, said),
    }


def openai_chunks(body: Body, said: str, end: End = "whole") -> Iterator[Body]:
    """The chunks of a streamed chat completion."""
    head = {"id": "chatcmpl-fake", "object": "chat.completion.chunk", "created": int(time.time()),
            "model": body["model"]}  # fmt: skip

    def chunk(delta: Body, ends: str | None = None) -> Body:
        return {**head, "choices": [{"index": 0, "delta": delta, "finish_reason": ends, "logprobs": None}]}

    yield chunk({"role": "assistant", "content": ""})
    for piece in _cut(said):
        yield chunk({"content": piece})
    if end == "refused":
        yield chunk({"refusal": REFUSAL})
    yield chunk({}, _OPENAI_ENDS[end])
    if (body.get("stream_options") or {}).get("include_usage"):
        yield {**head, "choices": [], "usage": _openai_usage(body, said)}


def _openai_pieces(body: Body, said: str, end: End) -> Iterator[str]:
    yield from map(_event, openai_chunks(body, said, end))
    yield "data: [DONE]\n\n"


# ---------------------------------------------------------------- Anthropic
def _anthropic_texts(body: Body) -> list[str]:
    return [_text(message["content"]) for message in body["messages"]]


_ANTHROPIC_ENDS = {"whole": "end_turn", "truncated": "max_tokens", "refused": "refusal"}


def _anthropic(body: Body, said: str, end: End = "whole") -> Body:
    content: list[Body] = [{"type": "text", "text": said}] if said else []
    name = _tool(body, said)
    if name:
        content = [{"type": "tool_use", "id": "toolu_fake", "name": name, "input": _arguments(said)}]
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": content,
        "stop_reason": "tool_use" if name and end == "whole" else _ANTHROPIC_ENDS[end],
        "stop_sequence": None,
        "usage": {"input_tokens": _tokens(_anthropic_texts(body)), "output_tokens": _tokens([said])},
    }


def anthropic_events(body: Body, said: str, end: End = "whole") -> Iterator[Body]:
    """The events of a streamed message."""
    begun = {**_anthropic(body, ""), "stop_reason": None}
    yield {"type": "message_start", "message": begun}
    yield {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}
    for piece in _cut(said):
        yield {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}
    yield {"type": "content_block_stop", "index": 0}
    ending = {"stop_reason": _ANTHROPIC_ENDS[end], "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": _tokens([said])}}
    yield {"type": "message_stop"}


def _anthropic_pieces(body: Body, said: str, end: End) -> Iterator[str]:
    for event in anthropic_events(body, said, end):
        yield _event(event, event["type"])


# ---------------------------------------------------------------- Google
def _google_texts(body: Body) -> list[str]:
    return ["".join(part.get("text", "") for part in content["parts"]) for content in body["contents"]]


_GOOGLE_ENDS = {"whole": "STOP", "truncated": "MAX_TOKENS", "refused": "SAFETY"}


def _google(body: Body, said: str, end: End = "whole", *, ends: bool = True) -> Body:
    taken = {"promptTokenCount": _tokens(_google_texts(body)), "candidatesTokenCount": _tokens([said])}
    name = _tool(body, said)
    part: Body = {"functionCall": {"name": name, "args": _arguments(said)}} if name else {"text": said}
    candidate: Body = {"content": {"role": "model", "parts": [part]}, "index": 0}
    if end == "refused":
        del candidate["content"]
    return {
        "candidates": [{**candidate, "finishReason": _GOOGLE_ENDS[end]} if ends else candidate],
        "usageMetadata": {**taken, "totalTokenCount": sum(taken.values())},
        "modelVersion": "fake",
        "responseId": "fake",
    }


def google_answers(body: Body, said: str, end: End = "whole") -> Iterator[Body]:
    """The partial answers of a streamed generation."""
    *first, last = _cut(said) or [""]
    for piece in first:
        yield _google(body, piece, ends=False)
    yield _google(body, last, end)


def _google_pieces(body: Body, said: str, end: End) -> Iterator[str]:
    yield from map(_event, google_answers(body, said, end))


FORMATS = (
    Format(r"(?:/v1)?/chat/completions", _openai_texts, _openai, _openai_pieces),
    Format(r"/v1/messages", _anthropic_texts, _anthropic, _anthropic_pieces),
    Format(r"/v1beta/models/[^:/]+:(?:generate|streamGenerate)Content", _google_texts, _google, _google_pieces),
)
