"""Stored tables as typed frames, and the joins of one query. A missing key meets nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import pandas as pd

from apps.analyst.plan import ROW_NUMBER, ColumnRef, Join, KeyPart, Query
from apps.analyst.ports import Catalog
from apps.analyst.tables.entries import split_cell
from apps.analyst.tables.folding import core_key, key_part
from apps.analyst.types import ColumnType, Table

Frames = Mapping[str, pd.DataFrame]
Cells: TypeAlias = Any
"""A pandas series. What it holds is known from the plan's shapes, not from its type."""
_DTYPES = {"integer": "Int64", "decimal": "Float64", "float": "Float64"}


def load(catalog: Catalog) -> dict[str, pd.DataFrame]:
    """All tables of the catalog as typed frames, by name."""
    return {table.name: load_table(table) for table in catalog.tables()}


def load_table(table: Table) -> pd.DataFrame:
    """One stored table as a typed frame."""
    raw = pd.read_parquet(table.path)
    return pd.DataFrame({column.name: typed(raw[column.name], column.type) for column in table.columns})


def typed(values: Cells, kind: ColumnType | None) -> Cells:
    """The values in the dtype the executor computes with: nullable numbers, moments, or objects with None."""
    if kind == "boolean":
        return values.astype("boolean")
    if kind in _DTYPES:
        numbers: Cells = pd.to_numeric(values, errors="coerce")
        return numbers.astype(_DTYPES[kind])
    if kind in ("date", "datetime"):
        moments: Cells = pd.to_datetime(values)
        return moments.astype("datetime64[us]")
    cells = values.astype("object")
    return cells.where(cells.notna(), None)


def key(alias: str, column: str) -> str:
    """The working frame's name for a column of a scanned table."""
    return f"{alias}\x1f{column}"


def prefixed(frame: pd.DataFrame, alias: str) -> pd.DataFrame:
    """The frame with its columns under the alias, and its row numbers from 1."""
    made = frame.rename(columns={name: key(alias, str(name)) for name in frame.columns}).reset_index(drop=True)
    if key(alias, ROW_NUMBER) not in made:
        made[key(alias, ROW_NUMBER)] = pd.Series(range(1, len(made) + 1), dtype="Int64")
    return made


def joined(query: Query, start: pd.DataFrame, frames: Frames) -> pd.DataFrame:
    """The working frame after all joins of the query."""
    work = start
    for join in query.joins:
        alias = join.alias or join.table
        work = _join(work, by_entry(prefixed(frames[join.table], alias), alias, query), join, alias)
    return work


def by_entry(frame: pd.DataFrame, alias: str, query: Query) -> pd.DataFrame:
    """The frame of a table with each row once for each entry of the columns that the query takes apart."""
    for part in query.each:
        if part.of.table == alias:
            name = key(alias, part.of.column)
            cells = frame[name].map(lambda cell, mark=part.separator: _entries(cell, mark)).astype("object")
            frame = frame.assign(**{name: cells}).explode(name, ignore_index=True)
            frame[name] = typed(frame[name], "text")
    return frame


def _entries(cell: object, mark: str) -> list[str | None]:
    found = [] if cell is None or cell is pd.NA else split_cell(str(cell), mark)
    return list(dict.fromkeys(found)) or [None]


def _join(left: pd.DataFrame, right: pd.DataFrame, join: Join, alias: str) -> pd.DataFrame:
    names = [f"\x1fkey{i}" for i in range(len(join.on))]
    mine, theirs = left.copy(), right.copy()
    for name, on in zip(names, join.on, strict=True):
        there, here = (on.left, on.right) if on.right.table == alias else (on.right, on.left)
        if on.part is not None:
            longer = on.part.side == ("left" if there == on.left else "right")
            mine[name] = left[_name(there)].map(_stretch(on.part, longer=longer)).astype("object")
            theirs[name] = right[_name(here)].map(_stretch(on.part, longer=not longer)).astype("object")
            continue
        mine[name], theirs[name] = _keys(left[_name(there)], right[_name(here)], fold=on.fold)
    whole = mine[names].notna().all(axis=1)
    theirs = theirs[theirs[names].notna().all(axis=1)]
    met = mine[whole].merge(theirs, on=names, how=join.how, sort=False)
    if join.how == "left":
        met = _one_nothing(pd.concat([met, mine[~whole]], ignore_index=True))
    return met.drop(columns=names).reset_index(drop=True)


def _one_nothing(met: pd.DataFrame) -> pd.DataFrame:
    """Objects that met nothing are None, as stored ones: pandas fills them with NaN, which would be a second group."""
    objects = [name for name in met.columns if met[name].dtype == "object"]
    return met.assign(**{name: met[name].where(met[name].notna(), None) for name in objects})


def _name(ref: ColumnRef) -> str:
    return key(ref.table, ref.column)


def _keys(left: Cells, right: Cells, *, fold: bool) -> tuple[Cells, Cells]:
    if fold:
        return left.map(folded_key).astype("object"), right.map(folded_key).astype("object")
    if str(left.dtype) != str(right.dtype) and {str(left.dtype), str(right.dtype)} <= {"Int64", "Float64"}:
        return left.astype("Float64"), right.astype("Float64")
    return left, right


def _stretch(part: KeyPart, *, longer: bool) -> Callable[[object], str | None]:
    """What is compared of a key: its part where it is the longer one, else all of it."""
    start, length = (part.start, part.length or 0) if longer else (0, 0)
    return lambda value: None if value is None or value is pd.NA else key_part(str(value), start, length)


def folded_key(value: object) -> str | None:
    """A key as it is compared where keys are dirty."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    text = value.date().isoformat() if isinstance(value, pd.Timestamp) else str(value)
    return core_key(text)
