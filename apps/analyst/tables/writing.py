"""Writes typed columns and their distinct texts as Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apps.analyst.tables.folding import fold
from apps.analyst.tables.grid import TypedColumn
from apps.analyst.tables.plans import ColumnPlan


def arrow_type(plan: ColumnPlan) -> Any:
    """The Arrow type a column plan is stored as."""
    import pyarrow as pa

    if plan.type == "decimal":
        return pa.decimal128(18, plan.places)
    return {
        "text": pa.string(),
        "integer": pa.int64(),
        "float": pa.float64(),
        "boolean": pa.bool_(),
        "date": pa.date32(),
        "datetime": pa.timestamp("us"),
    }[plan.type]


def write_table(columns: Sequence[TypedColumn], path: Path) -> None:
    """Writes the typed table."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays = [pa.array(column.values, type=arrow_type(column.plan)) for column in columns]
    pq.write_table(pa.table(arrays, names=[column.name for column in columns]), path, compression="snappy")


def write_values(columns: Sequence[TypedColumn], path: Path) -> None:
    """Writes every distinct text: column, value, folded, count; most frequent first within a column."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    names: list[str] = []
    texts: list[str] = []
    counts: list[int] = []
    for column in columns:
        if column.plan.type == "text":
            ranked = column.counts.most_common()
            names.extend([column.name] * len(ranked))
            texts.extend(str(value) for value, _ in ranked)
            counts.extend(count for _, count in ranked)
    table = pa.table(
        [
            pa.array(names, pa.string()),
            pa.array(texts, pa.string()),
            pa.array([fold(text) for text in texts], pa.string()),
            pa.array(counts, pa.int64()),
        ],
        names=["column", "value", "folded", "count"],
    )
    pq.write_table(table, path, compression="snappy")
