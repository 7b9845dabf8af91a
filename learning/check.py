"""Run every query of the databases named (all without a name) and say what is wrong.

    python learning/check.py [NAME ...]

Prints one line a fault (no rows, over 60 rows, over 5 columns, an error, only nulls, a wording twice) and a line of
counts for each database.
"""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

HERE = Path(__file__).parent / "databases"
MOST_ROWS, MOST_COLUMNS = 60, 5


@dataclass
class Item:
    """A question: its wordings, the query of its answer, other accepted ones, what is expected, where it stands."""

    line: int
    wordings: list[str]
    sql: str | None = None
    others: list[str] = field(default_factory=list)
    expect: str = "answer"


def read(path: Path) -> tuple[str | None, list[Item]]:
    """The day of `today` and the questions of a `questions.txt`. Raises ValueError that names the line."""
    today, items = None, []
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        mark, _, rest = line.partition(" ")
        rest = rest.strip()
        if mark == "today":
            today = rest
        elif mark == "Q":
            items.append(Item(number, [text.strip() for text in rest.split("|") if text.strip()]))
        elif not items:
            raise ValueError(f"{path}:{number}: before the first question")
        elif mark == "S" and items[-1].sql is None:
            items[-1].sql = rest.rstrip(";")
        elif mark in ("A", "S"):
            items[-1].others.append(rest.rstrip(";"))
        elif mark in ("D", "C"):
            items[-1].expect = "decline" if mark == "D" else "clarify"
        else:
            raise ValueError(f"{path}:{number}: begins with none of today, Q, S, A, D, C")
    return today, items


def connected(folder: Path) -> duckdb.DuckDBPyConnection:
    """A database in memory with every CSV of the folder as a table."""
    base = duckdb.connect()
    for csv in sorted(folder.glob("*.csv")):
        base.execute(f"CREATE TABLE \"{csv.stem}\" AS SELECT * FROM read_csv('{csv}', header=true, sample_size=-1)")
    return base


def faults(base: duckdb.DuckDBPyConnection, item: Item) -> list[str]:
    """What is wrong with a question's queries."""
    if item.expect == "decline":
        return [] if item.sql is None else ["declines, and has a query"]
    if item.sql is None:
        return ["no query"]
    found = []
    for sql in (item.sql, *item.others):
        try:
            cursor = base.execute(sql)
            rows = cursor.fetchmany(MOST_ROWS + 1)
        except duckdb.Error as error:
            found.append(str(error).splitlines()[0])
            continue
        if not rows or all(value is None for row in rows for value in row):
            found.append("no rows" if not rows else "only nulls")
        elif len(rows) > MOST_ROWS or len(rows[0]) > MOST_COLUMNS:
            found.append("too many rows or columns")
    return found


def main(names: list[str]) -> int:
    wrong = 0
    for folder in sorted(HERE / name for name in names) if names else sorted(p for p in HERE.iterdir() if p.is_dir()):
        today, items = read(folder / "questions.txt")
        if today is None or not re.fullmatch(r"\d{4}-\d\d-\d\d", today):
            print(f"{folder.name}: no day of today")
            wrong += 1
        base, seen = connected(folder), set()
        for item in items:
            for told in faults(base, item):
                wrong += 1
                print(f"{folder.name}:{item.line}: {told}")
            for text in item.wordings:
                if text.casefold() in seen:
                    print(f"{folder.name}:{item.line}: twice: {text}")
                seen.add(text.casefold())
        print(f"{folder.name}: {len(items)} questions, {sum(len(i.wordings) for i in items)} wordings")
    return min(wrong, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
