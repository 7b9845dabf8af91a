"""A sheet too large for lists: its columns as Arrow arrays of trimmed text, NULL where a cell is empty."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import crosstab, csv_reader, grid, layout, strays, totals
from apps.analyst.tables.grid import Grid
from apps.analyst.tables.plans import FileHints

HEAD_ROWS = 500
"""The header is looked for in so many first rows."""
SAMPLE_ROWS = 5_000
"""So many first rows, and a tenth of them from the end, tell what a column seems to hold; the whole column then shows
where it does not."""


@dataclass(slots=True)
class LargeGrid:
    """Columns of text with their names, every column of the same length."""

    names: list[str]
    columns: list[Any]
    report: list[str] = field(default_factory=list)
    hints: FileHints = field(default_factory=FileHints)
    units: dict[int, str] = field(default_factory=dict)
    descriptions: dict[str, str] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.columns[0])


def of_grid(table: Grid) -> LargeGrid:
    """A grid of lists in Arrow."""
    import pyarrow as pa
    import pyarrow.compute as pc

    arrays = []
    for column in table.columns:
        array = pa.array(column, pa.string())
        arrays.append(pc.if_else(pc.equal(array, ""), pa.scalar(None, pa.string()), array))
    return LargeGrid(table.names, arrays, table.report, table.hints, table.units, table.descriptions)


def as_lists(columns: Sequence[Any]) -> list[list[str]]:
    """Columns as lists of text, "" where a cell is empty."""
    import pyarrow.compute as pc

    return [pc.fill_null(column, "").to_pylist() for column in columns]


def is_crosstab(columns: Sequence[Any]) -> bool:
    """Whether the columns of a sheet hold a cross table."""
    return crosstab.find_corner(_head(columns)) is not None


def _head(columns: Sequence[Any]) -> list[list[str]]:
    lists = as_lists([column.slice(0, HEAD_ROWS) for column in columns])
    return [list(row) for row in zip(*lists, strict=True)]


def of_sheet(columns: Sequence[Any], display_name: str, report: list[str]) -> LargeGrid:
    """The table in the columns of a whole sheet. Raises ReadFailed where there is none."""
    head = _head(columns)
    found = layout.find(head, len(columns))
    csv_reader.refuse_no_table(found, display_name)
    header = [" ".join(cell.split()) for cell in head[found.header_rows[-1]]] if found.header_rows else None
    body = [column.slice(found.first_data_row) for column in columns[: len(found.names)]]
    body, notes = _tidy(body, header)
    if not len(body[0]):
        raise ReadFailed(csv_reader.no_rows(display_name))
    return LargeGrid(list(found.names), body, [*report, *found.notes, *notes], FileHints(workbook=True))


def _tidy(columns: list[Any], header: list[str] | None) -> tuple[list[Any], list[str]]:
    """The columns without rows that are none, and what to tell about these."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.compute as pc

    def places(mask: Any) -> list[int]:
        return np.flatnonzero(pc.fill_null(mask, False).to_numpy(zero_copy_only=False)).tolist()

    first, second = columns[0], columns[1] if len(columns) > 1 else columns[0]
    together = pc.coalesce(*columns)
    blank = set(places(pc.is_null(together)))
    suspects = set(places(pc.equal(first, second)))
    if header:
        suspects |= set(places(pc.equal(first, header[0])))

    @lru_cache(maxsize=64)
    def row_at(index: int) -> list[str]:
        return [column[index].as_py() or "" for column in columns]

    gone, notes = strays.find(len(first), blank, sorted(suspects), row_at, header)
    if gone:
        kept = np.ones(len(first), bool)
        kept[sorted(gone)] = False
        columns = [column.filter(pa.array(kept)) for column in columns]
    return columns, notes


def leave_out_totals(table: LargeGrid) -> None:
    """Drops rows that are labelled as totals and are sums of the rows above them."""
    if not _names_totals(table.columns):
        return
    lists = Grid(table.names, as_lists(table.columns), table.report, table.hints, table.units)
    before = len(lists.columns[0])
    grid.leave_out_totals(lists)
    if len(lists.columns[0]) < before:
        table.columns = of_grid(lists).columns


def _names_totals(columns: Sequence[Any]) -> bool:
    """Whether some row may be one of totals by its words."""
    import pyarrow as pa
    import pyarrow.compute as pc

    plain = pa.array(sorted(totals.PLAIN_LABELS), pa.string())
    if any(pc.any(pc.is_in(column, value_set=plain)).as_py() for column in columns[1:]):
        return True
    labels = pc.coalesce(*columns)
    worded = labels.filter(pc.match_substring_regex(labels, "total|sum|gesamt", ignore_case=True)).unique()
    return any(totals.is_total_label(label) for label in worded.to_pylist())


def samples(table: LargeGrid) -> list[Counter[str]]:
    """Distinct cells with counts per column, from the first and last rows."""
    import pyarrow as pa
    import pyarrow.compute as pc

    first = max(table.rows - SAMPLE_ROWS // 10, SAMPLE_ROWS)
    found = []
    for column in table.columns:
        parts = pa.chunked_array([column.slice(0, SAMPLE_ROWS), column.slice(first)], pa.string())
        counted_cells = pc.value_counts(pc.fill_null(parts, ""))
        cells, counts = counted_cells.field("values").to_pylist(), counted_cells.field("counts").to_pylist()
        found.append(Counter(dict(zip(cells, counts, strict=True))))
    return found
