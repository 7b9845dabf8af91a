"""The server's warehouse: queries run in persistent child processes that can be killed and can reach only their files.

A child is bound to the files of its first question. A question about other files goes to another child; one spare waits
unbound, so that a new binding costs milliseconds, not an interpreter's start.
"""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from apps.analyst.computing.warehouse import wire
from apps.analyst.computing.warehouse.child_process import ChildGone, ChildLimits, ChildProcess, Fingerprint, Overtime
from apps.analyst.computing.warehouse.messages import failure
from apps.analyst.computing.warehouse.shaping import to_result
from apps.analyst.errors import QueryFailed
from apps.analyst.types import Result, ResultColumn, Scalar


class ChildWarehouse:
    """A pool of query children; `query` may be called from any thread.

    `size`: queries at a time. `keep`: bound children that wait for more questions about their files.
    """

    def __init__(
        self,
        size: int = 2,
        *,
        keep: int = 3,
        limits: ChildLimits | None = None,
        child: Callable[[ChildLimits], ChildProcess] = ChildProcess,
    ) -> None:
        self._limits = limits or ChildLimits()
        self._child = child
        self._keep = max(keep, size)
        self._slots = threading.BoundedSemaphore(size)
        self._lock = threading.Lock()
        self._idle: list[ChildProcess] = []
        """Least recently used first."""
        self._busy: set[ChildProcess] = set()
        self._spare: ChildProcess | None = None
        self._closed = False

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
        """The rows of one SELECT, at most `max_rows` of them with the true total. Raises QueryFailed.

        `timeout` counts the query's own seconds; waiting for a free child is not counted.
        """
        files = fingerprints(tables)
        question = {
            "sql": sql,
            "parameters": [wire.parameter_to_json(value) for value in parameters],
            "max_rows": max_rows,
            "tables": {name: str(path) for name, path in sorted(tables.items())},
        }
        with self._slots:
            child = self._take(files)
            try:
                document, raw = child.ask(question, timeout)
            except Overtime as error:
                self._drop(child)
                raise QueryFailed(
                    f"The query took longer than {timeout:g} seconds and was ended.", retryable=True
                ) from error
            except ChildGone as error:
                self._drop(child)
                raise QueryFailed("The query needed more memory than it may use and was ended.") from error
            except BaseException:
                self._drop(child)
                raise
            self._give_back(child)
        if "error" in document:
            raise failure(str(document["error"]))
        try:
            described, rows, total = wire.unpack_result(document, raw)
        except (ValueError, KeyError, TypeError) as error:
            raise QueryFailed("The query's answer could not be read.") from error
        return to_result(described, rows, total, columns)

    def _take(self, files: frozenset[Fingerprint]) -> ChildProcess:
        """A child that may read `files`, counted as busy."""
        with self._lock:
            if self._closed:
                raise QueryFailed("The data engine is shutting down.", retryable=True)
            for child in reversed(self._idle):
                if files <= child.files:
                    self._idle.remove(child)
                    break
            else:
                child, self._spare = self._spare or self._child(self._limits), None
                child.bind(files)
            self._busy.add(child)
            return child

    def _give_back(self, child: ChildProcess) -> None:
        """Keeps a child for more questions unless it is spent, ends the one that was idle longest, and sees to it
        that a spare waits."""
        retired: ChildProcess | None = child if child.is_spent() else None
        with self._lock:
            self._busy.discard(child)
            if retired is None:
                self._idle.append(child)
                if self._closed or len(self._idle) > self._keep:
                    retired = self._idle.pop(0)
            if self._spare is None and not self._closed:
                self._spare = self._child(self._limits)
        if retired is not None:
            retired.end()

    def _drop(self, child: ChildProcess) -> None:
        """Ends a child that is not to be used again: first it stops, then another is started, then it is tidied up."""
        child.kill()
        with self._lock:
            self._busy.discard(child)
            if self._spare is None and not self._closed:
                self._spare = self._child(self._limits)
        child.end()

    def warm(self) -> None:
        """Starts a child ahead of the first question, so that this one need not wait for an interpreter."""
        with self._lock:
            if self._spare is None and not self._closed:
                self._spare = self._child(self._limits)

    def close(self) -> None:
        """Ends all children; running queries fail."""
        with self._lock:
            self._closed = True
            children = [*self._idle, *self._busy, *([self._spare] if self._spare else [])]
            self._idle, self._spare = [], None
        for child in children:
            child.end()

    def process_ids(self) -> list[int]:
        """The ids of all living children, for health pages and tests."""
        with self._lock:
            return [child.pid for child in (*self._idle, *self._busy, *([self._spare] if self._spare else []))]

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.close()


def fingerprints(tables: dict[str, Path]) -> frozenset[Fingerprint]:
    """The files of a query as they are now. Raises QueryFailed where one is gone."""
    found = set()
    for path in tables.values():
        try:
            stat = os.stat(path)
        except OSError as error:
            raise QueryFailed("A table's data is not there any more. Please upload the file again.") from error
        found.add(Fingerprint(str(path), stat.st_ino, stat.st_mtime_ns))
    return frozenset(found)
