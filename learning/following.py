"""Examples of messages that go on from an answer: what people said in dialogues, and changes made of single questions.

    python -m learning.following OUT [--dialogues FOLDER] [--questions FOLDER] [--held NAME,...] [--each 60] [--seed 1]

A dialogue's turn stands behind the sentence of the plan before it (`reading/following.py`). Of a single question a
condition, a group, a figure or an order is taken out or put in another's place; what says it in the question, word for
word, is the message that brings it back.
"""

from __future__ import annotations

import argparse
import pickle
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import yaml

from apps.analyst.dictionary.cache import dictionary_of
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.plan import Plan
from apps.analyst.plan.stretches import plain
from apps.analyst.ports import Catalog
from apps.analyst.reading.candidates import namer_of
from apps.analyst.reading.composing import Schema, compose, schema_of
from apps.analyst.reading.following import sentence_before
from apps.analyst.reading.index import index_of
from apps.analyst.reading.linking import MOST_AFTER, link, tokens_of
from apps.analyst.reading.sketch import MOST_ACTIONS, Sketch
from apps.analyst.types import Question
from learning.anchoring import Anchor, Unsaid, actions
from learning.changes import FAULTS, Changes
from learning.examples import STORE, example, sets, shared
from learning.lifting import Lifter

DATABASES = Path(__file__).parent / "databases"
NEWEST = date(2026, 11, 22)


@dataclass
class Base:
    """A database with what makes plans of its sketches."""

    name: str
    catalog: Catalog
    schema: Schema
    today: date
    gold: duckdb.DuckDBPyConnection

    def lifted(self, sql: str) -> Sketch:
        return Lifter(self.catalog, self.today).lift(self.named(sql))

    def plan(self, sketch: Sketch) -> Plan:
        """The plan of a sketch as the next message finds it. Raises one of FAULTS where it has none."""
        return plain(compose(sketch, self.schema))

    def before(self, sketch: Sketch, rows: list[tuple[Any, ...]] | None = None) -> str:
        """The sentence of a sketch's plan. Raises one of FAULTS where it has none."""
        return sentence_before(self.plan(sketch), rows or ())

    def named(self, sql: str) -> str:
        """A query with its names as the catalog has them: in dialogues they are written in lower case, with
        underscores."""
        for table in self.catalog.tables():
            for name in (table.name, *(column.name for column in table.columns)):
                if folded_name(name) != name.casefold():
                    sql = re.sub(rf'(?<![\w"\']){re.escape(folded_name(name))}(?![\w"\'])', f'"{name}"', sql)
        return sql

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.gold.execute(self.named(sql)).fetchmany(2)


def folded_name(name: str) -> str:
    """A name as dialogues write it."""
    return re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")


def base_of(name: str, folder: Path, tables: list[str], today: date) -> Base:
    catalog = cached_catalog(folder, tables, STORE)
    every = {table.name: table for table in catalog.tables()}
    schema = schema_of(every, list(catalog.joins()), namer_of(catalog), today, dictionary_of(catalog))
    gold = duckdb.connect()
    for table in every.values():
        gold.execute(f"CREATE VIEW \"{table.name}\" AS SELECT * FROM read_parquet('{table.path}')")
    return Base(name, catalog, schema, today, gold)


def made(base: Base, number: str, before: str, said: str, sketch: Sketch) -> dict[str, Any]:
    """The example of a message. Raises Unsaid where neither it nor the sentence before says what is meant."""
    question = Question(said, today=base.today)
    if len(tokens_of(f"{before} {said}", MOST_AFTER + 1)) > MOST_AFTER:
        raise Unsaid("too long")
    linked = link(question, base.catalog, before)
    target = actions(Anchor(linked, base.today).node(sketch))
    if len(target) > MOST_ACTIONS:
        raise Unsaid("too much")
    return example({"id": number, "question": f"{before} | {said}"}, linked, target)


