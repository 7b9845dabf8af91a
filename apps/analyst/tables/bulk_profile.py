"""Profiles a typed Parquet table with DuckDB: the counterpart of `profile` for tables too big for Python."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from apps.analyst.tables import bulk_texts, profile
from apps.analyst.tables.bulk import BulkTable
from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.folding import fold
from apps.analyst.tables.plans import ColumnPlan
from apps.analyst.tables.roles import Facts
from apps.analyst.types import Column, Scalar, ValueCount

EXACT_ROWS = 200_000
"""In tables of at most so many rows all distinct values are counted exactly."""
SAMPLED_ROWS = 100_000
"""The shapes of larger tables are judged by about so many of their rows, evenly spread."""
EXACT_BELOW = 400
"""An estimated number of distinct values below which the values themselves are counted."""
_Texts = tuple[int, tuple[ValueCount, ...], float]
"""Of a text column: how many values, the most frequent ones, and their average length."""
_ORDERED = ("integer", "decimal", "float", "date", "datetime")


def profile_table(table: BulkTable, path: Path, values_path: Path, engine: Engine) -> tuple[int, tuple[Column, ...]]:
    """The number of rows and the columns' profiles; writes `values_path`."""
    source = f"read_parquet({literal(str(path))})"
    rows, facts = _scan(table, source, engine)
    if not table.texts_counted:
        bulk_texts.count(table.names, table.plans, path, engine)
    texts = _write_values(table, values_path, engine)
    columns = []
    for position, (column, plan) in enumerate(zip(table.names, table.plans, strict=True)):
        filled, low, high, estimate = facts[position]
        length = 0.0
        if plan.type == "text":
            distinct, values, length = texts[column]
        else:
            distinct, values = _values(column, plan, source, engine, estimate, filled)
        found = Facts(column, plan.type, rows, distinct, rows - filled, low, high, length, position)
        columns.append(profile.finish_column(found, plan.unit, values))
    return rows, tuple(columns)


def _scan(table: BulkTable, source: str, engine: Engine) -> tuple[int, list[tuple[int, Scalar, Scalar, int]]]:
    """Rows, and for each column: filled cells, smallest, largest, estimated number of distinct values."""
    parts = ["count(*)"]
    for column, plan in zip(table.names, table.plans, strict=True):
        name = quoted(column)
        parts.append(f"count({name})")
        if plan.type in _ORDERED:
            parts += [f"min({name})", f"max({name})", f"approx_count_distinct({name})"]
        else:
            parts += ["NULL", "NULL", "2"]
    row = engine.rows(f"SELECT {', '.join(parts)} FROM {source}")[0]
    facts = [(row[i], row[i + 1], row[i + 2], row[i + 3]) for i in range(1, len(row), 4)]
    return row[0], facts


def _values(
    column: str, plan: ColumnPlan, source: str, engine: Engine, estimate: int, filled: int
) -> tuple[int, tuple[ValueCount, ...]]:
    """The number of distinct values (estimated where it does not matter), and the values of a small set."""
    name = quoted(column)
    if estimate < EXACT_BELOW:
        counted = engine.rows(
            f"SELECT {name}, count(*) AS n FROM {source} WHERE {name} IS NOT NULL GROUP BY 1 ORDER BY n DESC, 1"
        )
        if plan.type != "boolean" and len(counted) > profile.MAX_NUMBER_VALUES:
            return len(counted), ()
        return len(counted), tuple(ValueCount(profile.as_text(value), count) for value, count in counted)
    if plan.type in ("integer", "date") or filled <= EXACT_ROWS or estimate > 0.7 * filled:
        return int(engine.rows(f"SELECT count(DISTINCT {name}) FROM {source}")[0][0]), ()
    return min(estimate, filled), ()


# ---------------------------------------------------------------- distinct texts
def _write_values(table: BulkTable, path: Path, engine: Engine) -> dict[str, _Texts]:
    """Writes every distinct text with its folded form and count; tells what each text column holds."""
    found: dict[str, _Texts] = {}
    for column, plan in zip(table.names, table.plans, strict=True):
        if plan.type != "text":
            continue
        where = f'"column" = {literal(column)}'
        distinct, length = engine.rows(f"SELECT count(*), avg(length(value)) FROM texts WHERE {where}")[0]
        top = engine.rows(
            f"SELECT value, count FROM texts WHERE {where} ORDER BY count DESC, value LIMIT {profile.MAX_VALUES}"
        )
        found[column] = (distinct, profile.short_values(top), float(length or 0.0))
    folded, listed = _ascii_fold("t.value"), "texts AS t"
    if _register_folds(engine):
        folded, listed = f"coalesce(f.folded, {folded})", "texts AS t LEFT JOIN folds AS f ON t.value = f.value"
    engine.do(
        f'COPY (SELECT "column", t.value, {folded} AS folded, count FROM {listed}) '
        f"TO {literal(str(path))} (FORMAT parquet, COMPRESSION snappy)"
    )
    engine.do("DROP TABLE texts")
    return found


