"""A query child: reads questions on its input, answers on its output, and can reach nothing else.

It starts with an empty environment, loads DuckDB, and waits. The first question names its files; from then on the
process
is bound to exactly these (Landlock), has hard limits, and cannot be widened. It dies when its input closes.
Imports only DuckDB and the standard library.
"""

from __future__ import annotations

import contextlib
import decimal
import json
import os
import queue
import resource
import sys
import threading
from collections import OrderedDict
from datetime import datetime
from typing import Any, BinaryIO

import duckdb

from apps.analyst.computing.warehouse import landlock, wire
from apps.analyst.computing.warehouse.messages import TOO_LARGE
from apps.analyst.computing.warehouse.session import Session

MAX_SESSIONS = 4
_SYSTEM_TREES = ("/proc", "/sys/fs/cgroup", "/sys/devices/system")


def _read_exactly(source: BinaryIO, size: int) -> bytes:
    data = source.read(size)
    if len(data) < size:
        os._exit(0)
    return data


def _listen(source: BinaryIO, inbox: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Hands questions over; ends the process at once when the parent is gone, whatever the query is doing."""
    while True:
        body, _ = wire.HEAD.unpack(_read_exactly(source, wire.HEAD.size))
        inbox.put(json.loads(_read_exactly(source, body)))


def _warm_up() -> None:
    """Makes DuckDB load all the Python modules it loads lazily, while files can still be read."""
    connection = duckdb.connect(":memory:", config={"threads": "1"})
    moment = datetime.fromisoformat("2020-01-01T02:03:00")
    bound = [1, 1.5, "a", True, decimal.Decimal("1.5"), moment.date(), moment, None]
    marks = ", ".join("?" for _ in bound)
    connection.execute(
        f"SELECT {marks}, TIME '01:02:03', INTERVAL 1 DAY, uuid(), [1], {{'a': 1}}, NULL", bound
    ).fetchall()
    connection.execute("SELECT TIMESTAMPTZ '2020-01-01 00:00:00+00'::VARCHAR").fetchall()
    connection.extract_statements("SELECT 1")
    connection.close()


def _limit(limits: dict[str, int]) -> None:
    """Hard limits of this process: address space, data and file size (bytes), and open files; no core dumps."""
    for name, wanted in (
        (resource.RLIMIT_AS, limits["address_space"]),
        (resource.RLIMIT_DATA, limits["data"]),
        (resource.RLIMIT_FSIZE, limits["file_size"]),
        (resource.RLIMIT_NOFILE, limits["open_files"]),
        (resource.RLIMIT_CORE, 0),
    ):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(name, (wanted, wanted))


class Worker:
    """Answers questions about the files the process was bound to."""

    def __init__(self, binding: dict[str, Any]) -> None:
        self._threads: int = binding["threads"]
        self._memory_mb: int = binding["memory_mb"]
        self._scratch: str | None = binding["scratch"]
        self._sessions: OrderedDict[str, Session] = OrderedDict()
        self.landlocked = landlock.restrict(
            readable=binding["files"], readable_trees=_SYSTEM_TREES, writable_tree=self._scratch
        )
        _limit(binding["limits"])

    def answer(self, question: dict[str, Any]) -> bytes:
        """One frame: a result, or {"error": ...}."""
        try:
            session = self._session(question["tables"])
            parameters = [wire.parameter_from_json(value) for value in question["parameters"]]
            described, rows, total = session.query(question["sql"], parameters, question["max_rows"])
            frame = wire.pack_result(described, rows, total)
            too_large = len(frame) > wire.most_bytes(question["max_rows"])
            return wire.pack({"error": TOO_LARGE}) if too_large else frame
        except duckdb.Error as error:
            return wire.pack({"error": str(error)})
        except MemoryError:
            return wire.pack({"error": "Out of Memory Error"})

    def _session(self, tables: dict[str, str]) -> Session:
        key = json.dumps(tables, sort_keys=True)
        session = self._sessions.get(key)
        if session is None:
            session = Session(tables, threads=self._threads, memory_mb=self._memory_mb, temp_directory=self._scratch)
            self._sessions[key] = session
            if len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)[1].close()
        self._sessions.move_to_end(key)
        return session


def main() -> None:
    """Serves until the input closes."""
    output = os.fdopen(os.dup(1), "wb")
    source = os.fdopen(os.dup(0), "rb")
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)
    _warm_up()
    inbox: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(source, inbox), daemon=True).start()
    worker: Worker | None = None
    while True:
        question = inbox.get()
        if worker is None:
            worker = Worker(question["binding"])
        output.write(worker.answer(question))
        output.flush()


if __name__ == "__main__":
    try:
        main()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
