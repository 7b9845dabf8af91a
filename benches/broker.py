"""A question from POST to the pushed answer with web and worker apart, on PostgreSQL and Redis, after idle time."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import duckdb
from websockets.sync.client import connect

from benches.data import sales_csv
from benches.questions import QUERY, ask_pushed
from benches.web import Line
from tests.services.deployment import Deployment
from tests.services.servers import postgres_server, redis_server

ROWS = 100_000
ROUNDS = 12
IDLE_SECONDS = 4.0
"""Longer than any pause that an idle consumer makes."""


def run(folder: Path) -> None:
    with postgres_server(folder / "postgres") as postgres, redis_server(folder / "redis") as redis:
        product = Deployment(folder / "data", environment={"DATABASE_URL": postgres, "REDIS_URL": redis})
        product.start()
        try:
            _measure(product, folder)
        finally:
            product.stop()


def _measure(product: Deployment, folder: Path) -> None:
    name = f"sales_{ROWS}.csv"
    token = product.sign_in()
    product.upload(token, sales_csv(folder / name, ROWS))
    product.wait_ready(token, name)
    largest = max(product.data_dir.rglob("*.parquet"), key=lambda file: file.stat().st_size)
    ticket = product.call("POST", "/api/v3/socket-ticket", {}, token=token)["ticket"]
    line = Line(product, token)
    asked, bare = [], []
    address = f"ws://127.0.0.1:{product.port}/ws/live?ticket={ticket}"
    with connect(address, origin=product.url) as socket, duckdb.connect() as connection:  # type: ignore[arg-type]
        for round_ in range(ROUNDS + 2):
            time.sleep(IDLE_SECONDS)
            taken = ask_pushed(line, socket, name)
            begun = time.perf_counter()
            connection.execute(QUERY.format(file=largest)).fetchall()
            if round_ >= 2:
                asked.append(taken)
                bare.append((time.perf_counter() - begun) * 1000)
    above = statistics.median(asked) - statistics.median(bare)
    print(
        f"   {ROWS:,} rows, {IDLE_SECONDS:g} s idle before each: "
        f"POST to pushed answer {statistics.median(asked):.1f} ms, "
        f"bare query {statistics.median(bare):.1f} ms, above it {above:.1f} ms (aim: at most 60 ms)"
    )
