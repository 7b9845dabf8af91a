"""Lowers the judge's probabilities by what networks that were trained on are surer than they may be.

    python -m learning.lowering JUDGE.npz --questions FILE... --before FILE... --after FILE... --scorer SCORE.py

The judge is fitted to what the networks make of databases that they do not know. Networks that learned from all
databases are surer of any reading, and no database is left to fit another judge to. So questions of other sets are
answered with the networks before and after (`python -m apps.analyst evaluate`), and the judge's map is moved, in
log-odds, by as much as the answers after are further above the share that is right than the answers before. What is
offered as a choice stays: a choice is not told.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

LEAST, MOST = 0.01, 0.99


def log_odds(chance: np.ndarray) -> np.ndarray:
    made: np.ndarray = np.log(chance / (1 - chance))
    return made


def moved(chance: np.ndarray, by: float) -> np.ndarray:
    """Probabilities that are lower by so much in log-odds, in the judge's bounds."""
    made: np.ndarray = np.clip(1 / (1 + np.exp(by - log_odds(np.clip(chance, LEAST, MOST)))), LEAST, MOST)
    return made


def told(files: Iterable[Path], gold: Mapping[str, Any], score: Any) -> tuple[np.ndarray, np.ndarray]:
    """Of every answer how sure it was, and whether it was right."""
    lines = (json.loads(line) for file in files for line in file.read_text(encoding="utf-8").splitlines())
    answers = [p for p in lines if p.get("status") != "clarify" and p.get("answer") is not None and p["id"] in gold]
    right = [bool(score.score_one(gold[p["id"]], p)["correct"]) for p in answers]
    return np.array([p["confidence"] for p in answers]), np.array(right)


def above(chance: np.ndarray, right: np.ndarray) -> float:
    """By how much, in log-odds, probabilities must be lowered for their mean to be the share that is right."""
    low, high = -4.0, 4.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if moved(chance, middle).mean() > right.mean() else (low, middle)
    return (low + high) / 2


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("judge", type=Path)
    for name in ("questions", "before", "after"):
        parser.add_argument(f"--{name}", nargs="+", type=Path, required=True)
    parser.add_argument("--scorer", type=Path, required=True)
    o = parser.parse_args()
    spec = importlib.util.spec_from_file_location("score", o.scorer)
    assert spec is not None
    assert spec.loader is not None
    score = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(score)
    asked = (json.loads(line) for file in o.questions for line in file.read_text(encoding="utf-8").splitlines())
    gold = {q["id"]: q for q in asked}
    gaps = []
    for files in (o.before, o.after):
        chance, right = told(files, gold, score)
        gaps.append(above(chance, right))
        print(f"{len(right)} answers, {right.mean():.4f} right, {chance.mean():.4f} sure; {gaps[-1]:.3f} above")
    kept = dict(np.load(o.judge))
    for name in ("chances", "ask"):
        kept[name] = moved(kept[name], gaps[1] - gaps[0])
    np.savez_compressed(o.judge, **kept)
    print(f"lowered by {gaps[1] - gaps[0]:.3f}")


if __name__ == "__main__":
    main()
