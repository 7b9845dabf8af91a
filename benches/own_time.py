"""What the product itself takes for a question through a model of 0 ms, against the built-in analyst's answer to it.

The questions and replies are those that are kept with the tests; both ways answer each of them over warm tables, the
model's being held against the built-in analyst's as in the product.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.layer import Reply, Said
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.evaluate.models import TODAY
from apps.analyst.evaluate.recording import replies_of
from apps.analyst.pipeline import answer
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Answer, Question

TESTS = Path(__file__).resolve().parents[1] / "tests" / "analyst" / "models"
MOST = 1.5
"""Times the built-in analyst's own time, at most (issue 18)."""
ROUNDS = 3
SPEC = ModelSpec("m", "M", "openai", "m", "k")


def run(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    replies = replies_of(TESTS / "recorded_office.jsonl")
    lines = (TESTS / "office" / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    warehouse = LocalWarehouse(threads=1)
    taken: list[tuple[float, float, float]] = []
    for item in map(json.loads, lines):
        catalog = cached_catalog(TESTS / "office", item["tables"], folder)
        today = date.fromisoformat(item["today"]) if item.get("today") else TODAY
        question = Question(item["question"], today=today)
        taken.append(_taken(question, catalog, warehouse, str(replies[item["id"], 1]["reply"])))
    warehouse.close()
    builtin, alone, held = (statistics.median(column) for column in zip(*taken, strict=True))
    ratio = statistics.median(row[2] / row[0] for row in taken)
    print(f"   {len(taken)} questions, median of a processor's time: built-in {builtin:.0f} ms, model {held:.0f} ms")
    print(f"   ratio {ratio:.2f}, aim at most {MOST}; without the built-in answer beside it {alone:.0f} ms")


def _taken(question: Question, catalog: FixedCatalog, warehouse: LocalWarehouse, reply: str) -> tuple[float, ...]:
    """Milliseconds of a processor: of the built-in analyst, of a model alone, and of one held against the former."""

    def builtin() -> Answer:
        return answer(question, catalog=catalog, warehouse=warehouse)

    def say(spec: ModelSpec, system: str, turns: Sequence[Said], **limits: Any) -> Reply:
        worded = "Its template text:" in turns[-1].text
        return Reply("The table shows it." if worded else reply, 1_000, 20, 0.0)

    def through(second: Callable[[], Answer] | None) -> Callable[[], object]:
        models = Models([SPEC], say, second=second)
        return lambda: models.answer(
            question, catalog=catalog, warehouse=warehouse, emit=lambda step: None, builtin=builtin
        )

    return _median(builtin), _median(through(None)), _median(through(builtin))


def _median(work: Callable[[], object]) -> float:
    work()
    taken = []
    for _ in range(ROUNDS):
        begun = time.process_time()
        work()
        taken.append((time.process_time() - begun) * 1000)
    return statistics.median(taken)
