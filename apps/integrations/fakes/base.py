"""What every stand-in has: routes over a state in memory, faults on order, a log, and both directions held against the
service's contract. An ASGI application; `serving` puts one on a loopback port.

A stand-in answers 500 and remembers a violation where our request or its own answer does not keep the contract.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol
from urllib.parse import parse_qs, parse_qsl, urlsplit

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@dataclass(frozen=True)
class Request:
    """One call, parsed: `query` and `form` hold the last value of a name, `queries` all of them."""

    method: str
    path: str
    queries: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def query(self) -> dict[str, str]:
        return {name: values[-1] for name, values in self.queries.items()}

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True))

    @property
    def json(self) -> Any:
        return json.loads(self.body or b"null")

    @property
    def bearer(self) -> str:
        return self.headers.get("authorization", "").removeprefix("Bearer ")


@dataclass
class Reply:
    """What is answered: JSON, or a page. `cut` breaks the body off in the middle."""

    status: int = 200
    json: Any = None
    headers: dict[str, str] = field(default_factory=dict)
    html: str | None = None
    cut: bool = False

    def content(self) -> tuple[bytes, str]:
        if self.html is not None:
            return self.html.encode(), "text/html; charset=utf-8"
        return (b"" if self.json is None else json.dumps(self.json).encode()), "application/json"


@dataclass
class Fault:
    """Something that goes wrong at an operation ("*": at any), `times` times (None: until healed) after `skip` calls.

    Kinds every stand-in knows: "status" answers `reply`, "slow" waits `seconds`, "cut" breaks the answer off. Other
    kinds are a service's own and are looked for by its handlers (`FakeService.ordered`).
    """

    operation: str
    kind: str
    reply: Reply | None = None
    seconds: float = 0.0
    times: int | None = 1
    skip: int = 0


@dataclass(frozen=True)
class Logged:
    """One call as it was answered."""

    operation: str
    method: str
    path: str
    query: Mapping[str, str]
    status: int


class Contract(Protocol):
    """Sentences about what does not keep the service's contract; none where everything does."""

    def request_problems(self, operation: str, request: Request) -> Sequence[str]: ...

    def reply_problems(self, operation: str, reply: Reply) -> Sequence[str]: ...


Handler = Callable[..., Reply]


