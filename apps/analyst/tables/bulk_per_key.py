"""The same as `per_key` for tables on disk: what is said of whole things carried down with DuckDB."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.bulk_stage import copy
from apps.analyst.tables.per_key import Cells, Key, Lines, Runs, likely_keys, lines_of
from apps.analyst.types import Column

_ROW = "file_row_number"
_BEGINS = "begins_here"


def carry_down(columns: Sequence[Column], path: Path, rows: int, engine: Engine) -> Lines | None:
    """Carries down what is said of whole things in the Parquet file at `path`, and how its columns lie; None where the
    table is no such."""
    for key in likely_keys(columns, rows):
        lines = _lines(key, columns, path, engine)
        if lines is not None:
            _fill(key, lines, columns, path, engine)
            return lines
    return None


def _marked(key: Key, columns: Sequence[Column], path: Path) -> str:
    """The rows with their places, and whether each is the first of its key."""
    name = quoted(columns[key.column].name)
    first = f"lag({name}) OVER (ORDER BY {_ROW}) IS DISTINCT FROM {name} AS {_BEGINS}"
    return f"(SELECT *, {first} FROM read_parquet({literal(str(path))}, file_row_number=true))"


def _lines(key: Key, columns: Sequence[Column], path: Path, engine: Engine) -> Lines | None:
    marked = _marked(key, columns, path)
    (begun,) = engine.rows(f"SELECT count(*) FILTER ({_BEGINS}) FROM {marked}")[0]
    if begun != columns[key.column].distinct:
        return None  # its rows do not stand together
    others = [place for place in range(len(columns)) if place != key.column]
    several = f"{_BEGINS} AND NOT ends"
    parts = [f"count(*) FILTER ({several})", f"count(*) FILTER (NOT {_BEGINS})"]
    seen = [f"coalesce(lead({_BEGINS}) OVER (ORDER BY {_ROW}), true) AS ends"]
    for place in others:
        name, given = quoted(columns[place].name), f"{quoted(columns[place].name)} IS NOT NULL"
        seen.append(f"{name} IS DISTINCT FROM lag({name}) OVER (ORDER BY {_ROW}) AS changes_{place}")
        parts += [f"count(*) FILTER (({given}) <> {_BEGINS})", f"count({name}) FILTER ({several})"]
        parts += [f"count({name}) FILTER (NOT {_BEGINS})", f"count(*) FILTER (NOT {_BEGINS} AND changes_{place})"]
    counts = engine.rows(f"SELECT {', '.join(parts)} FROM (SELECT *, {', '.join(seen)} FROM {marked})")[0]
    cells = {place: Cells(*counts[2 + 4 * at : 6 + 4 * at]) for at, place in enumerate(others)}
    return lines_of(key, Runs(*counts[:2]), cells, columns)


def _fill(key: Key, lines: Lines, columns: Sequence[Column], path: Path, engine: Engine) -> None:
    """Writes the table anew, in the order of its rows."""
    of_first = f"OVER (PARTITION BY {quoted(columns[key.column].name)} ORDER BY {_ROW})"
    values = [
        f"first_value({name}) {of_first} AS {name}" if place in lines.down else name
        for place, name in enumerate(quoted(column.name) for column in columns)
    ]
    filled = path.with_suffix(".filled.parquet")
    source = f"(SELECT {', '.join(values)}, {_ROW} FROM read_parquet({literal(str(path))}, file_row_number=true))"
    engine.run(copy(", ".join(quoted(column.name) for column in columns), f"{source} ORDER BY {_ROW}", filled))
    filled.replace(path)
