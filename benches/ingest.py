"""Ingestion of a CSV of 10^6 rows and 15 columns, profile included, against bare DuckDB on the same file."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

import duckdb

from apps.analyst.tables import run_in_child
from benches.data import sales_csv

ROUNDS = 3


def _timed(work: object) -> float:
    begun = time.perf_counter()
    work()  # type: ignore[operator]
    return time.perf_counter() - begun


def run(folder: Path) -> None:
    source = sales_csv(folder / "sales.csv", 1_000_000, columns=15)

    def bare() -> None:
        with duckdb.connect() as connection:
            connection.execute(f"COPY (FROM read_csv('{source}')) TO '{folder / 'bare.parquet'}'")

    def bare_and_summary() -> None:
        bare()
        with duckdb.connect() as connection:
            connection.execute(f"SUMMARIZE FROM '{folder / 'bare.parquet'}'").fetchall()

    def ours() -> None:
        out = folder / f"out-{time.monotonic_ns()}"
        out.mkdir()
        run_in_child(source, source.name, out, lambda progress: None)

    bare()  # the file is in the page cache for everyone
    figures: dict[str, list[float]] = {"bare": [], "summary": [], "ours": []}
    for _ in range(ROUNDS):
        figures["bare"].append(_timed(bare))
        figures["summary"].append(_timed(bare_and_summary))
        figures["ours"].append(_timed(ours))
    medians = {name: statistics.median(values) for name, values in figures.items()}
    print(f"   file: {source.stat().st_size / 1e6:.0f} MB; medians of {ROUNDS}")
    print(f"   bare DuckDB CSV to Parquet: {medians['bare']:.2f} s; followed by SUMMARIZE: {medians['summary']:.2f} s")
    print(
        f"   ours (child process, types, profile, values): {medians['ours']:.2f} s = "
        f"{medians['ours'] / medians['bare']:.2f} x bare, {medians['ours'] / medians['summary']:.2f} x with SUMMARIZE"
    )