# ---------------------------------------------------------------- dialogues
def queries(turn: dict[str, Any]) -> list[str]:
    """A turn's queries, the likeliest meaning first."""
    found = [turn[key] for key in ("sql", "listing", "figures", "or", "or_listing", "or_figures") if key in turn]
    return [str(sql) for sql in [*found, *turn.get("any", [])]]


def spoken(base: Base, dialogues: list[dict[str, Any]], why: Counter[str]) -> Iterator[dict[str, Any]]:
    """The examples of a database's dialogues; each begins behind an answer of another one, too."""
    last = ""
    for dialogue in dialogues:
        before = last
        for n, turn in enumerate(dialogue["turns"], 1):
            after = ""
            for sql in queries(turn):
                try:
                    sketch = base.lifted(sql)
                    after = after or base.before(sketch, base.rows(sql))
                    if before:
                        yield made(base, f"{dialogue['id']}-{n}", before, str(turn["say"]), sketch)
                        why["turns"] += 1
                    break
                except (*FAULTS, duckdb.Error) as error:
                    why[f"turn: {type(error).__name__} {str(error).split(' ')[0][:20]}"] += 1
            before = last = after or before


# ---------------------------------------------------------------- changes of questions
def changed(
    base: Base, items: list[dict[str, Any]], each: int, chance: random.Random, why: Counter[str]
) -> list[dict[str, Any]]:
    """Examples of changes of a database's questions, as many as wanted where there are so many."""
    found: list[dict[str, Any]] = []
    items = list(items)
    chance.shuffle(items)
    last = ""
    for item in items:
        if len(found) >= each:
            break
        try:
            sketch = base.lifted(str(item["sql"]).split(";")[0])
            linked = link(Question(item["question"], today=base.today), base.catalog)
            options = list(Changes(base.catalog, base.schema, base.today, linked, sketch, chance).all())
            own = base.before(sketch)
        except FAULTS as error:
            why[f"question: {type(error).__name__}"] += 1
            continue
        if last and chance.random() < 0.4:
            options.append((None, item["question"], sketch))  # type: ignore[arg-type]
        chance.shuffle(options)
        for n, (before, said, after) in enumerate(options[:2]):
            try:
                found.append(made(base, f"{item['id']}-f{n}", base.before(before) if before else last, said, after))
                why["changes"] += 1
            except FAULTS as error:
                why[f"change: {type(error).__name__} {str(error).split(' ')[0][:20]}"] += 1
        last = own
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--dialogues", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--held", default="", help="databases that are left out")
    parser.add_argument("--part", default="0/1", help="which of how many parts")
    parser.add_argument("--each", type=int, default=60, help="changes for each database")
    parser.add_argument("--seed", type=int, default=1)
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    held, chance, why = set(filter(None, o.held.split(","))), random.Random(o.seed), Counter[str]()
    part, parts = map(int, o.part.split("/"))
    for path in sorted(o.dialogues.glob("*.yaml"))[part::parts] if o.dialogues else ():
        kept = yaml.safe_load(path.read_text(encoding="utf-8"))
        name, place = kept["tables"], DATABASES / kept["tables"]
        today = kept["today"] if isinstance(kept["today"], date) else date.fromisoformat(str(kept["today"]))
        base = base_of(name, place, sorted(p.name for p in place.glob("*.csv")), today)
        written(o.out / f"{name}.pickle", base, list(spoken(base, kept["dialogues"], why)))
    for name, where, tables, items in list(sets(o.questions))[part::parts] if o.questions else ():
        if name in held or (o.out / f"{name}.pickle").exists():
            continue
        days = [item["today"] for item in items if item.get("today")]
        base = base_of(name, where, tables, date.fromisoformat(days[0]) if days else NEWEST)
        found = changed(base, items, o.each, chance, why)
        written(o.out / f"{name}.pickle", base, found)
        print(name, len(found), [e["question"][-70:] for e in found[:2]], flush=True)
    for reason, count in why.most_common(40):
        print(count, reason)


def written(path: Path, base: Base, examples: list[dict[str, Any]]) -> None:
    path.write_bytes(pickle.dumps(shared(base.name, index_of(base.catalog), examples)))


if __name__ == "__main__":
    main()
