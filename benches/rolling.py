"""A rolling restart of two webs and two workers under ROLLING_REQUESTS (1000) requests: none may fail.

Clients do what a proxy does: a refused connection goes to the other web, an answer cut off is a failure.
"""

from __future__ import annotations

import asyncio
import itertools
import time
from pathlib import Path

from benches.cluster import Cluster, cluster, number, percentile
from benches.people import ENDED, Figures, Person

REQUESTS = int(number("ROLLING_REQUESTS", 1000))
PEOPLE = 8
LEAVE_SECONDS = "2"


def run(folder: Path) -> None:
    environment = {"LEAVE_SECONDS": LEAVE_SECONDS}
    with cluster(folder, settings="benches.fault_settings", environment=environment) as product:
        figures, unanswered, seconds = asyncio.run(_restarted(product, product.told("crowd", users=PEOPLE)))
    spans = [span for kind in figures.spans.values() for span in kind]
    print(
        f"   {len(spans)} requests in {seconds:.0f} s while everything was restarted: {len(figures.errors)} errors, "
        f"{len(figures.broken)} cut off, {unanswered} questions unanswered (aim: 0, 0, 0); "
        f"p95 {percentile(spans, 0.95):.0f} ms"
    )
    for line in (figures.errors + figures.broken)[:5]:
        print(f"      {line}")


async def _restarted(product: Cluster, tokens: list[str]) -> tuple[Figures, int, float]:
    figures, over = Figures(), asyncio.Event()
    urls = product.urls
    people = [Person(urls[at % 2 :] + urls[: at % 2], token, figures) for at, token in enumerate(tokens)]
    sockets = [asyncio.create_task(person.listen()) for person in people]
    left = itertools.count()
    begun = time.monotonic()
    asking = [asyncio.create_task(_ask(person, left, over)) for person in people]
    await asyncio.to_thread(_restart_all, product)
    over.set()
    unanswered = sum(await asyncio.gather(*asking))
    for socket in sockets:
        socket.cancel()
    await asyncio.gather(*sockets, return_exceptions=True)
    return figures, unanswered, time.monotonic() - begun


async def _ask(person: Person, left: itertools.count[int], over: asyncio.Event) -> int:
    """A question in ten requests, until both the requests and the restarts are done; how many were not answered."""
    sent, answered = [], 0
    while next(left) < REQUESTS or not over.is_set():
        if len(sent) < 3 and (asked := await person.ask("2 steps")):
            sent.append(asked)
        for _ in range(9):
            await person.call("threads", "POST", "/api/v3/ask", {"give": "threads"})
            await asyncio.sleep(0.02)
    until = time.monotonic() + 120
    for asked in sent:
        while time.monotonic() < until:
            polled = await person.poll(asked)
            if polled is not None and polled["status"] in ENDED:
                answered += polled["status"] == "completed"
                break
            await asyncio.sleep(0.2)
    return len(sent) - answered


def _restart_all(product: Cluster) -> None:
    """One after another, each only when the one before serves again, as docs/operating.md says."""
    for place, worker in enumerate(product.worker):
        worker.terminate()
        worker.wait(60)
        product.worker[place] = product.new_worker()
        product.until_staffed()
    for web in product.web:
        assert web.process is not None
        web.process.terminate()
        web.process.wait(60)
        web.start_web()
        web.wait_healthy()