@dataclass(frozen=True)
class Route:
    """`pattern` is a path with {names}; `operation` what the contract and faults call it."""

    method: str
    pattern: str
    operation: str
    handler: Handler

    def match(self, method: str, path: str) -> dict[str, str] | None:
        if method != self.method:
            return None
        found = re.fullmatch(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", self.pattern), path)
        return found.groupdict() if found else None


class FakeService:
    """Subclasses set `routes` and `contract` in their constructor and keep their state under `lock`."""

    name = "service"

    def __init__(self, contract: Contract | None) -> None:
        self.contract = contract
        self.routes: list[Route] = []
        self.faults: list[Fault] = []
        self.log: list[Logged] = []
        self.violations: list[str] = []
        self.lock = threading.RLock()

    # ------------------------------------------------------------ control, from tests and over /_fake
    def fail(
        self,
        operation: str,
        kind: str = "status",
        *,
        status: int = 500,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        seconds: float = 0.0,
        times: int | None = 1,
        skip: int = 0,
    ) -> None:
        """Orders a fault."""
        reply = Reply(status, json, dict(headers or {})) if kind == "status" else None
        with self.lock:
            self.faults.append(Fault(operation, kind, reply, seconds, times, skip))

    def heal(self) -> None:
        """Takes all faults away."""
        with self.lock:
            self.faults.clear()

    def calls(self, operation: str) -> list[Logged]:
        """What was called of an operation."""
        with self.lock:
            return [call for call in self.log if call.operation == operation]

    def ordered(self, operation: str, kind: str) -> Fault | None:
        """The fault of that kind that is due at this call, used up by asking."""
        with self.lock:
            for fault in self.faults:
                if fault.kind == kind and fault.operation in ("*", operation):
                    if fault.skip:
                        fault.skip -= 1
                        continue
                    if fault.times is not None:
                        fault.times -= 1
                        if fault.times <= 0:
                            self.faults.remove(fault)
                    return fault
        return None

    # ------------------------------------------------------------ answering
    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError("A stand-in speaks HTTP only.")
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        request = Request(
            scope["method"],
            scope["path"],
            parse_qs(scope["query_string"].decode(), keep_blank_values=True),
            {name.decode().lower(): value.decode() for name, value in scope["headers"]},
            body,
        )
        await _send(await self.answer(request), send)

    async def answer(self, request: Request) -> Reply:
        """The answer to a request, faults and checks included."""
        for route in self.routes:
            names = route.match(request.method, request.path)
            if names is None:
                continue
            reply = await self._answer(route, request, names)
            with self.lock:
                self.log.append(Logged(route.operation, request.method, request.path, request.query, reply.status))
            return reply
        return Reply(404, {"status": "error", "message": f"{self.name} has no {request.method} {request.path}"})

    async def _answer(self, route: Route, request: Request, names: dict[str, str]) -> Reply:
        if slow := self.ordered(route.operation, "slow"):
            await asyncio.sleep(slow.seconds)
        if (fault := self.ordered(route.operation, "status")) and fault.reply:
            return fault.reply
        if problems := self._problems(route, request, None):
            return Reply(500, {"status": "error", "message": "; ".join(problems)})
        with self.lock:
            reply = route.handler(request, **names)
        if problems := self._problems(route, request, reply):
            return Reply(500, {"status": "error", "message": "; ".join(problems)})
        if self.ordered(route.operation, "cut"):
            reply.cut = True
        return reply

    def _problems(self, route: Route, request: Request, reply: Reply | None) -> Sequence[str]:
        if self.contract is None:
            return []
        if reply is None:
            problems = self.contract.request_problems(route.operation, request)
        else:
            problems = self.contract.reply_problems(route.operation, reply)
        side = "our request" if reply is None else "the stand-in's answer"
        with self.lock:
            self.violations += [f"{route.operation}, {side}: {problem}" for problem in problems]
        return problems


async def _send(reply: Reply, send: Send) -> None:
    content, kind = reply.content()
    headers = {"content-type": kind, "content-length": str(len(content)), **reply.headers}
    pairs = [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": reply.status, "headers": pairs})
    await send({"type": "http.response.body", "body": content[: len(content) // 2] if reply.cut else content})


Application = Callable[[Message, Receive, Send], Awaitable[None]]


@contextmanager
def serving(application: Application, port: int = 0) -> Iterator[str]:
    """The application on a loopback port (a free one for 0), on threads of this process; yields its address."""

    class OneRequest(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 65_536  # head and body leave together
        disable_nagle_algorithm = True

        def handle_any(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            asyncio.run(_bridge(application, self, self.rfile.read(length)))

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

        def log_message(self, format: str, *args: object) -> None:
            """Says nothing: paths may carry tokens."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, request: Any, client_address: Any) -> None:
            if not isinstance(sys.exception(), ConnectionError):  # who asked may be gone
                super().handle_error(request, client_address)

    server = Server(("127.0.0.1", port), OneRequest)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def _bridge(application: Application, handler: BaseHTTPRequestHandler, body: bytes) -> None:
    address = urlsplit(handler.path)
    scope = {
        "type": "http",
        "method": handler.command,
        "path": address.path,
        "query_string": address.query.encode(),
        "headers": [(name.encode(), value.encode()) for name, value in handler.headers.items()],
    }
    sent = iter([{"type": "http.request", "body": body}])
    promised = 0

    async def receive() -> Message:
        return next(sent, {"type": "http.disconnect"})

    async def send(message: Message) -> None:
        nonlocal promised
        try:
            if message["type"] == "http.response.start":
                handler.send_response_only(message["status"])
                for name, value in message["headers"]:
                    if name == b"content-length":
                        promised = int(value)
                    handler.send_header(name.decode(), value.decode())
                handler.end_headers()
            else:
                handler.wfile.write(message["body"])
                # A body that was cut off ends with its connection: nothing more will come.
                handler.close_connection = handler.close_connection or len(message["body"]) < promised
        except OSError:  # who asked has gone, as a client with a time limit does
            handler.close_connection = True

    await application(scope, receive, send)
