"""p50 of the calls a chat makes, one after another on one connection, as ratios to a trivial view on that server."""

from __future__ import annotations

import http.client
import json
import sqlite3
import statistics
import time
from pathlib import Path
from typing import Any

from tests.live import Product

ROUNDS = 200
AIMS = {"POST /ask": 3.0, "poll": 1.5, "poll of an answer": 2.0, "thread list": 3.0}


class Line:
    """One kept-alive connection that times what it is asked."""

    def __init__(self, product: Product, token: str) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", product.port)
        self.headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def time(self, method: str, path: str, body: Any = None) -> tuple[float, Any]:
        """Milliseconds, and the answer."""
        payload = json.dumps(body) if body is not None else None
        begun = time.perf_counter()
        self.connection.request(method, path, payload, self.headers)
        answer = self.connection.getresponse()
        content = answer.read()
        taken = (time.perf_counter() - begun) * 1000
        if answer.status != 200:
            raise RuntimeError(f"{method} {path} answered {answer.status}: {content[:300]!r}")
        return taken, json.loads(content)


def run(folder: Path) -> None:
    product = Product(folder / "data", settings="benches.settings")
    product.start()
    try:
        token = product.sign_in()
        line = Line(product, token)
        threads = [product.ask(token, "How many deals are there?")["thread_id"] for _ in range(20)]
        snapshot = product.ask(token, "How many deals are there?", thread_id=threads[0])
        answered = _poll_of(snapshot)
        working = _poll_of(product.ask(token, "How many companies are there?", thread_id=threads[1]))
        _put_back_to_work(folder / "data", working["run_id"])
        send = {
            "prompt": "How many deals are there?",
            "thread_id": None,
            "models": None,
            "temperature": 1,
            "parent_message_id": None,
        }
        calls: dict[str, list[float]] = {name: [] for name in ("trivial", *AIMS)}
        for round_ in range(ROUNDS):
            calls["trivial"].append(line.time("GET", "/bench/trivial")[0])
            calls["poll"].append(line.time("POST", "/api/v3/ask", working)[0])
            calls["poll of an answer"].append(line.time("POST", "/api/v3/ask", answered)[0])
            calls["thread list"].append(line.time("POST", "/api/v3/ask", {"give": "threads"})[0])
            if round_ % 4 == 0:
                calls["POST /ask"].append(line.time("POST", "/api/v3/ask", send)[0])
                time.sleep(0.2)  # let the run end: its work must not be timed with the next call
    finally:
        product.stop()
    floor = statistics.median(calls["trivial"])
    print(f"   trivial view: p50 {floor:.2f} ms over {ROUNDS} calls")
    for name, aim in AIMS.items():
        p50 = statistics.median(calls[name])
        print(f"   {name:17} p50 {p50:6.2f} ms = {p50 / floor:4.2f} x trivial (aim: at most {aim:g} x)")


def _poll_of(snapshot: dict[str, Any]) -> dict[str, Any]:
    return {
        "thread_id": snapshot["thread_id"],
        "run_id": snapshot["run_id"],
        "models": None,
        "parent_message_id": snapshot["user_message_id"],
    }


def _put_back_to_work(data: Path, run_id: str) -> None:
    """Makes the run one that a worker holds for years: a poll finds it as it is while an answer is worked on."""
    never = "2999-01-01 00:00:00"
    with sqlite3.connect(data / "product.sqlite3") as database:
        changed = database.execute(
            "UPDATE threads_run SET state = 'running', owner = 'bench', lease_until = ?, deadline_at = ?,"
            " finished_at = NULL WHERE id = ?",
            (never, never, run_id.replace("-", "")),
        )
        if changed.rowcount != 1:
            raise RuntimeError(f"the run {run_id} was not found in the database")
