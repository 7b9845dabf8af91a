"""Runs the engine over a set of questions in the format of the evaluation folders, and writes its predictions.

Only what an asker would give is used: the tables, the question, its context and the turns before it. Each prediction is
made from the shape of the answer alone. A question that fails is written as null; the run never stops for it.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from apps.analyst.catalog import FixedCatalog
from apps.analyst.errors import ReadFailed
from apps.analyst.formats import MONTH_NAMES, is_number
from apps.analyst.pipeline import answer
from apps.analyst.plan import Combine, Query, Statistic
from apps.analyst.ports import Warehouse
from apps.analyst.types import Answer, Question, Result, ResultColumn, Scalar, Table, Turn

SECONDS_PER_QUESTION = 30
_NAMED = re.compile(r"@(\w+)\s*\[")
_ALSO = re.compile(
    r"\b(and|with|along with|as well as|,)\s+(how|what|the|its|their|his|her|show|give)\b", re.IGNORECASE
)

_TWO_QUESTIONS = re.compile(r",\s*and\s+(how|what|which|who|when|where)\b", re.IGNORECASE)
"""Two questions in one sentence: their answers stand side by side, one value each."""


@dataclass(frozen=True, slots=True)
class Timed:
    """A prediction and the milliseconds it took, once the catalog was there."""

    prediction: dict[str, Any]
    milliseconds: float
    answered: bool


# ---------------------------------------------------------------- one question
def predict(item: Mapping[str, Any], catalog: FixedCatalog, warehouse: Warehouse, today: date) -> dict[str, Any]:
    """The prediction for one question of a set: `{id, answer, chart}`."""
    turns: list[Turn] = []
    asked = [str(text) for text in item.get("turns") or [item["question"]]]
    context = str(item.get("context") or "")
    answered: Answer | None = None
    for text in asked:
        question = Question(text=text, today=today, turns=tuple(turns), context=context)
        answered = answer(question, catalog=catalog, warehouse=warehouse, onward=False)
        turns.append(Turn(text, answered.plan if answered.status == "answered" else None, answered.text))
    values = values_of(answered, asked[-1], context) if answered is not None else None
    chart = chart_of(answered) if answered is not None else None
    return {"id": item["id"], "answer": values, "chart": chart}


def values_of(answered: Answer, question: str, context: str = "") -> object:
    """The answer's values: named ones as a mapping, one column as a list, all else as rows; None where declined."""
    result = answered.result
    if answered.status != "answered" or result is None or not result.rows:
        return None
    names = _NAMED.findall(context)
    if names:
        return _named(result, names)
    plan = answered.plan
    if len(result.columns) == 1:
        return [value(row[0], result.columns[0]) for row in result.rows]
    if len(result.rows) == 1 and isinstance(plan, Statistic | Combine):
        return [value(cell, column) for cell, column in zip(result.rows[0], result.columns, strict=True)]
    asked = [place for place, column in enumerate(result.columns) if column.name in answered.asked]
    if _names_one(plan, result) and (len(asked) == 1 or not _ALSO.search(question)):
        return [value(row[0], result.columns[0]) for row in result.rows]
    if len(asked) == 1:
        return [value(row[asked[0]], result.columns[asked[0]]) for row in result.rows]
    if len(result.rows) == 1 and 1 < len(asked) < len(result.columns) and _TWO_QUESTIONS.search(question):
        return [value(result.rows[0][place], result.columns[place]) for place in asked]
    return [[value(cell, column) for cell, column in zip(row, result.columns, strict=True)] for row in result.rows]


def _named(result: Result, names: Sequence[str]) -> object:
    """The values by the names the context asks for; in order where the result calls them otherwise."""
    row = result.rows[0]
    found = {column.name: value(cell, column) for cell, column in zip(row, result.columns, strict=True)}
    if len(result.rows) == 1 and all(name in found for name in names):
        return {name: found[name] for name in names}
    if len(result.rows) == 1 and len(found) == len(names):
        return dict(zip(names, found.values(), strict=True))
    flat = [value(cell, column) for row in result.rows for cell, column in zip(row, result.columns, strict=True)]
    return dict(zip(names, flat, strict=True)) if len(flat) == len(names) else flat[:50]


def _names_one(plan: object, result: Result) -> bool:
    """True where the result is the first of an order by its figure: the answer is the name, the figure its proof."""
    if not isinstance(plan, Query) or plan.limit != 1 or len(plan.groups) != 1 or len(plan.measures) != 1:
        return False
    ordered = bool(plan.order) and plan.order[0].by in (plan.measures[0].label, plan.measures[0].expr)
    return ordered and len(result.columns) == 2


def value(cell: Scalar, column: ResultColumn) -> str | int | float | bool | None:
    """A cell in the words of an answer: periods as 2017, 2017-Q1 or 2017-07, other dates in ISO form."""
    if isinstance(cell, datetime | date):
        return _moment(cell, column.grain)
    if column.grain == "month" and isinstance(cell, int) and 1 <= cell <= 12:
        return MONTH_NAMES[cell - 1]
    if cell is None or isinstance(cell, str | bool | int):
        return cell
    return float(cell) if is_number(cell) else None


