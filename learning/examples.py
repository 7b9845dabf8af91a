"""Examples for the network: questions of open sets, linked and anchored, as arrays.

    python learning/examples.py OUT FOLDER...

A FOLDER is a set in the format of shared/evals (its `open` split where it has splits) or `learning/databases`. OUT
gets one pickle a database. Questions whose query cannot be lifted, or does not give the right answer once lifted,
are left
out and counted.
"""

from __future__ import annotations

import json
import pickle
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.ports import Catalog
from apps.analyst.reading.index import Index
from apps.analyst.reading.linking import Linked, link
from apps.analyst.types import Question
from learning.anchoring import Anchor, Unsaid, actions
from learning.check import read
from learning.lifting import Lifter, NotLifted

STORE = Path(tempfile.gettempdir()) / "learning-catalogs"


def sets(folder: Path) -> Iterator[tuple[str, Path, list[str], list[dict[str, Any]]]]:
    """Name, folder, tables and questions of each database."""
    if (folder / "questions.jsonl").exists():
        by: dict[tuple[str, ...], list[dict[str, Any]]] = {}
        for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines():
            item = json.loads(line)
            if item.get("split", "open") == "open" and item.get("sql") and item.get("expect", "answer") != "decline":
                by.setdefault(tuple(item["tables"]), []).append(item)
        for tables, items in by.items():
            yield items[0].get("db") or tables[0].replace("/", "_"), folder, list(tables), items
        return
    for place in sorted(p for p in folder.iterdir() if (p / "questions.txt").exists()):
        try:
            today, questions = read(place / "questions.txt")
        except ValueError as error:
            print(error)
            continue
        items = [
            {"id": f"{place.name}-{q.line}-{n}", "question": text, "sql": q.sql, "today": today, "expect": q.expect}
            for q in questions
            if q.sql
            for n, text in enumerate(q.wordings)
        ]
        yield place.name, place, sorted(p.name for p in place.glob("*.csv")), items


def example(item: dict[str, Any], linked: Linked, target: list[tuple[str, int]]) -> dict[str, Any]:
    """What the network sees of a question, and what it is to say."""
    half = np.float16
    return {
        "id": item["id"],
        "question": item["question"],
        "said": linked.tokens,
        "tokens": linked.embedded.astype(half),
        "flags": linked.token_features.astype(half),
        "channels": linked.channels.astype(half),
        "item_vectors": linked.item_vectors.astype(half),
        "item_features": linked.item_features.astype(half),
        "item_tokens": linked.item_tokens.astype(half),
        "item_columns": np.array([i.column for i in linked.items], np.int32),
        "numbers": np.array([p for p, _ in linked.numbers], np.int32),
        "amounts": np.array([v for _, v in linked.numbers], np.float32),
        "periods": [one.places for one in linked.dated],
        "before": linked.before,
        "target": target,
    }


def database(
    name: str, folder: Path, tables: list[str], items: list[dict[str, Any]], why: Counter[str]
) -> dict[str, Any] | None:
    """All examples of a database with what they share."""
    catalog: Catalog = cached_catalog(folder, tables, STORE)
    made: list[dict[str, Any]] = []
    lifted: dict[str, Any] = {}
    index = None
    for item in items:
        today = date.fromisoformat(item["today"]) if item.get("today") else None
        sql = str(item["sql"]).split(";")[0]
        if sql not in lifted:
            try:
                lifted[sql] = Lifter(catalog, today).lift(sql)
            except NotLifted as error:
                lifted[sql] = error
            except Exception as error:
                lifted[sql] = NotLifted(f"{type(error).__name__}")
        if isinstance(lifted[sql], NotLifted):
            why["not lifted"] += 1
            continue
        linked = link(Question(item["question"], today=today or date(2026, 11, 22)), catalog)
        index = linked.index
        try:
            target = actions(Anchor(linked, today or date(2026, 11, 22)).node(lifted[sql]))
        except Unsaid as error:
            why[f"unsaid {str(error).split()[0]}"] += 1
            continue
        except Exception as error:
            why[f"fault {type(error).__name__} {str(error)[:60]}"] += 1
            continue
        if len(target) > 60:
            why["too long"] += 1
            continue
        made.append(example(item, linked, target))
        why["made"] += 1
    return None if index is None else shared(name, index, made)


def shared(name: str, index: Index, examples: list[dict[str, Any]]) -> dict[str, Any]:
    """The examples of a database with what they have in common."""
    return {
        "name": name,
        "nodes": index.embedded.astype(np.float16),
        "node_features": index.features.astype(np.float16),
        "relations": index.relations,
        "tables": len(index.tables),
        "node_words": index.names,
        "item_words": index.item_words,
        "examples": examples,
    }


def main(out: str, folders: list[str]) -> None:
    STORE.mkdir(exist_ok=True)
    place = Path(out)
    place.mkdir(parents=True, exist_ok=True)
    why: Counter[str] = Counter()
    for folder in map(Path, folders):
        for name, where, tables, items in sets(folder):
            try:
                made = database(name, where, tables, items, why)
            except Exception as error:
                print("left out", name, repr(error)[:200])
                continue
            if made is not None:
                (place / f"{name}.pickle").write_bytes(pickle.dumps(made))
    for reason, count in why.most_common(40):
        print(count, reason)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
