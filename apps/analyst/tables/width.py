"""How wide tables are: from some width on they are read in processes of their own, and told to models in parts."""

from __future__ import annotations

from collections.abc import Sequence

from apps.analyst.types import Table

WIDE = 3_000
"""Columns from which on tables are wide: fewer are read faster than a process starts."""


def are_wide(tables: Sequence[Table], wide: int = WIDE) -> bool:
    """Whether tables have `wide` columns together, or more."""
    return sum(len(table.columns) for table in tables) >= wide
