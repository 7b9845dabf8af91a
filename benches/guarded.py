"""A model's query through the gate and a warm child, against the same query in this process; and a model's overhead.

The last lines are a question answered through a model of 0 and 200 ms on a local port, its words streamed and checked,
against a bare script that makes the same two calls and the same query: what the product adds beside the model's time.
GUARDED_ROWS and GUARDED_ROUNDS make it smaller.
"""

from __future__ import annotations

import json
import os
import statistics
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from openai import OpenAI

from apps.analyst.approaches.models.answering import Models
from apps.analyst.approaches.models.fake import FakeProviders
from apps.analyst.approaches.models.fake_words import asks_for_words
from apps.analyst.approaches.models.layer import talk
from apps.analyst.approaches.models.specs import ModelSpec
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.computing.warehouse.gate import check
from apps.analyst.computing.warehouse.pool import ChildWarehouse
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question
from benches.data import sales_csv

ROWS = int(os.environ.get("GUARDED_ROWS", "1000000"))
ROUNDS = int(os.environ.get("GUARDED_ROUNDS", "30"))
SQL = "SELECT region, sum(amount) AS total FROM sales GROUP BY region ORDER BY total DESC"
PLAN = {
    "kind": "query",
    "source": "sales",
    "groups": [{"label": "region", "expr": {"kind": "column", "table": "sales", "column": "region"}}],
    "measures": [{"label": "total", "expr": {"kind": "aggregate", "fn": "sum",
                  "of": {"kind": "column", "table": "sales", "column": "amount"}}}],
}  # fmt: skip


def run(folder: Path, rows: int = ROWS, rounds: int = ROUNDS) -> None:
    catalog = catalog_from_files([sales_csv(folder / "sales.csv", rows)], folder / "tables")
    paths = {table.name: table.path for table in catalog.tables()}
    local, children = LocalWarehouse(), ChildWarehouse()
    try:

        def guarded() -> None:
            check(SQL, list(paths))
            children.query(SQL, (), tables=paths)

        bare = _median(lambda: local.query(SQL, (), tables=paths), rounds)
        warm = _median(guarded, rounds)
        print(f"  in process {bare:7.1f} ms, guarded and warm {warm:7.1f} ms: {warm - bare:+.1f} ms, goal at most +30")
        for milliseconds in (0, 200):
            _model(catalog, local, milliseconds / 1000, rounds if not milliseconds else max(5, rounds // 5))
    finally:
        local.close()
        children.close()


def _model(catalog: FixedCatalog, local: LocalWarehouse, latency: float, rounds: int) -> None:
    """A question through a model on a local port, its words streamed, and the same calls and query by hand."""
    plan, paths = json.dumps(PLAN), {table.name: table.path for table in catalog.tables()}
    question = Question("What is the total amount by region?", today=date(2025, 12, 1))

    def say(texts: list[str]) -> str:
        return "The table shows it." if asks_for_words(texts) else plan

    with FakeProviders(say=say, latency=latency) as fake:
        spec = ModelSpec("m", "M", "openai", "m", "k", f"{fake.address}/v1")

        def product() -> None:
            nothing = Answer("declined", "")
            given = Models([spec], talk).answer(
                question, catalog=catalog, warehouse=local, emit=lambda step: None, builtin=lambda: nothing
            )
            assert given.approach == "m", given.assumptions

        client = OpenAI(api_key="k", base_url=f"{fake.address}/v1", max_retries=0)

        def script() -> None:
            asked: list[Any] = [{"role": "user", "content": "The question and its table."}]
            client.chat.completions.create(model="m", messages=asked)
            local.query(SQL, (), tables=paths)
            asked = [{"role": "user", "content": "Its template text: none"}]
            for _ in client.chat.completions.create(model="m", messages=asked, stream=True):
                pass

        one, other = _median(product, rounds), _median(script, rounds)
    print(
        f"  model of {latency * 1000:3.0f} ms a call, two calls: {one:7.1f} ms to the whole streamed answer, "
        f"bare script {other:7.1f} ms: {one / other:.2f} times, {one - other:+.1f} ms"
    )


def _median(work: Callable[[], object], rounds: int) -> float:
    work()
    taken = []
    for _ in range(rounds):
        begun = time.perf_counter()
        work()
        taken.append((time.perf_counter() - begun) * 1000)
    return statistics.median(taken)
