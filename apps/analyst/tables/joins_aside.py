"""Finding the joins of very many columns in a child process: it is Python for seconds, and others would wait for it.

Run as `python -m apps.analyst.tables.joins_aside` this is that child: it takes the tables and gives their joins.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import selectors
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from apps.analyst.computing.priority import step_behind
from apps.analyst.errors import QueryFailed
from apps.analyst.tables import joins
from apps.analyst.tables.width import WIDE, are_wide
from apps.analyst.types import JoinPath, Table

_ROOT = Path(__file__).resolve().parents[3]
_LOOK_SECONDS = 0.1


def found_aside(tables: Sequence[Table], wide: int = WIDE) -> list[JoinPath]:
    """`joins.find_joins`, in a child where there are so many columns; it ends with whoever waits for it. Raises
    QueryFailed where it ends before it is done."""
    if not are_wide(tables, wide):
        return joins.find_joins(tables)
    process = subprocess.Popen(
        [sys.executable, "-E", "-s", "-m", "apps.analyst.tables.joins_aside"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={}, cwd=_ROOT, start_new_session=True,
    )  # fmt: skip
    try:
        step_behind(process.pid)
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError), process.stdin:
            # Table by table: packing all at once would hold the interpreter for as long as that takes.
            pickle.dump(len(tables), process.stdin)
            for table in tables:
                pickle.dump(table, process.stdin)
        said = _said(process)
    finally:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if not said:
        raise QueryFailed("The connections between these tables could not be found.")
    found: list[JoinPath] = pickle.loads(said)  # noqa: S301 - from a process of our own code
    return found


def _said(process: subprocess.Popen[bytes]) -> bytes:
    """All that the child writes. Waits in short steps, so that the waiting thread can be interrupted."""
    assert process.stdout is not None
    said, descriptor = bytearray(), process.stdout.fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(descriptor, selectors.EVENT_READ)
        while True:
            if selector.select(_LOOK_SECONDS):
                block = os.read(descriptor, 1 << 20)
                if not block:
                    return bytes(said)
                said += block


def main() -> None:
    """Takes the tables from the standard input and writes their joins."""
    count: int = pickle.load(sys.stdin.buffer)  # noqa: S301 - from a process of our own code
    tables = [pickle.load(sys.stdin.buffer) for _ in range(count)]  # noqa: S301
    sys.stdout.buffer.write(pickle.dumps(joins.find_joins(tables)))


if __name__ == "__main__":
    main()
