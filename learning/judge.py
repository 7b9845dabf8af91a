"""Fits the judge on what `learning/judging.py` collected.

    python -m learning.judge OUT.npz FOLDER... [--precision 0.925] [--sure 0.94]

Prints, cross-validated by database, how many questions can be answered at which precision and how far the
probabilities are off.
"""

from __future__ import annotations

import argparse
import pickle
import zlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression

from learning.answers import OWN

FOLDS = 4
ASK = 0.2
"""The least probability at which a reading is offered as a choice."""
ROUNDED = 10_000
"""Probabilities are told to four digits; a threshold lies on one of their steps, which has to reach it."""
FOREIGN = "foreign"
"""Questions asked of a database that is about something else."""
OURS = OWN
"""Questions of exports as offices have them: the trees learn from all, the map to probabilities and the thresholds
follow from these and `OLDER`."""
OLDER = "older"
"""Such questions over databases that the networks have learned since, as networks read them that had not. Without them
the probabilities are too high for what nobody here wrote: told was 0.925 of these databases and 0.886 of `sealed`."""
WEIGHT = {OURS: 1.0, OLDER: 1.0, FOREIGN: 0.7}
"""How much a question counts; those of other open sets `OTHERS`: with the same weight as ours they cost more of what
can be told of ours (43.6 instead of 45.5 of 100 at a precision of 0.90) than they bring elsewhere."""
OTHERS = 0.3


def loaded(folders: list[Path]) -> list[dict[str, Any]]:
    """The questions of the folders."""
    return [
        q for folder in folders for path in sorted(folder.glob("*.pickle")) for q in pickle.loads(path.read_bytes())
    ]


def model() -> HistGradientBoostingClassifier:
    """Boosted trees, each split of which sees a seventh of the figures: where all are seen, 46.9 instead of 47.4 of 100
    questions of ours can be answered at a precision of 0.90."""
    return HistGradientBoostingClassifier(
        max_iter=600, learning_rate=0.03, max_leaf_nodes=24, min_samples_leaf=30, l2_regularization=2.0,
        max_features=0.15, random_state=1,
    )  # fmt: skip