def _moment(cell: date, grain: str | None) -> str | int:
    match grain:
        case "year":
            return cell.year
        case "quarter":
            return f"{cell.year}-Q{(cell.month - 1) // 3 + 1}"
        case "month":
            return f"{cell.year}-{cell.month:02d}"
    if isinstance(cell, datetime) and not (cell.hour or cell.minute or cell.second):
        return cell.date().isoformat()
    return cell.isoformat(sep=" ") if isinstance(cell, datetime) else cell.isoformat()


def chart_of(answered: Answer) -> dict[str, Any] | None:
    """The chart as an encoding with the numbers it plots."""
    if answered.chart is None:
        return None
    shown = answered.chart.encoding
    x: object = {"field": shown.x, "bin": True} if shown.x_bin else shown.x
    y: object = "count" if shown.aggregate == "count" else shown.y
    document: Any = answered.chart.document
    series = [[_height(point) for point in dataset["data"]] for dataset in document.get("datasets", [])]
    return {
        "mark": shown.mark, "x": x, "y": y, "aggregate": shown.aggregate, "color": shown.color, "facet": shown.facet,
        "y_series": series,
    }  # fmt: skip


def _height(point: object) -> object:
    return point.get("y") if isinstance(point, dict) else point


# ---------------------------------------------------------------- catalogs
def cached_catalog(folder: Path, files: Sequence[str], store: Path) -> FixedCatalog:
    """The catalog of some files, read once per state of the files and of the reading code."""
    from apps.analyst.tables import codec
    from apps.analyst.tables.joins import find_joins

    tables: list[Table] = []
    for name in files:
        path = folder / name
        place = store / _mark(path)
        kept = place / "tables.json"
        if not kept.exists():
            text = json.dumps([codec.table_to_json(table) for table in _read(path, place)])
            part = kept.with_suffix(f".{os.getpid()}")
            place.mkdir(parents=True, exist_ok=True)
            part.write_text(text, encoding="utf-8")
            part.rename(kept)
        tables += [codec.table_from_json(entry) for entry in json.loads(kept.read_text(encoding="utf-8"))]
    version = hashlib.sha256("\n".join(f"{t.name} {t.path}" for t in tables).encode()).hexdigest()[:16]
    return FixedCatalog(version, tuple(tables), tuple(find_joins(tables)))


def _read(path: Path, place: Path) -> list[Table]:
    """The tables of a file; none where it holds none, as the rest of an upload is kept."""
    from apps.analyst.tables import ingest

    try:
        return [ingested.table for ingested in ingest(path, path.name, place)]
    except ReadFailed as error:
        sys.stderr.write(f"{error.message}\n")
        return []


def _mark(path: Path) -> str:
    state = path.stat()
    text = f"{path.resolve()} {state.st_size} {state.st_mtime_ns} {_code_mark()}"
    return hashlib.sha256(text.encode()).hexdigest()[:24]


@cache
def _code_mark() -> str:
    """Changes with the code that reads files, so that no stale reading is used."""
    digest = hashlib.sha256()
    for path in sorted((Path(__file__).parent / "tables").glob("**/*")):
        if path.is_file() and path.suffix in (".py", ".yaml"):
            digest.update(path.read_bytes())
    return digest.hexdigest()


# ---------------------------------------------------------------- all questions
@dataclass(frozen=True, slots=True)
class Task:
    """The questions over one set of tables."""

    folder: Path
    store: Path
    items: tuple[Mapping[str, Any], ...]
    today: date


def run_task(task: Task) -> list[Timed]:
    """All predictions over one set of tables; whatever goes wrong makes null."""
    from apps.analyst.warehouse.duckdb_local import LocalWarehouse

    warehouse = LocalWarehouse(threads=1)
    try:
        catalog = cached_catalog(task.folder, task.items[0]["tables"], task.store)
    except Exception as error:
        _complain(task.items[0], error)
        return [Timed({"id": item["id"], "answer": None, "chart": None}, 0.0, False) for item in task.items]
    try:
        return [_timed(item, catalog, warehouse, task.today) for item in task.items]
    finally:
        warehouse.close()


def _timed(item: Mapping[str, Any], catalog: FixedCatalog, warehouse: Warehouse, today: date) -> Timed:
    begun = time.perf_counter()
    try:
        with _Alarm(SECONDS_PER_QUESTION):
            prediction = predict(item, catalog, warehouse, today)
    except Exception as error:
        _complain(item, error)
        prediction = {"id": item["id"], "answer": None, "chart": None}
    answered = prediction["answer"] is not None or prediction["chart"] is not None
    return Timed(prediction, 1000 * (time.perf_counter() - begun), answered)


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
    log: TextIO = sys.stderr,
) -> list[Timed]:
    """Answers the questions of `folder` and writes `{id, answer, chart}` lines to `out`, in the questions' order."""
    items = list(_items(folder / "questions.jsonl", source))[:limit]
    store = store or Path(tempfile.gettempdir()) / f"analyst-catalogs-{os.getuid() if hasattr(os, 'getuid') else 0}"
    store.mkdir(parents=True, exist_ok=True)
    tasks = [Task(folder, store, part, today or date.today()) for part in _by_tables(items)]  # noqa: DTZ011
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
                yield {key: item[key] for key in ("id", "tables", "question", "context", "turns") if item.get(key)}


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
