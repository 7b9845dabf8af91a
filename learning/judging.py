"""Readings of questions and whether they were right: what the judge (`learning/judge.py`) learns from.

    python -m learning.judging OUT FOLDER [--only NAME,...] [--without NAME,...] [--wordings 2] [--foreign 40]
                               [--scorer FOLDER] [--jobs 2] [--source own]

Reads the questions of some databases (names or sources), computes the readings and scores them against the answer;
questions that cannot be answered have no right reading. The figures of each reading are kept, in one file a
database. With --wordings one wording of so many is read. With --foreign so many questions
of the other databases are asked of each instead (`foreign`). --scorer is the folder of the sets' score.py.
--source is what the source of our own questions is called (`learning/judge.py` weighs by it).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import pickle
import sys
import tempfile
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.evaluate.predictions import value
from apps.analyst.ports import Catalog
from apps.analyst.reading.agreeing import MOST_SIDES, Told, figures_key, named_alone, said
from apps.analyst.reading.features import features
from apps.analyst.reading.reader import Read, read
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.types import Question, Result
from learning.answers import OWN, answered
from learning.foreign import Home, asked_elsewhere

STORE = Path(tempfile.gettempdir()) / "learning-catalogs"


@dataclass(frozen=True)
class Job:
    """The questions over one set of tables, and the folder of the scorer."""

    name: str
    folder: Path
    tables: tuple[str, ...]
    items: tuple[dict[str, Any], ...]
    scorer: Path
    others: tuple[Home, ...] = ()
    """With `foreign`, the databases whose questions are asked."""
    foreign: int = 0

    def asked(self, catalog: Catalog) -> Sequence[dict[str, Any]]:
        """The questions that are asked of the database."""
        if not self.foreign:
            return self.items
        return asked_elsewhere(self.name, catalog, self.others, self.foreign, STORE)


def scorer(folder: Path) -> Any:
    """The scorer of the sets: a module with `score_one`."""
    place = folder / "score.py"
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


def task(job: Job, out: Path, wordings: int, source: str) -> str:
    """Writes all readings of a database's questions."""
    score = scorer(job.scorer)
    warehouse = LocalWarehouse(threads=1)
    catalog = cached_catalog(job.folder, job.tables, STORE)
    kept = []
    for item in job.asked(catalog):
        if zlib.crc32(item["id"].encode()) % wordings:
            continue
        today = date.fromisoformat(item["today"]) if item.get("today") else date(2026, 11, 22)
        try:
            question = Question(item["question"], today=today)
            made, found = read(question, catalog, warehouse, understood(question, catalog))
        except Exception as error:
            sys.stderr.write(f"{item['id']}: {type(error).__name__} {error}\n")
            continue
        keys = [figures_key(named_alone(one.computed.result)) for one in made]
        kept.append(
            {
                "id": item["id"],
                "db": job.name,
                "question": item["question"],
                "expect": item.get("expect", "answer"),
                "source": source if item.get("source") in (None, OWN) else item["source"],
                "rows": features([one.seen for one in made], found),
                "right": [_is_right(item, one, score) for one in made],
                "from": [one.reading.reader for one in made],
                "network": [one.seen.network for one in made],
                "said": [" ".join(one.reading.understood) for one in made],
                "keys": [keys.index(key) for key in keys],
            }
        )
    warehouse.close()
    name = f"{job.name.replace('/', '_')}{'-foreign' if job.foreign else ''}.pickle"
    with (out / name).open("wb") as file:
        pickle.dump(kept, file, protocol=pickle.HIGHEST_PROTOCOL)
    return f"{job.name} {len(kept)}"


def _is_right(item: dict[str, Any], one: Read, score: Any) -> bool:
    if item.get("expect") == "decline":
        return False
    result = one.computed.result
    if any(_is_scored_right(item, told, score) for told in (result, named_alone(result))):
        return True
    return item.get("source") == OWN and (_are_sides(item["answer"], result) or _is_begun(item, result, score))


def _are_sides(answer: list[Any], result: Result) -> bool:
    """Whether a result has the figures of a comparison, below each other or beside each other: our own answers have one
    of the two."""
    rows = [row if isinstance(row, list) else [row] for row in answer]
    if not 1 <= len(rows) <= MOST_SIDES or min(map(len, rows)) < 2:
        return False
    figures = rows[0] if len(rows) == 1 else [value for row in rows for value in row[1:]]
    return Told(result).sides == tuple(sorted(map(said, figures)))


def _is_begun(item: dict[str, Any], result: Result, score: Any) -> bool:
    """Whether a change that the answer leaves blank in the first period is told, or that period left out."""
    rows = item["answer"]
    if len(rows) < 3 or not isinstance(rows[0], list) or [n for n, row in enumerate(rows) if row[-1] is None] != [0]:
        return False
    kept = tuple(row for row in result.rows if row[0] is not None)
    later = dict(item, answer=rows[1:])
    return len(kept) == len(rows) and _is_scored_right(later, replace(result, rows=kept[1:]), score)


def _is_scored_right(item: dict[str, Any], result: Result, score: Any) -> bool:
    verdict = score.score_one(item, {"id": item["id"], "answer": answer_of(result)})
    return bool(verdict.get("correct") if isinstance(verdict, dict) else verdict)


def jobs_of(folder: Path, only: set[str], scored_by: Path) -> list[Job]:
    """One job a database (or set of tables); of sets with splits the open one alone."""
    if not (folder / "questions.jsonl").exists():
        own = answered(folder, only)
        return [Job(name, place, tuple(tables), tuple(items), scored_by) for name, place, tables, items in own]
    by: dict[tuple[str, ...], list[dict[str, Any]]] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        charted = item.get("turns") or item.get("match") in ("encoding", "viseval")
        meant = not only or item.get("db") in only or item.get("source") in only
        if meant and not charted and item.get("split", "open") == "open":
            by.setdefault(tuple(item["tables"]), []).append(item)
    named = {tables: items[0].get("db") or "/".join(tables[0].split("/")[:3]) for tables, items in by.items()}
    return [Job(named[tables], folder, tables, tuple(items), scored_by) for tables, items in by.items()]


def with_others(jobs: list[Job], foreign: int) -> list[Job]:
    """The jobs, with `foreign` each asked so many questions of the others."""
    if not foreign:
        return jobs
    homes = tuple(Home(job.name, job.folder, job.tables, job.items) for job in jobs)
    return [replace(job, others=homes, foreign=foreign) for job in jobs]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--wordings", type=int, default=1, help="one wording of so many")
    parser.add_argument("--foreign", type=int, default=0, help="questions of the others to ask of each database")
    parser.add_argument("--scorer", type=Path, default=Path("../shared/evals"))
    parser.add_argument("--source", default=OWN, help="the source of questions of ours")
    parser.add_argument("--jobs", type=int, default=1)
    o = parser.parse_args()
    left = set(o.without.split(","))
    found = jobs_of(o.folder, set(filter(None, o.only.split(","))), o.scorer)
    jobs = with_others([job for job in found if job.name not in left], o.foreign)
    o.out.mkdir(parents=True, exist_ok=True)
    STORE.mkdir(exist_ok=True)
    collected = partial(task, out=o.out, wordings=o.wordings, source=o.source)
    with multiprocessing.get_context("spawn").Pool(o.jobs) as pool:
        for n, done in enumerate(pool.imap_unordered(collected, jobs), 1):
            sys.stderr.write(f"{n} of {len(jobs)}: {done}\n")


if __name__ == "__main__":
    main()
