"""Right and wrong plans of one question, for the network that reads both side by side (`learning/ranking.py`).

    python -m learning.ranked OUT FOLDER [--without NAME,...] [--every 4] [--foreign 20] [--scorer FOLDER] [--jobs 2]

As `learning/judging.py`, but keeps what that network is shown: one file a database.
"""

from __future__ import annotations

import argparse
import multiprocessing
import pickle
import sys
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from apps.analyst.computing.warehouse.duckdb_local import LocalWarehouse
from apps.analyst.evaluate.catalogs import cached_catalog
from apps.analyst.reading.network import network
from apps.analyst.reading.ranking import seen, word_features
from apps.analyst.reading.reader import read
from apps.analyst.reading.rules.understanding import understood
from apps.analyst.types import Question
from learning.judging import STORE, Job, answer_of, jobs_of, scorer, with_others


def task(job: Job, out: Path) -> str:
    """Writes all readings of a database's questions that have both right and wrong ones, or that have no answer."""
    score = scorer(job.scorer)
    warehouse = LocalWarehouse(threads=1)
    catalog = cached_catalog(job.folder, job.tables, STORE)
    kept: list[dict[str, Any]] = []
    for item in job.asked(catalog):
        trap = item.get("expect") == "decline"
        try:
            question = Question(item["question"], today=date.fromisoformat(item.get("today") or "2026-11-22"))
            made, found = read(question, catalog, warehouse, understood(question, catalog))
        except Exception as error:
            sys.stderr.write(f"{item['id']}: {type(error).__name__} {error}\n")
            continue
        right = []
        for one in made:
            verdict = not trap and score.score_one(item, {"id": item["id"], "answer": answer_of(one.computed.result)})
            right.append(bool(verdict.get("correct") if isinstance(verdict, dict) else verdict))
        linked = found.linked
        if linked is None or all(right) or not (any(right) or trap):
            continue
        kept.append(
            {
                "question": item["question"],
                "states": network().words.states(linked.tokens).astype(np.float16),
                "embedded": linked.embedded.astype(np.float16),
                "plans": [_shown(linked, one.seen.plan) for one in made],
                "network": [one.seen.network for one in made],
                "right": right,
            }
        )
    warehouse.close()
    with (out / f"{job.name.replace('/', '_')}.pickle").open("wb") as file:
        pickle.dump(kept, file, protocol=pickle.HIGHEST_PROTOCOL)
    return f"{job.name} {len(kept)}"


def _shown(linked: Any, plan: Any) -> dict[str, Any]:
    shown = seen(linked, plan)
    return {
        "words": shown.plan.words,
        "marks": word_features(shown.plan, linked.index).astype(np.float16),
        "fits": shown.fits.astype(np.float16),
        "near": shown.near.astype(np.float16),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="")
    parser.add_argument("--without", default="")
    parser.add_argument("--every", type=int, default=1, help="one database of so many")
    parser.add_argument("--foreign", type=int, default=0, help="questions of the others to ask of each database")
    parser.add_argument("--scorer", type=Path, default=Path("../shared/evals"))
    parser.add_argument("--jobs", type=int, default=1)
    o = parser.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    STORE.mkdir(exist_ok=True)
    left = set(o.without.split(","))
    found = jobs_of(o.folder, set(filter(None, o.only.split(","))), o.scorer)
    jobs = with_others([job for job in found if job.name not in left][:: o.every], o.foreign)
    with multiprocessing.get_context("spawn").Pool(o.jobs) as pool:
        for n, done in enumerate(pool.imap_unordered(partial(task, out=o.out), jobs), 1):
            sys.stderr.write(f"{n} of {len(jobs)}: {done}\n")


if __name__ == "__main__":
    main()
