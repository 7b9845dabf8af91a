"""Runs the engine over all questions of a folder in several processes. What fails is null, and the run goes on."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import sys
import tempfile
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.evaluate.predictions import builtin, predict
from apps.analyst.evaluate.recording import Asked, Asker, Exchange
from apps.analyst.ports import Warehouse
from apps.analyst.tables.catalog import FixedCatalog

SECONDS_PER_QUESTION = 30
SECONDS_PER_MODEL_QUESTION = 300
_ASKED = ("id", "tables", "question", "context", "turns", "today")
"""What an asker gives of a question; the rest is for the scorer."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A prediction and the milliseconds it took, once the catalog was there."""

    prediction: dict[str, Any]
    milliseconds: float
    answered: bool
    form: str = ""
    """What came of a question to a model (recording.Form)."""
    exchanges: tuple[Exchange, ...] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """The questions over one set of tables."""

    folder: Path
    store: Path
    items: tuple[Mapping[str, Any], ...]
    today: date
    asked: Asked | None = None
    """The model that is asked; None: the built-in analyst."""


def run_task(task: Task) -> list[Timed]:
    """All predictions over one set of tables; whatever goes wrong makes null."""
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse

    warehouse = LocalWarehouse(threads=1)
    try:
        catalog = cached_catalog(task.folder, task.items[0]["tables"], task.store)
    except Exception as error:
        _complain(task.items[0], error)
        return [Timed({"id": item["id"], "answer": None, "chart": None}, 0.0, False) for item in task.items]
    try:
        return [_timed(item, catalog, warehouse, task) for item in task.items]
    finally:
        warehouse.close()


def _timed(item: Mapping[str, Any], catalog: FixedCatalog, warehouse: Warehouse, task: Task) -> Timed:
    asker = Asker(task.asked, item["id"]) if task.asked is not None else None
    begun = time.perf_counter()
    try:
        with _Alarm(SECONDS_PER_QUESTION if asker is None else SECONDS_PER_MODEL_QUESTION):
            ask = builtin if asker is None else asker.answer
            prediction = predict(item, catalog, warehouse, task.today, ask)
    except Exception as error:
        _complain(item, error)
        prediction = {"id": item["id"], "answer": None, "chart": None, "status": "declined", "confidence": 0.0}
    answered = prediction["answer"] is not None or prediction["chart"] is not None
    told = (asker.form, tuple(asker.exchanges)) if asker is not None else ("", ())
    return Timed(prediction, 1000 * (time.perf_counter() - begun), answered, *told)


class _Alarm:
    """Ends a question that takes too long, where the platform can."""

    def __init__(self, seconds: int) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        if hasattr(signal, "SIGALRM"):
            signal.signal(signal.SIGALRM, self._ring)
            signal.alarm(self._seconds)

    def __exit__(self, *_: object) -> None:
        if hasattr(signal, "SIGALRM"):
            signal.alarm(0)

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        raise TimeoutError(f"no answer within {self._seconds} seconds")


def _complain(item: Mapping[str, Any], error: Exception) -> None:
    sys.stderr.write(f"{item['id']}: {type(error).__name__}: {str(error)[:300]}\n")


def evaluate(
    folder: Path,
    out: Path,
    *,
    source: str | None = None,
    limit: int | None = None,
    jobs: int = 2,
    store: Path | None = None,
    today: date | None = None,
    asked: Asked | None = None,
    only: Container[str] | None = None,
    log: TextIO = sys.stderr,
) -> list[Timed]:
    """Answers the questions of `folder` and writes `{id, answer, chart}` lines to `out`, in the questions' order.

    They are put to a model where one is `asked`, and to the built-in analyst otherwise. `only` names those to answer.
    """
    items = list(_items(folder / "questions.jsonl", source))
    items = [item for item in items if only is None or item["id"] in only][:limit]
    store = store or Path(tempfile.gettempdir()) / f"analyst-catalogs-{os.getuid() if hasattr(os, 'getuid') else 0}"
    store.mkdir(parents=True, exist_ok=True)
    tasks = [Task(folder, store, part, today or date.today(), asked) for part in _by_tables(items)]  # noqa: DTZ011
    done: dict[str, Timed] = {}
    for number, made in enumerate(_results(tasks, jobs), 1):
        done.update({timed.prediction["id"]: timed for timed in made})
        if number % 25 == 0 or number == len(tasks):
            log.write(f"\r{len(done)} of {len(items)} questions")
            log.flush()
    log.write("\n")
    ordered = [done[item["id"]] for item in items]
    lines = [json.dumps(timed.prediction, ensure_ascii=False, default=str) for timed in ordered]
    out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    _report(ordered, log)
    return ordered


def _items(path: Path, source: str | None) -> Iterator[Mapping[str, Any]]:
    """The questions with only what an asker gives."""
    with path.open(encoding="utf-8") as file:
        for line in file:
            item = json.loads(line)
            if source is None or item.get("source") == source:
                yield {key: item[key] for key in _ASKED if item.get(key)}


def _by_tables(items: Iterable[Mapping[str, Any]]) -> list[tuple[Mapping[str, Any], ...]]:
    groups: dict[tuple[str, ...], list[Mapping[str, Any]]] = {}
    for item in items:
        groups.setdefault(tuple(item["tables"]), []).append(item)
    return [tuple(part) for group in groups.values() for part in _parts(group, 40)]


def _parts(group: list[Mapping[str, Any]], size: int) -> Iterator[list[Mapping[str, Any]]]:
    yield from (group[start : start + size] for start in range(0, len(group), size))


def _results(tasks: list[Task], jobs: int) -> Iterator[list[Timed]]:
    if jobs <= 1:
        yield from map(run_task, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:
        yield from pool.imap_unordered(run_task, tasks)


def _report(done: Sequence[Timed], log: TextIO) -> None:
    times = sorted(timed.milliseconds for timed in done)
    if not times:
        return
    answered = sum(timed.answered for timed in done)
    p95 = times[min(len(times) - 1, int(0.95 * len(times)))]
    log.write(
        f"answered {answered} of {len(done)}; median {times[len(times) // 2]:.0f} ms, p95 {p95:.0f} ms a question\n"
    )
