"""A question from POST to the pushed answer, against the bare query on the same Parquet, at 10^5 and 10^6 rows."""

from __future__ import annotations

import json
import statistics
import time
from pathlib import Path

import duckdb
from websockets.sync.client import connect

from benches.data import sales_csv
from benches.web import Line
from tests.live import Product

ROUNDS = 30
QUESTION = "total amount by region"
QUERY = "SELECT region, sum(amount) FROM '{file}' GROUP BY region ORDER BY 2 DESC"


def run(folder: Path) -> None:
    product = Product(folder / "data")
    product.start()
    try:
        for rows in (100_000, 1_000_000):
            _measure(product, folder, rows)
    finally:
        product.stop()


def _measure(product: Product, folder: Path, rows: int) -> None:
    name = f"sales_{rows}.csv"
    token = product.sign_in()
    product.upload(token, sales_csv(folder / name, rows))
    source = product.wait_ready(token, name)
    if source["state"] != "ready":
        raise RuntimeError(f"{name} could not be ingested: {source['error']}")
    largest = max(product.data_dir.rglob("*.parquet"), key=lambda file: file.stat().st_size)
    ticket = product.call("POST", "/api/v3/socket-ticket", {}, token=token)["ticket"]
    line = Line(product, token)
    asked, bare = [], []
    address = f"ws://127.0.0.1:{product.port}/ws/live?ticket={ticket}"
    with connect(address, origin=product.url) as socket, duckdb.connect() as connection:  # type: ignore[arg-type]
        for round_ in range(ROUNDS + 3):
            taken = ask_pushed(line, socket, name)
            begun = time.perf_counter()
            connection.execute(QUERY.format(file=largest)).fetchall()
            if round_ >= 3:  # the first ones fill caches on both sides
                asked.append(taken)
                bare.append((time.perf_counter() - begun) * 1000)
            time.sleep(0.05)
    above = statistics.median(asked) - statistics.median(bare)
    print(
        f"   {rows:>9,} rows: POST to pushed answer {statistics.median(asked):6.1f} ms "
        f"(p95 {statistics.quantiles(asked, n=20)[-1]:.1f}), bare query {statistics.median(bare):5.1f} ms, "
        f"ratio {statistics.median(asked) / statistics.median(bare):.2f}, above it {above:.1f} ms (aim: at most 40 ms)"
    )


def ask_pushed(line: Line, socket: object, name: str) -> float:
    """Milliseconds from sending the question to the pushed snapshot that carries its answer."""
    begun = time.perf_counter()
    _, sent = line.time(
        "POST",
        "/api/v3/ask",
        {
            "prompt": QUESTION,
            "thread_id": None,
            "models": None,
            "temperature": 1,
            "parent_message_id": None,
            "user_specified_files": [name],
        },
    )
    while True:
        event = json.loads(socket.recv(timeout=30))  # type: ignore[attr-defined]
        run_ = event.get("run", {})
        if event["type"] == "run" and run_["run_id"] == sent["run_id"] and run_["status"] in ("completed", "failed"):
            if run_["status"] == "failed":
                raise RuntimeError(f"the question failed: {run_['error']}")
            return (time.perf_counter() - begun) * 1000
