"""A scripted engine, and workers that work when the test says so."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import dramatiq
import pytest
from dramatiq.common import iter_queue
from dramatiq.message import Message as Letter
from rest_framework.test import APIClient

from apps.analyst.plan import Aggregate, ColumnRef, Output, Plan, Query
from apps.analyst.types import (
    Answer,
    Chart,
    Choice,
    Encoding,
    Evidence,
    Headline,
    Question,
    Result,
    ResultColumn,
    SourceUse,
    Step,
)
from apps.threads import engine, limits
from tests.apps.conftest import Cast
from tests.cast import client_of

PLAN = Query(
    source="deals",
    groups=(Output(label="region", expr=ColumnRef(table="deals", column="region")),),
    measures=(
        Output(label="revenue", expr=Aggregate(fn="sum", of=ColumnRef(table="deals", column="amount")), unit="USD"),
    ),
)


def revenue_by_region(plan: Plan | None = PLAN, approach: str = "builtin") -> Answer:
    """An answer with every part an answer can have."""
    return Answer(
        status="answered",
        text="**West** leads with 20.",
        plan=plan,
        result=Result(
            columns=(
                ResultColumn("region", "text", "dimension"),
                ResultColumn("revenue", "integer", "measure", unit="USD"),
            ),
            rows=(("West", 20), ("East", 10)),
            total_rows=2,
        ),
        headline=Headline(value=20, text="20", label="West", unit="USD"),
        chart=Chart(
            file_name="revenue-by-region.json",
            document={"type": "bar", "labels": ["West", "East"], "datasets": [{"label": "revenue", "data": [20, 10]}]},
            encoding=Encoding(mark="bar", x="region", y="revenue"),
        ),
        evidence=Evidence(
            sources=(SourceUse(name="deals", file_name="deals.csv", rows=3),),
            plan_sentence="Revenue by region.",
            query="SELECT 1",
            row_count=3,
        ),
        assumptions=("by close date",),
        choices=(Choice(label="By owner", question="Revenue by owner?", figure="Ben, …"),),
        follow_ups=("Revenue by month?",),
        approach=approach,
    )


@dataclass
class EmptyCatalog:
    """A catalog that holds nothing."""

    version: str = "0"

    def tables(self) -> tuple[()]:
        return ()

    def joins(self) -> tuple[()]:
        return ()


@dataclass
class Script:
    """An engine that says what the test wrote down, and remembers what it was asked."""

    say: Callable[[Question, Callable[[Step], None]], Answer]
    suggestions: list[str] = field(default_factory=list)
    asked: list[Question] = field(default_factory=list)

    def answer(self, question: Question, **ports: Any) -> Answer:
        self.asked.append(question)
        return self.say(question, ports["emit"])


def usual(question: Question, emit: Callable[[Step], None]) -> Answer:
    emit(Step("Reading the question"))
    emit(Step("Computing", "deals"))
    return revenue_by_region()


def a_while() -> None:
    """Longer than work may take whose steps nobody could read."""
    time.sleep(limits.STEPS_AFTER_SECONDS + 0.05)


@pytest.fixture
def script() -> Iterator[Script]:
    script = Script(say=usual)
    engine.use(
        engine.Engine(
            answer=script.answer,
            catalog_of=lambda organization: EmptyCatalog(),
            warehouse=None,  # type: ignore[arg-type]
            suggest=lambda catalog, count: script.suggestions[:count],
            close=lambda: None,
        )
    )
    yield script
    engine.use(None)


@dataclass
class Letterbox:
    """The queue of questions: what was sent, delivered when the test wants it."""

    broker: dramatiq.Broker

    def waiting(self) -> list[str]:
        """The ids of runs whose message waits."""
        queue = self.broker.queues["questions"]  # type: ignore[attr-defined]
        return [Letter.decode(data).args[0] for data in list(queue.queue)]

    def lose_all(self) -> None:
        self.broker.flush_all()

    def deliver(self, times: int = 1) -> int:
        """Works off what waits, each message `times` times over; returns how many messages there were."""
        queue = self.broker.queues["questions"]  # type: ignore[attr-defined]
        letters = [Letter.decode(data) for data in iter_queue(queue)]
        for letter in letters:
            for _ in range(times):
                self.broker.get_actor(letter.actor_name).fn(*letter.args, **letter.kwargs)
        return len(letters)


@pytest.fixture
def letterbox() -> Iterator[Letterbox]:
    letterbox = Letterbox(dramatiq.get_broker())
    letterbox.lose_all()
    yield letterbox
    letterbox.lose_all()


@dataclass
class Member:
    """Somebody of the cast at the API, with the whole of /ask in words."""

    client: APIClient
    letterbox: Letterbox

    def post(self, body: Any, path: str = "/api/v3/ask") -> Any:
        return self.client.post(path, body, format="json")

    def send(self, prompt: str = "Revenue by region?", **more: Any) -> dict[str, Any]:
        answer = self.post({"prompt": prompt, "thread_id": None, "models": None, "temperature": 1, **more})
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def poll(self, sent: dict[str, Any]) -> dict[str, Any]:
        answer = self.post({"thread_id": sent["thread_id"], "run_id": sent["run_id"], "models": None})
        assert answer.status_code == 200, answer.content
        return dict(answer.json())

    def ask(self, prompt: str = "Revenue by region?", **more: Any) -> dict[str, Any]:
        """Sends, lets the worker answer, polls."""
        sent = self.send(prompt, **more)
        self.letterbox.deliver()
        return self.poll(sent)

    def history(self) -> list[dict[str, Any]]:
        return list(self.post({"give": "threads"}).json())

    def load(self, thread_id: str) -> dict[str, Any]:
        return dict(self.post({"thread_id": thread_id}).json())


@pytest.fixture
def ana(cast: Cast, script: Script, letterbox: Letterbox) -> Member:
    return Member(client_of(cast.ana), letterbox)


@pytest.fixture
def ben(cast: Cast, script: Script, letterbox: Letterbox) -> Member:
    return Member(client_of(cast.ben), letterbox)


@pytest.fixture
def gus(cast: Cast, script: Script, letterbox: Letterbox) -> Member:
    return Member(client_of(cast.gus), letterbox)
