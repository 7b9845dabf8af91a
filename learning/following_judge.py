"""Fits the judge of messages that go on from an answer, on dialogues that the network has not learned.

    python -m learning.following_judge OUT.npz FOLDER... --only NAME,... [--precision 0.8] [--sure 0.94] [--kept FILE]

Of `learning/dialogues` those over the databases of --only, of other folders all. Each turn is read behind the plan of
the turn before it, as its query has it. Prints, cross-validated by database, how often the likeliest reading is right,
and how many turns can be told at which precision.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import yaml
from sklearn.ensemble import HistGradientBoostingClassifier

from apps.analyst.computing.compute import computed_of
from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.conversation.going_on import EDITING
from apps.analyst.plan import Clarify
from apps.analyst.reading.features import table
from apps.analyst.reading.following import Before, Meant, is_short, meant
from apps.analyst.reading.reader import weighed
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.types import Answer, Question, Turn
from learning.changes import FAULTS
from learning.following import DATABASES, Base, base_of, queries
from learning.judge import ASK, best_of, chances_of, cross_validated, exported, report, threshold
from tests.analyst.dialogues.judging import Row, is_right
from tests.analyst.dialogues.playing import TODAY

LEARNED = Path("learning/dialogues")
HELD = DATABASES.parent / "held.txt"
"""Databases that the network of single questions has not learned either: the map to probabilities and the thresholds
follow from these alone."""


def collected(path: Path) -> list[dict[str, Any]]:
    """The readings of a file's turns with their figures, and which are right."""
    kept = yaml.safe_load(path.read_text(encoding="utf-8"))
    place = DATABASES / kept["tables"]
    place = place if place.exists() else path.parents[1] / "tables" / kept["tables"]
    today = date.fromisoformat(str(kept.get("today", TODAY)))
    base = base_of(kept["tables"], place, sorted(p.name for p in place.glob("*.csv")), today)
    warehouse = LocalWarehouse(threads=1)
    made: list[dict[str, Any]] = []

    def run(query: str) -> list[Row]:
        return list(base.gold.execute(base.named(query)).fetchall())

    last: tuple[Before, str] | None = None
    for dialogue in kept["dialogues"]:
        for n, turn in enumerate(dialogue["turns"], 1):
            said = str(turn["say"])
            if last is not None:
                question = Question(said, today, turns=(Turn(last[1], last[0].plan, ""),))
                every, rows = _read(question, last[0], base, warehouse)
                right = [_right(turn, one.computed.result, run) for one in every]
                number = f"{dialogue['id']}-{n}"
                made.append({"id": number, "db": base.name, "said": said, "rows": rows, "right": right})
            after = _after(turn, base, warehouse)
            last = (after, said) if after is not None else last
    warehouse.close()
    return made


def _read(
    question: Question, before: Before, base: Base, warehouse: LocalWarehouse
) -> tuple[list[Meant], list[dict[str, float]]]:
    """All that a message may mean, with the figures of each; nothing where it is too long to be read so."""
    if not is_short(question, before):
        return [], []
    edits = [r for r in understood(question, base.catalog) if r.reader == EDITING and not isinstance(r.plan, Clarify)]
    own = replace(question, turns=())
    alone = weighed(own, base.catalog, warehouse, understood(own, base.catalog))
    return meant(question, before, base.catalog, warehouse, edits, alone)


def _after(turn: dict[str, Any], base: Base, warehouse: LocalWarehouse) -> Before | None:
    """What the next turn goes on from: the plan of the turn's query; None where it has none."""
    for sql in queries(turn):
        try:
            plan = base.plan(base.lifted(sql))
        except FAULTS:
            continue
        computed = computed_of(plan, base.catalog, warehouse, checked=True)
        return Before(plan, computed.result if computed is not None else None)
    return None


def _right(turn: dict[str, Any], result: Any, run: Any) -> bool:
    told = SimpleNamespace(status="answered", result=result, text="", chart=None)
    asked = {key: value for key, value in turn.items() if key not in ("expect", "chart")}
    figures = [asked.pop(key) for key in ("figures", "or_figures") if key in asked]
    asked |= {"any": [*asked.get("any", []), *figures]} if figures else {}
    return bool(queries(turn)) and is_right(asked, cast(Answer, told), run)


def model() -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(
        max_iter=150, learning_rate=0.05, max_leaf_nodes=8, min_samples_leaf=20, l2_regularization=5.0,
        max_features=0.3, random_state=1,
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--only", default="")
    parser.add_argument("--precision", type=float, default=0.82, help="of what is told")
    parser.add_argument("--sure", type=float, default=0.94, help="of what is told without a word of doubt")
    parser.add_argument("--kept", type=Path, help="where the readings are kept from run to run")
    o = parser.parse_args()
    only = set(filter(None, o.only.split(",")))
    if o.kept and o.kept.exists():
        turns = pickle.loads(o.kept.read_bytes())
    else:
        files = [p for f in o.folders for p in sorted(f.glob("*.yaml")) if f != LEARNED or p.stem in only]
        with multiprocessing.get_context("spawn").Pool(2) as pool:
            turns = [turn for found in pool.imap_unordered(partial(collected), files) for turn in found]
        if o.kept:
            o.kept.write_bytes(pickle.dumps(turns))
    fitted(turns, o.out, o.precision, o.sure)


def fitted(turns: list[dict[str, Any]], out: Path, precision: float, least_sure: float) -> None:
    names = sorted({name for turn in turns for row in turn["rows"] for name in row})
    x = np.array([values for turn in turns for values in table(turn["rows"], names)])
    y = np.array([right for turn in turns for right in turn["right"]], int)
    group = np.array([n for n, turn in enumerate(turns) for _ in turn["rows"]])
    weight = np.array([len(turn["rows"]) ** -0.5 for turn in turns for _ in turn["rows"]])
    raw = cross_validated(x, y, weight, [turns[n]["db"] for n in group], model)
    new = set(HELD.read_text(encoding="utf-8").strip().split(","))
    unseen = np.array([turn["db"] in new for turn in turns])
    best = best_of(group, raw, len(turns))
    best = best[(best >= 0) & unseen[group[best]]]
    to_chances = chances_of(raw[best], y[best])
    chance, right = np.interp(raw[best], *to_chances), y[best]
    answer, sure = (threshold(chance, right, least) for least in (precision, least_sure))
    count = int(unseen.sum())
    report("following", chance, right, count, answer)
    every = [turn for turn, own in zip(turns, unseen, strict=True) if own]
    print(f"any right {sum(any(t['right']) for t in every) / count:.3f}")
    for name in ("mass", "edited", "alone"):
        first = best_of(group, x[:, names.index(name)], len(turns))
        first = first[(first >= 0) & unseen[group[first]]]
        print(f"by {name} alone: right {y[first].sum() / count:.3f}")
    print("thresholds", answer, sure)
    final = model().fit(x, y, sample_weight=weight)
    exported(final, names, to_chances, {"answer": answer, "sure": sure, "ask": ASK}, out)


if __name__ == "__main__":
    main()