def _ascii_fold(value: str) -> str:
    """`folding.fold` of an ASCII text."""
    spaces = "' ' || chr(9) || chr(10) || chr(11) || chr(12) || chr(13)"
    single = f"translate(lower({value}), {spaces}, '      ')"
    return (
        f"CASE WHEN contains({value}, '  ') OR regexp_matches({value}, '[\\t\\n\\v\\f\\r]') "
        f"THEN trim(regexp_replace({single}, ' +', ' ', 'g')) ELSE lower({value}) END"
    )


def _register_folds(engine: Engine) -> bool:
    """Makes a table of the folded form of every text that is not ASCII, as Python folds it. False: there is none."""
    cursor = engine.connection.execute("SELECT DISTINCT value FROM texts WHERE strlen(value) <> length(value)")
    values = [row[0] for row in cursor.fetchall()]
    if not values:
        return False
    import pyarrow as pa

    table = pa.table(
        {"value": pa.array(values, pa.string()), "folded": pa.array([fold(v) for v in values], pa.string())}
    )
    engine.connection.register("arrow_folds", table)
    engine.connection.execute("CREATE TEMP TABLE folds AS SELECT * FROM arrow_folds")
    engine.connection.unregister("arrow_folds")
    return True


# ---------------------------------------------------------------- histograms and samples
def take_sample(columns: Sequence[Column], path: Path, rows: int, engine: Engine) -> None:
    """Makes the table `sampled`: the places of figures, dates and moments on their axes, of every so many rows. Shapes
    and fences are judged by it."""
    places = [f"{_place(column)} AS {quoted(column.name)}" for column in columns if column.type in _ORDERED]
    step = max(rows // SAMPLED_ROWS, 1)
    source = f"read_parquet({literal(str(path))}, file_row_number=true) WHERE file_row_number % {step} = 0"
    engine.do(
        f"CREATE OR REPLACE TEMP TABLE sampled AS SELECT {', '.join([*places, 'NULL AS file_end'])} FROM {source}"
    )


def _place(column: Column) -> str:
    """A value as a number on its axis, as `profile.as_number` has it."""
    if column.type == "date":
        return f"datediff('day', DATE '0001-01-01', {quoted(column.name)}) + 1.0"
    return f"epoch({quoted(column.name)})" if column.type == "datetime" else f"CAST({quoted(column.name)} AS DOUBLE)"


def histograms(columns: Sequence[Column], rows: int, engine: Engine) -> dict[str, tuple[int, ...]]:
    """Counts of equal-width bins for every column of numbers, dates and moments; of a large table, what its sampled
    rows stand for."""
    found: dict[str, tuple[int, ...]] = {}
    for column in columns:
        low, high = _axis(column.minimum), _axis(column.maximum)
        if column.type not in _ORDERED or low is None or high is None or not 0 < high - low < math.inf:
            continue
        slot = f"CAST(floor(({quoted(column.name)} - {low!r}) / {(high - low) / profile.BINS!r}) AS INTEGER)"
        counted = engine.rows(f"SELECT least({slot}, {profile.BINS - 1}) AS b, count(*) FROM sampled GROUP BY 1")
        bins = [0] * profile.BINS
        for position, count in counted:
            if position is not None:
                bins[max(position, 0)] += count
        found[column.name] = _grown(bins, rows - column.missing)
    return found


def _grown(bins: list[int], filled: int) -> tuple[int, ...]:
    """Bins of a sample for the whole column; its smallest and largest values stand in the first and last."""
    share = filled / max(sum(bins), 1)
    bins = [round(count * share) for count in bins]
    bins[0], bins[-1] = max(bins[0], 1), max(bins[-1], 1)
    return tuple(bins)


def _axis(value: Scalar) -> float | None:
    return None if value is None or isinstance(value, str) else profile.as_number(value)


def sample(path: Path, engine: Engine, rows: int) -> tuple[tuple[Scalar, ...], ...]:
    """The first rows."""
    found: list[tuple[Any, ...]] = engine.rows(f"SELECT * FROM read_parquet({literal(str(path))}) LIMIT {rows}")
    return tuple(tuple(profile.shown(cell) for cell in row) for row in found)
