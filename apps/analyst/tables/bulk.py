"""Turns large tables into typed Parquet with DuckDB.

The types are planned from the file's first and last part. If DuckDB can read every column exactly as planned, one pass
over the file does it. Where a cell does not fit its plan, or a plan needs Python, the file goes to a Parquet of plain
text
first; the plans are corrected by what the whole columns hold, and the typed table is made from there.
"""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from apps.analyst.errors import ReadFailed
from apps.analyst.tables import bulk_sql, bulk_texts, bulk_totals, dialect, grid, large_grid, rewriting, totals
from apps.analyst.tables import source as sources
from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_headers import hold_words, repeated, stand_again
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.bulk_stage import HeldTexts, ParquetTexts, TextStage, copy
from apps.analyst.tables.inference import infer
from apps.analyst.tables.large_grid import LargeGrid
from apps.analyst.tables.neutral import restored_sql
from apps.analyst.tables.plans import ColumnPlan, FileHints
from apps.analyst.tables.results import IngestProgress, Progress

TAIL_BYTES = 1 << 16
SAMPLE_ROWS = 5_000
"""Types are planned by so many first rows and those in the last bytes; the whole columns then show where they fail."""
LONG_ROW = 1 << 20
"""DuckDB's reader needs larger buffers for rows of more bytes."""
_SPACED_QUOTE = re.compile(r"""[,;\t|] +["']""")


@dataclass(frozen=True, slots=True)
class Job:
    """One large text file on its way to a typed table: the file, where the table goes, and what to work with."""

    found: sources.Source
    name: str
    target: Path
    scratch: Path
    engine: Engine
    progress: Progress


@dataclass(slots=True)
class BulkTable:
    """A typed table on disk, with its plans and what was changed."""

    names: list[str]
    plans: list[ColumnPlan]
    report: list[str] = field(default_factory=list)
    texts_counted: bool = False
    """Whether the engine holds its distinct texts already (bulk_texts)."""


def convert(job: Job) -> BulkTable:
    """Writes the typed table of a text file. Raises ReadFailed."""
    found, names = job.found, list(job.found.layout.names)
    cells = _sample(found, len(names))
    plans = grid.plan_columns(names, cells, FileHints())
    report = [*found.notes, *found.layout.notes]
    last = _last_rows(found)
    if _is_plain(found) and not found.guarded and not bulk_totals.ends_oddly(last):
        told = report + _plan_notes(names, plans) + _word_notes(names, plans, cells)
        if _quickly(job, names, plans, cells):
            return BulkTable(names, plans, told, texts_counted=True)
        statement = _one_pass(job, names, plans, cells)
        if (
            statement is not None
            and _run(job, statement)
            and not stand_again(found, job.target, names, plans, job.engine)
        ):
            return BulkTable(names, plans, told)
    return _in_two_stages(job, names, plans, report, bulk_totals.remarks_of(last))


def _run(job: Job, statement: str) -> bool:
    """Whether a statement wrote the table; what it left otherwise is gone."""
    try:
        job.engine.run(statement)
    except duckdb.Error:
        job.target.unlink(missing_ok=True)
        return False
    return True


def convert_grid(table: LargeGrid, target: Path, scratch: Path, engine: Engine) -> BulkTable:
    """Writes the typed table of a grid that is too large to be typed cell by cell."""
    large_grid.leave_out_totals(table)
    grid.leave_out_empty_columns(table, lambda column: column.null_count < len(column))
    plans = grid.plan_columns(table.names, large_grid.samples(table), table.hints)
    stage = TextStage(HeldTexts(table.columns, scratch / "text.parquet", engine), table.names, engine)
    plans = [grid.with_unit(plan, table.units.get(index)) for index, plan in enumerate(stage.settle(plans, target))]
    return BulkTable(table.names, plans, [*table.report, *_plan_notes(table.names, plans), *stage.notes(plans)])


# ---------------------------------------------------------------- what the first and last part show
def _sample(found: sources.Source, width: int) -> list[Counter[str]]:
    """Distinct cells with counts per column, from the first and last part of the file, rows of totals aside."""
    rows = found.head_rows[found.layout.first_data_row :][:SAMPLE_ROWS]
    header = found.head_rows[found.layout.header_rows[-1]] if found.layout.header_rows else None
    rows = [row for row in (*rows, *_tail(found)) if len(row) == width and row != header]
    rows = [row for row in rows if not totals.is_total_label(totals.label_of([cell.strip() for cell in row]))] or rows
    columns = zip(*rows, strict=True) if rows else [()] * width
    return [Counter(cell.strip() for cell in column) for column in columns]


