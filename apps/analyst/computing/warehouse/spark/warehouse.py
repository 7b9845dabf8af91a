"""The warehouse port on a Spark cluster: for organizations whose tables outgrow one machine."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, Protocol

from apps.analyst.computing.warehouse import wire
from apps.analyst.computing.warehouse.messages import failure
from apps.analyst.computing.warehouse.pool import fingerprints
from apps.analyst.computing.warehouse.shaping import to_result, to_scalar
from apps.analyst.computing.warehouse.spark.process import Driver, Overtime, SparkAway
from apps.analyst.errors import QueryFailed
from apps.analyst.types import Result, ResultColumn, Scalar

SECONDS = 33.0
"""How long a query may take where the caller does not say: a job on a cluster takes seconds before its first row."""
WAIT_SECONDS = 10.0
"""How long a query waits for a session that is being started. Both together stay under the lease of a run."""
START_SECONDS = 120.0
"""How long a session may take to start, beside the queries."""


class AskedDriver(Protocol):
    """What is needed of a driver."""

    def alive(self) -> bool: ...

    def ask(self, question: Mapping[str, Any], timeout: float) -> tuple[dict[str, Any], memoryview]: ...

    def end(self) -> None: ...


class SparkWarehouse:
    """One driver, started with the first question and again when it ended; `query` may be called from any thread.

    The files must have the same paths on this machine and on the workers. `python` is the interpreter of Spark's own
    environment (requirements/spark.txt).
    """

    def __init__(
        self,
        master: str,
        python: Path,
        *,
        options: Mapping[str, str] | None = None,
        seconds: float = SECONDS,
        wait_seconds: float = WAIT_SECONDS,
        start_seconds: float = START_SECONDS,
        start: Callable[[Path, str, Mapping[str, str], float], AskedDriver] = Driver,
    ) -> None:
        """`options`: further settings of Spark, as in spark-defaults.conf."""
        self._master, self._python = master, python
        self._options = {**_nearby(master), **(options or {})}
        self._seconds, self._wait_seconds, self._start_seconds = seconds, wait_seconds, start_seconds
        self._start = start
        self._driver: AskedDriver | None = None
        self._starting: Future[AskedDriver] | None = None
        self._lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._closed = False

    def query(
        self,
        sql: str,
        parameters: Sequence[Scalar],
        *,
        tables: dict[str, Path],
        columns: Sequence[ResultColumn] | None = None,
        max_rows: int = 10_000,
        timeout: float | None = None,
    ) -> Result:
        """The rows of one SELECT, at most `max_rows` of them with the true total. Raises QueryFailed; SparkAway where
        there is no cluster to ask."""
        versions = {found.path: (found.inode, found.written) for found in fingerprints(tables)}
        question = {
            "id": next(self._numbers),
            "sql": sql,
            "parameters": [wire.parameter_to_json(value) for value in parameters],
            "max_rows": max_rows,
            "tables": {name: {"path": str(path), "version": versions[str(path)]} for name, path in tables.items()},
        }
        document, raw = self._ask(question, self._seconds if timeout is None else timeout)
        if "error" in document:
            raise failure(str(document["error"]))
        try:
            described, rows, total = wire.unpack_result(document, raw)
        except (ValueError, KeyError, TypeError) as error:
            raise QueryFailed("The query's answer could not be read.") from error
        return to_result(described, [tuple(to_scalar(cell) for cell in row) for row in rows], total, columns)

    def _ask(self, question: Mapping[str, Any], timeout: float) -> tuple[dict[str, Any], memoryview]:
        """The answer of the driver; one that ended is replaced and asked again, once."""
        driver = self._running()
        try:
            try:
                return driver.ask(question, timeout)
            except SparkAway:
                self._drop(driver)
                return self._running().ask(question, timeout)
        except Overtime as error:
            raise QueryFailed(
                f"The query took longer than {timeout:g} seconds and was ended.", retryable=True
            ) from error

    def _running(self) -> AskedDriver:
        """The driver; one that is being started is waited for a while. Raises SparkAway."""
        with self._lock:
            if self._closed:
                raise QueryFailed("The data engine is shutting down.", retryable=True)
            if self._driver is not None and not self._driver.alive():
                self._driver.end()
                self._driver = None
            if self._driver is not None:
                return self._driver
            if self._starting is None:
                self._starting = Future()
                threading.Thread(target=self._begin, args=(self._starting,), daemon=True, name="spark").start()
            starting = self._starting
        try:
            return starting.result(self._wait_seconds)
        except TimeoutError as error:
            raise SparkAway("The session on the cluster is still being started.") from error

    def _begin(self, starting: Future[AskedDriver]) -> None:
        """Starts a driver, unless the warehouse is closed meanwhile."""
        try:
            driver = self._start(self._python, self._master, self._options, self._start_seconds)
        except BaseException as error:
            with self._lock:
                self._starting = None
            starting.set_exception(error)
            return
        with self._lock:
            self._starting = None
            kept = not self._closed
            self._driver = driver if kept else None
        if not kept:
            driver.end()
        starting.set_result(driver)

    def _drop(self, driver: AskedDriver) -> None:
        with self._lock:
            if self._driver is driver:
                self._driver = None
        driver.end()

    def warm(self) -> None:
        """Has a session ahead of the first question. Raises SparkAway."""
        self._running()

    def close(self) -> None:
        """Ends the driver; running queries fail."""
        with self._lock:
            self._closed = True
            driver, self._driver = self._driver, None
        if driver is not None:
            driver.end()


def _nearby(master: str) -> dict[str, str]:
    """A master on this machine is spoken to over loopback alone."""
    near = master.startswith(("spark://127.0.0.1:", "spark://localhost:", "local"))
    return {"spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1"} if near else {}
