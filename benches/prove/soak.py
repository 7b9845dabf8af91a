"""R12: many queries in guarded children, some of them refused or ended, and what is left of them afterwards."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import duckdb

from apps.analyst.computing.warehouse.pool import ChildWarehouse
from apps.analyst.errors import QueryFailed
from tests.analyst.warehouse.runaways import RUNAWAYS, runaway

FILES = 2
WARM = 40
ENDED_EVERY, REFUSED_EVERY = 100, 10


def measured(folder: Path, queries: int) -> dict[str, float]:
    """Runs the queries over a few files, then looks for processes, scratch files and memory."""
    scratch, data = folder / "scratch", folder / "data"
    scratch.mkdir()
    data.mkdir()
    tables = [data / f"t{number}.parquet" for number in range(FILES)]
    for path in tables:
        duckdb.sql("SELECT 'Row ' || range AS a, range AS b FROM range(2000)").write_parquet(str(path))
    usual, tempfile.tempdir = tempfile.tempdir, str(scratch)
    warehouse = ChildWarehouse(size=2)
    try:
        for number in range(WARM):
            _asked(warehouse, tables[number % FILES], number + 1)
        before = _resident_mib()
        for number in range(queries):
            _asked(warehouse, tables[number % FILES], number)
        growth = _resident_mib() - before
        pids = warehouse.process_ids()
    finally:
        warehouse.close()
        tempfile.tempdir = usual
    time.sleep(0.5)
    alive = sum(Path(f"/proc/{pid}").exists() for pid in pids)
    left = sum(path.is_file() for path in scratch.rglob("*"))
    return {"queries": queries, "processes": alive, "files": left, "growth": growth}


def _asked(warehouse: ChildWarehouse, table: Path, number: int) -> None:
    """A query in place of `number`: most are answered, some refused by the engine, a few never end by themselves."""
    if number % ENDED_EVERY == 0:
        sql, seconds = runaway(sorted(RUNAWAYS)[number // ENDED_EVERY % len(RUNAWAYS)], "T", "a"), 1.0
    elif number % REFUSED_EVERY == 0:
        sql, seconds = "SELECT * FROM read_text('/etc/passwd')", 10.0
    else:
        sql, seconds = f"SELECT count(*), sum(b) FROM T WHERE b > {number % 2000} GROUP BY a ORDER BY 2 LIMIT 5", 10.0
    with suppress(QueryFailed):
        warehouse.query(sql, (), tables={"T": table}, timeout=seconds)


def _resident_mib() -> float:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


if __name__ == "__main__":
    with tempfile.TemporaryDirectory(prefix="soak-") as place:
        print(json.dumps(measured(Path(place), int(sys.argv[1]))))
