"""`evaluate --model` and `--replay`: questions put to a model, or to its replies, and a report of what came of it."""

from __future__ import annotations

import importlib.util
import json
import os
import statistics
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, TextIO, cast, get_args

from apps.analyst.approaches.models.specs import ModelSpec, Provider
from apps.analyst.errors import AnalystError
from apps.analyst.evaluate.recording import Asked, replies_of, written
from apps.analyst.evaluate.running import Timed, evaluate

_KEYS: Mapping[str, str] = {"openai": "OPENAI", "anthropic": "ANTHROPIC", "google": "GOOGLE"}
TODAY = date(2026, 1, 1)
"""The day on which questions that name none are asked: a prompt says it, and has to be the same on every day."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command was given."""

    folder: Path
    out: Path
    model: str | None = None
    """PROVIDER:NAME; its key and address come from the environment, as for the product."""
    record: Path | None = None
    replay: Path | None = None
    prices: tuple[Decimal, Decimal] = (Decimal(0), Decimal(0))
    """Per million tokens told and said."""
    source: str | None = None
    limit: int | None = None
    jobs: int = 2


def evaluate_model(wish: Wish, log: TextIO = sys.stderr) -> list[Timed]:
    """Answers through the model or its replies, keeps what was said, and reports."""
    replies = replies_of(wish.replay) if wish.replay is not None else None
    # A file of replies is a choice of questions, unless more are asked for by name or number.
    chosen = {id for id, _ in replies} if replies and wish.source is None and wish.limit is None else None
    spec = _spec(wish.model or "openai:replies", wish.prices, live=replies is None)
    done = evaluate(
        wish.folder, wish.out, source=wish.source, limit=wish.limit, jobs=wish.jobs, today=TODAY,
        asked=Asked(spec, replies), only=chosen, log=log,
    )  # fmt: skip
    exchanges = [exchange for timed in done for exchange in timed.exchanges]
    if wish.record is not None:
        written((one for one in exchanges if one.reply is not None), wish.record)
    waiting = [one for one in exchanges if one.reply is None]
    if waiting and wish.replay is not None:
        path = wish.replay.with_suffix(".missing.jsonl")
        written(waiting, path)
        log.write(f"{len(waiting)} prompts without a reply are in {path}\n")
    report(done, spec, _right(wish.folder, done), log)
    return done


def report(done: Sequence[Timed], spec: ModelSpec, right: int | None, log: TextIO) -> None:
    """Forms of the answers, tokens, cost and time."""
    forms = Counter(timed.form for timed in done)
    exchanges = [exchange for timed in done for exchange in timed.exchanges if exchange.reply is not None]
    if not done or not exchanges:
        log.write("No question has a reply.\n")
        return
    log.write(", ".join(f"{form} {_share(count, len(done))}" for form, count in forms.most_common()) + "\n")
    asked = [timed for timed in done if timed.form not in ("asked", "unclear", "no reply")]
    first = sum(len(timed.exchanges) == 1 and timed.form in ("plan", "lifted") for timed in asked)
    log.write(f"a plan, or SQL that becomes one, at the first reply: {_share(first, max(len(asked), 1))}\n")
    if right is not None:
        log.write(f"right: {_share(right, len(done))}\n")
    told, said = ([getattr(one, name) for one in exchanges] for name in ("input_tokens", "output_tokens"))
    cost = (sum(told) * spec.input_price + sum(said) * spec.output_price) / 1_000_000
    log.write(
        f"tokens a call: {statistics.median(told):,.0f} told, {statistics.median(said):,.0f} said at the median; "
        f"{sum(told):,} and {sum(said):,} in all, {cost:.4f} at the given prices\n"
    )
    log.write(f"seconds a call: {statistics.median(one.seconds for one in exchanges):.1f} at the median\n")
    if stale := sum(one.stale for one in exchanges):
        log.write(f"{stale} of {len(exchanges)} replies were given to another prompt than today's\n")


def _share(count: int, of: int) -> str:
    return f"{count} ({100 * count / of:.1f} %)"


def _spec(name: str, prices: tuple[Decimal, Decimal], *, live: bool) -> ModelSpec:
    provider, _, model = name.partition(":")
    if provider not in get_args(Provider) or not model:
        raise AnalystError(f"Name the model as PROVIDER:NAME, with a provider of {', '.join(get_args(Provider))}.")
    key = os.environ.get(f"{_KEYS[provider]}_API_KEY", "")
    base = os.environ.get(f"{_KEYS[provider]}_BASE_URL") or None
    if live and not key and not base:
        raise AnalystError(f"{_KEYS[provider]}_API_KEY or {_KEYS[provider]}_BASE_URL is needed to ask {name}.")
    return ModelSpec(model, model, cast(Provider, provider), model, key or "none", base, *prices)


def _right(folder: Path, done: Sequence[Timed]) -> int | None:
    """How many predictions the set's own scorer calls right, or rightly declined; None where it has none."""
    places = (folder / "score.py", folder.parent / "evals" / "score.py")
    path = next((place for place in places if place.is_file()), None)
    if path is None:
        return None
    found = importlib.util.spec_from_file_location("score", path)
    assert found is not None
    assert found.loader is not None
    score: Any = importlib.util.module_from_spec(found)
    found.loader.exec_module(score)
    made = {timed.prediction["id"]: timed.prediction for timed in done}
    with (folder / "questions.jsonl").open(encoding="utf-8") as file:
        items = [item for item in map(json.loads, file) if item["id"] in made]
    if hasattr(score, "judge"):
        return sum(score.judge(item, made[item["id"]]) in ("right", "kept") for item in items)
    return sum(bool(score.score_one(item, made[item["id"]])["correct"]) for item in items)
