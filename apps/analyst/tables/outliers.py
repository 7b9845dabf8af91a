"""Figures that lie far from the rest of their column: told, never changed.

Far is more than three times the middle half's width beyond its edges (Tukey's outer fences).
"""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.profile import as_number
from apps.analyst.tables.wording import counted
from apps.analyst.types import Column

if TYPE_CHECKING:
    from apps.analyst.tables.bulk_engine import Engine

FEWEST = 30
"""Columns with fewer figures have no rest to be far from."""
FENCE = 3.0


def of_counts(column: Column, counts: Mapping[Any, int]) -> list[str]:
    """What to tell about a column whose distinct figures are counted."""
    figures: Counter[float] = Counter()
    if column.role != "measure":
        return []
    for value, count in counts.items():
        figures[as_number(value)] += count
    total = figures.total()
    if total < FEWEST:
        return []
    ordered = sorted(figures)
    low, high = _fences(_quantile(ordered, figures, 0.25 * total), _quantile(ordered, figures, 0.75 * total))
    return _note(column, low, high, sum(count for figure, count in figures.items() if not low <= figure <= high))


def of_table(columns: Sequence[Column], path: Path, rows: int, engine: Engine) -> list[str]:
    """What to tell about the columns of a typed table on disk whose sample was taken (bulk_profile.take_sample)."""
    measures = [column for column in columns if column.role == "measure" and rows - column.missing >= FEWEST]
    if not measures:
        return []
    halves = ", ".join(f"quantile_disc({quoted(c.name)}, [0.25, 0.75])" for c in measures)
    (found,) = engine.rows(f"SELECT {halves} FROM sampled")
    suspects = []
    for column, half in zip(measures, found, strict=True):
        low, high = _fences(*half) if half and None not in half else (0.0, 0.0)
        if low < high and not low <= as_number(column.minimum) <= as_number(column.maximum) <= high:
            suspects.append((column, low, high))
    if not suspects:
        return []
    parts = ", ".join(
        f"count(*) FILTER ({quoted(c.name)} NOT BETWEEN {low!r} AND {high!r})" for c, low, high in suspects
    )
    (far,) = engine.rows(f"SELECT {parts} FROM read_parquet({literal(str(path))})")
    return [note for (c, low, high), count in zip(suspects, far, strict=True) for note in _note(c, low, high, count)]


def _quantile(ordered: Sequence[float], figures: Mapping[float, int], place: float) -> float:
    passed = 0
    for figure in ordered:
        passed += figures[figure]
        if passed >= place:
            return figure
    return ordered[-1]


def _fences(lower: float, upper: float) -> tuple[float, float]:
    width = FENCE * (upper - lower)
    return lower - width, upper + width


def _note(column: Column, low: float, high: float, count: int) -> list[str]:
    """Nothing where the middle half is a single figure: then everything else would be far."""
    if not count or low >= high:
        return []
    edges = [f"below {_shown(low)}"] if as_number(column.minimum) < low else []
    edges += [f"above {_shown(high)}"] if as_number(column.maximum) > high else []
    kept = "kept as it is" if count == 1 else "kept as they are"
    return [f"{column.name}: {counted(count, 'value')} far from the rest ({' or '.join(edges)}); {kept}"]


def _shown(edge: float) -> str:
    return f"{edge:,.0f}" if abs(edge) >= 1000 else f"{edge:,.4g}"
