"""Questions answered through a model, with every prompt and reply kept; and answered again from what was kept.

A reply belongs to a question and to the how-manieth call it was made for, not to a prompt to the letter: so a changed
prompt or grammar can be tried with the replies that there are, and the report says how many of them were given to
another prompt. A prompt without a reply is written down for anybody to answer.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.layer import Reply, Said, Talk, talk
from apps.analyst.approaches.models.replies import Sql, plan_of
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.approaches.models.tokens import estimated_tokens
from apps.analyst.errors import AnalystError, PlanRejected, ProviderFailed
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Answer, Question

Form = Literal["plan", "lifted", "query", "rejected", "asked", "unclear", "no reply"]
"""What came of a question: the model's plan, its SQL as a plan or run as it is, or nothing, and why; "asked": it asked
back."""
SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Exchange:
    """One call of a model. Without a reply it waits for one."""

    id: str
    """The question's."""
    call: int
    """The how-manieth call for the question, from 1 on."""
    prompt: str
    """What the model was told last."""
    digest: str
    """Tells whether the whole conversation is the one that the reply was given to."""
    reply: str | None
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    stale: bool = False
    """True where the reply was given to another prompt."""


@dataclass(frozen=True, slots=True)
class Asked:
    """Which model is asked, or whose replies are read."""

    spec: ModelSpec
    replies: Mapping[tuple[str, int], Mapping[str, Any]] | None = None
    """None: the model itself is asked."""


@dataclass
class Asker:
    """Answers one question (and those before it) through a model, and keeps what was said."""

    asked: Asked
    id: str
    live: Talk = talk
    exchanges: list[Exchange] = field(default_factory=list)
    form: Form = "no reply"

    def answer(self, question: Question, *, catalog: Catalog, warehouse: Warehouse) -> Answer:
        """The model's answer; declined where it has none."""
        models = Models([self.asked.spec], self._talk, temperature=0.0, words=False, call_seconds=SECONDS)
        try:
            ends = time.monotonic() + SECONDS
            made = models.one(self.asked.spec, question, catalog, warehouse, lambda step: None, ends)
        except PlanRejected as error:
            self.form = "rejected"
            return Answer("declined", error.message)
        except ProviderFailed as error:
            return Answer("declined", error.message)
        except AnalystError as error:
            self.form = "unclear"
            return Answer("declined", error.message)
        self.form = self._form(made)
        return made

    def _form(self, made: Answer) -> Form:
        if made.status == "clarify":
            return "asked"
        if made.plan is None:
            return "query"
        return "lifted" if isinstance(plan_of(self.exchanges[-1].reply or ""), Sql) else "plan"

    def _talk(self, spec: ModelSpec, system: str, turns: Sequence[Said], **limits: Any) -> Reply:
        call = len(self.exchanges) + 1
        prompt, digest = turns[-1].text, digest_of(system, turns)
        if self.asked.replies is None:
            reply = self.live(spec, system, turns, **limits)
            taken = (reply.input_tokens, reply.output_tokens, round(reply.seconds, 3))
            self.exchanges.append(Exchange(self.id, call, prompt, digest, reply.text, *taken))
            return reply
        kept = self.asked.replies.get((self.id, call))
        if kept is None:
            self.exchanges.append(Exchange(self.id, call, prompt, digest, None))
            raise ProviderFailed(f"There is no reply for call {call} of {self.id}.")
        told = estimated_tokens(system + "".join(turn.text for turn in turns))
        taken = (told, int(kept.get("output_tokens") or estimated_tokens(kept["reply"])), kept.get("seconds", 0.0))
        stale = kept.get("digest", digest) != digest
        self.exchanges.append(Exchange(self.id, call, prompt, digest, kept["reply"], *taken, stale))
        return Reply(kept["reply"], taken[0], taken[1], taken[2])


def digest_of(system: str, turns: Sequence[Said]) -> str:
    """A mark of a whole conversation."""
    text = "\x00".join([system, *(turn.text for turn in turns)])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def written(exchanges: Iterable[Exchange], path: Path) -> None:
    """Keeps exchanges, one a line."""
    lines = [json.dumps(_plain(exchange), ensure_ascii=False) for exchange in exchanges]
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def replies_of(path: Path) -> dict[tuple[str, int], dict[str, Any]]:
    """The replies of a file, by question and call. Lines that still wait for one are passed over."""
    kept = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {(line["id"], int(line.get("call", 1))): line for line in kept if line.get("reply")}


def _plain(exchange: Exchange) -> dict[str, Any]:
    return {name: value for name, value in asdict(exchange).items() if name != "stale"}
