"""Workers killed, messages thrice, brokers and the database gone and back: nothing lost, nothing twice, soon normal.

FAULT_RUNS (24) questions a story, while FAULT_KILLS (3) workers are killed, FAULT_BROKER_RESTARTS (2) and
FAULT_BROKER_LOSSES (1) befall the broker, FAULT_DATABASE_RESTARTS (1) the database; FAULT_THRICE (30) messages come
three times. FAULT_BROKER=rabbitmq puts RabbitMQ in the place of Redis.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import dramatiq
import psycopg
from dramatiq.brokers.rabbitmq import RabbitmqBroker
from dramatiq.brokers.redis import RedisBroker

from benches.cluster import Cluster, cluster, number
from benches.people import ENDED, Figures, Person

RUNS = int(number("FAULT_RUNS", 24))
KILLS = int(number("FAULT_KILLS", 3))
RESTARTS = int(number("FAULT_BROKER_RESTARTS", 2))
LOSSES = int(number("FAULT_BROKER_LOSSES", 1))
DATABASE = int(number("FAULT_DATABASE_RESTARTS", 1))
THRICE = int(number("FAULT_THRICE", 30))
RABBITMQ = os.environ.get("FAULT_BROKER", "redis") == "rabbitmq"
PEOPLE = 6
NORMAL_SECONDS = 10.0
LONGEST_RUN = 115.0
Fault = Callable[[], object]
HALVES = """
SELECT (SELECT count(*) FROM threads_thread t WHERE NOT EXISTS (
            SELECT FROM threads_message m WHERE m.thread_id = t.id AND m.role = 'user'))
     + (SELECT count(*) FROM threads_message m WHERE m.role = 'user' AND NOT EXISTS (
            SELECT FROM threads_run r WHERE r.question_id = m.id))
     + (SELECT count(*) FROM threads_run r WHERE r.state = 'completed' AND NOT EXISTS (
            SELECT FROM threads_message m WHERE m.run_id = r.id AND m.role = 'assistant'))