def arrays(questions: list[dict[str, Any]], names: list[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    x, y, group, weight = [], [], [], []
    for n, q in enumerate(questions):
        for row, right in zip(q["rows"], q["right"], strict=True):
            x.append([row.get(name, np.nan) for name in names])  # readings that are older than a figure lack it
            y.append(right)
            group.append(n)
            weight.append(WEIGHT.get(q["source"], OTHERS) / max(1, len(q["rows"])) ** 0.5)
    return np.array(x), np.array(y, int), np.array(group), np.array(weight)


def best_of(group: np.ndarray, score: np.ndarray, count: int) -> np.ndarray:
    """The place of each question's best reading; -1 where it has none."""
    best = np.full(count, -1)
    for place in np.argsort(score, kind="stable"):
        best[group[place]] = place
    return best


def cross_validated(
    x: np.ndarray,
    y: np.ndarray,
    weight: np.ndarray,
    homes: Sequence[str],
    made: Callable[[], HistGradientBoostingClassifier],
) -> np.ndarray:
    """The sum of the trees for each reading, by trees fitted to the other databases; `homes` are the readings' own."""
    fold = np.array([zlib.crc32(home.encode()) % FOLDS for home in homes])
    raw = np.zeros(len(y))
    for k in range(FOLDS):
        inside, outside = fold != k, fold == k
        if outside.any():
            fitted = made().fit(x[inside], y[inside], sample_weight=weight[inside])
            raw[outside] = fitted.decision_function(x[outside])
    return raw


def report(name: str, chance: np.ndarray, right: np.ndarray, total: int, answer: float) -> None:
    order = np.argsort(-chance)
    hits = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    at = {p: int(max([n + 1 for n in range(len(hits)) if hits[n] >= p], default=0)) for p in (0.8, 0.9, 0.95)}
    told = chance >= answer
    bins = np.minimum(9, (chance * 10).astype(int))
    gap = sum(abs(chance[bins == b].sum() - right[bins == b].sum()) for b in range(10)) / max(1, len(chance))
    share = right.sum() / total, told.sum() / total, right[told].sum() / total
    precise = right[told].mean() if told.any() else 0.0
    at_least = " ".join(f"{count / total:.3f}" for count in at.values())
    print(
        f"{name:10} n {total:5} best right {share[0]:.3f}; told {share[1]:.3f} "
        f"accuracy {share[2]:.3f} precision {precise:.3f};"
    )
    print(f"           coverage at 80/90/95: {at_least}; ece {gap:.3f}")


def chances_of(raw: np.ndarray, right: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The map from sums of the trees to probabilities, as the points that straight lines join: isotonic regression,
    each of its steps drawn together in its middle (centered isotonic regression: Oron and Flournoy, 2017), so that
    a threshold does not jump over what lies on one step."""
    fitted = IsotonicRegression(y_min=0.01, y_max=0.99, out_of_bounds="clip").fit(raw, right).predict(raw)
    chances, step = np.unique(fitted, return_inverse=True)
    return np.bincount(step, raw) / np.bincount(step), chances


def threshold(chance: np.ndarray, right: np.ndarray, least: float) -> float:
    """The lowest probability from which on all that is told is right in at least that share; 1 where none is."""
    steps = np.unique(np.floor(chance * ROUNDED) / ROUNDED)
    return min((float(step) for step in steps if right[chance >= step].mean() >= least), default=1.0)


def exported(
    m: HistGradientBoostingClassifier,
    names: list[str],
    to_chances: tuple[np.ndarray, np.ndarray],
    thresholds: dict[str, float],
    out: Path,
) -> None:
    feature, threshold, left, right, value, roots = [], [], [], [], [], []
    for (predictor,) in m._predictors:
        base = len(feature)
        roots.append(base)
        for node in predictor.nodes:
            leaf = bool(node["is_leaf"])
            feature.append(0 if leaf else int(node["feature_idx"]))
            threshold.append(0.0 if leaf else float(node["num_threshold"]))
            left.append(-1 if leaf else base + int(node["left"]))
            right.append(-1 if leaf else base + int(node["right"]))
            value.append(float(node["value"]) if leaf else 0.0)
    np.savez_compressed(
        out,
        names="\n".join(names),
        feature=np.array(feature, np.int16),
        threshold=np.array(threshold),
        left=np.array(left, np.int32),
        right=np.array(right, np.int32),
        value=np.array(value, np.float32),
        roots=np.array(roots, np.int32),
        base=float(m._baseline_prediction.ravel()[0]),
        scores=to_chances[0],
        chances=to_chances[1],
        **thresholds,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--precision", type=float, default=0.925, help="of what is told")
    parser.add_argument("--sure", type=float, default=0.94, help="of what is told without a word of doubt")
    o = parser.parse_args()
    questions = loaded(o.folders)
    names = sorted({name for q in questions for row in q["rows"] for name in row})
    x, y, group, weight = arrays(questions, names)
    raw = cross_validated(x, y, weight, [questions[n]["db"] for n in group], model)
    best = best_of(group, raw, len(questions))
    kept = best[best >= 0]
    sources = np.array([q["source"] for q in questions])[group[kept]]
    ours = np.isin(sources, (OURS, OLDER))
    to_chances = chances_of(raw[kept][ours], y[kept][ours])
    chance, right = np.interp(raw[kept], *to_chances), y[kept]
    answer, sure = (threshold(chance[ours], right[ours], least) for least in (o.precision, o.sure))
    expect = np.array([q["expect"] for q in questions])
    report("all", chance, right, len(questions), answer)
    for source in sorted(set(sources)):
        inside = sources == source
        report(
            source,
            chance[inside],
            right[inside],
            int((np.array([q["source"] for q in questions]) == source).sum()),
            answer,
        )
    told = np.zeros(len(questions), bool)
    told[group[kept[chance >= answer]]] = True
    good = np.zeros(len(questions), bool)
    good[group[kept]] = right == 1
    for kind in ("decline", "clarify"):
        inside = expect == kind
        print(kind, inside.sum(), "kept", (~told[inside] | good[inside]).mean() if inside.any() else 1)
    print("thresholds", answer, sure)
    final = model().fit(x, y, sample_weight=weight)
    seen = np.nan_to_num(x)
    importance = sorted(
        zip(
            np.abs(np.array([np.corrcoef(seen[:, n], y)[0, 1] if seen[:, n].std() else 0 for n in range(len(names))])),
            names,
            strict=True,
        ),
        reverse=True,
    )
    print([(name, round(float(v), 2)) for v, name in importance[:20]])
    exported(final, names, to_chances, {"answer": answer, "sure": sure, "ask": ASK}, o.out)


if __name__ == "__main__":
    main()
