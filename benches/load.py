"""People at a deployment of two webs and two workers: what they wait for while questions are in flight.

LOAD_USERS (50) people are on sockets and look at their list and their last answer every three seconds; of them so many
ask that LOAD_QUESTIONS (20) are in flight with a model that takes 2 s a call, for LOAD_MINUTES (1).
"""

from __future__ import annotations

import asyncio
import itertools
import random
import statistics
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from apps.analyst.approaches.models.fake import FakeProviders
from benches.cluster import Cluster, cluster, number, percentile
from benches.people import ENDED, Figures, Person

USERS = int(number("LOAD_USERS", 50))
QUESTIONS = int(number("LOAD_QUESTIONS", 20))
MINUTES = number("LOAD_MINUTES", 1)
MODEL_SECONDS = number("LOAD_MODEL_SECONDS", 2)
LOOK_SECONDS = 3.0
LONGEST_RUN = 120.0
PROMPT = "How many deals are there?"


def run(folder: Path) -> None:
    with FakeProviders(latency=MODEL_SECONDS) as fake, cluster(folder, environment=settings_of(fake)) as product:
        tokens = product.told("crowd", users=USERS)
        asyncio.run(crowd(product, tokens, questions=2, seconds=8))  # imports, children, connections
        figures = asyncio.run(crowd(product, tokens, questions=QUESTIONS, seconds=MINUTES * 60))
        report(f"{USERS} people, {QUESTIONS} questions in flight, {MINUTES:g} min", figures)
        wrong = [line for line in product.log() if ("ERROR" in line or "CRITICAL" in line) and "/healthz" not in line]
        print(f"   errors in the log: {len(wrong)}", *wrong[:3], sep="\n      ")


def settings_of(fake: FakeProviders) -> dict[str, str]:
    """A deployment that asks that model, and may have all the questions in flight at once."""
    return {
        "OPENAI_BASE_URL": f"{fake.address}/v1",
        "OPENAI_MODELS": "bench",
        "WORKER_THREADS": str(max(4, QUESTIONS // 2)),
    }


async def crowd(product: Cluster, tokens: list[str], *, questions: int, seconds: float) -> Figures:
    """Everybody at once for so long; answers what they waited for."""
    figures = Figures()
    people = [
        Person(product.urls[at % 2 :] + product.urls[: at % 2], token, figures) for at, token in enumerate(tokens)
    ]
    over = time.monotonic() + seconds
    sockets = [asyncio.create_task(person.listen()) for person in people]
    turns = itertools.cycle(people)
    looking = [asyncio.create_task(look(person, over)) for person in people]
    asking = [asyncio.create_task(ask(turns, over)) for _ in range(questions)]
    await asyncio.gather(*looking, *asking)
    for socket in sockets:
        socket.cancel()
    await asyncio.gather(*sockets, return_exceptions=True)
    return figures


async def look(person: Person, over: float) -> None:
    """What an open page does beside asking."""
    await asyncio.sleep(random.random() * LOOK_SECONDS)
    while time.monotonic() < over:
        await person.call("threads", "POST", "/api/v3/ask", {"give": "threads"})
        await asyncio.sleep(LOOK_SECONDS)


async def ask(turns: Any, over: float) -> None:
    """One question after another, each of the next person, polled every three seconds until it has ended."""
    while time.monotonic() < over:
        await one_question(next(turns))


async def one_question(person: Person) -> dict[str, Any] | None:
    """Asks and follows as the page does; answers the last snapshot, None where the question could not be put."""
    ended: asyncio.Future[dict[str, Any]] = asyncio.get_running_loop().create_future()
    begun = time.monotonic()
    sent = await person.ask(PROMPT, ["bench"])
    if sent is None:
        await asyncio.sleep(1)
        return None

    def pushed(run: dict[str, Any], moment: float) -> None:
        if run["status"] in ENDED and not ended.done():
            person.figures.note("push", (moment - run["finished_at"]) * 1000)
            ended.set_result(run)

    person.runs[sent["run_id"]] = pushed
    try:
        while time.monotonic() - begun < LONGEST_RUN:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await asyncio.shield(ended)
            polled = await person.poll(sent)
            if polled is not None and polled["status"] in ENDED:
                person.figures.note("answer", (time.monotonic() - begun) * 1000)
                person.figures.note(polled["status"], 0)
                return polled
    finally:
        del person.runs[sent["run_id"]]
    person.figures.errors.append(f"run {sent['run_id']} did not end within {LONGEST_RUN:g} s")
    return None


AIMS = {"send": 500, "poll": 250, "push": 1000, "threads": None, "answer": None}


def report(name: str, figures: Figures) -> None:
    """The figures in lines, with the aims beside them."""
    spans = figures.spans
    ended = {state: len(spans[state]) for state in ENDED if state in spans}
    print(f"   {name}: {ended}, errors {len(figures.errors)}, broken calls {len(figures.broken)}")
    for line in (figures.errors + figures.broken)[:5]:
        print(f"      {line}")
    for kind, aim in AIMS.items():
        if values := spans.get(kind):
            print(
                f"      {kind:8} {len(values):6} times: p50 {statistics.median(values):7.1f} ms, "
                f"p95 {percentile(values, 0.95):7.1f} ms, longest {max(values):7.1f} ms"
                + (f" (aim: p95 at most {aim} ms)" if aim else "")
            )