def _tail(found: sources.Source) -> list[list[str]]:
    """Rows from the end of the file, where it is longer than what was looked at."""
    size = found.path.stat().st_size
    if found.whole or found.encoding not in ("utf-8", "utf-8-sig", "cp1252", "latin-1"):
        return []
    with found.path.open("rb") as file:
        file.seek(max(size - TAIL_BYTES, sources.HEAD_BYTES))
        text = file.read().decode(found.encoding, errors="replace")
    try:
        rows = dialect.split(text.splitlines(keepends=True)[1:], found.dialect.delimiter, found.dialect.quote)
    except csv.Error:  # the cut fell into a quoted cell: the head alone will do
        return []
    return [sources.unguarded(row) for row in rows] if found.guarded else rows


def _last_rows(found: sources.Source) -> list[list[str]]:
    """The rows at the end of the file, blank ones among them."""
    rows = _tail(found) or found.head_rows[found.layout.first_data_row :]
    return [[cell.strip() for cell in row] for row in rows]


def _is_plain(found: sources.Source) -> bool:
    """Whether DuckDB's strict reader cuts the file into the same cells as we do, as far as the first part shows."""
    if found.tolerant or found.data_line != found.layout.first_data_row:
        return False
    if found.encoding not in ("utf-8", "utf-8-sig"):
        return False
    with found.path.open("rb") as file:
        head = file.read(sources.HEAD_BYTES).decode("utf-8", errors="replace")
    return not _SPACED_QUOTE.search(head) and "\x00" not in head


# ---------------------------------------------------------------- one pass
def _quickly(job: Job, names: list[str], plans: list[ColumnPlan], cells: list[Counter[str]]) -> bool:
    """Whether the file could be read as if all of it were as plain as the part that was seen. Texts are looked at
    afterwards, each different one once."""
    statement = None if _has_padding(job.found) else _quick_pass(job, names, plans, cells)
    if statement is None or not _run(job, statement):
        return False
    if stand_again(job.found, job.target, names, plans, job.engine):
        return False
    bulk_texts.count(names, plans, job.target, job.engine)
    if bulk_texts.need_care(names, plans, job.engine):
        job.target.unlink()
        return False
    return True


def _has_padding(found: sources.Source) -> bool:
    """Whether cells of the first rows have spaces around them."""
    rows = found.head_rows[found.layout.first_data_row :][:200]
    return any(cell != cell.strip() for row in rows for cell in row)


def _quick_pass(job: Job, names: list[str], plans: list[ColumnPlan], cells: list[Counter[str]]) -> str | None:
    """The statement for `_quickly`; None where a column shows that it needs care, or Python."""
    types, made, values = [], [], []
    for index, (column, plan) in enumerate(zip(names, plans, strict=True)):
        only_figures = not any(text and plan.is_missing(text) for text in cells[index])
        parts = bulk_sql.quick(plan, f"c{index}", only_figures=only_figures)
        careful = plan.type == "text" and not only_figures
        if parts is None or careful or _seems_unused(index, column, cells[index]):
            return None
        kind, first, value = parts
        types.append(kind)
        made += [f"c{index}", *([f"{first} AS v_c{index}"] if first else [])]
        values.append(f"{value} AS {quoted(column)}")
    filled = " OR ".join(f"c{index} IS NOT NULL" for index in range(len(names)))
    rows = f"(SELECT {', '.join(made)} FROM {_relation_of(job.found, types)}) WHERE ({filled})"
    return copy(", ".join(values), rows, job.target)


def _one_pass(job: Job, names: list[str], plans: list[ColumnPlan], cells: list[Counter[str]]) -> str | None:
    """The statement that reads the file as planned, or ends where it cannot; None where a plan needs Python."""
    types, values = [], []
    for index, (column, plan) in enumerate(zip(names, plans, strict=True)):
        only_figures = not any(text and plan.is_missing(text) for text in cells[index])
        parts = bulk_sql.in_one_pass(plan, f"c{index}", only_figures=only_figures)
        if parts is None or _seems_unused(index, column, cells[index]):
            return None
        types.append(parts[0])
        values.append(f"{parts[1]} AS {quoted(column)}")
    return copy(", ".join(values), _rows(_relation_of(job.found, types), types), job.target)


def _seems_unused(index: int, column: str, cells: Counter[str]) -> bool:
    """Whether a column has no name and, as far as was looked, no values."""
    return column == f"Column {index + 1}" and not any(cells)


def _relation_of(found: sources.Source, types: Sequence[str]) -> str:
    return _relation(found.path, types, found.dialect.delimiter, found.dialect.quote, found.data_line)


