"""How much of the gold SQL of question sets is lifted into plans, and how many of these plans give the gold answer.

`python -m apps.analyst.evaluate.gold_sql ../shared/evals/office ../shared/train --every 5 --reasons`. Only questions of
the open split are read where a set has splits.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import multiprocessing
import os
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from apps.analyst.errors import AnalystError
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.evaluate.predictions import value
from apps.analyst.ports import Warehouse
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.types import Result

SOURCES = ("office", "spider", "defog", "pgexercises", "acme", "bikesales")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one query: "right", "wrong", "failed" or "not lifted", with the reason; or "other data", where the
    query itself, run over the tables as they are read here, gives what its plan gives and not the set's answer."""

    source: str
    id: str
    sql: str
    state: str
    reason: str = ""
    frames: str = ""
    """What the executor over frames says of a lifted plan: "same", "other", or why it does not compute it."""


def questions(folder: Path, every: int = 1) -> list[dict[str, Any]]:
    """The questions with one query each, every so many-th of them by its first occurrence."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
        item = json.loads(line)
        if item.get("split", "open") != "open" or item["source"] not in SOURCES or not item.get("sql"):
            continue
        if item.get("expect", "answer") == "answer" and item["answer"]:
            found.setdefault((item["source"], item["sql"]), item)
    return list(found.values())[::every]


def outcome(
    item: Mapping[str, Any], catalog: FixedCatalog, warehouse: Warehouse, score: Any, frames: bool = False
) -> Outcome:
    """One query, lifted and computed."""
    from apps.analyst.computing.compute import compute
    from apps.analyst.plan.lift import NotLifted, lift

    def made(state: str, reason: str = "", other: str = "") -> Outcome:
        return Outcome(item["source"], item["id"], item["sql"], state, reason[:200], other)

    today = date.fromisoformat(item["today"]) if item.get("today") else None
    try:
        plan = lift(item["sql"], catalog, today)
    except NotLifted as error:
        return made("not lifted", error.reason)
    except Exception as error:
        return made("not lifted", f"BUG {type(error).__name__}: {error}")
    try:
        computed = compute(plan, catalog, warehouse)
    except AnalystError as error:
        return made("failed", error.message)
    right = score.score_one(item, {"id": item["id"], "answer": rows(computed.result)})["correct"]
    other = _over_frames(computed.plan, catalog, computed.result) if frames else ""
    if right:
        return made("right", other=other)
    alike = _as_it_stands(item["sql"], catalog, warehouse, computed.result)
    return made("other data" if alike else "wrong", str(rows(computed.result)), other)


def _as_it_stands(sql: str, catalog: FixedCatalog, warehouse: Warehouse, result: Result) -> bool:
    """Whether the query, run without being lifted, comes to this result."""
    import sqlglot
    from sqlglot import exp

    from apps.analyst.approaches.consensus import same

    paths = {table.name: table.path for table in catalog.tables()}
    try:
        parsed = sqlglot.parse_one(sql, read="duckdb")
        for table in parsed.find_all(exp.Table):
            table.set("db", None)  # files have no schemas
        own = warehouse.query(parsed.sql("duckdb"), (), tables=paths, max_rows=100_000, timeout=30)
    except (AnalystError, sqlglot.ParseError):
        return False
    return same(own, result)


def _over_frames(plan: Any, catalog: FixedCatalog, result: Result) -> str:
    from apps.analyst.approaches.consensus import same
    from apps.analyst.computing.executor import execute, load

    try:
        other = execute(plan, catalog, load(catalog))
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:120]}"
    return "same" if same(result, other) else "other"


def rows(result: Result) -> list[Any]:
    """The rows as a prediction: a list of values where there is one column."""
    made = [[value(cell, column) for cell, column in zip(row, result.columns, strict=True)] for row in result.rows]
    return [row[0] for row in made] if len(result.columns) == 1 else made


def run(task: tuple[Path, Path, Sequence[Mapping[str, Any]], bool]) -> list[Outcome]:
    """All queries over one set of tables."""
    from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse

    folder, store, items, frames = task
    score = _scorer(folder)
    try:
        catalog = cached_catalog(folder, items[0]["tables"], store)
    except Exception as error:
        return [Outcome(i["source"], i["id"], i["sql"], "failed", f"no catalog: {error}") for i in items]
    warehouse = LocalWarehouse(threads=1)
    return [outcome(item, catalog, warehouse, score, frames) for item in items]


def _scorer(folder: Path) -> Any:
    """The scorer that the sets share."""
    path = next(p for p in (folder.parent / "score.py", folder.parent / "evals" / "score.py") if p.exists())
    spec = importlib.util.spec_from_file_location("score", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def outcomes(folders: Iterable[Path], every: int, jobs: int, frames: bool, only: str) -> Iterator[Outcome]:
    """All outcomes, those over one set of tables together."""
    store = Path(tempfile.gettempdir()) / f"analyst-catalogs-{os.getuid()}"
    store.mkdir(parents=True, exist_ok=True)
    tasks = []
    for folder in folders:
        by_tables: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for item in questions(folder, every):
            if not only or item["source"] == only:
                by_tables[" ".join(item["tables"])].append(item)
        tasks += [(folder, store, items, frames) for items in by_tables.values()]
    with multiprocessing.Pool(jobs) as pool:
        for found in pool.imap_unordered(run, tasks):
            yield from found


def report(found: Sequence[Outcome], reasons: bool) -> None:
    """Counts by source, and the reasons by how often they occur."""
    for source in (*SOURCES, ""):
        mine = [o for o in found if not source or o.source == source]
        if mine:
            count = Counter(o.state for o in mine)
            lifted = len(mine) - count["not lifted"]
            shares = f"lifted {100 * lifted / len(mine):.1f} %, right {100 * count['right'] / len(mine):.1f} %"
            print(f"{source or 'all':12}{len(mine):>6}  {shares}  {dict(count)}")  # noqa: T201
    if any(o.frames for o in found):
        print("over frames:", Counter(o.frames for o in found if o.frames).most_common(12))  # noqa: T201
    if reasons:
        grouped: dict[str, list[Outcome]] = defaultdict(list)
        for o in found:
            if o.state != "right":
                grouped[o.state if o.state in ("wrong", "other data") else f"{o.state}: {o.reason[:90]}"].append(o)
        for reason, mine in sorted(grouped.items(), key=lambda pair: -len(pair[1])):
            print(f"{len(mine):>5}  {reason}  | {mine[0].id} {' '.join(mine[0].sql.split())[:160]}")  # noqa: T201


def main(arguments: Sequence[str]) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="gold_sql", description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--frames", action="store_true", help="hold the executor over frames against it")
    parser.add_argument("--reasons", action="store_true")
    parser.add_argument("--out", type=Path, help="a file for the outcomes, one a line")
    chosen = parser.parse_args(arguments)
    found = list(outcomes(chosen.folders, chosen.every, chosen.jobs, chosen.frames, chosen.only))
    report(found, chosen.reasons)
    if chosen.out is not None:
        lines = [json.dumps({name: getattr(o, name) for name in Outcome.__slots__}) for o in found]
        chosen.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
