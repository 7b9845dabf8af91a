"""The same as `per_key` for tables on disk, one row group and one column at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from apps.analyst.tables.per_key import Cells, Key, Lines, Runs, likely_keys, lines_of
from apps.analyst.types import Column


def carry_down(columns: Sequence[Column], path: Path, rows: int) -> Lines | None:
    """Carries down what is said of whole things in the Parquet file at `path`, and how its columns lie; None where the
    table is no such."""
    for key in likely_keys(columns, rows):
        first = first_rows(path, columns[key.column].name)
        if int(first.sum()) != columns[key.column].distinct:
            continue  # its rows do not stand together
        lines = _lines(key, columns, path, first)
        if lines is not None:
            _fill(path, [columns[place].name for place in lines.down], first)
            return lines
    return None


def _lines(key: Key, columns: Sequence[Column], path: Path, first: Any) -> Lines | None:
    return lines_of(key, runs_of(first), cells_of(key.column, columns, path, first), columns)


def runs_of(first: Any) -> Runs:
    """The runs that begin on the first rows."""
    return Runs(int(_several(first).sum()), int((~first).sum()))


def _several(first: Any) -> Any:
    import numpy as np

    return first & ~np.append(first[1:], True)


def cells_of(key: int, columns: Sequence[Column], path: Path, first: Any) -> dict[int, Cells]:
    """How the cells of all columns but the key lie in the runs that begin on the first rows, by place."""
    several, cells = _several(first), {}
    for place, column in enumerate(columns):
        if place != key:
            given, changed = _given_and_changed(path, column.name)
            counts = (given != first, given & several, given & ~first, changed & ~first)
            cells[place] = Cells(*(int(found.sum()) for found in counts))
    return cells


def stands_together(path: Path, name: str) -> bool:
    """Whether a column's equal values stand together in the first row group: a look before all of it is read."""
    values = next(groups_of(path, name), None)
    if values is None:
        return False
    import pyarrow.compute as pc

    return int(pc.sum(pc.not_equal(values[1:], values[:-1])).as_py() or 0) < len(values.unique())


def first_rows(path: Path, name: str) -> Any:
    """For each row whether the column holds something else than above, as it does in the very first one."""
    return _given_and_changed(path, name)[1]


def _given_and_changed(path: Path, name: str) -> tuple[Any, Any]:
    """For each row whether a column holds something, and something else than in the row above."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    given, changed = [np.zeros(0, bool)], [np.zeros(0, bool)]
    before = None
    for values in groups_of(path, name):
        here = values.is_valid().to_numpy(zero_copy_only=False)
        above = pa.concat_arrays([values[:1] if before is None else before, values[:-1]])
        other = pc.fill_null(pc.not_equal(values, above), False).to_numpy(zero_copy_only=False)
        other |= here != above.is_valid().to_numpy(zero_copy_only=False)
        other[0] |= before is None
        given.append(here)
        changed.append(other)
        before = values[-1:]
    return np.concatenate(given), np.concatenate(changed)


def groups_of(path: Path, name: str) -> Iterator[Any]:
    """A column's values, row group by row group."""
    import pyarrow.parquet as pq

    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            values = file.read_row_group(group, [name]).column(0)
            if len(values):
                yield whole_column(values)


def whole_column(values: Any) -> Any:
    """A column in one piece."""
    import pyarrow as pa

    return pa.concat_arrays(values.chunks)


def _fill(path: Path, names: Sequence[str], first: Any) -> None:
    """Writes the table anew with the values of first rows carried down in these columns."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    filled = path.with_suffix(".filled.parquet")
    with pq.ParquetFile(path) as file, pq.ParquetWriter(filled, file.schema_arrow, compression="snappy") as writer:
        above: dict[str, Any] = {}
        start = 0
        for group in range(file.num_row_groups):
            table = file.read_row_group(group)
            begins = first[start : start + table.num_rows]
            start += table.num_rows
            # 0 is the value carried over from the group above, 1 the first row of this one.
            source = np.maximum.accumulate(np.where(begins, np.arange(1, table.num_rows + 1), 0))
            for name in names:
                values = whole_column(table.column(name))
                values = pa.concat_arrays([above.get(name, values[:1]), values]).take(pa.array(source))
                above[name] = values[-1:]
                table = table.set_column(table.column_names.index(name), table.schema.field(name), values)
            writer.write_table(table)
    filled.replace(path)
