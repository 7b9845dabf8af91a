"""How likely a computed reading is the right one: boosted trees over its figures (`features`), then a monotone map
that makes the result a probability. Both are fitted by `learning/judge.py`, cross-validated by database; nothing
here was set by hand.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from apps.analyst.reading.features import table
from apps.analyst.reading.vectors import Floats

PATH = Path(__file__).parent / "judge.npz"


class Judge:
    """Trees as arrays: for each node the feature it asks for, the threshold, and where to go; leaves hold values."""

    def __init__(self, path: Path) -> None:
        kept = np.load(path)
        self.names = str(kept["names"]).split("\n")
        self.feature, self.threshold, self.left, self.right, self.value = (
            kept[k] for k in ("feature", "threshold", "left", "right", "value")
        )
        self.roots, self.base = kept["roots"], float(kept["base"])
        self.scores, self.chances = kept["scores"], kept["chances"]
        self.answer, self.sure, self.ask = float(kept["answer"]), float(kept["sure"]), float(kept["ask"])
        """Least probabilities at which a reading is told, is told without a word of doubt, is offered as a choice."""

    def probabilities(self, rows: Sequence[Mapping[str, float]]) -> Floats:
        """The probability of each reading, 0 to 1."""
        if not rows:
            return np.zeros(0, np.float32)
        made: Floats = np.interp(self.raw(np.array(table(rows, self.names))), self.scores, self.chances).astype(
            np.float32
        )
        return made

    def raw(self, x: Floats) -> Floats:
        """The sum of the trees, as a logit."""
        at = np.repeat(self.roots[None, :], len(x), 0)
        rows = np.arange(len(x))[:, None]
        while True:
            inner = self.left[at] >= 0
            if not inner.any():
                break
            goes = x[rows, self.feature[at]] <= self.threshold[at]
            at = np.where(inner, np.where(goes, self.left[at], self.right[at]), at)
        made: Floats = self.base + self.value[at].sum(1)
        return made


@cache
def judge(path: Path = PATH) -> Judge:
    """A judge that is shipped: that of single questions where no other is named."""
    return Judge(path)


def trained(path: Path = PATH) -> bool:
    """Whether the weights are there."""
    return path.exists()


def answer_from() -> float:
    """The least probability at which a reading is told as the answer."""
    return judge().answer


def sure_from() -> float:
    """The least probability at which an answer says nothing of doubt."""
    return judge().sure


def ask_from() -> float:
    """The least probability at which a reading is offered as a choice."""
    return judge().ask
