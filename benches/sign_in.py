"""Guessing at the door of the running product: what reaches a password, what it costs a colleague, what times tell."""

from __future__ import annotations

import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

from tests.live import ROOT, Product

GUESSES = int(os.environ.get("GUESSES", "10000"))
ATTACKERS = 2
ROUNDS = 40
"""Sign-ins and resets of either kind, each at an account of its own: a limit must not answer for the password."""
AIM_MS = 50.0
PASSWORD = "Correct-horse-9"
LOGIN = "/_allauth/app/v1/auth/login"
RESET = "/_allauth/app/v1/auth/password/request"
PEOPLE = f"""
from django.contrib.auth.hashers import make_password
from apps.accounts.models import Organization, User
home, kept = Organization.objects.first(), make_password({PASSWORD!r})
User.objects.bulk_create(
    User(username=f"known{{n}}", email=f"known{{n}}@example.com", organization=home, password=kept)
    for n in range({ROUNDS} + 2)
)
"""
TRIED = """
from apps.accounts.models import AuditEvent
print(AuditEvent.objects.filter(action="sign_in_failed", target="known0").count())
"""
_addresses = count(1)


class Caller:
    """One connection, each of whose calls comes from an address of its own, as a botnet's do."""

    def __init__(self, product: Product) -> None:
        self.line = http.client.HTTPConnection("127.0.0.1", product.port)

    def post(self, path: str, body: Any) -> tuple[float, int, Any]:
        """Milliseconds, status and answer."""
        number = next(_addresses)
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        headers = {"Content-Type": "application/json", "X-Forwarded-For": address}
        return self._call("POST", path, json.dumps(body), headers)

    def get(self, path: str, token: str) -> float:
        return self._call("GET", path, None, {"Authorization": f"Bearer {token}"})[0]

    def _call(self, method: str, path: str, body: str | None, headers: dict[str, str]) -> tuple[float, int, Any]:
        begun = time.perf_counter()
        self.line.request(method, path, body, headers)
        answer = self.line.getresponse()
        content = answer.read()
        return (time.perf_counter() - begun) * 1000, answer.status, json.loads(content)


def run(folder: Path) -> None:
    product = Product(folder / "data", environment={"TRUSTED_PROXY_COUNT": "1"})
    product.start()
    try:
        _shell(product, PEOPLE)
        _alike(product, "sign-in", LOGIN, lambda name: {"username": name, "password": "Wrong-password-1"})
        _alike(product, "reset", RESET, lambda name: {"email": f"{name}@example.com"})
        _attack(product)
    finally:
        product.stop()


def _alike(product: Product, what: str, path: str, body: Callable[[str], dict[str, str]]) -> None:
    """Known and unknown names in turn."""
    caller = Caller(product)
    spans: dict[str, list[float]] = {"known": [], "unknown": []}
    told = set()
    for number in range(2, ROUNDS + 2):
        for kind in spans:
            taken, status, answer = caller.post(path, body(f"{kind}{number}"))
            spans[kind].append(taken)
            told.add((status, json.dumps({**answer, "meta": None})))
    known, unknown = (statistics.median(taken) for taken in spans.values())
    print(f"   {what}: median known {known:.1f} ms, unknown {unknown:.1f} ms (aim: within {AIM_MS:g} ms)")
    assert len(told) == 1, told


def _attack(product: Product) -> None:
    colleague = Caller(product)
    token = colleague.post(LOGIN, {"username": "known1", "password": PASSWORD})[2]["meta"]["session_token"]
    _say("before", *_sample(colleague, token, lambda: False))
    left, lock = iter(range(GUESSES)), threading.Lock()

    def guess() -> None:
        attacker = Caller(product)
        while True:
            with lock:
                number = next(left, None)
            if number is None:
                return
            answer = attacker.post(LOGIN, {"username": "known0", "password": f"Guess-number-{number}"})
            assert answer[1] == 400, answer

    begun = time.perf_counter()
    attackers = [threading.Thread(target=guess) for _ in range(ATTACKERS)]
    for attacker in attackers:
        attacker.start()
    during = _sample(colleague, token, lambda: any(attacker.is_alive() for attacker in attackers))
    for attacker in attackers:
        attacker.join()
    seconds = time.perf_counter() - begun
    _say("under attack", *during)
    _say("after", *_sample(colleague, token, lambda: False))
    print(f"   {GUESSES} guesses in {seconds:.0f} s; {_shell(product, TRIED).strip()} reached the password")
    answer = colleague.post(LOGIN, {"username": "known0", "password": PASSWORD})
    print(f"   the right password of that account now: {answer[2]['errors'][0]['code']}")


def _sample(colleague: Caller, token: str, more: Callable[[], bool]) -> tuple[list[float], list[float]]:
    """Sign-ins of a colleague and calls of a signed-in one: ten, and on for as long as `more`."""
    sign_ins: list[float] = []
    calls: list[float] = []
    while len(sign_ins) < 10 or more():
        taken, status, _ = colleague.post(LOGIN, {"username": "known1", "password": PASSWORD})
        assert status == 200
        sign_ins.append(taken)
        calls += [colleague.get("/api/v3/me", token) for _ in range(10)]
        time.sleep(0.05)
    return sign_ins, calls


def _say(when: str, sign_ins: list[float], calls: list[float]) -> None:
    slow = sorted(calls)[int(len(calls) * 0.95) - 1]
    print(
        f"   a colleague {when:12}: sign-in p50 {statistics.median(sign_ins):6.1f} ms,"
        f" GET /me p50 {statistics.median(calls):5.1f} ms, p95 {slow:5.1f} ms"
    )


def _shell(product: Product, script: str) -> str:
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": product.settings, "DATA_DIR": str(product.data_dir)}
    return subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", script],
        cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True,
    ).stdout  # fmt: skip
