"""SOCKETS (200) sockets held for SOCKET_MINUTES (1): every push arrives, strangers are refused, the revoked are out.

Every holder is asked something at the start and at the end of that time, and once more without a socket; then all their
sessions end at once.
"""

from __future__ import annotations

import asyncio
import json
import time
from contextlib import suppress
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from benches.cluster import Cluster, cluster, number, percentile
from benches.people import ENDED, Figures, Person

SOCKETS = int(number("SOCKETS", 200))
MINUTES = number("SOCKET_MINUTES", 1)
NOT_ALLOWED = 4401


def run(folder: Path) -> None:
    with cluster(folder, settings="benches.fault_settings") as product:
        asyncio.run(_held(product, product.told("crowd", users=SOCKETS)))


async def _held(product: Cluster, tokens: list[str]) -> None:
    figures = Figures()
    urls = product.urls
    people = [Person(urls[at % 2 :] + urls[: at % 2], token, figures) for at, token in enumerate(tokens)]
    sockets = [asyncio.create_task(person.listen()) for person in people]
    while any(person.socket is None for person in people):
        await asyncio.sleep(0.1)
    first = [person.socket for person in people]
    before = await _pushed(people)
    await asyncio.sleep(MINUTES * 60)
    after = await _pushed(people)
    stayed = sum(person.socket is socket for person, socket in zip(people, first, strict=True))
    print(f"   {SOCKETS} sockets for {MINUTES:g} min: {stayed} never closed (aim: all)")
    for when, spans in (("at first", before), ("at last", after)):
        print(
            f"      pushed {when}: {len(spans)} of {SOCKETS}, p95 {percentile(spans, 0.95):.0f} ms behind (aim: 1000)"
        )
    print(f"      refused: {await _refused(product, people[0])} (aim: origin, no ticket, used ticket)")
    for socket in sockets:  # they would come back
        socket.cancel()
    await asyncio.gather(*sockets, return_exceptions=True)
    print(f"      polled without a socket: {await _polled(people)} of {SOCKETS} (aim: all)")
    await _revoked(product, people)


async def _pushed(people: list[Person]) -> list[float]:
    """Everybody asks something, a few at a time; how far behind its end each was pushed, in milliseconds."""
    spans: list[float] = []
    few = asyncio.Semaphore(8)

    async def one(person: Person) -> None:
        ended: asyncio.Future[float] = asyncio.get_running_loop().create_future()

        def told(run: dict[str, object], moment: float) -> None:
            if run["status"] in ENDED and not ended.done():
                ended.set_result((moment - float(str(run["finished_at"]))) * 1000)

        async with few:
            # Whose first step comes before the answer to the asking is heard of at the last one.
            if sent := await person.ask("3 steps"):
                person.runs[sent["run_id"]] = told
                with suppress(TimeoutError):
                    spans.append(await asyncio.wait_for(ended, 60))

    await asyncio.gather(*(one(person) for person in people))
    return spans


async def _polled(people: list[Person]) -> int:
    """Everybody asks something with nothing to push to; how many learn the end of it by polling."""
    few = asyncio.Semaphore(8)

    async def one(person: Person) -> bool:
        async with few:
            sent = await person.ask("3 steps")
            until = time.monotonic() + 60
            while sent is not None and time.monotonic() < until:
                polled = await person.poll(sent)
                if polled is not None and polled["status"] in ENDED:
                    return bool(polled["status"] == "completed" and polled["messages"][0]["children"])
                await asyncio.sleep(0.2)
        return False

    return sum(await asyncio.gather(*(one(person) for person in people)))


async def _refused(product: Cluster, person: Person) -> list[str]:
    """Which of those that may not come in were kept out."""
    url = product.urls[0]
    ticket = (await person.call("ticket", "POST", "/api/v3/socket-ticket", {}))["ticket"]
    place = f"{url.replace('http', 'ws', 1)}/ws/live?ticket="
    kept_out = []
    try:
        async with connect(place + ticket, origin="https://elsewhere.example"):  # type: ignore[arg-type]
            pass
    except InvalidHandshake:
        kept_out.append("origin")
    async with connect(place + ticket, origin=url) as used:  # type: ignore[arg-type]
        for name, tried in (("no ticket", ""), ("used ticket", ticket)):
            async with connect(place + tried, origin=url) as socket:  # type: ignore[arg-type]
                await socket.wait_closed()
                if socket.close_code == NOT_ALLOWED:
                    kept_out.append(name)
        assert used.close_code is None
    return kept_out


async def _revoked(product: Cluster, people: list[Person]) -> None:
    """All sign in at sockets anew, and are deactivated together."""
    codes: list[tuple[int | None, float]] = []

    async def one(person: Person) -> None:
        ticket = await person.call("ticket", "POST", "/api/v3/socket-ticket", {})
        address = f"{person.urls[0].replace('http', 'ws', 1)}/ws/live?ticket={ticket['ticket']}"
        async with connect(address, origin=person.urls[0], ping_interval=None) as socket:  # type: ignore[arg-type]
            opened.release()
            with suppress(ConnectionClosed):
                async for message in socket:
                    json.loads(message)
            codes.append((socket.close_code, time.time()))

    opened = asyncio.Semaphore(0)
    waiting = [asyncio.create_task(one(person)) for person in people]
    for _ in people:
        await opened.acquire()
    begun = await asyncio.to_thread(product.told, "crowd", deactivate=True)
    await asyncio.gather(*waiting)
    longest = max(0.0, max(moment - begun for _, moment in codes))
    refused = sum(code == NOT_ALLOWED for code, _ in codes)
    print(f"      revoked: {refused} of {len(people)} closed with {NOT_ALLOWED} within {longest:.1f} s (aim: all, 5 s)")
