"""POISON (20) messages that cannot be worked off, among questions: parked after three tries, and nobody waits."""

from __future__ import annotations

import asyncio
import time
import uuid
from pathlib import Path

import dramatiq
import psycopg
import redis

from benches.cluster import Cluster, cluster, number
from benches.people import ENDED, Figures, Person

POISON = int(number("POISON", 20))
QUESTIONS = 30
LATE_SECONDS = 5.0


def run(folder: Path) -> None:
    with cluster(folder, settings="benches.fault_settings") as product:
        token = product.told("crowd", users=1)[0]
        asyncio.run(_asked(product, token))  # warms
        usual = max(asyncio.run(_asked(product, token)))
        _poison(product)
        beside = max(asyncio.run(_asked(product, token)))
        parked = _parked(product)
    late = beside - usual
    print(
        f"   {QUESTIONS} questions: longest {usual:.2f} s; behind {POISON} poisoned messages {beside:.2f} s", end=": "
    )
    print(f"{late:.2f} s late (aim: at most {LATE_SECONDS:g} s)")
    print(f"      parked: {parked} (aim: all that fail, after 3 tries)")


async def _asked(product: Cluster, token: str) -> list[float]:
    """Seconds that each of many questions asked at once took."""
    person = Person(product.urls, token, Figures())

    async def one() -> float:
        begun = time.monotonic()
        sent = await person.ask("1 steps")
        assert sent is not None
        while True:
            polled = await person.poll(sent)
            if polled is not None and polled["status"] in ENDED:
                return time.monotonic() - begun
            await asyncio.sleep(0.1)

    return list(await asyncio.gather(*(one() for _ in range(QUESTIONS))))


def _poison(product: Cluster) -> None:
    """A third each: what raises in its actor, what no actor takes, what is no message at all."""
    from dramatiq.brokers.redis import RedisBroker

    broker = RedisBroker(url=product.broker.address)  # type: ignore[no-untyped-call]
    broker.declare_queue("questions")
    raw = redis.Redis.from_url(product.broker.address)
    for at in range(POISON):
        if at % 3 == 2:
            name = uuid.uuid4().hex
            raw.hset("dramatiq:questions.msgs", name, f"no message {at}")
            raw.rpush("dramatiq:questions", name)
            continue
        actor, argument = ("threads.answer_run", f"no run {at}") if at % 3 == 0 else ("threads.gone", str(at))
        broker.enqueue(
            dramatiq.Message(queue_name="questions", actor_name=actor, args=(argument,), kwargs={}, options={})
        )


def _parked(product: Cluster, seconds: float = 60.0) -> dict[str, int]:
    """How many of each kind are parked, once all are."""
    until = time.monotonic() + seconds
    with psycopg.connect(product.postgres.address, autocommit=True) as connection:
        while True:
            rows = connection.execute(
                "SELECT actor, count(*) FROM core_parkedmessage WHERE parked_at IS NOT NULL GROUP BY actor"
            ).fetchall()
            if sum(count for _, count in rows) >= POISON or time.monotonic() > until:
                return {str(actor): int(count) for actor, count in rows}
            time.sleep(0.2)
