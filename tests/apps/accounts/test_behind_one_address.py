"""The product's own application with one address that guesses at many accounts at once."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from typing import Any

import pytest

from apps.accounts.models import User
from config.asgi import application
from tests.cast import PASSWORD

LOGIN = "/_allauth/app/v1/auth/login"
ADDRESS = "192.0.2.10"
GUESSES, ACCOUNTS, PER_ACCOUNT = 40, 8, 4


async def sign_in(name: str, password: str) -> str:
    """`in`, or the code of the refusal."""
    sent: list[dict[str, Any]] = []
    body = json.dumps({"username": name, "password": password}).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await asyncio.sleep(3600)
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    headers = [(b"content-type", b"application/json"), (b"host", b"testserver"), (b"content-length", b"%d" % len(body))]
    scope = {"type": "http", "method": "POST", "path": LOGIN, "query_string": b"", "headers": headers}
    await application({**scope, "client": (ADDRESS, 5), "server": ("testserver", 80)}, receive, send)
    said = json.loads(b"".join(message.get("body", b"") for message in sent[1:]))
    return "in" if sent[0]["status"] == 200 else str((said.get("errors") or [{"code": sent[0]["status"]}])[0]["code"])


@pytest.mark.django_db(transaction=True)
def test_right_passwords_of_untouched_accounts_pass_while_many_wrong_ones_come_at_once(cast, monkeypatch):
    monkeypatch.setattr("apps.accounts.flows.door.WRONG_SECONDS", 0.01)
    for number in range(ACCOUNTS):
        User.objects.create_user(username=f"tried{number}", email=f"tried{number}@example.com", password=PASSWORD)

    async def told() -> tuple[list[str], list[str]]:
        guesses = [asyncio.create_task(sign_in(f"tried{n % ACCOUNTS}", f"Guess-{n}")) for n in range(GUESSES)]
        await asyncio.sleep(0)
        members = [asyncio.create_task(sign_in(name, PASSWORD)) for name in ("ana", "ben", "gus")]
        return [await guess for guess in guesses], [await member for member in members]

    guessed, members = asyncio.run(told())
    assert members == ["in"] * 3
    looked_at = ACCOUNTS * PER_ACCOUNT
    assert Counter(guessed) == {"username_password_mismatch": looked_at, "too_many_login_attempts": GUESSES - looked_at}
