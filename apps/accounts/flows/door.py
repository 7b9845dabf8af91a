"""The door of those who sign in, reset a password or accept an invitation, before Django: each waits for a turn
without a thread of the server.

Guesses at one account are bounded in `guesses`, wherever they come from; codes and keys are too long to be guessed.
`turns` has the order of those who wait. An address is never refused for what others behind it do. Only where a thousand
wait in one process is somebody told to come again: the last of the place where the most wait.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import parse_qs

from allauth.account.adapter import get_adapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest
from django.urls import reverse

from apps.accounts.flows import guesses
from apps.accounts.flows.turns import WRONG_SECONDS, NoRoom, Turns

AGAIN_SECONDS = 5
NAME_BYTES = 8192
"""So much of a body is read for the name in it."""
OUTCOME = "sign_in"
"""What the scope says of a password that was looked at: it was right, or not."""

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


def looked(request: HttpRequest, *, right: bool) -> None:
    """Tells the door, where there is one, how a look at a password came out."""
    getattr(request, "scope", {})[OUTCOME] = right


def _calls() -> dict[tuple[str, str], frozenset[int] | None]:
    """The calls that wait for turns, by the statuses which say that what was brought is right; None where a look at a
    password says it. Asking for a reset shows nothing: it counts as a try in vain, so that mails leave slowly."""
    return {
        ("POST", reverse("sign_in")): None,
        ("POST", reverse("admin:login")): None,
        ("POST", reverse("reset_ask")): frozenset(),
        ("GET", reverse("reset_confirm")): frozenset({200}),
        ("POST", reverse("reset_confirm")): frozenset({401}),  # done, and nobody is signed in by it
        ("POST", reverse("invitation_accept")): frozenset({201}),
    }


class Door:
    """Lets the calls that somebody could guess with through by their turns, and everything else at once."""

    def __init__(self, application: Application, turns: Turns | None = None) -> None:
        self._application = application
        self._turns = turns or Turns()
        self._calls = _calls()

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        call = ("GET" if scope["method"] == "HEAD" else scope["method"], scope["path"])
        if call not in self._calls:
            await self._application(scope, receive, send)
            return
        body, receive = await _begun(receive)
        place, name = _place(scope), _name(body)
        right = self._calls[call]
        if right is not None:
            name, send = f"{scope['path']} {name or _token(scope)}", _watched(scope, send, right)
        try:
            await self._turns.take(place, name)
        except NoRoom:
            await _come_again(send)
            return
        begun = time.monotonic()
        try:
            await self._application(scope, receive, send)
        finally:
            wrong = scope.get(OUTCOME) is False
            kept = WRONG_SECONDS - (time.monotonic() - begun) if wrong else 0.0
            self._turns.done(place, name, right=scope.get(OUTCOME) is True, keep_seconds=kept)


def _place(scope: dict[str, Any]) -> str:
    try:
        return guesses.place_of(get_adapter().get_client_ip(ASGIRequest(scope, io.BytesIO())))
    except (ImproperlyConfigured, PermissionDenied):  # the sign-in itself says what is wrong with it
        return ""


def _watched(scope: dict[str, Any], send: Send, right: frozenset[int]) -> Send:
    """Sends on, and keeps the outcome that the status tells."""

    async def watched(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            scope[OUTCOME] = message["status"] in right
        await send(message)

    return watched


def _token(scope: dict[str, Any]) -> str:
    """The token of an attempt to reset a password, of which the body does not say whose it is."""
    headers = dict(scope["headers"])
    return headers.get(b"authorization", b"")[:NAME_BYTES].decode("latin-1")


async def _begun(receive: Receive) -> tuple[bytes, Receive]:
    """The first bytes of a body, and what gives the whole of it to the application."""
    messages, body = [await receive()], b""
    while messages[-1]["type"] == "http.request":
        body += messages[-1].get("body", b"")
        if not messages[-1].get("more_body") or len(body) >= NAME_BYTES:
            break
        messages.append(await receive())

    async def again() -> dict[str, Any]:
        return messages.pop(0) if messages else await receive()

    return body, again


def _name(body: bytes) -> str:
    """Who wants to be let in, by a body of the API or of the administration's form; empty where it says nobody."""
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        said = {field: values[-1] for field, values in parse_qs(body.decode("latin-1")).items()}
    if not isinstance(said, dict):
        return ""
    return str(said.get("email") or said.get("username") or "").lower()


async def _come_again(send: Send) -> None:
    headers = [(b"content-type", b"application/json"), (b"retry-after", str(AGAIN_SECONDS).encode())]
    await send({"type": "http.response.start", "status": 429, "headers": headers})
    await send({"type": "http.response.body", "body": b'{"status": 429}'})
