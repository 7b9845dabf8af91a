"""A stand-in for the model providers: three wire formats on one local port, to try the product with a "model".

Run as `python -m apps.analyst.approaches.models.fake --port 9100 --latency 0.2 --fault 429 --share 0.2`. It plans by
counting the rows of the first table it is told of, unless it is given replies to say; it understands nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

Fault = Literal["429", "500", "hang", "cut", "bad json", "empty"]
FAULTS: tuple[Fault, ...] = ("429", "500", "hang", "cut", "bad json", "empty")
Say = Callable[[list[str]], str]
"""What to answer, from the texts of the conversation so far."""
HANG_SECONDS = 120.0


def counting(texts: list[str]) -> str:
    """A plan that counts the rows of the first table in the prompt; the template's words when asked for words."""
    if "Its template text:" in texts[-1]:
        told = re.search(r"Its template text: (.*)\nWrite the answer", texts[-1], re.DOTALL)
        return told.group(1) if told else "The result is in the table."
    table = re.search(r'^table ("(?:[^"\\]|\\.)*")', "\n".join(texts), re.MULTILINE)
    if table is None:
        return json.dumps({"unclear": "There is no table."})
    count = {"label": "Number of rows", "expr": {"kind": "aggregate", "fn": "count"}}
    return json.dumps({"kind": "query", "source": json.loads(table.group(1)), "measures": [count]})


@dataclass
class FakeProviders:
    """The server. `fault` happens to a `share` of the calls; every request is kept in `requests`."""

    say: Say = counting
    latency: float = 0.0
    fault: Fault | None = None
    share: float = 1.0
    port: int = 0
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311 - no secret hangs on it
    _server: ThreadingHTTPServer | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> FakeProviders:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                fake.handle(self)

            def log_message(self, *_: object) -> None:
                """Says nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self._server.daemon_threads = True
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        assert self._server is not None
        self._stopped.set()
        self._server.shutdown()
        self._server.server_close()

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    def handle(self, request: BaseHTTPRequestHandler) -> None:
        body = json.loads(request.rfile.read(int(request.headers.get("Content-Length", "0"))) or b"{}")
        self.requests.append((request.path, body))
        self._stopped.wait(self.latency)
        fault = self.fault if self.fault and self.chance.random() < self.share else None
        if fault == "hang":
            self._stopped.wait(HANG_SECONDS)
        if fault in ("429", "500"):
            return _send(request, int(fault), {"error": {"message": "the stand-in was told to fail", "type": "fault"}})
        made = self._answer(request.path, body, "" if fault == "empty" else None)
        if made is None:
            return _send(request, 404, {"error": {"message": f"no such path: {request.path}", "type": "not_found"}})
        text = json.dumps(made)
        if fault == "bad json":
            return _send_text(request, 200, text[: len(text) // 2] + "}")
        return _send_text(request, 200, text, cut=fault == "cut")

    def _answer(self, path: str, body: dict[str, Any], instead: str | None) -> dict[str, Any] | None:
        for route, texts_of, wrap in (
            (r"(?:/v1)?/chat/completions", _openai_texts, _openai),
            (r"/v1/messages(?:\?.*)?", _anthropic_texts, _anthropic),
            (r"/v1beta/models/[^:/]+:generateContent(?:\?.*)?", _google_texts, _google),
        ):
            if re.fullmatch(route, path):
                said = self.say(texts_of(body)) if instead is None else instead
                return wrap(body, said)
        return None


def _send(request: BaseHTTPRequestHandler, status: int, body: dict[str, Any]) -> None:
    _send_text(request, status, json.dumps(body))


def _send_text(request: BaseHTTPRequestHandler, status: int, text: str, *, cut: bool = False) -> None:
    data = text.encode()
    request.send_response(status)
    request.send_header("Content-Type", "application/json")
    request.send_header("Content-Length", str(len(data)))
    request.end_headers()
    request.wfile.write(data[: len(data) // 2] if cut else data)
    request.close_connection = True


# ---------------------------------------------------------------- the three wire formats
def _openai_texts(body: dict[str, Any]) -> list[str]:
    return [_text(message.get("content")) for message in body["messages"]]


def _anthropic_texts(body: dict[str, Any]) -> list[str]:
    return [_text(message["content"]) for message in body["messages"]]


def _google_texts(body: dict[str, Any]) -> list[str]:
    return ["".join(part.get("text", "") for part in content["parts"]) for content in body["contents"]]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content or ())


def _tokens(texts: list[str]) -> int:
    return max(1, sum(map(len, texts)) // 4)


def _openai(body: dict[str, Any], said: str) -> dict[str, Any]:
    taken = {"prompt_tokens": _tokens(_openai_texts(body)), "completion_tokens": _tokens([said])}
    message = {"role": "assistant", "content": said, "refusal": None}
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body["model"],
        "choices": [{"index": 0, "finish_reason": "stop", "message": message, "logprobs": None}],
        "usage": {**taken, "total_tokens": sum(taken.values())},
    }


def _anthropic(body: dict[str, Any], said: str) -> dict[str, Any]:
    return {
        "id": "msg_fake",
        "type": "message",
        "role": "assistant",
        "model": body["model"],
        "content": [{"type": "text", "text": said}] if said else [],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": _tokens(_anthropic_texts(body)), "output_tokens": _tokens([said])},
    }


def _google(body: dict[str, Any], said: str) -> dict[str, Any]:
    taken = {"promptTokenCount": _tokens(_google_texts(body)), "candidatesTokenCount": _tokens([said])}
    return {
        "candidates": [{"content": {"role": "model", "parts": [{"text": said}]}, "finishReason": "STOP", "index": 0}],
        "usageMetadata": {**taken, "totalTokenCount": sum(taken.values())},
        "modelVersion": "fake",
        "responseId": "fake",
    }


def main() -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=9100)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--fault", choices=FAULTS, help="what goes wrong")
    parser.add_argument("--share", type=float, default=1.0, help="how many of the calls it happens to (0 to 1)")
    options = parser.parse_args()
    fake = FakeProviders(latency=options.latency, fault=options.fault, share=options.share, port=options.port)
    with fake, contextlib.suppress(KeyboardInterrupt):
        threading.Event().wait()


if __name__ == "__main__":
    main()
