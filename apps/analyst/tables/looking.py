"""Rows of a table to look at: a page of those that hold some words, or lack a value in a column."""

# ruff: noqa: S608 - names are quoted here, texts are parameters

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.analyst.errors import QueryFailed
from apps.analyst.types import Column, Scalar

MEMORY = "256MB"
MOST_WORDS = 10
_AGAIN = 0.01
_ROWS = "read_parquet(?, file_row_number = true)"
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
    words = search.split()[:MOST_WORDS]
    conditions = ["gap"] if missing else []
    conditions += ["(contains(hay, strip_accents(lower(?))) OR contains(hay, strip_accents(lower(?))))" for _ in words]
    where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
    spellings = [spelling for word in words for spelling in (word, word.replace(",", ""))]
    names = ", ".join(_name(column.name) for column in columns)
    looked = ["file_row_number AS place"]
    looked += [f"{_hay(columns)} AS hay"] if words else []
    looked += [f"{_name(missing)} IS NULL AS gap"] if missing else []
    hits = f"SELECT place FROM (SELECT {', '.join(looked)} FROM {_ROWS}){where}"
    page = f"(SELECT place FROM hits ORDER BY place LIMIT {int(limit)} OFFSET {int(offset)})"
    return _within(
        seconds,
        (f"CREATE TEMP TABLE hits AS {hits}", [str(path), *spellings]),
        (f"SELECT {names} FROM {_ROWS} WHERE file_row_number IN {page} ORDER BY file_row_number", [str(path)]),
    )


def _within(seconds: float, hits: tuple[str, list[str]], page: tuple[str, list[str]]) -> RowPage:
    import duckdb

    connection: Any = duckdb.connect(config={"threads": "1", "memory_limit": MEMORY})
    over = threading.Event()
    watch = threading.Thread(target=_interrupt, args=[connection, over, seconds], name="deadline", daemon=True)
    watch.start()
    try:
        connection.execute(*hits)
        matched = connection.execute("SELECT count(*) FROM hits").fetchone()[0]
        rows = connection.execute(*page).fetchall()
    except duckdb.Error as error:
        raise QueryFailed("Looking through the rows took too long. Please search for fewer words.") from error
    finally:
        over.set()
        watch.join()
        connection.close()
    return RowPage(tuple(rows), matched)


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
