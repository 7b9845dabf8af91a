"""The middle stage of a large table: all cells as text in a Parquet file, from which plans are corrected by whole
columns."""

# ruff: noqa: S608 - names and literals are quoted by bulk_sql, the rest is ours

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from apps.analyst.tables import bulk_sql
from apps.analyst.tables.bulk_engine import Engine
from apps.analyst.tables.bulk_sql import LONGEST_MISSING, literal
from apps.analyst.tables.bulk_sql import name as quoted
from apps.analyst.tables.grid import missing_notes
from apps.analyst.tables.inference import infer
from apps.analyst.tables.plans import ColumnPlan, FileHints
from apps.analyst.tables.wording import counted
from apps.analyst.tables.writing import arrow_type

MAX_ROUNDS = 4
MAX_MAPPED = 2_000_000
"""So many distinct cells are read by Python at most; a column with more of them that needs Python stays text."""
MAX_MISFITS = 20_000


def parquet(path: Path) -> str:
    """A Parquet file as an SQL relation."""
    return f"read_parquet({literal(str(path))})"


def copy(selection: str, rows: str, target: Path) -> str:
    """The statement that writes a selection of rows as a Parquet file, in their order."""
    options = "FORMAT parquet, COMPRESSION snappy, PRESERVE_ORDER true"  # else threads write in any order
    return f"COPY (SELECT {selection} FROM {rows}) TO {literal(str(target))} ({options})"


class ParquetTexts:
    """All cells as text in a Parquet file, in columns c0, c1 and so on. `gaps`: missing cells by column."""

    def __init__(self, path: Path, width: int, engine: Engine) -> None:
        self.path = path
        self.relation = parquet(path)
        self.rows: int = engine.rows(f"SELECT count(*) FROM {self.relation}")[0][0]
        gaps = _gaps(path, engine)
        self.gaps = [gaps.get(f"c{index}", 0) for index in range(width)]

    def column(self, index: int) -> Any:
        """The column, read from the file."""
        import pyarrow.parquet as pq

        return pq.read_table(self.path, columns=[f"c{index}"]).column(0).combine_chunks()

    def are_values(self, index: int, plan: ColumnPlan) -> bool:
        """Whether it is known that a column's texts are its values as they stand: nobody has looked."""
        return False


class HeldTexts(ParquetTexts):
    """Trimmed texts that are held in memory as well. DuckDB takes them from the file, in the order of rows: those in
    memory it takes by several threads, in any order."""

    def __init__(self, columns: list[Any], path: Path, engine: Engine) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        cells = pa.table(columns, names=[f"c{index}" for index in range(len(columns))])
        pq.write_table(cells, path, compression="snappy")
        super().__init__(path, len(columns), engine)
        self._columns = columns

    def column(self, index: int) -> Any:
        """The column as it is held."""
        return self._columns[index]

    def are_values(self, index: int, plan: ColumnPlan) -> bool:
        """In a column of text: whether none of its cells means "no value"."""
        import pyarrow as pa
        import pyarrow.compute as pc

        if plan.type != "text" or plan.python_only:
            return False
        words = pa.array(sorted(plan.missing_words), pa.string())
        short = self._columns[index].filter(pc.less_equal(pc.binary_length(self._columns[index]), LONGEST_MISSING))
        return not pc.any(pc.is_in(pc.utf8_lower(short.unique()), value_set=words)).as_py()


