"""What ingestion hands back: its progress while it works, and a table with its report when it is done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from apps.analyst.types import Scalar, Table

IngestStep = Literal["reading", "typing", "profiling", "ready"]


@dataclass(frozen=True, slots=True)
class IngestProgress:
    """How far the reading of a file has come: the step, the rows so far and the table (sheet) it is at."""

    step: IngestStep
    rows: int = 0
    table: str = ""


Progress = Callable[[IngestProgress], None]
"""Called as ingestion goes on; must return quickly and may raise to stop it."""


@dataclass(frozen=True, slots=True)
class IngestedTable:
    """One table of a file, written as typed Parquet and profiled.

    `report` says in plain words what was changed, guessed or left out. `sample` holds the first rows in the order of
    `table.columns`. `histograms` gives, by column name, the counts of equal-width bins between minimum and maximum.
    """

    name: str
    file_name: str
    table: Table
    report: tuple[str, ...] = ()
    sample: tuple[tuple[Scalar, ...], ...] = ()
    histograms: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def no_progress(_: IngestProgress) -> None:
    """The progress callback of those who do not want to know."""
