"""Readings with their figures and whether they were right: what the judge learns from.

    python -m learning.judging collect OUT FOLDER [--only NAME,...] [--jobs 2]
    python -m learning.judging fit OUT.npz FILE...

`collect` reads every question of some databases, computes the readings and scores them against the answer;
questions that cannot be answered have no right reading. `fit` trains boosted trees over databases and reports what
cross-validation by database gives.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import sys
from datetime import date
from pathlib import Path
from typing import Any

from apps.analyst.compute import compute
from apps.analyst.errors import AnalystError
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.evaluate.predictions import value
from apps.analyst.plan import Clarify
from apps.analyst.reading.candidates import proposed
from apps.analyst.reading.features import Computed, features
from apps.analyst.types import Question, Result
from apps.analyst.understanding import understood
from apps.analyst.warehouse.duckdb_local import LocalWarehouse

STORE = Path("/tmp/cats")
MOST_NETWORK, MOST_RULES = 6, 1


def scorer(folder: Path) -> Any:
    """`score_one` of the sets' own scorer."""
    place = next(
        p
        for p in (folder / "score.py", folder.parent / "score.py", folder.parent / "evals" / "score.py")
        if p.exists() and "def score_one" in p.read_text()
    )
    spec = importlib.util.spec_from_file_location("score_base", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def answer_of(result: Result) -> list[Any]:
    """A result as the scorer's rows; a list where it has one column."""
    rows = [[value(cell, column) for cell, column in zip(row, result.columns, strict=True)] for row in result.rows]
    return [row[0] for row in rows] if len(result.columns) == 1 else rows


def readings(question: Question, catalog: Any, warehouse: Any) -> tuple[list[Computed], Any]:
    """The question's readings that can be computed: the network's likeliest, and the rules' best."""
    made: list[Computed] = []
    found = proposed(question, catalog)
    for rank, candidate in enumerate(found.candidates):
        if sum(m.network is not None for m in made) >= MOST_NETWORK:
            break
        try:
            made.append(
                Computed(
                    candidate.plan,
                    compute(candidate.plan, catalog, warehouse).result,
                    candidate.score,
                    rank,
                    candidate.sketch,
                )
            )
        except AnalystError:
            continue
    for reading in understood(question, catalog)[:MOST_RULES]:
        if isinstance(reading.plan, Clarify):
            continue
        try:
            made.append(
                Computed(
                    reading.plan,
                    compute(reading.plan, catalog, warehouse).result,
                    rules=reading.score,
                    reader=reading.reader,
                )
            )
        except AnalystError:
            continue
    return made, found


def task(job: tuple[str, str, list[str], list[dict[str, Any]], str]) -> list[dict[str, Any]]:
    """All readings of a database's questions."""
    name, where, tables, items, folder = job
    score = scorer(Path(folder))
    warehouse = LocalWarehouse(threads=1)
    catalog = cached_catalog(Path(where), tables, STORE)
    out = []
    for item in items:
        today = date.fromisoformat(item["today"]) if item.get("today") else date(2026, 11, 22)
        try:
            made, found = readings(Question(item["question"], today=today), catalog, warehouse)
        except Exception as error:
            sys.stderr.write(f"{item['id']}: {type(error).__name__} {error}\n")
            continue
        rows = features(made, found)
        right = []
        for reading in made:
            if item.get("expect") == "decline":
                right.append(False)
                continue
            verdict = score.score_one(item, {"id": item["id"], "answer": answer_of(reading.result)})
            right.append(bool(verdict.get("correct") if isinstance(verdict, dict) else verdict))
        out.append(
            {
                "id": item["id"],
                "db": name,
                "question": item["question"],
                "expect": item.get("expect", "answer"),
                "source": item.get("source", "own"),
                "rows": rows,
                "right": right,
                "from": ["network" if r.network is not None else "rules" for r in made],
            }
        )
    warehouse.close()
    return out


def jobs_of(folder: Path, only: set[str], limit: int) -> list[tuple[str, str, list[str], list[dict[str, Any]], str]]:
    """One job a database (or set of tables)."""
    found = []
    if (folder / "questions.jsonl").exists():
        by: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            if item.get("turns") or item.get("match") in ("encoding", "viseval"):
                continue
            if item.get("split", "open") == "open" and (
                not only or item.get("db") in only or item.get("source") in only
            ):
                by.setdefault(tuple(item["tables"]), []).append(item)
        for tables, items in by.items():
            found.append(
                (
                    items[0].get("db") or "/".join(tables[0].split("/")[:3]),
                    str(folder),
                    list(tables),
                    items,
                    str(folder),
                )
            )
    else:
        from learning.answers import answered

        for name, place, tables, items in answered(folder, only):
            found.append(
                (
                    name,
                    str(place),
                    tables,
                    items,
                    "/work/shared/evals" if Path("/work/shared/evals").exists() else "../shared/evals",
                )
            )
    if limit:
        import random

        random.Random(1).shuffle(found)
        kept, count = [], 0
        for job in found:
            if count >= limit:
                break
            kept.append(job)
            count += len(job[3])
        return kept
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=int, default=0)
    o = parser.parse_args()
    jobs = jobs_of(o.folder, set(filter(None, o.only.split(","))), o.limit)
    with o.out.open("w") as file, multiprocessing.get_context("spawn").Pool(o.jobs) as pool:
        for n, done in enumerate(pool.imap_unordered(task, jobs)):
            for row in done:
                file.write(json.dumps(row) + "\n")
            file.flush()
            if n % 10 == 0:
                sys.stderr.write(f"{n + 1} of {len(jobs)}\n")


if __name__ == "__main__":
    main()
