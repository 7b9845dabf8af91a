"""ENDINGS_RUNS (40) questions to a model of which three calls in ten go wrong: every run ends within 115 s."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections import Counter
from pathlib import Path

from apps.analyst.approaches.models.fake import FakeProviders, Fault
from benches.cluster import cluster, number, percentile
from benches.people import ENDED, Figures, Person

RUNS = int(number("ENDINGS_RUNS", 40))
FAULTS: tuple[Fault, ...] = ("500", "hang", "cut", "bad json", "empty")
SHARE = 0.3
IN_FLIGHT = 20
LONGEST = 115.0


def run(folder: Path) -> None:
    # Each fault strikes on its own: together they strike so many calls.
    each = 1 - (1 - SHARE) ** (1 / len(FAULTS))
    with FakeProviders(faults=FAULTS, share=each) as fake:
        environment = {
            "OPENAI_BASE_URL": f"{fake.address}/v1",
            "OPENAI_MODELS": "bench",
            "WORKER_THREADS": str(IN_FLIGHT // 2),
        }
        with cluster(folder, environment=environment) as product:
            tokens = product.told("crowd", users=IN_FLIGHT)
            states, spans = asyncio.run(_asked(product.urls, tokens))
            struck, calls = len(fake.struck), len(fake.requests)
    print(
        f"   {RUNS} runs, {struck} of {calls} calls of the model went wrong: {dict(states)}; "
        f"longest {max(spans):.1f} s, p95 {percentile(spans, 0.95):.1f} s (aim: all end within {LONGEST:g} s)"
    )


async def _asked(urls: list[str], tokens: list[str]) -> tuple[Counter[str], list[float]]:
    states: Counter[str] = Counter()
    spans: list[float] = []
    left = itertools.count()

    async def ask(person: Person) -> None:
        while next(left) < RUNS:
            begun = time.monotonic()
            sent = await person.ask("How many deals are there?", ["bench"])
            state = "not taken"
            while sent is not None and time.monotonic() - begun < 2 * LONGEST:
                polled = await person.poll(sent)
                state = polled["status"] if polled is not None else "not told"
                if state in ENDED:
                    break
                await asyncio.sleep(0.5)
            states[state] += 1
            spans.append(time.monotonic() - begun)

    await asyncio.gather(*(ask(Person(urls, token, Figures())) for token in tokens))
    return states, spans
