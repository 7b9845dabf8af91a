"""Plays a dialogue as a thread does: each question goes to the engine with the stored plans of the turns before it.

python -m tests.analyst.dialogues.playing            the share of right turns, of each split
python -m tests.analyst.dialogues.playing --errors   and what went wrong in the open ones
"""

from __future__ import annotations

import argparse
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import yaml
from pydantic import TypeAdapter

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.pipeline import answer
from apps.analyst.plan import Plan
from apps.analyst.tables.catalog import FixedCatalog, catalog_from_files
from apps.analyst.types import Answer, Question, Turn
from tests.analyst.dialogues.judging import Row, is_right

HERE = Path(__file__).parent
DATABASES = HERE.parents[2] / "learning" / "databases"
SPLITS = ("open", "sealed", "fresh")
"""Those whose errors are read, those that are only scored, and those that others wrote later over databases of
`learning`, which are only scored, too."""
TODAY = date(2026, 1, 12)
MOST_TURNS = 12
"""How far a thread's context reaches (threads.limits.TURNS_READ)."""
_plans: TypeAdapter[Plan] = TypeAdapter(Plan)


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A thread over the files of one folder, with what is expected of each turn."""

    name: str
    tables: str
    turns: tuple[dict[str, Any], ...]
    today: date = TODAY


@dataclass(frozen=True, slots=True)
class Played:
    """A turn as it went."""

    place: str
    said: str
    answer: Answer
    right: bool


def dialogues(split: str) -> Iterator[Dialogue]:
    """All dialogues of one of SPLITS."""
    for path in sorted((HERE / split).glob("*.yaml")):
        held = yaml.safe_load(path.read_text())
        today = date.fromisoformat(str(held.get("today", TODAY)))
        for one in held["dialogues"]:
            yield Dialogue(one["id"], held["tables"], tuple(one["turns"]), today)


def files(tables: str) -> list[Path]:
    """The files of a folder."""
    own = HERE / "tables" / tables
    return sorted((own if own.exists() else DATABASES / tables).glob("*.csv"))


@cache
def catalog(tables: str) -> FixedCatalog:
    """The files of a folder, read once."""
    return catalog_from_files(files(tables), Path(tempfile.mkdtemp(prefix="dialogues-")))


@cache
def _gold(tables: str) -> duckdb.DuckDBPyConnection:
    """The files as the queries of the dialogues name them: as they are, and in lower case with underscores."""
    connection = duckdb.connect()
    if (HERE / "tables" / tables).exists():
        for path in files(tables):
            connection.read_csv(str(path)).create(path.stem)
        return connection
    for table in catalog(tables).tables():
        named = [f'"{c.name}"' + _also(c.name) for c in table.columns]
        rows = f"SELECT {', '.join(named)} FROM read_parquet('{table.path}')"
        for name in {table.name, _plain(table.name)}:
            connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS {rows}')
    return connection


def _also(name: str) -> str:
    """The column once more under its plain name, where that is another."""
    return f', "{name}" AS {_plain(name)}' if _plain(name) != name.casefold() else ""


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def play(dialogue: Dialogue) -> list[Played]:
    """Every turn with the answer to it. What was answered wrongly stays in the thread, as it would with a person."""
    gold = _gold(dialogue.tables)
    warehouse = LocalWarehouse()
    turns: tuple[Turn, ...] = ()
    played: list[Played] = []

    def run(query: str) -> list[Row]:
        return list(gold.execute(query).fetchall())

    for number, turn in enumerate(dialogue.turns, 1):
        question = Question(turn["say"], dialogue.today, turns=turns[-MOST_TURNS:])
        given = answer(question, catalog=catalog(dialogue.tables), warehouse=warehouse)
        right = is_right(turn, given, run)
        played.append(Played(f"{dialogue.name}#{number}", turn["say"], given, right))
        turns = (*turns, Turn(turn["say"], _stored(given.plan), given.text))
    warehouse.close()
    return played


def _stored(plan: Plan | None) -> Plan | None:
    """The plan as it comes back from where it was written down."""
    return _plans.validate_json(_plans.dump_json(plan)) if plan is not None else None


@dataclass(frozen=True, slots=True)
class Share:
    """Of so many turns, how many were right, and how many told something wrong; the others asked or declined."""

    turns: int
    right: int
    told_wrong: int

    @property
    def percent(self) -> float:
        return 100 * self.right / max(self.turns, 1)


def share(split: str, *, errors: bool = False, only: str = "") -> Share:
    """How the turns of a split went."""
    right = total = wrong = 0
    for dialogue in dialogues(split):
        if not dialogue.name.startswith(only):
            continue
        for one in play(dialogue):
            total, right = total + 1, right + one.right
            wrong += not one.right and one.answer.status == "answered"
            if errors and not one.right:
                _print(one)
    return Share(total, right, wrong)


def _print(one: Played) -> None:
    rows = [[str(cell) for cell in row] for row in (one.answer.result.rows[:4] if one.answer.result else ())]
    print(f"{one.place} {one.said!r} {one.answer.status}: {one.answer.text[:260]!r} {rows}")
    print(f"    read: {one.answer.evidence.plan_sentence}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--errors", action="store_true", help="show the wrong turns of the open dialogues")
    parser.add_argument("--split", choices=SPLITS, help="only these")
    parser.add_argument("--only", default="", help="only dialogues whose name begins so")
    args = parser.parse_args()
    for split in SPLITS:
        if args.split in (None, split):
            went = share(split, errors=args.errors and split == "open", only=args.only)
            told = f"{went.right} of {went.turns} turns right ({went.percent:.0f} of 100), {went.told_wrong} told wrong"
            print(f"{split}: {told}")


if __name__ == "__main__":
    main()
