"""How cost grows: with people at work, with messages in the database, with sources in an organization.

GROWTH_USERS="10,50" people for GROWTH_SECONDS (10) each, GROWTH_MESSAGES="1000,100000", GROWTH_SOURCES="10,100".
"""

from __future__ import annotations

import asyncio
import os
import statistics
import time
from collections.abc import Sequence
from pathlib import Path

from apps.analyst.approaches.models.fake import FakeProviders
from benches.cluster import Cluster, cluster, number
from benches.load import crowd, settings_of
from benches.people import ENDED, Figures, Person

SECONDS = number("GROWTH_SECONDS", 10)
ROUNDS = 20
FEW = 5
IN_FLIGHT = 4


def sizes(name: str, default: str) -> list[int]:
    """The steps of one growth, smallest first."""
    return sorted(int(size) for size in os.environ.get(name, default).split(",") if size)


def run(folder: Path) -> None:
    with (
        FakeProviders(latency=2.0) as fake,
        cluster(folder, environment=settings_of(fake)) as product,
    ):
        asyncio.run(_one_after_another(product, product.told("crowd", users=FEW)))  # imports, children, connections
        for users in sizes("GROWTH_USERS", "10,50"):
            tokens = product.told("crowd", users=users)
            figures = asyncio.run(crowd(product, tokens, questions=IN_FLIGHT, seconds=SECONDS))
            _say(f"{users:>9,} people", figures, ("send", "poll", "threads", "push"))
        for messages in sizes("GROWTH_MESSAGES", "1000,100000"):
            tokens = product.told("crowd", users=FEW, messages=messages)
            figures = asyncio.run(_one_after_another(product, tokens))
            _say(f"{messages:>9,} messages", figures, ("send", "poll", "threads", "answer"))
        for sources in sizes("GROWTH_SOURCES", "10,100"):
            tokens = product.told("crowd", users=FEW, sources=sources)
            figures = asyncio.run(_one_after_another(product, tokens))
            _say(f"{sources:>9,} sources", figures, ("send", "files", "answer"))


def _say(name: str, figures: Figures, kinds: Sequence[str]) -> None:
    told = ", ".join(f"{kind} {statistics.median(figures.spans[kind]):.1f}" for kind in kinds if kind in figures.spans)
    wrong = f"; {len(figures.errors)} errors, {figures.errors[0]}" if figures.errors else ""
    print(f"   {name}: p50 in ms: {told}{wrong}")


async def _one_after_another(product: Cluster, tokens: list[str]) -> Figures:
    """What calls cost with nothing beside them; answers are the built-in analyst's."""
    figures = Figures()
    people = [Person(product.urls, token, figures) for token in tokens]
    for at in range(ROUNDS):
        person = people[at % len(people)]
        await person.call("threads", "POST", "/api/v3/ask", {"give": "threads"})
        await person.call("files", "GET", "/api/v3/files")
        begun = time.monotonic()
        sent = await person.ask("How many deals are there?")
        while sent is not None:
            polled = await person.poll(sent)
            if polled is not None and polled["status"] in ENDED:
                figures.note("answer", (time.monotonic() - begun) * 1000)
                break
            await asyncio.sleep(0.02)
    return figures