"""


def run(folder: Path) -> None:
    with cluster(folder, rabbitmq=RABBITMQ, settings="benches.fault_settings") as product:
        story = Story(product, product.told("crowd", users=PEOPLE))
        turns = itertools.cycle(range(product.workers))
        story.tell("nothing happens", RUNS // 2, [])
        story.tell(f"{KILLS} workers killed", RUNS, [lambda: product.kill_worker(next(turns))] * KILLS)
        story.tell(f"{RESTARTS} restarts of the broker", RUNS, [product.broker.restart] * RESTARTS)
        story.tell(f"{LOSSES} losses of the broker", RUNS, [product.broker.lose] * LOSSES)
        story.tell(f"{DATABASE} restarts of the database", RUNS, [product.postgres.restart] * DATABASE)
        story.tell(f"{THRICE} messages three times", THRICE, [], thrice=True)
        lines = [line for line in product.log() if "Traceback" in line]
        print(f"   tracebacks in the log: {len(lines)} (faults leave some)")


class Story:
    """Questions asked and followed while something breaks, and what is in the database afterwards."""

    def __init__(self, product: Cluster, tokens: list[str]) -> None:
        self.product = product
        self.tokens = tokens
        self.deliver = _sender(product)

    def tell(self, name: str, runs: int, faults: Sequence[Fault], *, thrice: bool = False) -> None:
        if runs == 0 or name.startswith("0 "):
            return
        self.name, self.thrice = name, thrice
        self.left, self.sent, self.spans, self.mended = iter(range(runs)), [], [], []
        self.figures, self.within = Figures(), 0
        begun = time.monotonic()
        asyncio.run(self._all(runs, faults))
        lost, doubled, failed = self._verdict()
        print(
            f"   {name}, {runs} runs in {time.monotonic() - begun:.0f} s: lost {lost}, answered twice {doubled}, "
            f"failed {failed}; longest run {max(self.spans):.1f} s (aim: 0, 0, 0; {LONGEST_RUN:g} s)"
        )
        if self.mended:
            usual, worst = statistics.median(self.mended), max(self.mended)
            late = sum(seconds > NORMAL_SECONDS for seconds in self.mended)
            print(f"      normal after {usual:.1f} s, at most {worst:.1f} s (aim: {NORMAL_SECONDS:g} s)", end=", ")
            print(f"late {late} of {len(self.mended)} times", end="; ")
            print(f"calls refused meanwhile {len(self.figures.errors)}, broken {len(self.figures.broken)}", end=", ")
            print(f"at other times {self._failures() - self.within} (aim: 0); half-written threads {self._halves()}")
        assert (lost, doubled) == (0, 0), name

    async def _all(self, runs: int, faults: Sequence[Fault]) -> None:
        urls = self.product.urls
        people = [Person(urls[at % 2 :] + urls[: at % 2], token, self.figures) for at, token in enumerate(self.tokens)]
        asking = [asyncio.create_task(self._ask(person)) for person in people]
        probe = Person(list(urls), self.tokens[0], Figures())
        for place, fault in enumerate(faults):
            while len(self.sent) < (place + 0.5) * runs / len(faults):
                await asyncio.sleep(0.05)
            await asyncio.to_thread(self.product.until_staffed)
            failed = self._failures()
            await asyncio.to_thread(fault)
            self.mended.append(await self._until_normal(probe))
            self.within += self._failures() - failed
        await asyncio.gather(*asking)

    def _failures(self) -> int:
        """Calls that were refused or cut off so far."""
        return len(self.figures.errors) + len(self.figures.broken)

    def _halves(self) -> int:
        """Threads without a question, questions without a run, and runs that ended without a message."""
        with psycopg.connect(self.product.postgres.address) as connection:
            (found,) = connection.execute(HALVES).fetchone() or (0,)
        return int(found)

    async def _ask(self, person: Person) -> None:
        for at in self.left:
            prompt = f"{2 + at % 8} steps, {self.name} {at}"
            while (sent := await person.ask(prompt)) is None:
                await asyncio.sleep(0.5)  # what was not taken is said to be so, and people send it again
            self.sent.append(sent["run_id"])
            if self.thrice:
                for _ in range(2):
                    await asyncio.to_thread(self.deliver, sent["run_id"])
            self.spans.append(await self._followed(person, sent))

    async def _followed(self, person: Person, sent: dict[str, Any]) -> float:
        begun = time.monotonic()
        while time.monotonic() - begun < 2 * LONGEST_RUN:
            await asyncio.sleep(0.3)
            polled = await person.poll(sent)
            if polled is not None and polled["status"] in ENDED:
                break
        return time.monotonic() - begun

    async def _until_normal(self, probe: Person) -> float:
        """Seconds from the end of the fault until a new question is answered as if nothing had been."""
        begun = time.monotonic()
        while True:
            asked = time.monotonic()
            sent = await probe.ask(f"1 steps, {self.name} probe")
            while sent is not None and time.monotonic() - asked < 3:
                await asyncio.sleep(0.1)
                polled = await probe.poll(sent)
                if polled is not None and polled["status"] == "completed":
                    return asked - begun
            if time.monotonic() - begun > 2 * LONGEST_RUN:
                raise RuntimeError(f"{self.name}: not normal after {time.monotonic() - begun:.0f} s")
            await asyncio.sleep(0.2)

    def _verdict(self) -> tuple[int, int, int]:
        """Runs without an answer, questions with more than one, and runs that ended in words of failure."""
        with psycopg.connect(self.product.postgres.address) as connection:
            rows = connection.execute(
                "SELECT r.state, count(m.id), count(m.id) FILTER (WHERE m.is_selected_assistant) FROM threads_run r"
                " LEFT JOIN threads_message m ON m.run_id = r.id AND m.role = 'assistant'"
                " WHERE r.id = ANY(%s::uuid[]) GROUP BY r.id",
                [self.sent],
            ).fetchall()
        failed = sum(state == "failed" for state, _, _ in rows)
        lost = len(self.sent) - sum(state == "failed" or selected == 1 for state, _, selected in rows)
        return lost, sum(answers > 1 for _, answers, _ in rows), failed


def _sender(product: Cluster) -> Callable[[str], object]:
    """Sends a run's message past the product, as a broker does that delivers it again."""
    url = product.broker.address
    broker: dramatiq.Broker = RabbitmqBroker(url=url) if RABBITMQ else RedisBroker(url=url)  # type: ignore[no-untyped-call]
    broker.declare_queue("questions")

    def deliver(run_id: str) -> None:
        broker.enqueue(
            dramatiq.Message(
                queue_name="questions", actor_name="threads.answer_run", args=(run_id,), kwargs={}, options={}
            )
        )

    return deliver
