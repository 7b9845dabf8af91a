"""A locked-down DuckDB connection over exactly the given Parquet files: what both warehouses run their queries on.

Imports only DuckDB and the standard library, so that the child process starts fast.
"""

from __future__ import annotations

import heapq
import re
import threading
import time
from collections.abc import Mapping, Sequence
from itertools import count
from typing import Any

import duckdb

_OPENING = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*(?:select|with|from|values|\()", re.IGNORECASE | re.DOTALL)


def quote_name(name: str) -> str:
    """A name as an SQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_text(text: str) -> str:
    """A text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


class Session:
    """One in-memory connection with a view per table, locked: it can read the given files and nothing else."""

    def __init__(
        self, tables: Mapping[str, str], *, threads: int, memory_mb: int, temp_directory: str | None = None
    ) -> None:
        """`tables`: table name to the path of its Parquet file. `temp_directory`: where big sorts may spill; None:
        nowhere."""
        self._connection = duckdb.connect(
            ":memory:",
            config={
                "autoload_known_extensions": "false",
                "autoinstall_known_extensions": "false",
                "allow_community_extensions": "false",
                "allow_persistent_secrets": "false",
                "python_enable_replacements": "false",
                "threads": str(threads),
                "memory_limit": f"{memory_mb}MB",
                "temp_directory": temp_directory or "",
                "enable_object_cache": "true",
                "preserve_insertion_order": "true",
            },
        )
        run = self._connection.execute
        run("SET TimeZone = 'UTC'")
        if temp_directory:
            run("SET max_temp_directory_size = '2GB'")
        for name, path in tables.items():
            run(f"CREATE VIEW {quote_name(name)} AS SELECT * FROM read_parquet({quote_text(path)})")  # noqa: S608 - quoted
        paths = ", ".join(quote_text(path) for path in tables.values())
        run(f"SET allowed_paths = [{paths}]")
        run("SET enable_external_access = false")
        run("SET lock_configuration = true")

    def query(
        self, sql: str, parameters: Sequence[object], max_rows: int
    ) -> tuple[list[tuple[str, str]], list[tuple[Any, ...]], int]:
        """Columns (name, DuckDB type), at most `max_rows` rows, and how many rows there are in all. Raises
        duckdb.Error."""
        statements = self._connection.extract_statements(sql)
        select = len(statements) == 1 and statements[0].type == duckdb.StatementType.SELECT
        if not select or not _OPENING.match(sql):  # some PRAGMAs pass for a SELECT
            raise duckdb.InvalidInputException("Only one SELECT statement can be run.")
        bound = list(parameters)
        cursor = self._connection.execute(sql, bound)
        columns = [(entry[0], str(entry[1])) for entry in cursor.description or ()]
        rows = cursor.fetchmany(max_rows)
        total = len(rows)
        if total == max_rows and cursor.fetchone() is not None:
            counting = f"SELECT count(*) FROM ({sql.rstrip().rstrip(';')}\n)"  # noqa: S608 - a statement checked above
            total = int((self._connection.execute(counting, bound).fetchone() or (total + 1,))[0])
        return columns, rows, total

    def interrupt(self) -> None:
        """Ends the running query from another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Frees the connection."""
        self._connection.close()


class Deadline:
    """Interrupts a session's query when the time is up."""

    def __init__(self, session: Session, seconds: float) -> None:
        self.expired = False
        self._session, self._seconds = session, seconds
        self._done = False

    def end(self) -> None:
        """Interrupts the query, unless it is over."""
        if not self._done:
            self.expired = True
            self._session.interrupt()

    def __enter__(self) -> Deadline:
        self._done = False
        _clock.add(time.monotonic() + self._seconds, self)
        return self

    def __exit__(self, *_: object) -> None:
        with _clock.lock:
            self._done = True


class _Clock:
    """One thread that ends what is overdue: a thread for each query costs as much as a small query itself."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._sooner = threading.Condition(self.lock)
        self._due: list[tuple[float, int, Deadline]] = []
        self._numbers = count()
        self._thread: threading.Thread | None = None

    def add(self, when: float, deadline: Deadline) -> None:
        """Ends `deadline` at that moment of the monotonic clock."""
        with self.lock:
            heapq.heappush(self._due, (when, next(self._numbers), deadline))
            if self._thread is None or not self._thread.is_alive():  # a forked process holds no threads of its parent's
                self._thread = threading.Thread(target=self._watch, name="query-deadlines", daemon=True)
                self._thread.start()
            elif self._due[0][2] is deadline:
                self._sooner.notify()

    def _watch(self) -> None:
        with self.lock:
            while True:
                while self._due and self._due[0][0] <= time.monotonic():
                    heapq.heappop(self._due)[2].end()
                self._sooner.wait(self._due[0][0] - time.monotonic() if self._due else None)


_clock = _Clock()
