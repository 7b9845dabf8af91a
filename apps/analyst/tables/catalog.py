"""A fixed catalog: the tables of some files, for the shell, the evaluation and tests. A server keeps its own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.analyst.types import JoinPath, Table


@dataclass(frozen=True, slots=True)
class FixedCatalog:
    """Tables and joins that never change (apps.analyst.ports.Catalog)."""

    version: str
    held_tables: tuple[Table, ...]
    held_joins: tuple[JoinPath, ...] = ()

    def tables(self) -> Sequence[Table]:
        """All tables, as given."""
        return self.held_tables

    def joins(self) -> Sequence[JoinPath]:
        """The ways to join them."""
        return self.held_joins


def catalog_from_files(files: Sequence[Path], out_dir: Path) -> FixedCatalog:
    """Reads .csv and .xlsx files into `out_dir` and finds their joins. Raises ReadFailed."""
    # Imported here: reading files needs libraries that answering over stored tables does not.
    from apps.analyst.tables import ingest
    from apps.analyst.tables.joins import find_joins

    tables: list[Table] = []
    for number, path in enumerate(files):
        tables += [made.table for made in ingest(path, path.name, out_dir / str(number))]
    mark = hashlib.sha256("\n".join(f"{t.name}:{t.rows}:{t.path}" for t in tables).encode()).hexdigest()[:16]
    return FixedCatalog(mark, tuple(tables), tuple(find_joins(tables)))