def _relation(path: Path, types: Sequence[str], delimiter: str, quote: str, skip: int, longest: int = 0) -> str:
    """The file as DuckDB's strict reader cuts it. `longest`: bytes of its longest row, where known to be long."""
    columns = ", ".join(f"'c{index}': '{kind}'" for index, kind in enumerate(types))
    return (
        f"read_csv({literal(str(path))}, auto_detect=false, header=false, skip={skip}, delim={literal(delimiter)}, "
        f"quote={literal(quote)}, escape={literal(quote)}, columns={{{columns}}}, nullstr=[''], strict_mode=true, "
        f"null_padding=false{_buffers(longest)})"
    )


def _buffers(longest: int) -> str:
    if longest < LONG_ROW:
        return ""
    return f", max_line_size={longest + 1024}, buffer_size={2 * longest + 4096}, parallel=false"


def _rows(relation: str, types: Sequence[str]) -> str:
    """The rows of a relation without blank ones."""
    filled = " OR ".join(
        f"nullif(trim(c{index}), '') IS NOT NULL" if kind == "VARCHAR" else f"c{index} IS NOT NULL"
        for index, kind in enumerate(types)
    )
    return f"{relation} WHERE ({filled})"


# ---------------------------------------------------------------- two stages
def _in_two_stages(
    job: Job, names: list[str], plans: list[ColumnPlan], report: list[str], remarks: list[str]
) -> BulkTable:
    text = job.scratch / "text.parquet"
    names = _write_text(job, names, plans, text, report)
    texts = ParquetTexts(text, len(names), job.engine)
    job.progress(IngestProgress("typing", texts.rows, job.name))
    plans = plans + [infer({}, column) for column in names[len(plans) :]]
    texts, notes = bulk_totals.leave_out(texts, plans, remarks, job.scratch / "kept.parquet", job.engine)
    report += notes
    stage = TextStage(texts, names, job.engine)
    plans = stage.settle(plans, job.target)
    report += _plan_notes(names, plans) + stage.notes(plans)
    kept = [index for index in range(len(names)) if index not in stage.unused]
    return BulkTable([names[index] for index in kept], [plans[index] for index in kept], report)


def _write_text(job: Job, names: list[str], plans: list[ColumnPlan], text: Path, report: list[str]) -> list[str]:
    """The file as a Parquet of trimmed text; rewritten by Python first where DuckDB's strict reader fails on it."""
    if _is_plain(job.found):
        types = ["VARCHAR"] * len(names)
        trimmed = [f"trim(c{index})" for index in range(len(names))]
        if job.found.guarded:
            trimmed = [restored_sql(cell) for cell in trimmed]
        cells = ", ".join(f"{cell} AS c{index}" for index, cell in enumerate(trimmed))
        try:
            rows = _rows(_relation_of(job.found, types), types)
            job.engine.run(copy(cells, rows, text))
            same, count = repeated(job.found, text, plans, job.engine)
            if count:
                job.engine.run(copy(cells, f"{rows} AND NOT ({same})", text))
                report += rewriting.row_notes(short=0, long=0, overflow=0, repeated=count)
            return names
        except duckdb.Error:
            text.unlink(missing_ok=True)
    plain = rewriting.rewrite(job.found, job.scratch / "plain.csv", job.name, job.progress, words=hold_words(plans))
    report += plain.notes
    types = ["VARCHAR"] * len(plain.names)
    cells = ", ".join(f"c{index}" for index in range(len(plain.names)))
    try:
        job.engine.run(copy(cells, _rows(_relation(plain.path, types, ",", '"', 0, plain.longest), types), text))
    except duckdb.Error as error:
        raise ReadFailed(f"{job.found.display_name} could not be read as a table.") from error
    plain.path.unlink()
    return plain.names


# ---------------------------------------------------------------- what to tell
def _plan_notes(names: Sequence[str], plans: Sequence[ColumnPlan]) -> list[str]:
    return [f"{column}: {note}" for column, plan in zip(names, plans, strict=True) for note in plan.notes]


def _word_notes(names: Sequence[str], plans: Sequence[ColumnPlan], cells: Sequence[Counter[str]]) -> list[str]:
    """What to tell about words for "no value", where they were not counted."""
    notes = []
    for column, plan, counts in zip(names, plans, cells, strict=True):
        words = sorted(text for text in counts if text and plan.is_missing(text))[:4]
        if words:
            shown = ", ".join(f'"{word}"' for word in words)
            notes.append(f"{column}: cells such as {shown} taken for missing")
    return notes
