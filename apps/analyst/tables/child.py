"""The ingestion child: reads one file that nobody has vouched for, and can reach only it and its output folder.

Run as `python -m apps.analyst.tables.child` by `tables.supervision`, which kills it when it takes too much. The order
arrives as one line of JSON; progress, and at last the tables or the reason why not, leave as lines of JSON.
"""

from __future__ import annotations

import contextlib
import json
import mimetypes
import os
import resource
import sys
import threading
from pathlib import Path
from typing import Any, TextIO

_CODE_TREES = (
    "/usr/lib",
    "/usr/lib64",
    "/usr/local/lib",
    "/lib",
    "/lib64",
    "/usr/share/zoneinfo",
    "/proc",
    "/sys/fs/cgroup",
    "/sys/devices/system",
)
_LARGE = 384 << 10
"""Files of so many bytes are typed by DuckDB, or so large a workbook may be; smaller ones in plain Python."""


class WithoutPandas:
    """Keeps pyarrow from importing pandas, which it never needs here and which takes longer than most files."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


def _import_writers(size: int) -> None:
    """Imports what writes tables while the file is still being read; readers let other threads run."""
    import pyarrow.parquet  # noqa: F401

    if size >= _LARGE:
        import duckdb  # noqa: F401


def _confine(order: dict[str, Any]) -> None:
    """Takes from this process all files but the order's own and Python's, and sets its hard limits."""
    from apps.analyst.computing.warehouse import landlock

    package = Path(__file__).resolve().parents[2]
    landlock.restrict(
        readable=[order["path"], os.devnull, "/dev/urandom", "/etc/localtime"],
        readable_trees=[*_CODE_TREES, sys.prefix, sys.base_prefix, str(package)],
        writable_tree=order["out_dir"],
    )
    limits = order["limits"]
    for name, wanted in (
        (resource.RLIMIT_AS, limits["address_space"]),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_CPU, limits["cpu_seconds"]),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(name, (wanted, wanted))


def _say(output: TextIO, **message: object) -> None:
    output.write(json.dumps(message) + "\n")
    output.flush()


def main() -> None:
    """Carries out one order."""
    output = os.fdopen(os.dup(1), "w", encoding="utf-8")
    order = json.loads(sys.stdin.readline())
    os.dup2(2, 1)
    _confine(order)
    mimetypes.knownfiles.clear()  # openpyxl asks for them; they are out of reach
    sys.meta_path.insert(0, WithoutPandas())
    size = os.path.getsize(order["path"])
    threading.Thread(target=_import_writers, args=[size], daemon=True).start()
    from apps.analyst.errors import NO_ROOM_CODES, ReadFailed
    from apps.analyst.tables.codec import ingested_to_json
    from apps.analyst.tables.ingestion import ingest
    from apps.analyst.tables.results import IngestProgress

    def report(progress: IngestProgress) -> None:
        _say(output, kind="progress", step=progress.step, rows=progress.rows, table=progress.table)

    try:
        tables = ingest(
            Path(order["path"]), order["name"], Path(order["out_dir"]), report, max_columns=order["limits"]["columns"]
        )
        _say(output, kind="tables", tables=[ingested_to_json(table) for table in tables])
    except ReadFailed as error:
        _say(output, kind="failed", message=error.message)
    except MemoryError:
        _say(output, kind="memory")
    except OSError as error:
        if error.errno not in NO_ROOM_CODES:
            raise
        _say(output, kind="room", code=error.errno)


if __name__ == "__main__":
    main()
