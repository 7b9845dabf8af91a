"""The in-process warehouse: for the shell, the evaluation and tests. A server uses `pool.ChildWarehouse` instead."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

import duckdb

from apps.analyst.computing.warehouse.messages import failure
from apps.analyst.computing.warehouse.pool import fingerprints
from apps.analyst.computing.warehouse.session import Deadline, Session
from apps.analyst.computing.warehouse.shaping import to_result, to_scalar
from apps.analyst.computing.warehouse.wire import kind_of
from apps.analyst.errors import QueryFailed
from apps.analyst.types import Result, ResultColumn, Scalar

MAX_SESSIONS = 8


class LocalWarehouse:
    """Runs queries in this process, one at a time; connections are kept per set of tables."""

    def __init__(self, *, threads: int = 2, memory_mb: int = 1024) -> None:
        self._threads = threads
        self._memory_mb = memory_mb
        self._sessions: OrderedDict[tuple[object, ...], Session] = OrderedDict()
        self._lock = threading.Lock()

    def query(
        self,
        sql: str,
        parameters: Sequence[Scalar],
        *,
        tables: dict[str, Path],
        columns: Sequence[ResultColumn] | None = None,
        max_rows: int = 10_000,
        timeout: float = 30.0,
    ) -> Result:
        """The rows of one SELECT, at most `max_rows` of them with the true total. Raises QueryFailed."""
        with self._lock:
            session = self._session(tables)
            deadline = Deadline(session, timeout)
            try:
                with deadline:
                    described, rows, total = session.query(sql, parameters, max_rows)
            except duckdb.Error as error:
                if deadline.expired:
                    raise QueryFailed(
                        f"The query took longer than {timeout:g} seconds and was ended.", retryable=True
                    ) from error
                raise failure(str(error)) from error
        kinds = [(name, kind_of(kind)) for name, kind in described]
        return to_result(kinds, [tuple(to_scalar(cell) for cell in row) for row in rows], total, columns)

    def _session(self, tables: dict[str, Path]) -> Session:
        key = (
            *sorted(tables),
            *sorted(fingerprints(tables)),
            *sorted((name, str(path)) for name, path in tables.items()),
        )
        session = self._sessions.get(key)
        if session is None:
            try:
                session = Session(
                    {name: str(path) for name, path in tables.items()}, threads=self._threads, memory_mb=self._memory_mb
                )
            except duckdb.Error as error:
                raise failure(str(error)) from error
            self._sessions[key] = session
            if len(self._sessions) > MAX_SESSIONS:
                self._sessions.popitem(last=False)[1].close()
        self._sessions.move_to_end(key)
        return session

    def close(self) -> None:
        """Closes all connections."""
        with self._lock:
            while self._sessions:
                self._sessions.popitem()[1].close()
