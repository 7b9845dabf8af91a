"""Exports in a process of their own: writing a large table must not hold up the process that serves everybody.

`export_in_child` waits for `python -m apps.analyst.tables.export_child`, which reads one order as JSON and writes the
file, or says why not.
"""

from __future__ import annotations

import contextlib
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from apps.analyst.errors import ExportFailed
from apps.analyst.tables.exporting import ExportColumn, ExportFormat, export_table

_ROOT = Path(__file__).resolve().parents[3]
SECONDS = 120.0
_ADDRESS_SPACE = 4 << 30


def export_in_child(
    path: Path,
    columns: Sequence[ExportColumn],
    rows: int,
    target: Path,
    kind: ExportFormat,
    *,
    seconds: float = SECONDS,
) -> None:
    """`export_table` in a child process. Raises ExportFailed where it cannot be written, or takes too long."""
    order = {
        "path": str(path.resolve()),
        "columns": [asdict(column) for column in columns],
        "rows": rows,
        "target": str(target.resolve()),
        "kind": kind,
    }
    try:
        ended = subprocess.run(
            [sys.executable, "-E", "-s", "-m", "apps.analyst.tables.export_child"],
            input=json.dumps(order).encode(),
            capture_output=True,
            timeout=seconds,
            env={},
            cwd=_ROOT,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise ExportFailed("Writing this file takes too long. Please take the CSV file.") from error
    if ended.returncode:
        detail = ended.stderr[-2000:].decode(errors="replace")
        raise ExportFailed("This file could not be written.") from RuntimeError(detail)
    told = json.loads(ended.stdout or b"{}")
    if "failed" in told:
        raise ExportFailed(str(told["failed"]))


def main() -> None:
    """Carries out one order."""
    order = json.loads(sys.stdin.read())
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_ADDRESS_SPACE, _ADDRESS_SPACE))
    columns = [ExportColumn(**column) for column in order["columns"]]
    try:
        export_table(Path(order["path"]), columns, order["rows"], Path(order["target"]), order["kind"])
        told = {}
    except ExportFailed as error:
        told = {"failed": error.message}
    sys.stdout.write(json.dumps(told))


if __name__ == "__main__":
    main()
