"""Questions of our own databases with the answers that their queries give, in the format of shared/evals."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb

from learning.check import connected, read

OWN = "own"
"""The source of questions of ours."""
_QUARTERS = re.compile(r"date_trunc\(\s*'quarter'", re.IGNORECASE)
_QUARTER_STARTS = re.compile(r"(\d{4})-(01|04|07|10)-01")


def answered(folder: Path, only: set[str]) -> Iterator[tuple[str, Path, list[str], list[dict[str, Any]]]]:
    """Name, folder, tables and questions of each database; those whose query fails are left out."""
    for place in sorted(p for p in folder.iterdir() if (p / "questions.txt").exists()):
        if only and place.name not in only:
            continue
        today, questions = read(place / "questions.txt")
        base = connected(place)
        items = []
        for q in questions:
            answers = []
            try:
                answers = [_rows(base.execute(sql), sql) for sql in [q.sql, *q.others] if sql]
            except duckdb.Error:
                continue
            for n, text in enumerate(q.wordings):
                items.append(
                    {
                        "id": f"{place.name}-{q.line}-{n}",
                        "db": place.name,
                        "question": text,
                        "today": today,
                        "expect": q.expect,
                        "match": "rows",
                        "ordered": False,
                        "answer": answers[0] if answers else [],
                        "answer_alt": answers[1:],
                        "answer_kind": "rows",
                        "source": OWN,
                    }
                )
        yield place.name, place, sorted(p.name for p in place.glob("*.csv")), items


def _rows(cursor: duckdb.DuckDBPyConnection, sql: str) -> list[Any]:
    rows = [[_plain(v) for v in row] for row in cursor.fetchall()]
    if _QUARTERS.search(sql):
        rows = [[_as_quarter(v) for v in row] for row in rows]
    return [row[0] for row in rows] if rows and len(rows[0]) == 1 else rows


def _as_quarter(value: Any) -> Any:
    """The first day of a quarter as the scorer knows the quarter: as a day it would be another thing."""
    found = _QUARTER_STARTS.fullmatch(value) if isinstance(value, str) else None
    return f"{found[1]}-Q{(int(found[2]) + 2) // 3}" if found else value


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, datetime):
        return (
            value.date().isoformat() if not (value.hour or value.minute or value.second) else value.isoformat(sep=" ")
        )
    return value.isoformat() if isinstance(value, date) else value
