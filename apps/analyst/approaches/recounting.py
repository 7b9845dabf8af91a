"""Computing a plan a second way, in a child process that can be killed: over data frames, or by hand on one sheet.

Both ways hold all rows they need in Python, so neither the memory nor the interpreter of the process that serves people
may be theirs. `recount_here` does the same in this process, for the shell and tests.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from apps.analyst.computing.metrics.used import count_of_rows
from apps.analyst.computing.priority import step_behind
from apps.analyst.errors import AnalystError, PlanRejected, QueryFailed
from apps.analyst.plan import Plan, Query, Statistic
from apps.analyst.plan.parting import Parting
from apps.analyst.plan.sentence import queries_of
from apps.analyst.ports import Catalog
from apps.analyst.tables.catalog import FixedCatalog
from apps.analyst.tables.codec import scalar_from_json, scalar_to_json, table_from_json, table_to_json
from apps.analyst.tables.scoped import narrowed
from apps.analyst.telling.evidence import tables_of
from apps.analyst.types import Result, ResultColumn, Table

Way = Literal["frames", "sheet"]
_MEMORY = re.compile(r"\b(?:bad_alloc|ArrowMemoryError|ArrayMemoryError|[Cc]annot allocate memory)\b")
_ROOT = Path(__file__).resolve().parents[3]
_plans: TypeAdapter[Plan] = TypeAdapter(Plan)
MOST_ROWS = 3_000_000
"""Stored rows that a recount may load at all."""
MEMORY_MB = 4096
MOST_SECONDS = 35.0
"""Under the lease of a run, so that a way that takes long does not lose it."""


@dataclass(frozen=True, slots=True)
class Recounted:
    """A result, and where its way of computing went its own way."""

    result: Result
    partings: tuple[Parting, ...] = ()
    row_count: int = 0
    """Source rows that the figures stand on, after filters."""


Recount = Callable[[Way, Plan, Catalog], Recounted]
"""Computes a settled plan in a way. Raises PlanRejected for what that way cannot do, QueryFailed when it fails."""


def recount_here(way: Way, plan: Plan, catalog: Catalog) -> Recounted:
    """In this process."""
    catalog = narrowed(catalog, None, tables=tables_of(plan))
    return _over_frames(plan, catalog) if way == "frames" else _by_hand(plan, catalog)


def _over_frames(plan: Plan, catalog: Catalog) -> Recounted:
    # Imported here: pandas takes its time.
    from apps.analyst.computing.executor import execute, load
    from apps.analyst.computing.frames import frame_of
    from apps.analyst.computing.statistics import registry

    frames = load(catalog)
    if isinstance(plan, Statistic):
        rows = execute(plan.query, catalog, frames)
        found = registry.run(plan.name, frame_of(rows), plan.options)
        return Recounted(found.result(), row_count=found.rows_used)
    counts = [execute(count, catalog, frames) for count in _counts(plan, catalog)]
    return Recounted(execute(plan, catalog, frames), row_count=_sum(counts))


def _by_hand(plan: Plan, catalog: Catalog) -> Recounted:
    from apps.analyst.approaches.sheet import recount

    tables = {table.name: _stored_rows(table) for table in catalog.tables()}
    result, partings = recount(plan, catalog, tables)
    counts = [recount(count, catalog, tables)[0] for count in _counts(plan, catalog)]
    return Recounted(result, partings, _sum(counts))


def _counts(plan: Plan, catalog: Catalog) -> list[Query]:
    """Queries that count the source rows of a plan's scans."""
    counts: list[Query] = []
    for query in queries_of(plan):
        while isinstance(query.source, Query):
            query = query.source
        counts.append(count_of_rows(query, catalog))
    return counts


def _sum(counts: list[Result]) -> int:
    return sum(int(str(count.rows[0][0] or 0)) for count in counts)


def _stored_rows(table: Table) -> list[dict[str, Any]]:
    import pyarrow.parquet as parquet

    rows: list[dict[str, Any]] = parquet.read_table(table.path, columns=[c.name for c in table.columns]).to_pylist()
    return rows


def recount_in_child(way: Way, plan: Plan, catalog: Catalog, seconds: float = MOST_SECONDS) -> Recounted:
    """In a child process with the run's files, without network, ended after `seconds`."""
    catalog = narrowed(catalog, None, tables=tables_of(plan))
    if sum(table.rows for table in catalog.tables()) > MOST_ROWS:
        raise PlanRejected(f"More than {MOST_ROWS:,} rows are too many for this way.")
    order = {
        "way": way,
        "plan": _plans.dump_python(plan, mode="json"),
        "tables": [table_to_json(table) for table in catalog.tables()],
        "memory_mb": MEMORY_MB,
    }
    process = subprocess.Popen(
        [sys.executable, "-E", "-s", "-m", "apps.analyst.approaches.recount_child"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={},
        cwd=_ROOT,
        start_new_session=True,
    )
    step_behind(process.pid)
    try:
        said, complaint = process.communicate(json.dumps(order).encode(), timeout=seconds)
    except subprocess.TimeoutExpired as error:
        raise QueryFailed(f"This way took longer than {seconds:g} seconds and was ended.") from error
    finally:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    try:
        answer = json.loads(said)
    except ValueError as error:
        raise QueryFailed(why_it_ended(process.returncode, complaint.decode(errors="replace"))) from error
    return answer_from_json(answer)


def why_it_ended(code: int, complaint: str) -> str:
    """Why a child gave no answer, from how it ended and what it said last; the complaint itself is not for people."""
    last = next((line for line in reversed(complaint.splitlines()) if line.strip()), "")
    if _MEMORY.search(complaint) or last.startswith("MemoryError"):
        return "This way needed more memory than it may use and was ended."
    if code == -signal.SIGKILL:
        return "This way was ended by the system, most likely because the machine ran out of memory."
    if code < 0:
        return f"This way broke down ({signal.Signals(-code).name})."
    named = re.match(r"(?:\w+\.)*(\w+(?:Error|Exception|Exit|Interrupt))\b", last)
    return f"This way broke down ({named[1]})." if named else "This way ended without an answer."


# ---------------------------------------------------------------- the child's side of the wire
def carry_out(order: Mapping[str, Any]) -> dict[str, Any]:
    """One order of `recount_in_child` as its answer, JSON-ready."""
    tables = tuple(table_from_json(table) for table in order["tables"])
    try:
        found = recount_here(order["way"], _plans.validate_python(order["plan"]), FixedCatalog("child", tables))
    except AnalystError as error:
        return {"refused": error.message}
    except MemoryError:
        return {"refused": "This way needed more memory than it may use."}
    return {
        "columns": [[c.name, c.type, c.kind, c.unit, c.grain] for c in found.result.columns],
        "rows": [[scalar_to_json(cell) for cell in row] for row in found.result.rows],
        "total": found.result.total_rows,
        "partings": [[parting.step, parting.text] for parting in found.partings],
        "row_count": found.row_count,
    }


def answer_from_json(data: Mapping[str, Any]) -> Recounted:
    """The answer of `carry_out`. Raises PlanRejected where the way refused."""
    if "refused" in data:
        raise PlanRejected(str(data["refused"]))
    columns = tuple(ResultColumn(*column) for column in data["columns"])
    rows = tuple(tuple(scalar_from_json(cell) for cell in row) for row in data["rows"])
    partings = tuple(Parting(step, text) for step, text in data["partings"])
    return Recounted(Result(columns, rows, data["total"]), partings, data["row_count"])
