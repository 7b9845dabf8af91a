"""Which warehouse answers for an organization: this machine's, or the cluster where its tables outgrow one machine."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from apps.analyst.computing.warehouse.spark.process import SparkAway
from apps.analyst.ports import Catalog, Warehouse
from apps.analyst.types import Result, ResultColumn, Scalar

logger = logging.getLogger("apps.analyst.computing.warehouse")

PAUSE_SECONDS = 60.0
"""How long a cluster that was away is not asked again, so that questions do not wait for it one by one."""


class Routing:
    """Organizations with more than `above_rows` rows in all their tables go to `far`, all others to `near`."""

    def __init__(
        self, near: Warehouse, far: Warehouse, *, above_rows: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._near = near
        self._far = OrNear(far, near, clock)
        self._above_rows = above_rows

    def __call__(self, catalog: Catalog) -> Warehouse:
        """The warehouse for the catalog's organization."""
        rows = sum(table.rows for table in catalog.tables())
        return self._far if rows > self._above_rows else self._near


class OrNear:
    """The cluster; while it is away this machine answers, within its own limits, and the log names the remedy."""

    def __init__(self, far: Warehouse, near: Warehouse, clock: Callable[[], float] = time.monotonic) -> None:
        self._far, self._near, self._clock = far, near, clock
        self._lock = threading.Lock()
        self._away_until = 0.0

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
        """The port's query. A query that the cluster refuses or ends is not tried here: it would fare no better."""
        limit = {} if timeout is None else {"timeout": timeout}
        if self._clock() >= self._away_until:
            try:
                return self._far.query(sql, parameters, tables=tables, columns=columns, max_rows=max_rows, **limit)
            except SparkAway as error:
                with self._lock:
                    self._away_until = self._clock() + PAUSE_SECONDS
                logger.warning("Spark is away, DuckDB answers instead: %s", error.remedy)
        return self._near.query(sql, parameters, tables=tables, columns=columns, max_rows=max_rows, **limit)
