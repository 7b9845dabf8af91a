"""A network that learns something beside what it knows: what it has learned stays, and each of its maps gets a small
second one beside it, of few ranks (low-rank adaptation: Hu et al., LoRA, 2021).

So messages that go on from an answer are read by the network of single questions with little more weight, and single
questions are read as before, to the last digit.
"""

from __future__ import annotations

import math
from pathlib import Path

import torch
from torch import Tensor, nn

from apps.analyst.reading.packed import pack
from learning.network import Reader

RANK = 16
LEAST = 24
"""Maps from or to fewer figures than this stay as they are."""
FREE = ("before.weight",)
"""Weights that only messages use which go on from an answer."""


class Beside(nn.Module):
    """A linear map that stays, and one of few ranks beside it, which begins as nothing."""

    def __init__(self, kept: nn.Linear, rank: int) -> None:
        super().__init__()
        self.kept = kept.requires_grad_(False)
        self.inner = nn.Parameter(torch.randn(rank, kept.in_features) / math.sqrt(kept.in_features))
        self.outer = nn.Parameter(torch.zeros(kept.out_features, rank))

    def forward(self, x: Tensor) -> Tensor:
        made: Tensor = self.kept(x) + (x @ self.inner.T) @ self.outer.T
        return made


def adapt(model: Reader, rank: int = RANK) -> None:
    """Puts a small map beside each of the network's; all else, the words' encoder with it, stays."""
    model.requires_grad_(False)
    model.before.requires_grad_(True)
    for parent in [m for name, m in model.named_modules() if not name.startswith("words")]:
        for name, child in list(parent.named_children()):
            if name != "words" and isinstance(child, nn.Linear) and min(child.weight.shape) >= LEAST:
                setattr(parent, name, Beside(child, rank))


def is_beside(name: str) -> bool:
    """Whether a weight is one of a small map."""
    return name.endswith((".inner", ".outer"))


def exported(weights: dict[str, Tensor], path: Path) -> None:
    """Writes the small maps, and what only messages use that go on, as the file that the reader uses."""
    kept = {name: value.numpy() for name, value in weights.items() if is_beside(name)}
    pack({**kept, **{name: weights[name].numpy() for name in FREE}}, path)


if __name__ == "__main__":
    import sys

    exported(torch.load(sys.argv[1], weights_only=False)["weights"], Path(sys.argv[2]))
