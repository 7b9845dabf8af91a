"""The same as `repeated` for tables on disk, one row group and one column at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from apps.analyst.tables.bulk_per_key import cells_of, first_rows, groups_of, runs_of, stands_together
from apps.analyst.tables.per_key import Cells, Lines
from apps.analyst.tables.repeated import COMPARED, Sums, likely_keys, lines_of
from apps.analyst.types import Column


def keep_once(columns: Sequence[Column], path: Path, rows: int) -> Lines | None:
    """Keeps amounts of whole things on their first rows alone in the Parquet file at `path`, and how its columns lie;
    None where the table is no such."""
    for key in likely_keys(columns, rows):
        if not stands_together(path, columns[key].name):
            continue
        first = first_rows(path, columns[key].name)
        if int(first.sum()) != columns[key].distinct:
            continue
        cells = cells_of(key, columns, path, first)
        sums = _sums([column.name for column in columns], path, first, cells)
        lines = lines_of(key, runs_of(first), cells, columns, rows, sums)
        if lines is not None:
            _leave_first(path, [columns[place].name for place, how in lines.lies.items() if how == "once"], first)
            return lines
    return None


def _sums(names: Sequence[str], path: Path, first: Any, cells: Mapping[int, Cells]) -> Sums:
    import numpy as np

    begins = np.flatnonzero(first)
    lengths = np.diff(np.append(begins, len(first)))
    of_several = np.flatnonzero(lengths > 1)[:COMPARED]
    end = int(begins[of_several[-1]] + lengths[of_several[-1]]) if len(of_several) else 0
    read: dict[int, Any] = {}

    def figures(place: int) -> Any:
        if place not in read:
            read[place] = _figures(path, names[place], end)
        return read[place]

    def sums(places: Sequence[int]) -> list[float | None]:
        product = np.prod([figures(place) for place in places], axis=0)
        if not cells[places[0]].changes:
            return [None if np.isnan(value) else float(value) for value in product[begins[of_several]]]
        given = ~np.isnan(product)
        starts = begins[begins < end]
        counts = np.add.reduceat(given.astype(int), starts)
        added = np.add.reduceat(np.where(given, product, 0.0), starts)
        return [float(added[run]) if counts[run] else None for run in of_several]

    return sums


def _figures(path: Path, name: str, end: int) -> Any:
    """The first figures of a column; NaN where there is none."""
    import numpy as np
    import pyarrow as pa

    parts, rows = [], 0
    for values in groups_of(path, name):
        if rows >= end:
            break
        parts.append(values.cast(pa.float64()).to_numpy(zero_copy_only=False).astype(float))
        rows += len(values)
    return np.concatenate([np.zeros(0), *parts])[:end]


def _leave_first(path: Path, names: Sequence[str], first: Any) -> None:
    """Writes the table anew with the values of these columns on first rows alone."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    left = path.with_suffix(".once.parquet")
    with pq.ParquetFile(path) as file, pq.ParquetWriter(left, file.schema_arrow, compression="snappy") as writer:
        start = 0
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            begins = pa.array(first[start : start + table.num_rows])
            start += table.num_rows
            for name in names:
                values = pc.if_else(begins, table.column(name), None)
                table = table.set_column(table.column_names.index(name), table.schema.field(name), values)
            writer.write_table(table)
    left.replace(path)
