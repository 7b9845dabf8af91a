"""Whether a prediction gives the gold answer: the same rows in any order, each once, and figures to six digits."""

from __future__ import annotations

from typing import Any


def score_one(item: dict[str, Any], prediction: dict[str, Any]) -> dict[str, bool]:
    """As the question sets' own scorers are called."""
    accepted = [item["answer"], *(item.get("answer_alt") or ())]
    return {"correct": _rows(prediction["answer"]) in map(_rows, accepted)}


def _rows(answer: Any) -> list[tuple[str, ...]]:
    rows = [row if isinstance(row, list) else [row] for row in answer or ()]
    return sorted({tuple(sorted(map(_cell, row))) for row in rows})


def _cell(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else str(value)
