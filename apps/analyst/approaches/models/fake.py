"""A stand-in for the model providers: three wire formats on one local port, to try the product with a "model".

Run it as `python -m apps.analyst.approaches.models.fake --port 9100 --latency 0.2 --fault 429 --fault cut --share 0.2`
and start the product with OPENAI_BASE_URL=http://127.0.0.1:9100/v1, ANTHROPIC_BASE_URL=http://127.0.0.1:9100 or
GOOGLE_BASE_URL=http://127.0.0.1:9100. It plans by counting the rows of the first table it is told of, answers whole or
in pieces as it is asked to, and understands nothing.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import random
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

from apps.analyst.approaches.models.fake_formats import End, Format, format_of, names_of
from apps.analyst.approaches.models.fake_words import WRONG, counting, obeying, wrongly

Fault = Literal["400", "401", "404", "429", "500", "hang", "cut", "bad json", "empty", "truncated", "refused",
                "broken plan", "wrong plan", "invented column", "obeys data"]  # fmt: skip
OF_THE_WIRE: tuple[Fault, ...] = ("429", "500", "hang", "cut", "bad json", "empty", "truncated", "refused")
_STATUSES = ("400", "401", "404", "429", "500")
FAULTS: tuple[Fault, ...] = ("400", "401", "404", *OF_THE_WIRE, *WRONG)
Say = Callable[[list[str]], str]
"""What to answer, from the texts of the conversation so far."""
HANG_SECONDS = 120.0
_ABOUT_FAULTS = """what goes wrong; may be given several times, each strikes on its own:
400, 401, 404, 429 and 500 are refusals, hang never answers, cut ends in the middle of the wire, bad json breaks the
wire's JSON, empty says nothing; truncated stops at the limit of its tokens and refused answers no such thing, both as
the provider marks it; broken plan, wrong plan, invented column and obeys data are wrong plans, and false figures in
words"""


@dataclass
class FakeProviders:
    """The server. Each of `faults` happens to a `share` of the calls; every request is kept in `requests`.

    `latency` is the time before an answer begins, `pace` that between the pieces of a streamed one, in seconds.
    """

    say: Say = counting
    latency: float = 0.0
    pace: float = 0.0
    faults: Sequence[Fault] = ()
    share: float = 1.0
    port: int = 0
    forms: bool = True
    """Whether requests may ask for a form of the reply; servers that know none refuse them."""
    tools: bool = True
    """Whether requests may offer tools to call; servers that know none refuse them."""
    temperature: bool = True
    """Whether requests may set a temperature; some models refuse one."""
    counts: bool = True
    """Whether it says how many tokens an answer took."""
    calls: bool = True
    """Whether an offered tool is called; servers that pass over what they do not know answer in text."""
    names: Sequence[str] = ("local-7b", "local-70b")
    """The models that it lists."""
    asked_by: list[dict[str, str]] = field(default_factory=list)
    """The headers of those who asked for the list."""
    requests: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    chance: random.Random = field(default_factory=lambda: random.Random(1))  # noqa: S311 - no secret hangs on it
    struck: list[Fault] = field(default_factory=list)
    """The faults that happened, in their order."""
    _server: ThreadingHTTPServer | None = None
    _stopped: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> FakeProviders:
        fake = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                with contextlib.suppress(ConnectionError):  # who asked has left
                    fake.handle(self)

            def do_GET(self) -> None:
                listed = names_of(self.path, fake.names)
                text = json.dumps(listed or {"error": {"message": "no such path", "type": "not_found"}})
                fake.asked_by.append(dict(self.headers))
                _send(self, 200 if listed else 404, text)

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
        fault = self._fault()
        if fault == "hang":
            self._stopped.wait(HANG_SECONDS)
        if fault in _STATUSES:
            error = {"error": {"message": "the stand-in was told to fail", "type": "fault"}}
            return _send(request, int(fault), json.dumps(error))
        spoken = format_of(request.path)
        if spoken is None:
            error = {"error": {"message": f"no such path: {request.path}", "type": "not_found"}}
            return _send(request, 404, json.dumps(error))
        if refused := self._refused(spoken, body):
            error = {"error": {"message": f"not supported: {refused}", "type": "invalid_request_error"}}
            return _send(request, 400, json.dumps(error))
        said = self._said(fault, spoken.texts(body))
        body = body if self.calls else {**body, "tools": None}
        if spoken.streams(request.path, body):
            return self._stream(request, list(spoken.pieces(body, said, _end(fault))), fault)
        whole = spoken.whole(body, said, _end(fault))
        if not self.counts:
            whole = {name: value for name, value in whole.items() if name not in ("usage", "usageMetadata")}
        text = json.dumps(whole)
        if fault == "bad json":
            return _send(request, 200, text[: len(text) // 2] + "}")
        return _send(request, 200, text, cut=fault == "cut")

    def _refused(self, spoken: Format, body: dict[str, Any]) -> str:
        """What the request asks for that this server does not know; "" where it knows all of it."""
        if spoken.asks_for_a_form(body) and not self.forms:
            return "the form of a reply"
        if spoken.asks_for_a_tool(body) and not self.tools:
            return "tools"
        return "temperature" if spoken.asks_for_a_temperature(body) and not self.temperature else ""

    def _fault(self) -> Fault | None:
        """The fault of this call. Each strikes on its own; of several the first drawn happens."""
        faults = list(self.faults)
        self.chance.shuffle(faults)
        fault = next((one for one in faults if self.chance.random() < self.share), None)
        if fault is not None:
            self.struck.append(fault)
        return fault

    def _said(self, fault: Fault | None, texts: list[str]) -> str:
        if fault in ("empty", "refused"):
            return ""
        if fault == "truncated":
            whole = self.say(texts)
            return whole[: len(whole) // 2]
        return wrongly(fault, texts) if fault in WRONG else self.say(texts)

    def _stream(self, request: BaseHTTPRequestHandler, pieces: list[str], fault: Fault | None) -> None:
        """The answer in pieces, in chunks of HTTP; a cut one ends without its last chunk."""
        _head(request, 200, "text/event-stream", ("Transfer-Encoding", "chunked"))
        if fault in ("cut", "bad json"):
            pieces = pieces[: max(1, len(pieces) // 2)]
        if fault == "bad json":
            pieces[-1] = pieces[-1].rstrip()[:-3] + "\n\n"
        for piece in pieces:
            data = piece.encode()
            request.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            request.wfile.flush()
            self._stopped.wait(self.pace)
        if fault != "cut":
            request.wfile.write(b"0\r\n\r\n")


def _end(fault: Fault | None) -> End:
    if fault == "truncated":
        return "truncated"
    return "refused" if fault == "refused" else "whole"


def _head(request: BaseHTTPRequestHandler, status: int, kind: str, length: tuple[str, str]) -> None:
    request.send_response(status)
    request.send_header("Content-Type", kind)
    request.send_header(*length)
    request.send_header("Connection", "close")
    request.end_headers()
    request.close_connection = True


def _send(request: BaseHTTPRequestHandler, status: int, text: str, *, cut: bool = False) -> None:
    data = text.encode()
    _head(request, status, "application/json", ("Content-Length", str(len(data))))
    request.wfile.write(data[: len(data) // 2] if cut else data)


def main() -> None:
    """Serves until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=9100)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--pace", type=float, default=0.0, help="seconds between the pieces of a streamed answer")
    parser.add_argument("--fault", choices=FAULTS, action="append", default=[], help=_ABOUT_FAULTS)
    parser.add_argument("--share", type=float, default=1.0, help="how many of the calls each fault happens to (0 to 1)")
    parser.add_argument("--no-forms", action="store_true", help="refuse requests for a form of the reply")
    parser.add_argument("--no-tools", action="store_true", help="refuse requests that offer tools")
    parser.add_argument("--no-temperature", action="store_true", help="refuse requests that set a temperature")
    parser.add_argument("--obey", action="store_true", help="do what cells order with the words: do «...»")
    options = parser.parse_args()
    fake = FakeProviders(
        say=obeying if options.obey else counting,
        latency=options.latency,
        pace=options.pace,
        faults=tuple(options.fault),
        share=options.share,
        port=options.port,
        forms=not options.no_forms,
        tools=not options.no_tools,
        temperature=not options.no_temperature,
    )
    with fake, contextlib.suppress(KeyboardInterrupt):
        sys.stdout.write(f"Answering on {fake.address}\n")
        sys.stdout.flush()
        threading.Event().wait()


if __name__ == "__main__":
    main()
