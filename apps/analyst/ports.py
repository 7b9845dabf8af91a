"""What the engine needs from outside, as protocols. Implementations live elsewhere; nothing here is one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from apps.analyst.plan import Plan
from apps.analyst.types import JoinPath, Question, Result, ResultColumn, Scalar, Step, Table

Emit = Callable[[Step], None]
"""Called as a step begins; must return quickly and may raise to stop the run."""


class Catalog(Protocol):
    """One organization's tables. Reading it must be cheap: it is built at ingestion and cached."""

    @property
    def version(self) -> str:
        """Changes whenever any table, value or description changes; caches are keyed by it."""

    def tables(self) -> Sequence[Table]:
        """All tables, in a stable order."""

    def joins(self) -> Sequence[JoinPath]:
        """Ways to join them that the data supports."""


class Warehouse(Protocol):
    """Runs one SELECT over Parquet tables, with limits."""

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
        """The rows, at most `max_rows` of them with the true total. Raises QueryFailed."""


class Planner(Protocol):
    """Makes a plan for a question, or raises Unclear / NoSuchData."""

    def plan(self, question: Question, catalog: Catalog) -> Plan: ...
