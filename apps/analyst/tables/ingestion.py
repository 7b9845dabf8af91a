"""From a file as people have it to typed, profiled Parquet tables: the story of ingestion, told once."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import (
    crosstab,
    csv_reader,
    large_grid,
    layout,
    outliers,
    per_key,
    periods_across,
    profile,
    repeated,
    writing,
)
from apps.analyst.tables import source as sources
from apps.analyst.tables.grid import Grid, convert
from apps.analyst.tables.large_grid import LargeGrid
from apps.analyst.tables.results import IngestedTable, IngestProgress, Progress, no_progress
from apps.analyst.types import Column, Table

if TYPE_CHECKING:
    from apps.analyst.tables.bulk import BulkTable
    from apps.analyst.tables.bulk_engine import Engine

SAMPLE_ROWS = 20
BULK_BYTES = 384 << 10
"""Text files above this size are read by DuckDB; smaller ones are faster in plain Python."""
MAX_CROSSTAB_BYTES = 20 << 20
BULK_CELLS = 200_000
"""Sheets with more cells are typed by DuckDB."""
MAX_BULK_COLUMNS = 2_000
"""Wider files are read by Python: DuckDB plans a query over thousands of columns too slowly."""


def ingest(
    path: Path,
    original_name: str,
    out_dir: Path,
    progress: Progress = no_progress,
    *,
    max_columns: int = layout.MAX_COLUMNS,
) -> list[IngestedTable]:
    """Reads a .csv or .xlsx file and writes `{i}.parquet` and `{i}.values.parquet` per table into `out_dir`.

    `original_name` is the name people gave the file; tables are named after it. Raises ReadFailed with a plain message
    where the file holds no table, or one of more than `max_columns`.
    """
    out_dir.mkdir(parents=True, exist_ok=True)
    suffix = Path(original_name).suffix
    stem = original_name[: -len(suffix)] if suffix else original_name
    progress(IngestProgress("reading"))
    if suffix.casefold() in (".xlsx", ".xlsm"):
        return _ingest_workbook(path, original_name, stem, out_dir, progress, max_columns)
    found = sources.examine(path, original_name)
    csv_reader.refuse_wide(len(found.layout.names), original_name, max_columns)
    if path.stat().st_size > BULK_BYTES and len(found.layout.names) <= MAX_BULK_COLUMNS and not _is_crosstab(found):
        return [ingest_bulk(found, stem, out_dir, progress)]
    grid = csv_reader.read(found)
    csv_reader.refuse_wide(len(grid.names), original_name, max_columns)
    return [_finish(grid, stem, 0, out_dir, progress)]


def _is_crosstab(found: sources.Source) -> bool:
    """Whether a text file holds a cross table; these are unfolded in memory."""
    return found.path.stat().st_size <= MAX_CROSSTAB_BYTES and crosstab.find_corner(found.head_rows[:500]) is not None


def _ingest_workbook(
    path: Path, original_name: str, stem: str, out_dir: Path, progress: Progress, max_columns: int
) -> list[IngestedTable]:
    from apps.analyst.tables.xlsx_reader import read_sheets

    sheets = read_sheets(path, original_name)
    for _, grid in sheets:
        csv_reader.refuse_wide(len(grid.names), original_name, max_columns)
    tables = []
    for index, (sheet, grid) in enumerate(sheets):
        name = f"{stem} - {sheet}" if len(sheets) > 1 else stem
        if isinstance(grid, LargeGrid):
            tables.append(_finish_large(grid, name, index, out_dir, progress))
        elif len(grid.columns) * len(grid.columns[0]) > BULK_CELLS and len(grid.columns) <= MAX_BULK_COLUMNS:
            tables.append(_finish_large(large_grid.of_grid(grid), name, index, out_dir, progress))
        else:
            tables.append(_finish(grid, name, index, out_dir, progress))
    return tables


def _finish(grid: Grid, name: str, index: int, out_dir: Path, progress: Progress) -> IngestedTable:
    """Types, writes and profiles a grid in memory."""
    progress(IngestProgress("typing", len(grid.columns[0]), name))
    grid = periods_across.unfolded(grid, name)
    columns = convert(grid)
    rows = len(grid.columns[0])
    path, values_path = out_dir / f"{index}.parquet", out_dir / f"{index}.values.parquet"
    profiled, lines = per_key.carry_down(columns, profile.profile(columns))
    if not lines:
        profiled, lines = repeated.keep_once(columns, profiled)
    writing.write_table(columns, path)
    progress(IngestProgress("profiling", rows, name))
    writing.write_values(columns, values_path)
    described = _described(profiled, grid.descriptions)
    table = Table(name, f"{name}.csv", path, rows, described, values_path=values_path)
    shown = range(min(rows, SAMPLE_ROWS))
    sample = tuple(tuple(profile.shown(column.values[row]) for column in columns) for row in shown)
    histograms = {column.name: bins for column in columns if (bins := profile.histogram(column))}
    far = [
        note
        for known, typed in zip(table.columns, columns, strict=True)
        for note in outliers.of_counts(known, typed.counts)
    ]
    progress(IngestProgress("ready", rows, name))
    return IngestedTable(name, f"{name}.csv", table, (*grid.report, *lines, *far), sample, histograms)


def _finish_large(grid: LargeGrid, name: str, index: int, out_dir: Path, progress: Progress) -> IngestedTable:
    """Types, writes and profiles a large grid with DuckDB."""
    from apps.analyst.tables import bulk
    from apps.analyst.tables.bulk_engine import Engine

    rows = grid.rows
    progress(IngestProgress("typing", rows, name))
    with tempfile.TemporaryDirectory(dir=out_dir) as scratch:
        engine = Engine(Path(scratch), progress, name, rows)
        try:
            made = bulk.convert_grid(grid, out_dir / f"{index}.parquet", Path(scratch), engine)
            ingested = _profiled(made, name, index, out_dir, engine, progress)
            described = _described(ingested.table.columns, grid.descriptions)
            return replace(ingested, table=replace(ingested.table, columns=described))
        finally:
            engine.close()


def ingest_bulk(found: sources.Source, name: str, out_dir: Path, progress: Progress) -> IngestedTable:
    """Types, writes and profiles a large text file on disk."""
    from apps.analyst.tables import bulk
    from apps.analyst.tables.bulk_engine import Engine

    with tempfile.TemporaryDirectory(dir=out_dir) as scratch:
        engine = Engine(Path(scratch), progress, name, _expected_rows(found))
        try:
            made = bulk.convert(bulk.Job(found, name, out_dir / "0.parquet", Path(scratch), engine, progress))
            ingested = _profiled(made, name, 0, out_dir, engine, progress)
        finally:
            engine.close()
    if not ingested.table.rows:
        raise ReadFailed(csv_reader.no_rows(found.display_name))
    return ingested


def _profiled(
    made: BulkTable, name: str, index: int, out_dir: Path, engine: Engine, progress: Progress
) -> IngestedTable:
    """The profile of a typed table on disk."""
    from apps.analyst.tables import bulk_per_key, bulk_profile, bulk_repeated

    path, values_path = out_dir / f"{index}.parquet", out_dir / f"{index}.values.parquet"
    progress(IngestProgress("profiling", 0, name))
    rows, columns = bulk_profile.profile_table(made, path, values_path, engine)
    lines = bulk_per_key.carry_down(columns, path, rows) or bulk_repeated.keep_once(columns, path, rows)
    if lines is not None:
        _, again = bulk_profile.profile_table(replace(made, texts_counted=False), path, values_path, engine)
        columns = per_key.described(again, columns, lines)
    bulk_profile.take_sample(columns, path, rows, engine)
    histograms = bulk_profile.histograms(columns, rows, engine)
    sample = bulk_profile.sample(path, engine, SAMPLE_ROWS)
    table = Table(name, f"{name}.csv", path, rows, columns, values_path=values_path)
    far = outliers.of_table(columns, path, rows, engine)
    progress(IngestProgress("ready", rows, name))
    return IngestedTable(
        name, f"{name}.csv", table, (*made.report, *([lines.note(columns)] if lines else []), *far), sample, histograms
    )


def _described(columns: tuple[Column, ...], descriptions: dict[str, str]) -> tuple[Column, ...]:
    """Columns with what the file says that they hold."""
    return tuple(replace(column, description=descriptions.get(column.name, "")) for column in columns)


def _expected_rows(found: sources.Source) -> int:
    """How many rows the file holds if they all are as long as its first ones."""
    size = found.path.stat().st_size
    return max(int(size / min(size, sources.HEAD_BYTES) * max(len(found.head_rows), 1)), 1)
