"""The DuckDB connection of one ingestion: long statements report how far they are and can be ended."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import Any

import duckdb

from apps.analyst.errors import NO_ROOM_CODES
from apps.analyst.tables.results import IngestProgress, Progress

MEMORY = "600MB"
_LOOK_EVERY = 0.2


def _raise_where_full(error: BaseException) -> None:
    """Raises OSError where a statement ended because the disk takes no more."""
    if isinstance(error, duckdb.Error):
        for code in NO_ROOM_CODES:
            if os.strerror(code) in str(error):
                raise OSError(code, os.strerror(code)) from error


class Engine:
    """A DuckDB connection for one ingestion, whose long statements report progress and can be ended by it."""

    def __init__(self, scratch: Path, progress: Progress, name: str, expected_rows: int) -> None:
        self.connection = duckdb.connect(
            ":memory:",
            config={
                "threads": str(min(os.cpu_count() or 1, 4)),
                "memory_limit": MEMORY,
                "temp_directory": str(scratch / "spill"),
                "autoload_known_extensions": "false",
                "autoinstall_known_extensions": "false",
                "python_enable_replacements": "false",
            },
        )
        self.connection.execute("SET TimeZone = 'UTC'")
        self.connection.execute("SET enable_progress_bar = true")
        self.connection.execute("SET progress_bar_time = 100")
        self.connection.execute("SET enable_progress_bar_print = false")
        self._progress = progress
        self._name = name
        self._expected = expected_rows

    def run(self, sql: str) -> None:
        """Runs a long statement, reporting rows read so far. Raises duckdb.Error, OSError on a full disk, or what the
        progress callback raises."""
        failure: list[BaseException] = []

        def work() -> None:
            try:
                self.connection.execute(sql)
            except BaseException as error:  # handed to the caller below
                failure.append(error)

        worker = threading.Thread(target=work, daemon=True)
        worker.start()
        try:
            while worker.is_alive():
                worker.join(_LOOK_EVERY)
                if worker.is_alive():
                    share = max(self.connection.query_progress(), 0.0) / 100
                    self._progress(IngestProgress("reading", int(share * self._expected), self._name))
        except BaseException:
            self.connection.interrupt()
            worker.join()
            raise
        if failure:
            _raise_where_full(failure[0])
            raise failure[0]

    def do(self, sql: str) -> None:
        """Runs a short statement."""
        try:
            self.connection.execute(sql)
        except duckdb.Error as error:
            _raise_where_full(error)
            raise

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a short query."""
        return self.connection.execute(sql).fetchall()

    def close(self) -> None:
        """Frees the connection."""
        self.connection.close()
