"""Rows of a table to look at, or to take along: those that hold some words, or lack a value in a column."""

# ruff: noqa: S608 - names are quoted here, texts by bulk_sql: COPY takes no parameters

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.analyst.errors import QueryFailed, TookTooLong
from apps.analyst.tables.bulk_sql import literal
from apps.analyst.types import Column, Scalar

TOO_LONG = "Looking through the rows took too long. Please search for fewer words."
MEMORY = "256MB"
MOST_WORDS = 10
_AGAIN = 0.01
_BETWEEN = "\x1f"
"""Stands between the cells of a row that is searched: no word reaches over it."""


@dataclass(frozen=True, slots=True)
class RowPage:
    """Some rows in the order of the file, and how many there are of the kind."""

    rows: tuple[tuple[Scalar, ...], ...]
    matched: int


def look(
    path: Path, columns: Sequence[Column], *, search: str, missing: str, offset: int, limit: int, seconds: float
) -> RowPage:
    """The page from `offset` on. Raises QueryFailed where it takes longer than `seconds`.

    Each word of `search` must stand in some cell of a row, whatever its case and accents; a number may be written as
    people do ("1,200"), a day as well ("2 Mar 2025").

    Args:
        missing: A column in which the rows have no value; "" for all rows.
    """
    names = ", ".join(_name(column.name) for column in columns)
    found = _found("file_row_number", path, columns, search=search, missing=missing)
    page = f"(SELECT file_row_number FROM hits ORDER BY 1 LIMIT {int(limit)} OFFSET {int(offset)})"
    shown = f"SELECT {names} FROM {_rows(path)} WHERE file_row_number IN {page} ORDER BY file_row_number"
    with _limited(seconds) as connection:
        connection.execute(f"CREATE TEMP TABLE hits AS {found}")
        matched = connection.execute("SELECT count(*) FROM hits").fetchone()[0]
        rows = connection.execute(shown).fetchall()
    return RowPage(tuple(rows), matched)


def keep_found(
    path: Path, columns: Sequence[Column], *, search: str, missing: str, target: Path, seconds: float
) -> int:
    """Writes the rows that `look` would find as a table of their own (Parquet), in the order of the file; gives their
    number. Raises QueryFailed where it takes longer than `seconds`, OSError where it cannot be written."""
    import duckdb

    names = ", ".join(_name(column.name) for column in columns)
    found = _found(names, path, columns, search=search, missing=missing)
    with _limited(seconds) as connection:
        try:
            made = connection.execute(f"COPY ({found}) TO {literal(str(target))} (FORMAT parquet)").fetchone()
        except duckdb.IOException as error:
            raise OSError(str(error)) from error
    return int(made[0])


def _found(wanted: str, path: Path, columns: Sequence[Column], *, search: str, missing: str) -> str:
    """The query of the rows that are looked for, in the order of the file; `wanted` is what it selects of them."""
    # Longer than the name of any column, so that it is none of them.
    hay = "h" * (1 + max(len(column.name) for column in columns))
    words = search.split()[:MOST_WORDS]
    conditions = [f"{_name(missing)} IS NULL"] if missing else []
    conditions += [f"({_holds(hay, word)} OR {_holds(hay, word.replace(',', ''))})" for word in words]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    rows = f"(SELECT *, {_hay(columns)} AS {hay} FROM {_rows(path)})" if words else _rows(path)
    return f"SELECT {wanted} FROM {rows}{where}"


def _holds(hay: str, word: str) -> str:
    return f"contains({hay}, strip_accents(lower({literal(word)})))"


def _rows(path: Path) -> str:
    return f"read_parquet({literal(str(path))}, file_row_number = true)"


@contextmanager
def _limited(seconds: float) -> Iterator[Any]:
    """A connection whose queries are interrupted after so many seconds. Raises TookTooLong then, QueryFailed where they
    need too much memory or the file cannot be read."""
    import duckdb

    connection: Any = duckdb.connect(config={"threads": "1", "memory_limit": MEMORY})
    over = threading.Event()
    watch = threading.Thread(target=_interrupt, args=[connection, over, seconds], name="deadline", daemon=True)
    watch.start()
    try:
        yield connection
    except duckdb.InterruptException as error:
        raise TookTooLong(TOO_LONG) from error
    except duckdb.Error as error:
        raise QueryFailed(TOO_LONG) from error
    finally:
        over.set()
        watch.join()
        connection.close()


def _interrupt(connection: Any, over: threading.Event, seconds: float) -> None:
    """Ends what runs after so many seconds; again and again, for an interruption between two queries ends neither."""
    pause = seconds
    while not over.wait(pause):
        connection.interrupt()
        pause = _AGAIN


def _hay(columns: Sequence[Column]) -> str:
    """All that a row says, as one text to search."""
    cells = ", ".join(part for column in columns for part in _texts(column))
    return f"strip_accents(lower(concat_ws('{_BETWEEN}', {cells})))"


def _texts(column: Column) -> list[str]:
    """How a cell may be written."""
    plain = f"CAST({_name(column.name)} AS VARCHAR)"
    if column.type in ("date", "datetime"):
        return [plain, f"strftime({_name(column.name)}, '%-d %b %Y')"]
    return [plain]


def _name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
