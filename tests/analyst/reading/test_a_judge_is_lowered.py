"""A judge fitted to other networks is lowered by what the new ones are surer than they may be."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from learning.lowering import above, moved, told


def test_probabilities_that_are_as_high_as_the_share_that_is_right_stay() -> None:
    right = np.array([True] * 7 + [False] * 3)
    assert above(np.full(10, 0.7), right) == pytest.approx(0, abs=1e-6)


def test_what_is_too_sure_is_moved_to_the_share_that_is_right_and_keeps_its_order() -> None:
    chance = np.linspace(0.5, 0.97, 200)
    right = np.arange(200) % 2 == 0
    lowered = moved(chance, above(chance, right))
    assert lowered.mean() == pytest.approx(0.5, abs=1e-3)
    assert (np.diff(lowered) > 0).all()


def test_no_probability_becomes_certain() -> None:
    made = moved(np.array([0.0, 0.5, 1.0]), -9.0)
    assert made.min() >= 0.01
    assert made.max() <= 0.99


def test_answers_count_and_what_was_asked_back_or_has_no_truth_does_not(tmp_path: Path) -> None:
    predictions = [
        {"id": "right", "answer": [1], "status": "answered", "confidence": 0.9},
        {"id": "wrong", "answer": [2], "status": "answered", "confidence": 0.8},
        {"id": "asked back", "answer": [1], "status": "clarify", "confidence": 0.7},
        {"id": "declined", "answer": None, "status": "declined", "confidence": 0.0},
        {"id": "of another set", "answer": [1], "status": "answered", "confidence": 0.6},
    ]
    file = tmp_path / "predictions.jsonl"
    file.write_text("\n".join(json.dumps(p) for p in predictions), encoding="utf-8")
    gold = {name: {"answer": [1]} for name in ("right", "wrong", "asked back", "declined")}
    scorer = SimpleNamespace(score_one=lambda item, p: {"correct": item["answer"] == p["answer"]})
    chance, right = told([file], gold, scorer)
    assert chance.tolist() == [0.9, 0.8]
    assert right.tolist() == [True, False]
