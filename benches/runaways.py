"""Queries of a model that never end, against everybody else's polls: how soon each ends, and what others wait.

A stand-in for a provider answers each question with the next runaway that passes the gate (RUNAWAYS=20 of them, two at
a time); the product ends it and the built-in analyst answers. Meanwhile somebody else polls.
"""

from __future__ import annotations

import json
import os
import statistics
import threading
import time
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

from apps.analyst.approaches.models.fake import FakeProviders
from benches.data import sales_csv
from benches.web import Line
from tests.analyst.warehouse.runaways import RUNAWAYS, runaway
from tests.live import Product

COUNT = int(os.environ.get("RUNAWAYS", "20"))
ROWS = 5_000
POLLS = 300
PACE = 0.05
AT_A_TIME = 2
FILE = "sales.csv"


def run(folder: Path) -> None:
    names = cycle(RUNAWAYS)
    lock = threading.Lock()

    def say(texts: list[str]) -> str:
        with lock:
            return json.dumps({"sql": runaway(next(names), "sales", "customer")})

    with FakeProviders(say=say) as fake:
        environment = {"OPENAI_BASE_URL": f"{fake.address}/v1", "OPENAI_MODELS": "runaway"}
        product = Product(folder / "data", environment=environment)
        product.start()
        try:
            _measure(product, folder)
        finally:
            product.stop()


def _measure(product: Product, folder: Path) -> None:
    token = product.sign_in()
    product.upload(token, sales_csv(folder / FILE, ROWS))
    product.wait_ready(token, FILE)
    _ask(product, token)  # imports, and the first child
    asked = product.ask(token, "How many deals are there?")
    poll = {key: asked[key] for key in ("thread_id", "run_id")}
    line, children = Line(product, token), _Children(product)
    children.start()  # before the first poll: looking takes time of this process in both measurements
    usual = _polls(line, poll, until=lambda done: done >= POLLS)
    taken: list[float] = []
    left = iter(range(COUNT))

    def ask() -> None:
        for _ in left:
            taken.append(_ask(product, token))

    askers = [threading.Thread(target=ask) for _ in range(AT_A_TIME)]
    for asker in askers:
        asker.start()
    busy = _polls(line, poll, until=lambda done: not any(asker.is_alive() for asker in askers))
    children.stop()
    one, other = statistics.quantiles(usual, n=20)[-1], statistics.quantiles(busy, n=20)[-1]
    print(
        f"   {len(taken)} runaways, {AT_A_TIME} at a time: the longest question took {max(taken):.1f} s (aim: 12), "
        f"the largest child {children.largest:.0f} MiB (aim: under 1024)"
    )
    print(
        f"   polls of others: usual p95 {one:.1f} ms, meanwhile p95 {other:.1f} ms (p50 {statistics.median(busy):.1f}, "
        f"{len(busy)} polls): {other / one:.2f} times (aim: under 2)"
    )


def _ask(product: Product, token: str) -> float:
    """Seconds from asking the model to the answer, which the built-in analyst gives in the end."""
    begun = time.monotonic()
    body = {"prompt": "How many rows are there?", "thread_id": None, "models": ["runaway"], "temperature": 1,
            "parent_message_id": None}  # fmt: skip
    sent = product.call("POST", "/api/v3/ask", body, token=token)
    while True:
        time.sleep(0.2)
        polled = product.call("POST", "/api/v3/ask", {k: sent[k] for k in ("thread_id", "run_id")}, token=token)
        if polled["status"] == "completed":
            return time.monotonic() - begun
        if polled["status"] == "failed":
            raise RuntimeError(f"the question failed: {polled['error']}")


def _polls(line: Line, poll: dict[str, str], until: Callable[[int], bool]) -> list[float]:
    """Milliseconds of polls, some a second."""
    taken: list[float] = []
    while not until(len(taken)):
        milliseconds, _ = line.time("POST", "/api/v3/ask", poll)
        taken.append(milliseconds)
        time.sleep(PACE)
    return taken


class _Children:
    """The most memory that a child of the product holds, looked at while it lives."""

    def __init__(self, product: Product) -> None:
        assert product.process is not None
        self.largest = 0.0
        self._task = Path(f"/proc/{product.process.pid}/task")
        self._over = threading.Event()
        self._looking = threading.Thread(target=self._look, daemon=True)

    def start(self) -> None:
        self._looking.start()

    def stop(self) -> None:
        self._over.set()
        self._looking.join()

    def _look(self) -> None:
        while not self._over.wait(0.2):
            for task in self._task.iterdir():
                for child in _read(task / "children").split():
                    held = [row for row in _read(Path(f"/proc/{child}/status")).splitlines() if row.startswith("VmHWM")]
                    self.largest = max([self.largest, *(int(row.split()[1]) / 1024 for row in held)])


def _read(path: Path) -> str:
    try:
        return path.read_text()
    except OSError:  # it has ended meanwhile
        return ""
