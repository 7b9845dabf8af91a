"""A locked-down DuckDB connection over exactly the given Parquet files: what both warehouses run their queries on.

Imports only DuckDB and the standard library, so that the child process starts fast.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
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
        self._session = session
        self._timer = threading.Timer(seconds, self._expire)
        self._timer.daemon = True

    def _expire(self) -> None:
        self.expired = True
        self._session.interrupt()

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()