class TextStage:
    """The cells of a table as text, and what is known of its columns."""

    def __init__(self, texts: ParquetTexts, names: list[str], engine: Engine) -> None:
        self._texts = texts
        self._names = names
        self._engine = engine
        self._unreadable: dict[int, Counter[str]] = {}
        self._mapped: dict[int, Counter[str]] = {}
        self.unused = {
            index
            for index, column in enumerate(names)
            if column == f"Column {index + 1}" and texts.gaps[index] == texts.rows
        }
        """Columns with neither a name nor a single value; they are left out."""

    def settle(self, plans: list[ColumnPlan], target: Path) -> list[ColumnPlan]:
        """Writes the typed table; where whole columns show a plan to be wrong, again with better plans, which it
        returns."""
        plans = [self._read_by_python(index, plan) for index, plan in enumerate(plans)]
        for _ in range(MAX_ROUNDS):
            self._engine.run(copy(*self._selection(plans), target))
            changed = False
            for index in self._unreadable_columns(plans, target):
                new = self._reconsider(index, plans[index])
                changed = changed or new is not plans[index]
                plans[index] = new
            if not changed:
                break
        return plans

    def _unreadable_columns(self, plans: Sequence[ColumnPlan], target: Path) -> list[int]:
        """The columns in which cells do not fit the plan: those with more gaps than the text has, looked at closer."""
        gaps = _gaps(target, self._engine)
        suspects = [
            index
            for index, (column, plan) in enumerate(zip(self._names, plans, strict=True))
            if plan.type != "text"
            and index not in self._mapped
            and index not in self._unreadable
            and index not in self.unused
            and gaps.get(column, -1) != self._texts.gaps[index]
        ]
        if not suspects:
            return []
        counts = ", ".join(f"count(*) FILTER (WHERE {_misfit(plans[index], f'c{index}')})" for index in suspects)
        found = self._engine.rows(f"SELECT {counts} FROM {self._texts.relation}")[0]
        return [index for index, count in zip(suspects, found, strict=True) if count]

    def _read_by_python(self, index: int, plan: ColumnPlan) -> ColumnPlan:
        """For a plan that SQL cannot carry out: the plan by all of the column's distinct cells."""
        if bulk_sql.value(plan, "c") is not None:
            return plan
        cells = self._counts(
            f"SELECT coalesce(c{index}, ''), count(*) FROM {self._texts.relation} GROUP BY 1 LIMIT {MAX_MAPPED}"
        )
        exact = infer(
            cells,
            self._names[index],
            FileHints(
                decimal_comma=plan.number_style.decimal_comma if plan.number_style else None,
                day_first=plan.date_style.order == "dmy" if plan.date_style else None,
            ),
        )
        exact = replace(exact, python_only=plan.python_only and exact.type != "text")
        if len(cells) >= MAX_MAPPED and bulk_sql.value(exact, "c") is None:
            exact = infer({"text": 1}, self._names[index])
        self._mapped[index] = cells
        return exact

    def _counts(self, sql: str) -> Counter[str]:
        return Counter(dict(self._engine.rows(sql)))

    def _reconsider(self, index: int, plan: ColumnPlan) -> ColumnPlan:
        """A new plan for a column with cells that do not fit; the old one where these few are better left empty."""
        cell = f"c{index}"
        misfit, source = _misfit(plan, cell), self._texts.relation
        most = f"GROUP BY 1 ORDER BY n DESC LIMIT {MAX_MISFITS}"
        misfits = self._counts(f"SELECT {cell}, count(*) AS n FROM {source} WHERE {misfit} {most}")
        fitting = f"{cell} IS NOT NULL AND NOT {misfit}"
        good = self._counts(f"SELECT {cell}, count(*) AS n FROM {source} WHERE {fitting} {most}")
        total = self._engine.rows(f"SELECT count({cell}) FROM {self._texts.relation}")[0][0]
        scale = max((total - misfits.total()) / max(good.total(), 1), 1.0)
        cells = Counter({text: max(round(count * scale), 1) for text, count in good.items()})
        cells.update(misfits)
        new = infer(cells, self._names[index])
        if new.type == plan.type and bulk_sql.value(new, cell) == bulk_sql.value(plan, cell):
            if any(plan.read(text) is not None for text in misfits):
                return self._read_by_python(index, replace(plan, python_only=True))
            self._unreadable[index] = misfits
            return plan
        return self._read_by_python(index, new)

    def _selection(self, plans: Sequence[ColumnPlan]) -> tuple[str, str]:
        """What to select, and from what, for the typed table.

        Columns that Python reads stand beside the text row by row (a join by key would not keep the order of rows).
        """
        columns, mapped = [], {}
        for index, (column, plan) in enumerate(zip(self._names, plans, strict=True)):
            if index in self.unused:
                continue
            value = f"c{index}" if self._texts.are_values(index, plan) else bulk_sql.value(plan, f"c{index}")
            if value is None:
                mapped[f"v{index}"] = self._read(index, plan)
                value = f"v{index}"
            columns.append(f"{value} AS {quoted(column)}")
        rows = self._texts.relation
        if mapped:
            import pyarrow as pa

            self._engine.connection.register("mapped", pa.table(mapped))
            rows = f"{rows} POSITIONAL JOIN mapped"
        return ", ".join(columns), rows

    def _read(self, index: int, plan: ColumnPlan) -> Any:
        """A column's values in the order of rows, each distinct cell read by Python once."""
        import pyarrow as pa

        text = self._texts.column(index).dictionary_encode()
        counts = self._mapped[index]
        values = []
        unreadable: Counter[str] = Counter()
        for cell in text.dictionary.to_pylist():
            value = None if plan.is_missing(cell) else plan.read(cell)
            if value is None and not plan.is_missing(cell):
                unreadable[cell] = counts[cell]
            values.append(value)
        self._unreadable[index] = unreadable
        return pa.array(values, arrow_type(plan)).take(text.indices)

    def notes(self, plans: Sequence[ColumnPlan]) -> list[str]:
        """What to tell about cells that could not be read."""
        notes = []
        if self.unused:
            notes.append(f"{counted(len(self.unused), 'empty column')} left out")
        for index, misfits in sorted(self._unreadable.items()):
            if misfits and plans[index].type != "text":
                notes += missing_notes(self._names[index], plans[index], misfits, list(misfits))
        return notes


def _gaps(path: Path, engine: Engine) -> dict[str, int]:
    """Missing cells per column, as the Parquet file itself counts them."""
    rows = engine.rows(
        f"SELECT path_in_schema, sum(stats_null_count) FROM parquet_metadata({literal(str(path))}) GROUP BY 1"
    )
    return {column: int(count or 0) for column, count in rows}


def _misfit(plan: ColumnPlan, cell: str) -> str:
    return f"({bulk_sql.value(plan, cell)} IS NULL AND NOT {bulk_sql.is_missing(plan, cell)})"
