"""Ingestion, profile included: a CSV of 10^6 rows and 15 columns against bare DuckDB, and a workbook of 10^5 rows and
10 columns against openpyxl reading it (read-only mode); and the way back, such a table written as a workbook against
openpyxl writing bare values (write-only mode). CPU time beside the clock, since machines are shared.

`INGEST_ROWS` and `INGEST_SHEET_ROWS` make it smaller.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benches.data import sales_book, sales_csv

ROUNDS = 3
ROWS = int(os.environ.get("INGEST_ROWS", "1000000"))
SHEET_ROWS = int(os.environ.get("INGEST_SHEET_ROWS", "100000"))
LIMITS = {"csv": 1.3, "xlsx": 5.0, "memory": 1024}

BARE = """
import duckdb
with duckdb.connect() as connection:
    connection.execute("COPY (FROM read_csv('{source}')) TO '{target}'")
"""
SUMMARY = """
with duckdb.connect() as connection:
    connection.execute("SUMMARIZE FROM '{target}'").fetchall()
"""
OURS = """
from pathlib import Path
from apps.analyst.tables import run_in_child
run_in_child(Path('{source}'), '{name}', Path('{target}'))
"""
OPENPYXL = """
import openpyxl
book = openpyxl.load_workbook('{source}', read_only=True)
for sheet in book:
    for row in sheet.iter_rows(values_only=True):
        pass
"""
TABLE = """
from pathlib import Path
from apps.analyst.tables import run_in_child
(made,) = run_in_child(Path('{source}'), 'sales.csv', Path('{target}'))
import json
from dataclasses import asdict
columns = [dict(name=c.name, type=c.type, unit=c.unit) for c in made.table.columns]
Path('{order}').write_text(json.dumps([str(made.table.path), columns]))
"""
WRITTEN = """
import json
from pathlib import Path
from apps.analyst.tables.export_child import export_in_child
from apps.analyst.tables.exporting import ExportColumn
path, columns = json.loads(Path('{order}').read_text())
export_in_child(Path(path), [ExportColumn(**c) for c in columns], {rows}, Path('{target}'), 'xlsx')
"""
BARE_WRITTEN = """
import json
from pathlib import Path
import openpyxl, pyarrow.parquet
path, columns = json.loads(Path('{order}').read_text())
book = openpyxl.Workbook(write_only=True)
sheet = book.create_sheet()
for batch in pyarrow.parquet.ParquetFile(path).iter_batches():
    for row in zip(*(column.to_pylist() for column in batch.columns)):
        sheet.append(row)
book.save('{target}')
"""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a program took, its children's share included."""

    seconds: float
    cpu: float
    mebibytes: float


def _cost(program: str) -> Cost:
    """Runs a program in a fresh interpreter, so that imports and starts count for everybody."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    watcher = f"{program}\nimport resource\nprint(max(resource.getrusage(who).ru_maxrss for who in (0, -1)))"
    begun = time.perf_counter()
    ended = subprocess.run([sys.executable, "-c", watcher], check=True, capture_output=True, text=True)
    seconds = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Cost(seconds, cpu, int(ended.stdout.split()[-1]) / 1024)


def _median(costs: list[Cost]) -> Cost:
    return Cost(
        *(statistics.median(values) for values in zip(*((c.seconds, c.cpu, c.mebibytes) for c in costs), strict=True))
    )


def _measure(contestants: dict[str, Callable[[int], str]]) -> dict[str, Cost]:
    """Medians of rounds in which everybody runs once, one after the other."""
    costs: dict[str, list[Cost]] = {name: [] for name in contestants}
    for number in range(ROUNDS):
        for name, program in contestants.items():
            costs[name].append(_cost(program(number)))
    medians = {name: _median(each) for name, each in costs.items()}
    for name, cost in medians.items():
        print(f"   {name:38s} {cost.seconds:6.2f} s   CPU {cost.cpu:6.2f} s   peak {cost.mebibytes:5.0f} MiB")
    return medians


def run(folder: Path) -> None:
    _csv(folder)
    _xlsx(folder)
    _written(folder)


def _csv(folder: Path) -> None:
    source = sales_csv(folder / "sales.csv", ROWS, columns=15)
    source.read_bytes()  # the file is in the page cache for everyone
    print(f"   CSV: {ROWS:,} rows, 15 columns, {source.stat().st_size / 1e6:.0f} MB; medians of {ROUNDS}")
    target = folder / "bare.parquet"
    found = _measure(
        {
            "bare DuckDB, CSV to Parquet": lambda n: BARE.format(source=source, target=target),
            "the same, and SUMMARIZE": lambda n: (BARE + SUMMARY).format(source=source, target=target),
            "ours (typed, profiled, values)": lambda n: OURS.format(
                source=source, name=source.name, target=folder / f"csv-{n}"
            ),
        }
    )
    _, summary, ours = found.values()
    wall, cpu = ours.seconds / summary.seconds, ours.cpu / summary.cpu
    print(f"   ours = {wall:.2f} x by the clock, {cpu:.2f} x by CPU (goal: at most {LIMITS['csv']} x); "
          f"memory {ours.mebibytes:.0f} of {LIMITS['memory']} MiB")  # fmt: skip


def _xlsx(folder: Path) -> None:
    source = sales_book(folder / "sales.xlsx", SHEET_ROWS)
    source.read_bytes()
    print(f"   XLSX: {SHEET_ROWS:,} rows, 10 columns, {source.stat().st_size / 1e6:.1f} MB; medians of {ROUNDS}")
    found = _measure(
        {
            "openpyxl, read-only, reading alone": lambda n: OPENPYXL.format(source=source),
            "ours (typed, profiled, values)": lambda n: OURS.format(
                source=source, name=source.name, target=folder / f"xlsx-{n}"
            ),
        }
    )
    theirs, ours = found.values()
    wall, cpu = theirs.seconds / ours.seconds, theirs.cpu / ours.cpu
    print(f"   ours is {wall:.1f} x faster by the clock, {cpu:.1f} x by CPU (goal: at least {LIMITS['xlsx']:.0f} x); "
          f"memory {ours.mebibytes:.0f} of {LIMITS['memory']} MiB")  # fmt: skip


def _written(folder: Path) -> None:
    source, order = sales_csv(folder / "to-write.csv", SHEET_ROWS), folder / "order.json"
    _cost(TABLE.format(source=source, target=folder / "to-write", order=order))
    print(f"   written as XLSX: {SHEET_ROWS:,} rows, 10 columns; medians of {ROUNDS}")
    found = _measure(
        {
            "openpyxl, write-only, bare values": lambda n: BARE_WRITTEN.format(
                order=order, target=folder / "bare.xlsx"
            ),
            "ours (typed, formatted, harmless)": lambda n: WRITTEN.format(
                order=order, rows=SHEET_ROWS, target=folder / "ours.xlsx"
            ),
        }
    )
    theirs, ours = found.values()
    print(f"   ours = {ours.seconds / theirs.seconds:.2f} x by the clock, {ours.cpu / theirs.cpu:.2f} x by CPU; "
          f"memory {ours.mebibytes:.0f} MiB, {(folder / 'ours.xlsx').stat().st_size / 1e6:.1f} MB")  # fmt: skip
